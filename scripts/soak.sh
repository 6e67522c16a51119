#!/usr/bin/env bash
# hsqldb under the load of eight threads for a long time, checked: its results stay right, it does not crash or hang, and
# memory at the end is what it was after a tenth of the time.
#
#   scripts/soak.sh BUILD_FOLDER
#
# SOAK_SECONDS (1800) says how long, JAVA_HOME which JDK, TURNSTILE_OPTIONS goes to `turnstile run`. SOAK_GROWTH (64) is
# how many MB more may be in memory at the end: a short run has not filled the tables of bounded size after a tenth.
set -euo pipefail
export LC_ALL=C
build=$(realpath "$1")
seconds=${SOAK_SECONDS:-1800}
cd "$(dirname "$0")/.."
TURNSTILE=${TURNSTILE-$build/turnstile}
source test/system/checked.bash
bin=${JAVA_HOME:+$JAVA_HOME/bin/}
hsqldb=/usr/share/java/hsqldb.jar
[ -r "$hsqldb" ] || { echo "soak: $hsqldb is missing: 'make test' installs it" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"${bin}javac" -g --release 17 -d "$work/classes" test/java/JdbcSoak.java test/endurance/Status.java

# All of the heap is in memory from the start: what grows after that is not the program's.
flags=(-Xms512m -Xmx512m -XX:+AlwaysPreTouch -Xverify:all)
status=0
checked_by "$work/result.json"
timeout $((seconds * 2 + 120)) "${checked[@]}" "${bin}java" "${flags[@]}" -cp "$work/classes:$hsqldb" \
    JdbcSoak 'jdbc:hsqldb:mem:soak;hsqldb.tx=mvcc' "$seconds" 8 >"$work/out" 2>"$work/err" || status=$?
failures=0
fail() {
    echo "soak: $1" >&2
    failures=$((failures + 1))
}
[ "$status" = "$findings_status" ] || fail "status $status: $(tail -n 3 "$work/out") $(head -c 2000 "$work/err")"
findings "$work/result.json" >"$work/findings" || true
grep -q '^race observed Status\$Last\.racy$' "$work/findings" || fail "the race at the end is not found"

value() { awk -v what="$1" -v when="$2" '$1 == what && $2 == when { print $3 }' "$work/out"; }
bounded() { # WHAT PERCENT MORE: at the end at most so many percent of what it was, and so many MB more
    local early late
    early=$(value "$1" tenth)
    late=$(value "$1" last)
    if [ -z "$early" ] || [ -z "$late" ]; then
        fail "nothing is known of $1"
        return
    fi
    [ "$late" -le $((early * $2 / 100 + $3)) ] || fail "$1 grew from $early MB to $late MB"
    echo "$1: $early MB after a tenth of the time, $late MB at the end"
}
bounded memory 120 "${SOAK_GROWTH:-64}"
bounded heap 150 64
awk '$1 == "transactions" { print $2 " transactions, " $3 " of them in the first tenth of the time" }' "$work/out"
[ "$(awk '$1 == "transactions" { print ($2 > 2 * $3) }' "$work/out")" = 1 ] ||
    fail "it came to a halt: $(grep transactions "$work/out")"
echo "$(wc -l <"$work/findings") findings in $seconds s: $(cut -d ' ' -f 1,2 "$work/findings" | sort | uniq -c | tr -s ' \n' ' ')"
sort "$work/findings" | head -n 100 | sed 's/^/    /'
[ "$failures" = 0 ] || exit 1
