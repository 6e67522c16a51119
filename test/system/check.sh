#!/usr/bin/env bash
# What `turnstile check` says of small programs, line by line: test/check/README.md.
#   check.sh [FOLDER | FOLDER/PROGRAM.java]... (below test/check: core/juc, beliefs)
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
source "$TURNSTILE_SOURCE/test/system/check_programs.bash" || exit 1
folders=("$suite/core" "$suite/beliefs")

choose() { # ARGUMENTS: fills `chosen` with the programs they name
    local argument
    chosen=()
    for argument in "$@"; do
        case "$argument" in
        *.java) chosen+=("$suite/$argument") ;;
        *) mapfile -t -O "${#chosen[@]}" chosen < <(find "$suite/${argument%/}" -name '*.java' | sort) ;;
        esac
    done
}

mapfile -t sources < <(find "${folders[@]}" -name '*.java' | sort)
chosen=("${sources[@]}")
[ $# = 0 ] || choose "$@"

# As each JDK compiles them: newer ones leave out fields of inner classes, among other things.
find_jdks
for jdk in "${jdks[@]}"; do
    export TURNSTILE_JDK=$jdk JAVA_HOME=$jdk
    results=$work/$(jdk_version "$jdk")
    compile_annotations
    compile_programs "$results/classes" "${sources[@]}"
    rm -f "$work/plan"
    for source in "${chosen[@]}"; do
        [ -r "$source" ] || { echo "no such program: $source" >&2; exit 2; }
        check_program "$results/classes" "$source" "$results/$(basename "$source" .java).json"
    done
    echo "-- JDK $(jdk_version "$jdk")"
    compare_findings
done

# The suite is to have at least 300 expectations, and at least as many lines that must stay silent.
if [ $# = 0 ]; then
    read -r expectations silent < <(tail -n 1 "$work/differences" |
        sed 's/.* programs, \([0-9]*\) .*, \([0-9]*\) lines.*/\1 \2/')
    [ "$expectations" -ge 300 ] || fail "only $expectations expectations"
    [ "$silent" -ge "$expectations" ] || fail "only $silent lines must stay silent"
fi
finish "every finding is at its line"
