#!/usr/bin/env bash
# The example programs of the papers that the lock types are from: test/check/README.md. Each is there in three forms,
# with comments, with annotations and with a .locks file, and the verdict must be the same.
#   check_papers.sh [PAPER-NAME]...
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
source "$TURNSTILE_SOURCE/test/system/check_programs.bash" || exit 1
papers=$suite/papers
forms=(comments annotations locks)

# Takes something away from a program, wherever it is declared: from a method what it requires, or the n-th
# `synchronized` of the program.
take_away() { # WHAT FILE
    case "$1" in
    synchronized\ *)
        awk -v wanted="${1#* }" '
            /^[^\/]*synchronized/ && ++count == wanted { sub(/synchronized (\([^)]*\) )?/, "") }
            { print }' "$2"
        ;;
    *)
        awk -v method="[ .]$1[(]" '
            $0 ~ method { inside = 1 }
            inside {
                sub(/ ?\/\*# requires [^*]*\*\//, "")
                sub(/@Requires\([^)]*\) ?/, "")
                sub(/ requires [^;]*(atomicity)/, " atomicity") || sub(/ requires [^;]*;/, ";")
            }
            /[{;]/ { inside = 0 }
            { print }' "$2"
        ;;
    esac
}

# A program says with `// without WHAT: RULE` what is wrong with that line once WHAT is taken away. So there is another
# program for each WHAT, with a name of its own.
write_variants() { # SOURCE FOLDER
    local source=$1 folder=$2 name what variant file changed
    name=$(basename "$source" .java)
    while read -r what; do
        variant=${name}Without${what// /}
        changed=0
        for file in "$source" "${source%.java}.locks"; do
            [ -e "$file" ] || continue
            take_away "$what" "$file" >"$work/less"
            changed=$((changed + $(diff "$file" "$work/less" | grep -c '^<' || true)))
            sed "s|\b$name\b|$variant|g; s|// without $what: |// expect: |" "$work/less" \
                >"$folder/$variant.${file##*.}"
        done
        [ "$changed" = 1 ] || fail "$source: $changed lines change without $what"
    done < <(sed -n 's|.*// without \([^:]*\): .*|\1|p' "$source" | sort -u)
}

compile_annotations
for form in "${forms[@]}"; do
    mkdir -p "$work/variants/$form"
    sources=()
    for folder in "$papers"/*/; do
        name=$(basename "$folder")
        [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
        for source in "$folder$form"/*.java; do
            sources+=("$source")
            write_variants "$source" "$work/variants/$form"
        done
    done
    [ "${#sources[@]}" -gt 0 ] || { echo "no such program: $*" >&2; exit 2; }
    sources+=("$work/variants/$form"/*.java)
    [ -e "${sources[-1]}" ] || unset 'sources[-1]'
    compile_programs "$work/classes/$form" "${sources[@]}"
    for source in "${sources[@]}"; do
        check_program "$work/classes/$form" "$source" "$work/results/$form/$(basename "$source" .java).json"
    done
done
compare_findings

# The same programs in each form, and all that can be taken away from the stack.
if [ $# = 0 ]; then
    for form in "${forms[@]}"; do
        diff <(cd "$papers" && find . -path "*/comments/*.java" -printf '%f\n' | sort) \
            <(cd "$papers" && find . -path "*/$form/*.java" -printf '%f\n' | sort) >&2 ||
            fail "the programs with $form are not those with comments"
        count=$(find "$work/variants/$form" -name 'StackProgramWithout*.java' | wc -l)
        [ "$count" = 8 ] || fail "$form: $count variants of the stack instead of 8"
    done
fi
finish "the programs of the papers are judged as the papers say"
