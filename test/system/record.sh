#!/usr/bin/env bash
# Recorded runs that end in all ways: what is in the trace is what happened up to then, in an order that can have been.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
find_jdks

compile_by "$TURNSTILE_JDK" -g --release 17 -d "$work/classes" "$TURNSTILE_SOURCE/test/java/"{Recorded,Ordered,Crowded}.java
cd "$work"
mkfifo silent
exec 3<>silent

analyze() { # FILE: the status is in `status`, the findings in `findings`
    status=0
    "$TURNSTILE" analyze "$1" >findings 2>messages || status=$?
    ! grep -q warning messages || fail "$1: something cannot have happened: $(cat messages)"
    grep -q "Recorded.unguarded" findings || fail "$1: the race is not found: $(head -n 5 findings messages)"
    ! grep -qE "race.*Recorded\.(guarded|own|parked|ended)" findings || fail "$1: $(cat findings)"
}

# Gives up after two minutes.
wait_for_bytes() { # FILE BYTES
    local tries
    for ((tries = 0; tries < 1200; tries++)); do
        [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -lt "$2" ] || return 0
        sleep 0.1
    done
    fail "$1 has only $(stat -c %s "$1") bytes"
}

for jdk in "${jdks[@]}"; do
    version=$(jdk_version "$jdk")
    for way in sleeps waits parks reads joins blocked; do
        "$jdk/bin/java" "-agentpath:$TURNSTILE_AGENT=record=killed.trace,exclude=none" -cp classes Recorded killed $way \
            <&3 >out 2>err &
        program=$!
        wait_for_bytes killed.trace 10000
        sleep 0.5
        kill -KILL $program
        wait $program 2>/dev/null || true
        analyze killed.trace
        [ "$status" = 2 ] || fail "$way on $version: status $status of a killed run: $(cat messages)"
        usable=$(sed -n 's/.*was not finished.*; \([0-9]*\) events before that could be used.*/\1/p' messages)
        [ "${usable:-0}" -ge 20000 ] || fail "$way on $version: $(cat messages)"
        rm killed.trace
    done

    for events in all distinct; do
        status=0
        "$jdk/bin/java" "-agentpath:$TURNSTILE_AGENT=record=exits.trace,events=$events,exclude=none" -cp classes Recorded \
            exits >out 2>err || status=$?
        [ "$status" = 3 ] || fail "exit on $version: status $status: $(cat err)"
        analyze exits.trace
        [ "$status" = 1 ] || fail "exit on $version: status $status: $(cat messages)"
        "$TURNSTILE" dump exits.trace >dump
        for field in parked=777 ended=555 own=333; do
            # Who does nothing else in between repeats himself from the second write on.
            expected=${field#*=}
            [ "$events" = all ] || expected=1
            count=$(grep -c "write Recorded.${field%=*}#" dump || true)
            [ "$count" = "$expected" ] || fail "exit on $version, $events: $count writes of ${field%=*}, not $expected"
        done
    done

    # What an element and its collection are together goes by the name of the collection, if need be by that of its class.
    "$jdk/bin/java" "-agentpath:$TURNSTILE_AGENT=record=crowded.trace" -cp classes Crowded >out 2>err ||
        fail "Crowded on $version: $(cat err)"
    "$TURNSTILE" dump crowded.trace >dump
    count=$(grep -c 'release.* java.util.concurrent.ConcurrentLinkedQueue@' dump || true)
    [ "$count" -ge 200000 ] || fail "Crowded on $version: the queue is named $count times"
    ! grep -q -e 'synchronization@' -e 'java.lang.Object@.* at Crowded' dump ||
        fail "Crowded on $version: $(grep -m 3 -e 'synchronization@' -e 'java.lang.Object@' dump)"
    rm crowded.trace

    threads=("")
    [ "${version%%.*}" -lt 21 ] || threads+=(virtual)
    for kind in "${threads[@]}"; do
        "$jdk/bin/java" "-agentpath:$TURNSTILE_AGENT=record=ordered.trace,exclude=none" -cp classes Ordered $kind >out 2>err ||
            fail "Ordered $kind on $version: $(cat err)"
        "$TURNSTILE" analyze ordered.trace >findings 2>messages ||
            fail "Ordered $kind on $version: what is guarded is found: $(head -n 20 findings messages)"
        ! grep -q warning messages || fail "Ordered $kind on $version: something cannot have happened: $(cat messages)"
    done
done

finish "killed and ended runs leave traces with all that happened before, in an order that can have been, on ${#jdks[@]} JDKs"
