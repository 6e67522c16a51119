#!/usr/bin/env bash
# Every class of some well-known packages is rewritten with insertions that do nothing, and must be
# accepted by the JVM's verifier. Prints how many, and what had to be left as it was.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
find_jars
find_jdks

compile_by "$TURNSTILE_JDK" -d "$work/tools" "$TURNSTILE_SOURCE/test/java/VerifyAll.java" \
    "$TURNSTILE_SOURCE/test/java/rewrite/SetVersion.java"

# link JDK PLACE...: let the JVM verify all classes there, with a log of how in $work/jvm-log.
link() {
    local jdk=$1
    shift
    "$jdk/bin/java" "${briefly[@]}" -Xverify:all "-Xlog:class+init=info:file=$work/jvm-log:none:filecount=0" \
        -cp "$work/tools" VerifyAll "$@" --classpath "${jars[@]}" >"$work/log" 2>&1
}

# The classes of version 50 whose StackMapTables the JVM did not accept: it goes on with the older
# verifier then, without a word.
failed_over() {
    grep -q 'class verification for: ' "$work/jvm-log" || fail "the JVM does not log verification"
    sed -n 's/.*Fail over class verification to old verifier for: //p' "$work/jvm-log" | sort -u
}

# check_failed_over WHAT JDK ORIGINAL...: none but those that did so before.
check_failed_over() {
    local what=$1 jdk=$2
    shift 2
    failed_over >"$work/failed-over"
    [[ -s $work/failed-over ]] || return 0
    link "$jdk" "$@" || true
    failed_over >"$work/failed-over-before"
    comm -23 "$work/failed-over" "$work/failed-over-before" >"$work/failed-over-new"
    echo "$(wc -l <"$work/failed-over") classes fall back to the older verifier," \
        "$(wc -l <"$work/failed-over-new") of them only when rewritten"
    [[ ! -s $work/failed-over-new ]] ||
        fail "$what: the JVM falls back to the older verifier: $(head -5 "$work/failed-over-new")"
}

# verify WHAT ORIGINAL...: rewrite the originals and let the JVMs in `verifiers` verify the result.
verify() {
    local what=$1 jdk
    shift
    echo "== $what, $# jars"
    rm -rf "$work/out"
    "$TURNSTILE_TOOLS" nop_rewrite --out "$work/out" --what "$what" "$@"
    for jdk in "${verifiers[@]}"; do
        echo "-- JDK $(jdk_version "$jdk")"
        if ! link "$jdk" --unlinkable 2 "$work/out" --original "$@"; then
            fail "$what: $(grep -v NoClassDefFoundError "$work/log" | head -20)"
        else
            grep 'verified by the JVM' "$work/log"
        fi
        check_failed_over "$what" "$jdk" "$@"
    done
}

verifiers=("${jdks[@]}")
verify all "${jars[@]}"
# One JVM will do for these: it is the same verifier in all.
verifiers=("${jdks[-1]}")
verify branchy "${jars[@]}"
verifiers=("$TURNSTILE_JDK")
verify all,after,replace "${jars[@]}"

# The same classes as the older verifier sees them: version 49 has no frames, version 50 may.
for version in 49 50; do
    old=$work/old$version.jar
    "$TURNSTILE_JDK/bin/java" "${briefly[@]}" -cp "$work/tools" SetVersion $version /usr/share/java/derby.jar "$old"
    verify all,after,replace "$old"
    verify branchy "$old"
done
finish "all rewritten classes are accepted"
