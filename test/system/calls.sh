#!/usr/bin/env bash
# What `turnstile dump --callgraph` shows of calls, against what JVMs run, on random programs: see RandomCalls.java.
#
# The programs have the seeds from RANDOM_SEED (1) on, RANDOM_PROGRAMS (150) of them. One that was reported is made alone by
#   RANDOM_PROGRAMS=1 RANDOM_SEED=123 RANDOM_CLASSES=FOLDER
# where the folder is for its class files, to look at with javap.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
find_jdks
asm=$java_folder/asm.jar
need "$asm"
first=${RANDOM_SEED:-1}
programs=${RANDOM_PROGRAMS:-150}
classes=${RANDOM_CLASSES:-$work/classes}
together=10 # programs in a JVM

# Receivers are passed as java/lang/Object, which the verifier does not let pass, nor protected methods of other packages.
flags=("${briefly[@]}" -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote)
# HotSpot crashes on a few of these hierarchies when it makes their tables of methods.
flags+=(-XX:-CreateCoredumpOnCrash -XX:ErrorFile=/dev/null) # it ends with status 1 then

# Adds to the observations, if the JVM lives.
run() { # JDK SEED COUNT
    local status=0
    timeout 120 "$1/bin/java" "${flags[@]}" -cp "$work/tools:$classes" RandomCalls run "$2" "$3" >"$work/run" \
        2>"$work/errors" || status=$?
    [ "$status" != 0 ] || cat "$work/run" >>"$work/observations"
    return "$status"
}

# Alone, so that a crash takes no others with it.
run_alone() { # JDK SEED COUNT
    local seed status
    for ((seed = $2; seed < $2 + $3; seed++)); do
        status=0
        run "$1" "$seed" 1 || status=$?
        if grep -q '^# A fatal error has been detected by the Java Runtime' "$work/run"; then
            crashed=$((crashed + 1))
        elif [ "$status" != 0 ]; then
            fail "seed $seed cannot be run: status $status: $(head -n 5 "$work/errors")"
        fi
    done
}

compare_with() { # JDK
    local seed count crashed=0 version
    version=$(jdk_version "$1")
    : >"$work/observations"
    for ((seed = first; seed < first + programs; seed += together)); do
        count=$((first + programs - seed))
        [ "$count" -le "$together" ] || count=$together
        run "$1" "$seed" "$count" || run_alone "$1" "$seed" "$count"
    done
    [ $((crashed * 4)) -le "$programs" ] || fail "JDK $version crashes on $crashed of $programs programs"
    java_run compare "$work/dump" "$work/observations" >"$work/compared" ||
        fail "JDK $version does not do what is shown (RANDOM_PROGRAMS=1 RANDOM_SEED=... makes one of these programs alone):"
    cat "$work/compared"
    echo "JDK $version: $crashed more programs were left out, on which it crashes"
}

java_run() {
    "$TURNSTILE_JDK/bin/java" "${briefly[@]}" -cp "$work/tools:$asm" RandomCalls "$@"
}

compile_by "$TURNSTILE_JDK" -cp "$asm" -d "$work/tools" "$TURNSTILE_SOURCE"/test/java/random_calls/*.java
java_run make "$first" "$programs" "$classes"
"$TURNSTILE" dump --callgraph --targets 0 --jdk "$TURNSTILE_JDK" "$classes" >"$work/dump" || fail "turnstile dump failed"
for jdk in "${jdks[@]}"; do
    compare_with "$jdk"
done
finish "JVMs run what is shown"
