#!/usr/bin/env bash
# Class-file speed as a ratio to ASM: both programs hold the same class bytes in memory and work on one
# thread each, in turns, in one run; the JVM is warmed up first. Prints the median of elapsed time, and the
# mean of processor time (the JVM counts it in steps of 10 ms): the latter is what counts per core, because
# the JVM collects garbage on other threads. Turnstile always checks what it reads; ASM does so in the rows
# that say "both check": see bench/AsmBench.java. It is an error if they fall below 5 times ASM, or memory reaches 200 MB.
#
# Then what checking a running program costs: see bench/kernels.sh and bench/database.sh. Then how fast traces are analyzed: see
# bench/recorded.sh and bench/traces.c; TRACE_EVENTS are the millions of events that are made up and not stored, 100 unless told.
#
# Everything is measured, also if something is slower than it should be; then the status is 1.
#
#   [TRACE_EVENTS=1000] bench/run.sh BUILD_FOLDER [ROUNDS]
set -euo pipefail
build=$1
rounds=${2:-21}
warm_up=30
least_ratio=5
most_memory=200
status=0
cd "$(dirname "$0")/.."
cmake --build "$build" --target bench_classes bench_traces >/dev/null

jars=(/usr/share/java/hsqldb.jar /usr/share/java/derby.jar)
for jar in /usr/share/java/tomcat9-*.jar; do
    [ -L "$jar" ] || jars+=("$jar")
done
asm=/usr/share/java/asm.jar:/usr/share/java/asm-tree.jar:/usr/share/java/asm-util.jar:/usr/share/java/asm-analysis.jar
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
javac -cp "$asm" -d "$classes" bench/AsmBench.java

coproc OURS { "$build/bench/bench_classes" "${jars[@]}"; }
ours_in=${OURS[1]} ours_out=${OURS[0]}
{ coproc ASM { java -cp "$asm:$classes" AsmBench "${jars[@]}"; }; } 2>/dev/null # bash warns of a second coprocess
asm_in=${ASM[1]} asm_out=${ASM[0]}

read -r _ ours_count <&"$ours_out"
read -r _ asm_count <&"$asm_out"
[ "$ours_count" = "$asm_count" ] ||
    { echo "bench: $ours_count classes here, $asm_count in ASM: not the same work" >&2; exit 1; }

ask() { # FD_IN FD_OUT REQUEST: elapsed and processor nanoseconds of one round
    echo "$3" >&"$1"
    read -r elapsed processor _ <&"$2"
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
mean() { awk '{ sum += $1 } END { print sum / NR }'; }

works=(read rewrite "checked read" "checked rewrite")
declare -A labels=([read]="read" [rewrite]="read + rewrite" ["checked read"]="read, both check"
    ["checked rewrite"]="read + rewrite, both check")
warm() { # WORK...: what is to come, so that nothing is compiled for anything else
    local work
    for _ in $(seq "$warm_up"); do
        for work in "$@"; do ask "$asm_in" "$asm_out" "$work"; done
    done
}

print_row() { # LABEL OURS ASM: both in nanoseconds; whether that is enough
    awk -v label="$1" -v n="$ours_count" -v ours="$2" -v asm="$3" -v least="$least_ratio" 'BEGIN {
        printf "%-36s %9.0f cl/s %9.0f cl/s %7.1fx\n", label, n / ours * 1e9, n / asm * 1e9, asm / ours
        exit asm / ours < least }'
}

echo "$ours_count classes of hsqldb, derby and tomcat, one thread each, $rounds rounds"
printf '%-36s %14s %14s %8s\n' "" "turnstile" "ASM" "ratio"
warm read rewrite
for work in "${works[@]}"; do
    [ "$work" != "checked read" ] || warm "checked read" "checked rewrite"
    : >"$classes/ours" >"$classes/ours.cpu" >"$classes/asm" >"$classes/asm.cpu"
    for _ in $(seq "$rounds"); do
        ask "$ours_in" "$ours_out" "$work"
        echo "$elapsed" >>"$classes/ours"
        echo "$processor" >>"$classes/ours.cpu"
        ask "$asm_in" "$asm_out" "$work"
        echo "$elapsed" >>"$classes/asm"
        echo "$processor" >>"$classes/asm.cpu"
    done
    label=${labels[$work]}
    if ! print_row "$label, per core" "$(mean <"$classes/ours.cpu")" "$(mean <"$classes/asm.cpu")" &&
        [[ "$work" == checked* ]]; then
        echo "bench: less than $least_ratio times ASM" >&2
        status=1
    fi
    print_row "$label, elapsed" "$(median <"$classes/ours")" "$(median <"$classes/asm")" || true
done
echo "memory" >&"$ours_in"
read -r memory <&"$ours_out"
echo "peak memory of turnstile, all class bytes included: $memory MB"
if [ "$memory" -ge "$most_memory" ]; then
    echo "bench: that is not less than $most_memory MB" >&2
    status=1
fi

echo
bench/kernels.sh "$build" || status=1

echo
bench/database.sh "$build" || status=1

echo
bench/recorded.sh "$build" || status=1

echo
"$build/bench/bench_traces" 20 "${TRACE_EVENTS:-100}"
exit "$status"
