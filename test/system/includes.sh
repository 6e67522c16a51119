#!/usr/bin/env bash
# Includes between the folders of src/ go one way: a folder sees itself and those declared before it.
# The order is the one in CMakeLists.txt, and ARCHITECTURE.md must tour the folders in that order too.
set -euo pipefail
cd "$TURNSTILE_SOURCE"

order=$(awk -F '[( )]' '/^turnstile_(folder|agent|program)\(/ { print $2 }' CMakeLists.txt)
failures=0
fail() { echo "$1" >&2; failures=$((failures + 1)); }

declare -A position=()
for folder in $order; do
    position[$folder]=${#position[@]}
    [ -d "src/$folder" ] || fail "CMakeLists.txt names src/$folder, which is not there"
done

includes=0
while IFS=: read -r file line text; do
    includes=$((includes + 1))
    folder=${file#src/}
    folder=${folder%%/*}
    path=${text#*\"}
    path=${path%%\"*}
    other=${path%%/*}
    if [ -z "${position[$other]-}" ] || [ "$other" = "$path" ]; then
        fail "$file:$line: include \"$path\" does not name one of the folders: $(echo $order)"
    elif [ "${position[$other]}" -gt "${position[$folder]--1}" ]; then
        fail "$file:$line: src/$folder must not include src/$other, which comes after it"
    elif [ ! -f "src/$path" ]; then
        fail "$file:$line: there is no src/$path"
    fi
done < <(grep -rnHE --include='*.[ch]' --include='*.def' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src)
[ "$includes" -gt 50 ] || fail "only $includes includes were seen: the test looks in the wrong place"

for folder in src/*/; do
    [ -n "${position[$(basename "$folder")]-}" ] || fail "$folder is not in CMakeLists.txt"
done

# ARCHITECTURE.md tours the same folders in the same order.
toured=$(grep -oE '^### `src/[a-z]+/`' ARCHITECTURE.md | sed -E 's/.*src\/([a-z]+).*/\1/')
[ "$toured" = "$order" ] || fail "ARCHITECTURE.md tours '$(echo $toured)', CMakeLists.txt has '$(echo $order)'"

[ "$failures" = 0 ] || { echo "$failures wrong" >&2; exit 1; }
echo "$includes includes between $(wc -w <<<"$order") folders, all one way"
