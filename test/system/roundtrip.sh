#!/usr/bin/env bash
# Reading and then writing gives the same bytes, for every class of the JDKs and of the packages.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
find_jars
find_jdks

"$TURNSTILE_TOOLS" roundtrip "${jdks[@]}" "${jars[@]}" >"$work/log" || fail "$(cat "$work/log")"
for jdk in "${jdks[@]}"; do
    grep -F "$jdk:" "$work/log" | sed "s|^[^:]*: |JDK $(jdk_version "$jdk"): |" || fail "$jdk was not read"
done
total=$(sed -n 's/^total: \([0-9]*\) classes.*/\1/p' "$work/log")
# A JDK 17 alone has more than 20,000 classes, the packages more than 10,000.
[ "${total:-0}" -gt 30000 ] || fail "only ${total:-0} classes were found"
finish "$(tail -n 1 "$work/log")"
