#!/usr/bin/env bash
# How fast recorded runs are analyzed: the kernels are recorded, and each trace is analyzed for races, for reduction and by all
# engines, in turns; events per second of processor time, medians, with the lock orders always among what is looked for.
# bench/traces.c does the same with events that are made up.
#
#   bench/recorded.sh BUILD_FOLDER [ROUNDS]
#
# JAVA chooses the JVM, KERNELS some of the kernels.
set -euo pipefail
export LC_ALL=C
build=$1
rounds=${2:-3}
cd "$(dirname "$0")/.."
agent=$(cd "$build" && pwd)/libturnstile.so
java=${JAVA-java}
read -ra kernels <<<"${KERNELS-Particles Bank}"

# What is asked of it: millions of events per second.
declare -A least=([races]=20 [reduction]=10)
declare -A options=([races]="--atomicity off" [reduction]="--races off --atomicity reduction" [all]="")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac=javac
[ -z "${JAVA-}" ] || javac=$(dirname "$JAVA")/javac
"$javac" -g -d "$work" bench/kernels/*.java

failures=0
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
statistic() { sed -n "s/^  $1 *\([0-9]*\)$/\1/p" "$work/statistics"; } # NAME

for kernel in "${kernels[@]}"; do
    "$java" "-agentpath:$agent=exclude=none,record=$work/trace" -cp "$work" "$kernel" >"$work/answer"
    for _ in $(seq "$rounds"); do
        for kind in races reduction all; do
            status=0
            # shellcheck disable=SC2086 # a list of words
            "$build/turnstile" analyze --stats ${options[$kind]} "$work/trace" >"$work/statistics" || status=$?
            [ "$status" -le 1 ] || exit "$status"
            statistic "events per second" >>"$work/speed.$kernel.$kind"
        done
    done
    echo "$kernel, recorded: $(statistic events | awk '{ printf "%.0f million events", $1 / 1e6 }')"
    for kind in races reduction all; do
        speed=$(median <"$work/speed.$kernel.$kind")
        awk -v kind=$kind -v speed="$speed" 'BEGIN { printf "  %-12s %6.1f million events/s\n", kind, speed / 1e6 }'
        if awk -v speed="$speed" -v least="${least[$kind]-0}" 'BEGIN { exit !(speed < least * 1e6) }'; then
            echo "bench: $kernel, $kind: less than ${least[$kind]} million events a second" >&2
            failures=$((failures + 1))
        fi
    done
done
[ "$failures" = 0 ] || exit 1
