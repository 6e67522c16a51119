#!/usr/bin/env bash
# Every class of some well-known packages is instrumented as the agent does it, and must be accepted by
# the JVM's verifier, with the hook classes that it calls in their place. Prints how many, and what had
# to be left as it was.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
find_jars
find_jdks

compile_by "$TURNSTILE_JDK" -d "$work/tools" "$TURNSTILE_SOURCE/test/java/VerifyAll.java"

# As part of java.base, against a java.lang.Thread with the fields that the agent adds: see hook.cmake.
compile_by "$TURNSTILE_JDK" -d "$work/hook" -Xlint:-options -source 17 -target 17 -implicit:none \
    --patch-module "java.base=$TURNSTILE_SOURCE/java/outline:$TURNSTILE_SOURCE/java/hook" \
    "$TURNSTILE_SOURCE"/java/hook/java/lang/*.java

# link JDK PLACE...: let the JVM verify all classes there, with a log of how in $work/jvm-log.
link() {
    local jdk=$1
    shift
    "$jdk/bin/java" "${briefly[@]}" -Xverify:all --patch-module "java.base=$work/hook" \
        "-Xlog:class+init=info:file=$work/jvm-log:none:filecount=0" \
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
    [[ ! -s $work/failed-over-new ]] ||
        fail "$what: the JVM falls back to the older verifier: $(head -5 "$work/failed-over-new")"
}

# instrument WHAT OPTION_OR_ORIGINAL...
instrument() {
    local what=$1
    shift
    echo "== $what"
    "$TURNSTILE_TOOLS" instrument_classes --workers 2 --out "$work/$what" "$@"
}

# verify WHAT JDK ORIGINAL...: let the JVM verify what was instrumented.
verify() {
    local what=$1 jdk=$2
    shift 2
    echo "-- JDK $(jdk_version "$jdk")"
    if link "$jdk" --unlinkable 2 "$work/$what" --original "$@"; then
        grep 'verified by the JVM' "$work/log"
    else
        fail "$what: $(grep -v NoClassDefFoundError "$work/log" | head -20)"
    fi
    check_failed_over "$what" "$jdk" "$@"
}

instrument fields "${jars[@]}"
for jdk in "${jdks[@]}"; do
    verify fields "$jdk" "${jars[@]}"
done

# One word for each object and array: the names of the shadows differ, and how they are found.
instrument objects --object-words --whole-arrays "$java_folder/h2.jar"
verify objects "$TURNSTILE_JDK" "$java_folder/h2.jar"

# With marks of the blocks that the heuristics take for atomic.
instrument blocks --atomic "${jars[@]}"
verify blocks "$TURNSTILE_JDK" "${jars[@]}"
finish "all instrumented classes are accepted"
