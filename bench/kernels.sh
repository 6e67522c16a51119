#!/usr/bin/env bash
# What checking and recording cost at run time: three kernels, each in turns plain, checked and recorded, as a ratio of
# processor time (user and system, all threads); the start of a program that does nothing; memory. Medians. A checked or
# recorded kernel must give the same answer as a plain one, and no findings: none of them has a race. What a recorded one
# costs is without the analysis of the trace.
#
#   bench/kernels.sh BUILD_FOLDER [ROUNDS]
#
# JAVA chooses the JVM, KERNELS some of the kernels, TURNSTILE_OPTIONS goes to `turnstile run`.
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
most_median=2.5 most_each=5 most_start=0.3 most_memory=3

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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

median() { # COLUMN FILE
    awk -v column="$1" '{ print $column }' "$2" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
above() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'; }

echo "$("$java" -version 2>&1 | sed -n 1p), medians of $rounds runs, plain, checked and recorded in turns"
printf '%-12s %14s %14s %8s %14s %15s %8s %12s\n' "" "plain, CPU s" "checked, CPU s" ratio "elapsed ratio" \
    "recorded, CPU s" ratio "bytes/event"
for kernel in "${kernels[@]}"; do
    for _ in $(seq "$rounds"); do
        measure plain "$kernel"
        measure checked "$kernel"
        measure recorded "$kernel"
        for kind in checked recorded; do
            cmp -s "$work/out.plain" "$work/out.$kind" ||
                fail "$kernel $kind: another answer: $(cat "$work/out.plain" "$work/out.$kind")"
        done
    done
    size=$(sed -n 's/.*: \([0-9]*\) events in \([0-9]*\) bytes/\1 \2/p' "$work/err.recorded" |
        awk '{ printf "%.2f", $2 / $1 }')
    rm -f "$work/trace"
    plain=$(median 2 "$work/times.$kernel.plain")
    costs=$(median 2 "$work/times.$kernel.checked")
    by=$(ratio "$costs" "$plain")
    elapsed=$(ratio "$(median 1 "$work/times.$kernel.checked")" "$(median 1 "$work/times.$kernel.plain")")
    recorded=$(median 2 "$work/times.$kernel.recorded")
    recorded_by=$(ratio "$recorded" "$plain")
    printf '%-12s %14.2f %14.2f %7sx %13sx %15.2f %7sx %12s\n' "$kernel" "$plain" "$costs" "$by" "$elapsed" \
        "$recorded" "$recorded_by" "$size"
    echo "$by" >>"$work/ratios"
    echo "$recorded_by" >>"$work/recorded"
    ! above "$by" "$most_each" || fail "$kernel: more than $most_each times the plain run"
done
middle=$(median 1 "$work/ratios")
echo "median of the ratios: ${middle}x checked, $(median 1 "$work/recorded")x recorded"
! above "$middle" "$most_median" || fail "more than $most_median times the plain run in the median"

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
