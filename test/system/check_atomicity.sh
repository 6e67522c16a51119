#!/usr/bin/env bash
# Atomicities: which are inferred for small programs, and what is said of methods that should be atomic:
# test/check/README.md. A program says it as those of check.sh do; besides,
#   Name.atomicities      has all methods of Name.java with the atomicities that must be inferred,
#   // ... path           is on lines that the report of the finding must show on the way to what is not atomic.
#   check_atomicity.sh [PROGRAM.java]...
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
source "$TURNSTILE_SOURCE/test/system/check_programs.bash" || exit 1
programs=$suite/atomicity
java=$TURNSTILE_JDK/bin/java

classes_of() { # NAME: fills `classes`
    local folder=$work/classes/own
    classes=("$folder/$1".class "$folder/$1"\$*.class)
    [ -e "${classes[1]}" ] || unset 'classes[1]'
}

types_of() { # SOURCE: fills `types`, the options that say where lock types are
    types=(--source "$programs")
    [ ! -e "${1%.java}.locks" ] || types+=(--locks "${1%.java}.locks")
}

run_check() { # OUTPUT ARGUMENTS...: findings are no failure
    local output=$1 status=0
    shift
    "$TURNSTILE" check "$@" >"$output" 2>"$work/errors" </dev/null || status=$?
    [ "$status" -le 1 ] || fail "turnstile check ${*:1:4} ...: exit status $status: $(head -c 800 "$work/errors")"
}

check_inferred() { # SOURCE
    local source=$1 name types classes
    name=$(basename "$source" .java)
    classes_of "$name"
    types_of "$source"
    run_check "$work/inferred/$name.locks" --atomicities "${types[@]}" "${classes[@]}"
    [ ! -e "${source%.java}.atomicities" ] ||
        printf '%s\t%s\n' "${source%.java}.atomicities" "$work/inferred/$name.locks" >>"$work/atomicities"
    # As a declaration it is understood, and nothing breaks it.
    ! grep -qs atomic "${source%.java}.locks" || return 0
    run_check "$work/again" "${types[@]}" --locks "$work/inferred/$name.locks" "${classes[@]}"
    ! grep -e ': not-atomic' -e "$name.locks:.* bad-annotation" "$work/again" ||
        fail "$name: what was inferred cannot be declared"
}

check_path() { # SOURCE: the lines that the text must show
    local source=$1 name line own types classes
    name=$(basename "$source" .java)
    classes_of "$name"
    types_of "$source"
    read -ra own <<<"$(declared options "$source")"
    run_check "$work/text" "${types[@]}" "${own[@]}" "${classes[@]}"
    while read -r line; do
        grep -qE "\b$name\.java:$line\b" "$work/text" || fail "$name: the report does not show line $line"
    done < <(grep -nE '// (.*; )?path$' "$source" | cut -d : -f 1)
}

sources=("$programs"/*.java)
compile_annotations
compile_programs "$work/classes" "${sources[@]}"
if [ $# != 0 ]; then
    sources=("${@/#/$programs/}")
fi
mkdir "$work/inferred"
: >"$work/atomicities"
for source in "${sources[@]}"; do
    [ -r "$source" ] || { echo "no such program: $source" >&2; exit 2; }
    check_program "$work/classes" "$source" "$work/results/$(basename "$source" .java).json"
    check_inferred "$source"
    check_path "$source"
done
compare_findings
"$java" "$suite/CompareAtomicities.java" "$work/atomicities" || fail "other atomicities than expected"

# The order of the classes does not matter.
if [ $# = 0 ]; then
    mapfile -t classes < <(find "$work/classes/own" -name '*.class' | sort)
    run_check "$work/forward" --atomicities --source "$programs" "${classes[@]}"
    mapfile -t classes < <(find "$work/classes/own" -name '*.class' | sort -r)
    run_check "$work/out" --atomicities -o "$work/backward" --source "$programs" "${classes[@]}"
    cmp "$work/forward" "$work/backward" || fail "the atomicities depend on the order of the classes"
fi
finish "atomicities are inferred, and what is not atomic is told"
