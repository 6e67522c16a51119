#!/usr/bin/env bash
# Hostile archives: one line says which file, where in it, and why; the exit status is 2; the good
# classes of the same archive are still shown; nothing is written anywhere.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
folder=$work
mkdir "$folder/archives" "$folder/empty"

"$TURNSTILE_TOOLS" make_bad_archives "$folder/archives" > "$folder/expected"

count=0
while IFS=$'\t' read -r name level good message; do
    count=$((count + 1))
    status=0
    (cd "$folder/empty" && "$TURNSTILE" dump "../archives/$name") \
        > "$folder/out" 2> "$folder/err" || status=$?
    wanted=$([ "$level" = error ] && echo 2 || echo 0)
    [ "$status" = "$wanted" ] || fail "$name: exit status $status instead of $wanted"
    [ "$(wc -l < "$folder/err")" = 1 ] || fail "$name: not one line of errors"
    grep -q "^turnstile: $level: ../archives/$name" "$folder/err" ||
        fail "$name: no line 'turnstile: $level: ../archives/$name...'"
    grep -qF -- "$message" "$folder/err" || fail "$name: does not say '$message'"
    shown=$(grep -Ec 'class good[./](First|Second|Deep)' "$folder/out" || true)
    [ "$shown" = "$good" ] || fail "$name: $shown good classes shown instead of $good"
    ! grep -q 'bad[./]Bad' "$folder/out" || fail "$name: the bad class is shown"
done < "$folder/expected"

# All of them as one input: still everything, and one line each.
errors=$(cut -f 2 "$folder/expected" | grep -c error)
status=0
"$TURNSTILE" dump "$folder/archives" > "$folder/out" 2> "$folder/err" || status=$?
[ "$status" = 2 ] || fail "all archives: exit status $status instead of 2"
[ "$(grep -c '^turnstile: error: ' "$folder/err")" = "$errors" ] ||
    fail "all archives: not $errors lines of errors"

[ -z "$(ls -A "$folder/empty")" ] || fail "all archives: files were written"
[ "$(ls "$folder/archives" | wc -l)" = "$count" ] || fail "all archives: files were written"
finish "$count bad archives, each told in one line"
