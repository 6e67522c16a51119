#!/usr/bin/env bash
# What checking and recording cost at run time: three kernels, each in turns plain, checked for races, checked with samples
# for reduction and for the block engine, and recorded as a whole, as a ratio of processor time (user and system, all
# threads); the start of a program that does nothing; memory. Medians. All must give the same answer, and no findings: none
# of the kernels has a race. What a recorded one costs is without the analysis of the trace.
#
#   bench/kernels.sh BUILD_FOLDER [ROUNDS]
#
# JAVA chooses the JVM, KERNELS some of the kernels, TURNSTILE_OPTIONS goes to `turnstile run`.
#
# On a virtual machine the host moves the processors about, and all that threads share costs twice as much when the two are
# far apart (bench/distance.c). So a run of a kernel counts only if they were near each other before and after it; APART
# says how many nanoseconds still are. If they never are, every run counts, and this is said.
set -euo pipefail
export LC_ALL=C
build=$1
rounds=${2:-5}
cd "$(dirname "$0")/.."
TURNSTILE=${TURNSTILE-$build/turnstile}
TURNSTILE_AGENT=${TURNSTILE_AGENT-$(cd "$build" && pwd)/libturnstile.so}
source test/system/checked.bash
java=${JAVA-java}
javac=javac
[ -z "${JAVA-}" ] || javac=$(dirname "$JAVA")/javac
read -ra kernels <<<"${KERNELS-Particles Tour Bank}"

# What is asked of it, as ratios, and seconds for the start.
kinds=(checked reduction blocks recorded)
declare -A most_median=([checked]=2.5 [reduction]=2.5 [blocks]=10 [recorded]=4)
declare -A most_each=([checked]=5 [reduction]=6)
most_start=0.3 most_memory=3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --build "$build" --target bench_distance >/dev/null
"$javac" -g -d "$work/classes" bench/kernels/*.java
failures=0
fail() {
    echo "bench: $1" >&2
    failures=$((failures + 1))
}

TIMEFORMAT='%R %U %S'
flags=()
# Adds a line "elapsed processor" to times.NAME.KIND; the answer is in out.KIND.
measure() { # KIND NAME ARGUMENTS...
    local kind=$1 name=$2 status=0
    shift 2
    checked=()
    recorder=()
    case $kind in
    checked) checked_by "$work/result.json" ;;
    reduction | blocks) TURNSTILE_OPTIONS="${TURNSTILE_OPTIONS-} --atomicity $kind" checked_by "$work/result.json" ;;
    recorded) recorder=("-agentpath:$TURNSTILE_AGENT=exclude=none,verbose,record=$work/trace") ;;
    esac
    {
        time "${checked[@]}" "$java" "${recorder[@]}" "${flags[@]}" -cp "$work/classes" "$name" "$@" \
            >"$work/out.$kind" 2>"$work/err.$kind" || status=$?
    } 2>"$work/time"
    [ "$status" = 0 ] || {
        fail "$name $kind: status $status: $(head -n 3 "$work/err.$kind")"
        [ "$status" != "$findings_status" ] || findings "$work/result.json" | head -n 5 >&2
    }
    awk '{ print $1, $2 + $3 }' "$work/time" >>"$work/times.$name.$kind"
}

most_apart=${APART-60} patience=60 tries=10
repeated=0
is_near() { [ "$("$build/bench/bench_distance")" -le "$most_apart" ]; }

# Waits until the processors are near each other. Not for ever, and if in vain never again.
await_near() {
    local since=$SECONDS
    until [ "$patience" = 0 ] || is_near; do
        [ $((SECONDS - since)) -lt "$patience" ] || patience=0
        sleep 0.2
    done
}

measure_near() { # as measure
    local try
    for try in $(seq "$tries"); do
        await_near
        measure "$@"
        if [ "$patience" = 0 ] || is_near; then
            return
        fi
        [ "$try" = "$tries" ] || sed -i '$d' "$work/times.$2.$1"
        repeated=$((repeated + 1))
    done
}

median() { # COLUMN FILE
    awk -v column="$1" '{ print $column }' "$2" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }

echo "$("$java" -version 2>&1 | sed -n 1p), medians of $rounds runs in turns; processor time, and ratios of it"
printf '%-12s %9s %16s %16s %16s %16s %12s\n' "" plain checked reduction blocks recorded "bytes/event"
for kernel in "${kernels[@]}"; do
    for _ in $(seq "$rounds"); do
        for kind in plain "${kinds[@]}"; do
            measure_near "$kind" "$kernel"
            cmp -s "$work/out.plain" "$work/out.$kind" ||
                fail "$kernel $kind: another answer: $(cat "$work/out.plain" "$work/out.$kind")"
        done
    done
    size=$(sed -n 's/.*: \([0-9]*\) events in \([0-9]*\) bytes/\1 \2/p' "$work/err.recorded" |
        awk '{ printf "%.2f", $2 / $1 }')
    rm -f "$work/trace"
    plain=$(median 2 "$work/times.$kernel.plain")
    printf '%-12s %7.2f s' "$kernel" "$plain"
    for kind in "${kinds[@]}"; do
        costs=$(median 2 "$work/times.$kernel.$kind")
        by=$(ratio "$costs" "$plain")
        echo "$by" >>"$work/ratios.$kind"
        printf ' %6.2f s %6sx' "$costs" "$by"
        ! above "$by" "${most_each[$kind]-$by}" || fail "$kernel $kind: more than ${most_each[$kind]} times the plain run"
    done
    printf ' %12s\n' "$size"
done
printf '%-21s' "median"
for kind in "${kinds[@]}"; do
    middle=$(median 1 "$work/ratios.$kind")
    printf ' %15sx' "$middle"
    ! above "$middle" "${most_median[$kind]-$middle}" ||
        fail "$kind: more than ${most_median[$kind]} times the plain run in the median"
done
echo
if [ "$patience" = 0 ]; then
    echo "the processors were more than $most_apart ns apart: APART=$("$build/bench/bench_distance") tells what is near here"
elif [ "$repeated" -gt 0 ]; then
    echo "$repeated runs did not count: the processors had moved apart"
fi

for _ in $(seq $((rounds * 2 + 1))); do
    measure plain Hello
    measure checked Hello
done
plain=$(median 1 "$work/times.Hello.plain")
costs=$(median 1 "$work/times.Hello.checked")
more=$(awk -v a="$costs" -v b="$plain" 'BEGIN { printf "%.3f", a - b }')
echo "start of hello world: $plain s plain, $costs s checked, $more s more"
! above "$more" "$most_start" || fail "the start takes more than $most_start s longer"

flags=(-XX:+UseParallelGC -Xmx2g)
for _ in $(seq "$rounds"); do
    for kind in plain checked; do
        measure $kind Memory
        awk -v kind=$kind '$1 == "heap" { heap = $2 } $1 == "peak" { print heap, $2 }' "$work/out.$kind" >>"$work/memory.$kind"
        grep -v -e heap -e peak "$work/out.$kind" >"$work/answer.$kind"
    done
    cmp -s "$work/answer.plain" "$work/answer.checked" || fail "Memory: another answer"
done
for column in 1 2; do
    plain=$(median $column "$work/memory.plain")
    costs=$(median $column "$work/memory.checked")
    by=$(ratio "$costs" "$plain")
    name="heap after a collection"
    [ $column = 1 ] || name="most memory of the process"
    awk -v name="$name" -v plain="$plain" -v costs="$costs" -v by="$by" 'BEGIN {
        printf "%s: %.0f MB plain, %.0f MB checked, %sx\n", name, plain / 1e6, costs / 1e6, by }'
    ! above "$by" "$most_memory" || fail "$name: more than $most_memory times that of the plain run"
done
[ "$failures" = 0 ] || exit 1
