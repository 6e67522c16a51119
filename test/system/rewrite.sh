#!/usr/bin/env bash
# Every class of some well-known packages is rewritten with insertions that do nothing, and must be
# accepted by the JVM's verifier. Prints how many, and what had to be left as it was.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
find_jars
find_jdks

"$TURNSTILE_JDK/bin/javac" -d "$work/tools" "$TURNSTILE_SOURCE/test/java/VerifyAll.java" \
    "$TURNSTILE_SOURCE/test/java/rewrite/SetVersion.java"

# verify WHAT JDKS ORIGINAL...: rewrite the originals and let the JVM verify the result.
verify() {
    local what=$1 count=$2 jdk
    shift 2
    echo "== $what, $# jars"
    rm -rf "$work/out"
    "$TURNSTILE_TOOLS/nop_rewrite" --out "$work/out" --what "$what" "$@"
    for jdk in "${jdks[@]:0:count}"; do
        echo "-- JDK $(jdk_version "$jdk")"
        if ! "$jdk/bin/java" -Xverify:all -cp "$work/tools" VerifyAll "$work/out" --original "$@" \
            --classpath "${jars[@]}" >"$work/log" 2>&1; then
            fail "$what: $(grep -v NoClassDefFoundError "$work/log" | head -20)"
        else
            grep 'verified by the JVM' "$work/log"
        fi
    done
}

verify all 2 "${jars[@]}"
verify branchy 2 "${jars[@]}"
verify all,after,replace 1 "${jars[@]}"

# The same classes as the older verifier sees them: version 49 has no frames, version 50 may.
for version in 49 50; do
    old=$work/old$version.jar
    "$TURNSTILE_JDK/bin/java" -cp "$work/tools" SetVersion $version /usr/share/java/derby.jar "$old"
    verify all,after,replace 1 "$old"
    verify branchy 1 "$old"
done
finish "all rewritten classes are accepted"
