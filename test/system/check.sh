#!/usr/bin/env bash
# What `turnstile check` says of small programs, line by line: test/check/README.md.
#   check.sh [FOLDER | FOLDER/PROGRAM.java]...
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
: "${TURNSTILE:?names the built command}" "${TURNSTILE_JDK:?names the JDK of the build}"
suite=$TURNSTILE_SOURCE/test/check
core=$suite/core

declared() { # WHAT FILE: the rest of `// WHAT: ...` among its first lines
    sed -n "1,3s|^// $1: *||p" "$2"
}

compile() { # CLASSES OPTIONS... SOURCE...
    local classes=$1
    shift
    mkdir -p "$classes"
    "$TURNSTILE_JDK/bin/javac" -nowarn -Xlint:-options -d "$classes" "$@" >"$work/javac" 2>&1 ||
        { cat "$work/javac" >&2; exit 1; }
}

# Names of classes are unique in the whole suite, so that one run of javac does for each release.
mapfile -t sources < <(find "$core" -name '*.java' | sort)
mapfile -t annotations < <(find "$suite/annotations" "$TURNSTILE_SOURCE/java/annotation" -name '*.java' | sort)
compile "$work/annotations" --release 8 "${annotations[@]}"
declare -A of_release
for source in "${sources[@]}"; do
    release=$(declared release "$source")
    of_release[${release:-own}]+=$source$'\n'
done
for release in "${!of_release[@]}"; do
    mapfile -t chosen <<<"${of_release[$release]%$'\n'}"
    options=(-g -cp "$work/annotations")
    [ "$release" = own ] || options+=(--release "$release")
    compile "$work/classes/$release" "${options[@]}" "${chosen[@]}"
done

# Each program is checked alone: its class, the classes inside it, and its .locks file.
check_program() { # SOURCE RESULT
    local source=$1 result=$2 name release classes options own status=0 expected=0
    name=$(basename "$source" .java)
    release=$(declared release "$source")
    classes=$work/classes/${release:-own}
    classes=("$classes/$name".class "$classes/$name"\$*.class)
    [ -e "${classes[1]}" ] || unset 'classes[1]'
    if grep -q 'import turnstile.annotation.Turnstile;' "$source"; then
        classes+=("$work/annotations/turnstile/annotation/Turnstile.class")
    fi
    options=(--format json --source "$(dirname "$source")" -o "$result")
    [ ! -e "${source%.java}.locks" ] || options+=(--locks "${source%.java}.locks")
    read -ra own <<<"$(declared options "$source")"
    "$TURNSTILE" check "${options[@]}" "${own[@]}" "${classes[@]}" >"$work/out" 2>&1 </dev/null || status=$?
    ! grep -q '"rule":' "$result" 2>/dev/null || expected=1
    [ "$status" = "$expected" ] || fail "$name: exit status $status instead of $expected: $(head -c 800 "$work/out")"
}

choose() { # ARGUMENTS: fills `sources` with the programs they name
    local argument
    sources=()
    for argument in "$@"; do
        case "$argument" in
        *.java) sources+=("$core/$argument") ;;
        *) sources+=("$core/${argument%/}"/*.java) ;;
        esac
    done
}

[ $# = 0 ] || choose "$@"
for source in "${sources[@]}"; do
    [ -r "$source" ] || { echo "no such program: $source" >&2; exit 2; }
    result=$work/results/$(basename "$source" .java).json
    mkdir -p "$work/results"
    check_program "$source" "$result"
    printf '%s\t%s\n' "$source" "$result" >>"$work/plan"
done
"$TURNSTILE_JDK/bin/java" "$suite/CompareFindings.java" "$TURNSTILE_SOURCE/src/base/rules.def" "$work/plan" \
    >"$work/differences" ||
    fail "findings differ from what is expected"
cat "$work/differences"

# The suite is to have at least 300 expectations, and at least as many lines that must stay silent.
if [ $# = 0 ]; then
    read -r expectations silent < <(tail -n 1 "$work/differences" |
        sed 's/.* programs, \([0-9]*\) .*, \([0-9]*\) lines.*/\1 \2/')
    [ "$expectations" -ge 300 ] || fail "only $expectations expectations"
    [ "$silent" -ge "$expectations" ] || fail "only $silent lines must stay silent"
fi
finish "every finding is at its line"
