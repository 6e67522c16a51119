#!/usr/bin/env bash
# Very many objects, locks and threads: the answer is that of a plain run, memory stays within the bounds given here, and
# the race at the end of each program is found, and nothing else. Then a short form of the soak.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
source "$TURNSTILE_SOURCE/test/system/checked.bash"
find_jdks
cd "$work"
compile_by "$TURNSTILE_JDK" -g --release 17 -d classes "$TURNSTILE_SOURCE"/test/endurance/*.java

value() { awk -v when="$1" '$1 == "memory" && $2 == when { print $3 }' checked.out; }

# PEAK: the most that the process may have in memory, in MB; GROWTH: how many MB more at its end than after a tenth of it.
endure() { # NAME JDK PEAK GROWTH ARGUMENTS...
    local name java=$2/bin/java peak=$3 growth=$4 status=0 before
    name="$1 on $(jdk_version "$2")"
    shift 4
    "$java" "$@" >plain.out
    rm -f result.json
    checked_by "$work/result.json"
    before=$SECONDS
    timeout 240 "${checked[@]}" "$java" "$@" >checked.out 2>checked.err || status=$?
    [ "$status" = "$findings_status" ] || fail "$name: status $status: $(head -c 2000 checked.err)"
    diff <(grep -v ^memory plain.out) <(grep -v ^memory checked.out) || fail "$name: another answer"
    if [ -s result.json ]; then
        findings result.json >found
        grep -q '^race observed Status\$Last\.racy$' found || fail "$name: the race at the end is not found"
        ! grep -v 'Status\$Last\.racy$' found || fail "$name: there are findings that should not be"
    else
        fail "$name: no result was written"
    fi
    if [ -n "$(value peak)" ]; then
        [ "$(value peak)" -le "$peak" ] || fail "$name: $(value peak) MB in memory, more than $peak"
        [ "$(value end)" -le $(($(value tenth) + growth)) ] || fail "$name: memory grew from $(value tenth) to $(value end) MB"
    else
        fail "$name: it did not come to its end"
    fi
    echo "$name: at most $(value peak) MB, $(awk '$2 == "peak" { print $3 }' plain.out) MB plain; $((SECONDS - before)) s"
}

# `make soak` takes all JDKs.
enduring=("${jdks[0]}")
[ -z "${ENDURANCE_ON_ALL-}" ] || enduring=("${jdks[@]}")
for jdk in "${enduring[@]}"; do
    # Were 10 million objects remembered with 64 bytes each, it would be 640 MB more.
    endure "10 million shared objects" "$jdk" 700 250 -Xmx256m -cp classes ShortLived 10000000
    # These live all at once. What is kept of each may be some hundred bytes, but the second million dies.
    endure "a million locks" "$jdk" 2000 250 -Xmx1g -cp classes ManyLocks
    # Its answer, which must be that of a plain run, says whether its heap is small in the end.
    endure "400,000 arrays that die old" "$jdk" 400 64 -Xmx256m -cp classes DeadArrays
    # A clock of 10,000 threads for each of them would be 800 MB.
    endure "10,000 threads, 500 at once" "$jdk" 800 350 -Xmx256m -cp classes ManyThreads
done
jdk=${jdks[-1]} # `make soak` takes that of the build
echo "hsqldb on $(jdk_version "$jdk"):"
# After three seconds the run time's tables are not full yet; it takes about one minute, and 300 MB.
JAVA_HOME=$jdk SOAK_SECONDS=${SOAK_SECONDS:-30} SOAK_GROWTH=${SOAK_GROWTH:-300} \
    "$TURNSTILE_SOURCE/scripts/soak.sh" "$(dirname "$TURNSTILE")" ||
    fail "the soak on $(jdk_version "$jdk")"
finish "objects, locks and threads in great numbers: memory is bounded, and the races are found"
