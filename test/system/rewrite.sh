#!/bin/bash
# Every class of some well-known packages is rewritten with insertions that do nothing, and must be
# accepted by the JVM's verifier. Prints how many, and what had to be left as it was.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

jars=()
for jar in /usr/share/java/{hsqldb,h2,derby,derbynet,guava}.jar /usr/share/java/{tomcat9,netty}-*.jar; do
    # Most are there twice, with and without the version in their name.
    if [[ -f $jar && ! $(basename "$jar") =~ -[0-9]+\.[0-9.]+ ]]; then
        jars+=("$jar")
    fi
done
if ((${#jars[@]} == 0)) || [[ ! -x $TURNSTILE_JDK/bin/javac ]]; then
    echo "skipped: no JDK, or none of the packages is installed"
    exit 77
fi

# The JDK of the build, and the newest one.
newest=$(for home in /usr/lib/jvm/*; do
    if [[ -f $home/release && -x $home/bin/java ]]; then
        version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$home/release")
        echo "$version $(readlink -f "$home")"
    fi
done | sort -n | tail -1 | cut -d' ' -f2)
jdks=("$TURNSTILE_JDK")
if [[ -n $newest && $newest != $(readlink -f "$TURNSTILE_JDK") ]]; then
    jdks+=("$newest")
fi

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
        sed -n 's/^JAVA_VERSION=/-- JDK /p' "$jdk/release"
        if ! "$jdk/bin/java" -Xverify:all -cp "$work/tools" VerifyAll "$work/out" --original "$@" \
            --classpath "${jars[@]}" >"$work/log" 2>&1; then
            failed=1
            grep -v NoClassDefFoundError "$work/log" | head -20
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
exit $failed
