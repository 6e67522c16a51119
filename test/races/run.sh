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

# What the programs declare, by source: `//! needs: MAJOR`, `//! options: ...`, and the options that a program is to be run with as
# well, one `//! with OPTIONS: ...` on each line.
declare -A needs=() options=() variants=()
read_declarations() { # SOURCE...
    local kind source value
    while IFS=$'\t' read -r kind source value; do
        case $kind in
        needs) needs[$source]=$value ;;
        options) options[$source]+="$value " ;;
        with) [[ $'\n'${variants[$source]-} == *$'\n'"$value"$'\n'* ]] || variants[$source]+=$value$'\n' ;;
        esac
    done < <(awk '
        match($0, /^ *\/\/! (needs|options): */) {
            print ($0 ~ /^ *\/\/! needs/ ? "needs" : "options") "\t" FILENAME "\t" substr($0, RSTART + RLENGTH)
        }
        match($0, /\/\/! with --[^:]*:/) { print "with\t" FILENAME "\t" substr($0, RSTART + 9, RLENGTH - 10) }' "$@")
}

compile_folder() { # JDK CLASSES SOURCE...: those that the JDK's version allows, in one go
    local jdk=$1 classes=$2 source programs=()
    shift 2
    choose_programs "$jdk" "$@"
    [ "${#programs[@]}" != 0 ] || return 0
    mkdir -p "$classes"
    compile_by "$jdk" -g -nowarn -Xlint:none -d "$classes" "${support[@]}" "${programs[@]}" >"$classes.javac" 2>&1 ||
        { cat "$classes.javac" >&2; return 1; }
}

# Fills `programs` with the sources that the JDK's version allows.
choose_programs() { # JDK SOURCE...
    local version source
    version=$(jdk_version "$1")
    shift
    programs=()
    for source in "$@"; do
        [ "${version%%.*}" -lt "${needs[$source]:-0}" ] || programs+=("$source")
    done
}

plan_folder() { # JDK CLASSES RUNS FOLDER SOURCE...: adds their runs to the plan
    local jdk=$1 classes=$2 runs=$3 folder=$4 programs=() version source variant run name i
    shift 4
    version=$(jdk_version "$jdk")
    choose_programs "$jdk" "$@"
    for source in "${programs[@]}"; do
        name=${source##*/}
        name=${name%.java}
        for ((run = 1; run <= runs; run++)); do
            plan "$source" "JDK $version run $run" "$results/$version/$folder/$name.$run" "$jdk" "$classes" - \
                "${options[$source]-}"
            i=0
            while read -r variant; do
                [ -n "$variant" ] || continue
                i=$((i + 1))
                plan "$source" "JDK $version run $run $variant" "$results/$version/$folder/$name.$run.$i" "$jdk" \
                    "$classes" "$variant" "${options[$source]-}$variant"
            done <<<"${variants[$source]-}"
        done
    done
}

plan() { # SOURCE LABEL RESULT JDK CLASSES VARIANT OPTIONS
    (IFS=$'\t' && printf '%s\n' "$*") >>"$results/plan"
}

run_planned() { # LINE OF THE PLAN
    local source folder jdk classes options program more= flags= status=0
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
    # Every second run has another compiler and collector.
    case "${folder##*/}" in
    *.[02468] | *.[02468].*) flags=$RACE_OTHER_JVM ;;
    esac
    rm -rf "$folder"
    mkdir -p "$folder"
    options=${options//FOLDER/${source%/*}}
    set -f # patterns among the options are for the tool
    timeout -k 5 60 "$TURNSTILE" run --exclude quiet --format json -o "$folder/result.json" $more $options -- \
        "$jdk/bin/java" $flags $RACE_JAVA_OPTIONS -cp "$classes" "$program" \
        >"$folder/stdout" 2>"$folder/stderr" </dev/null || status=$?
    echo "$status" >"$folder/status"
}
export -f run_planned
export RACE_JAVA_OPTIONS=${RACE_JAVA_OPTIONS:-} RACE_OTHER_JVM=
[ -n "$RACE_JAVA_OPTIONS" ] || RACE_OTHER_JVM="${briefly[*]}"

mapfile -t support < <(find "$races/support" "$races/../../java/annotation" -name '*.java')
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
for folder in "${folders[@]}"; do
    mapfile -t chosen <<<"${sources[$folder]%$'\n'}"
    read_declarations "${chosen[@]}"
    compiling=()
    for ((i = 0; i < ${#jdks[@]}; i++)); do
        classes=$work/classes/$(jdk_version "${jdks[i]}")/$folder
        compile_folder "${jdks[i]}" "$classes" "${chosen[@]}" &
        compiling+=($!)
        default_runs=$((i == 0 ? 4 - ${#jdks[@]} : 1)) # three in all
        plan_folder "${jdks[i]}" "$classes" "${RACE_RUNS:-$default_runs}" "$folder" "${chosen[@]}"
    done
    for process in "${compiling[@]}"; do
        wait "$process" || exit 1
    done
done
xargs -d '\n' -P "${RACE_JOBS:-3}" -n 1 bash -c 'run_planned "$1"' run <"$results/plan"
java_tool "$races/CheckExpectations.java" "$results/plan"
