#!/usr/bin/env bash
# Runs the programs of this folder under `turnstile run` and compares what is found with what they expect; README.md.
#   run.sh [FOLDER | FOLDER/PROGRAM.java]...
races=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$races/../system/support.bash" || exit 1
: "${TURNSTILE:?names the built command}" "${TURNSTILE_JDK:?names the JDK of the build}"
find_jdks
results=${RACE_RESULTS:-$work/results}
mkdir -p "$results"
results=$(cd "$results" && pwd)
export TURNSTILE

declared() { # WHAT FILE: the rest of its line `//! WHAT: ...`
    sed -n "s|^ *//! $1: *||p" "$2" | tr '\n' ' '
}

# The options that a program is to be run with as well: one `//! with OPTIONS: ...` on each line.
variants() { # FILE
    grep -o '//! with --[^:]*:' "$1" | sed 's|^//! with ||; s|:$||' | sort -u
}

# Fills `programs` with the sources in FOLDER that the JDK's version allows.
choose_programs() { # MAJOR SOURCE...
    local major=$1 source needs
    shift
    programs=()
    for source in "$@"; do
        needs=$(declared needs "$source")
        [ "$major" -lt "${needs:-0}" ] || programs+=("$source")
    done
}

plan_folder() { # JDK RUNS FOLDER SOURCE...: compiles them in one go and adds their runs to the plan
    local jdk=$1 runs=$2 folder=$3 version classes source options variants run name i
    shift 3
    version=$(jdk_version "$jdk")
    choose_programs "${version%%.*}" "$@"
    [ "${#programs[@]}" != 0 ] || return 0
    classes=$work/classes/$version/$folder
    mkdir -p "$classes"
    find "$races/support" "$races/../../java/annotation" -name '*.java' -exec \
        "$jdk/bin/javac" -g -nowarn -Xlint:none -d "$classes" {} + >"$work/javac" 2>&1 ||
        { cat "$work/javac" >&2; exit 1; }
    "$jdk/bin/javac" -g -nowarn -Xlint:none -cp "$classes" -d "$classes" "${programs[@]}" >"$work/javac" 2>&1 ||
        { cat "$work/javac" >&2; exit 1; }
    for source in "${programs[@]}"; do
        options=$(declared options "$source")
        mapfile -t variants < <(variants "$source")
        for ((run = 1; run <= runs; run++)); do
            name=$(basename "$source" .java).$run
            plan "$source" "JDK $version run $run" "$results/$version/$folder/$name" "$jdk" "$classes" - "$options"
            for ((i = 0; i < ${#variants[@]}; i++)); do
                plan "$source" "JDK $version run $run ${variants[i]}" "$results/$version/$folder/$name.$((i + 1))" "$jdk" \
                    "$classes" "${variants[i]}" "$options${variants[i]}"
            done
        done
    done
}

plan() { # SOURCE LABEL RESULT JDK CLASSES VARIANT OPTIONS
    (IFS=$'\t' && printf '%s\n' "$*") >>"$results/plan"
}

run_planned() { # LINE OF THE PLAN
    local source folder jdk classes options program more= status=0
    IFS=$'\t' read -r source _ folder jdk classes _ options <<<"$1"
    program=${source##*/}
    program=${program%.java}
    case "$source $options" in
    *--atomicity*) ;;
    */atomicity/*) more="--atomicity both" ;;
    esac
    # What is found in samples of a run, and in all of it.
    case "$folder" in
    */atomicity/*.[02468]*) more+=" --events distinct" ;;
    esac
    rm -rf "$folder"
    mkdir -p "$folder"
    options=${options//FOLDER/${source%/*}}
    set -f # patterns among the options are for the tool
    timeout -k 5 60 "$TURNSTILE" run --exclude quiet --format json -o "$folder/result.json" $more $options -- \
        "$jdk/bin/java" $RACE_JAVA_OPTIONS -cp "$classes" "$program" \
        >"$folder/stdout" 2>"$folder/stderr" </dev/null || status=$?
    echo "$status" >"$folder/status"
}
export -f run_planned
export RACE_JAVA_OPTIONS=${RACE_JAVA_OPTIONS:-}

[ $# != 0 ] || set -- core library atomicity
folders=()
declare -A sources
for argument in "$@"; do
    folder=$(basename "${argument%/}")
    chosen=("$races/$folder"/*.java)
    case "$argument" in
    *.java)
        folder=$(basename "$(dirname "$argument")")
        chosen=("$races/$folder/$(basename "$argument")")
        ;;
    esac
    [ -r "${chosen[0]}" ] || { echo "no such programs: $argument" >&2; exit 2; }
    [ -n "${sources[$folder]:-}" ] || folders+=("$folder")
    sources[$folder]+="$(printf '%s\n' "${chosen[@]}")"$'\n'
done

: >"$results/plan"
for ((i = 0; i < ${#jdks[@]}; i++)); do
    default_runs=$((i == 0 ? 4 - ${#jdks[@]} : 1)) # three in all
    for folder in "${folders[@]}"; do
        mapfile -t chosen <<<"${sources[$folder]%$'\n'}"
        plan_folder "${jdks[i]}" "${RACE_RUNS:-$default_runs}" "$folder" "${chosen[@]}"
    done
done
xargs -d '\n' -P "${RACE_JOBS:-3}" -n 1 bash -c 'run_planned "$1"' run <"$results/plan"
"$TURNSTILE_JDK/bin/java" "$races/CheckExpectations.java" "$results/plan"
