#!/usr/bin/env bash
# What checking costs programs that take locks all the time and make thousands of small objects: transactions of hsqldb and of
# h2 in memory, with one thread and with eight, in turns plain and checked, as a ratio of processor time for each transaction
# (all threads of the JVM), once the JVM has compiled what is busy. Nothing is asked of it but the answer.
#
#   bench/database.sh BUILD_FOLDER [SECONDS]     twice as long first, that is not measured; 12 unless told
set -euo pipefail
export LC_ALL=C
build=$1
seconds=${2:-12}
cd "$(dirname "$0")/.."
TURNSTILE_AGENT=${TURNSTILE_AGENT-$(cd "$build" && pwd)/libturnstile.so}
declare -A urls=([hsqldb]='jdbc:hsqldb:mem:bench;hsqldb.tx=mvcc' [h2]='jdbc:h2:mem:bench;DB_CLOSE_DELAY=-1')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
javac -g -d "$work/classes" bench/database/Database.java

measure() { # KIND DATABASE THREADS: "rate microseconds"
    local agent=()
    [ "$1" = plain ] || agent=("-agentpath:$TURNSTILE_AGENT=exclude=none,output=$work/result.json")
    java "${agent[@]}" -Xms512m -Xmx512m -cp "$work/classes:/usr/share/java/$2.jar" \
        Database "${urls[$2]}" "$3" "$seconds" 2>"$work/err" ||
        { head -n 5 "$work/err" >&2; exit 1; }
}

echo "transactions in memory: each second, and processor time of each"
for database in hsqldb h2; do
    for threads in 1 8; do
        plain=$(measure plain "$database" "$threads")
        checked=$(measure checked "$database" "$threads")
        echo "$database $threads $plain $checked" | awk '{ printf "%-6s %d thread%s plain %6d/s %5d us   checked %6d/s %5d us %6.1fx\n",
            $1, $2, $2 == 1 ? " " : "s", $3, $4, $5, $6, $6 / $4 }'
    done
done
