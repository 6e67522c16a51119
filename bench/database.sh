#!/usr/bin/env bash
# What checking costs a program that takes locks all the time and makes thousands of small objects: transactions of hsqldb in
# memory, with one thread and with eight, in turns plain and checked, as a ratio of processor time for each transaction (all
# threads of the JVM), once the JVM has compiled what is busy. Nothing is asked of it but the answer.
#
#   bench/database.sh BUILD_FOLDER [SECONDS]     twice as long first, that is not measured; 20 unless told
set -euo pipefail
export LC_ALL=C
build=$1
seconds=${2:-20}
cd "$(dirname "$0")/.."
TURNSTILE_AGENT=${TURNSTILE_AGENT-$(cd "$build" && pwd)/libturnstile.so}
jar=/usr/share/java/hsqldb.jar
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -g -d "$work/classes" bench/database/Database.java

measure() { # KIND THREADS: "rate microseconds"
    local agent=()
    [ "$1" = plain ] || agent=("-agentpath:$TURNSTILE_AGENT=exclude=none,output=$work/result.json")
    java "${agent[@]}" -Xms512m -Xmx512m -cp "$work/classes:$jar" \
        Database 'jdbc:hsqldb:mem:bench;hsqldb.tx=mvcc' "$2" "$seconds" 2>"$work/err" ||
        { head -n 5 "$work/err" >&2; exit 1; }
}

echo "transactions of hsqldb, in memory: each second, and processor time of each"
for threads in 1 8; do
    plain=$(measure plain "$threads")
    checked=$(measure checked "$threads")
    echo "$threads $plain $checked" | awk '{ printf "%d thread%-8s plain %7d/s %6d us   checked %7d/s %6d us %6.1fx\n",
        $1, $1 == 1 ? "" : "s", $2, $3, $4, $5, $5 / $3 }'
done
