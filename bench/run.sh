#!/usr/bin/env bash
# Class-file speed as a ratio to ASM: both programs hold the same class bytes in memory and work on one
# thread each, in turns, in one run; the JVM is warmed up first. Prints medians.
#
#   bench/run.sh BUILD_FOLDER [ROUNDS]
set -euo pipefail
build=$1
rounds=${2:-21}
warm_up=30
cd "$(dirname "$0")/.."
cmake --build "$build" --target bench_classes >/dev/null

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
coproc ASM { java -cp "$asm:$classes" AsmBench "${jars[@]}"; } 2>/dev/null
asm_in=${ASM[1]} asm_out=${ASM[0]}

read -r _ ours_count <&"$ours_out"
read -r _ asm_count <&"$asm_out"
[ "$ours_count" = "$asm_count" ] ||
    { echo "bench: $ours_count classes here, $asm_count in ASM: not the same work" >&2; exit 1; }

ask() { # FD_IN FD_OUT REQUEST: the nanoseconds of one round
    echo "$3" >&"$1"
    read -r answer _ <&"$2"
    echo "$answer"
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for _ in $(seq "$warm_up"); do
    ask "$asm_in" "$asm_out" read >/dev/null
    ask "$asm_in" "$asm_out" rewrite >/dev/null
done

echo "$ours_count classes of hsqldb, derby and tomcat, one thread each, medians of $rounds rounds"
printf '%-16s %14s %14s %8s\n' "" "turnstile" "ASM" "ratio"
for work in read rewrite; do
    ours="" asms=""
    for _ in $(seq "$rounds"); do
        ours+="$(ask "$ours_in" "$ours_out" "$work")"$'\n'
        asms+="$(ask "$asm_in" "$asm_out" "$work")"$'\n'
    done
    our_time=$(printf '%s' "$ours" | median)
    asm_time=$(printf '%s' "$asms" | median)
    label=$work
    [ "$work" = read ] || label="read + rewrite"
    awk -v label="$label" -v n="$ours_count" -v ours="$our_time" -v asm="$asm_time" 'BEGIN {
        printf "%-16s %9.0f cl/s %9.0f cl/s %7.1fx\n", label, n / ours * 1e9, n / asm * 1e9, asm / ours }'
done
echo "memory" >&"$ours_in"
read -r memory <&"$ours_out"
echo "peak memory of turnstile, all class bytes included: $memory MB"
