#!/usr/bin/env bash
# Class-file speed as a ratio to ASM: both programs hold the same class bytes in memory and work on one
# thread each, in turns, in one run; the JVM is warmed up first. Prints medians, of elapsed time and of
# processor time: the latter is what counts per core, because the JVM collects garbage on other threads.
#
# Then what checking a running program costs: see bench/kernels.sh. Then how fast traces are analyzed: see
# bench/traces.c; TRACE_EVENTS are the millions of events that are made up and not stored, 100 unless told.
#
#   [TRACE_EVENTS=1000] bench/run.sh BUILD_FOLDER [ROUNDS]
set -euo pipefail
build=$1
rounds=${2:-21}
warm_up=30
cd "$(dirname "$0")/.."
cmake --build "$build" --target bench_classes bench_traces >/dev/null

jars=(/usr/share/java/hsqldb.jar /usr/share/java/derby.jar)
for jar in /usr/share/java/tomcat9-*.jar; do
    [ -L "$jar" ] || jars+=("$jar")
done
asm=/usr/share/java/asm.jar:/usr/share/java/asm-tree.jar
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

for _ in $(seq "$warm_up"); do
    ask "$asm_in" "$asm_out" read
    ask "$asm_in" "$asm_out" rewrite
done

print_row() { # LABEL OURS ASM: both in nanoseconds
    awk -v label="$1" -v n="$ours_count" -v ours="$2" -v asm="$3" 'BEGIN {
        printf "%-32s %9.0f cl/s %9.0f cl/s %7.1fx\n", label, n / ours * 1e9, n / asm * 1e9, asm / ours }'
}

echo "$ours_count classes of hsqldb, derby and tomcat, one thread each, medians of $rounds rounds"
printf '%-32s %14s %14s %8s\n' "" "turnstile" "ASM" "ratio"
for work in read rewrite; do
    : >"$classes/ours" >"$classes/ours.cpu" >"$classes/asm" >"$classes/asm.cpu"
    for _ in $(seq "$rounds"); do
        ask "$ours_in" "$ours_out" "$work"
        echo "$elapsed" >>"$classes/ours"
        echo "$processor" >>"$classes/ours.cpu"
        ask "$asm_in" "$asm_out" "$work"
        echo "$elapsed" >>"$classes/asm"
        echo "$processor" >>"$classes/asm.cpu"
    done
    label=$work
    [ "$work" = read ] || label="read + rewrite"
    print_row "$label, per core" "$(median <"$classes/ours.cpu")" "$(median <"$classes/asm.cpu")"
    print_row "$label, elapsed" "$(median <"$classes/ours")" "$(median <"$classes/asm")"
done
echo "memory" >&"$ours_in"
read -r memory <&"$ours_out"
echo "peak memory of turnstile, all class bytes included: $memory MB"

echo
bench/kernels.sh "$build"

echo
"$build/bench/bench_traces" 20 "${TRACE_EVENTS:-100}"
