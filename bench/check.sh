#!/usr/bin/env bash
# What `turnstile check` costs on real programs: processor time (user and system, all threads), the most memory, and how
# much it finds, with each of the defaults and with the atomicity of what is exported. Beside it the detectors of FindBugs
# that are about threads, if Debian's findbugs package is there, with the same classes; these are written as class files
# of Java 8 before, because FindBugs reads no newer ones.
#
#   bench/check.sh BUILD_FOLDER [ROUNDS]
#
# FINDBUGS= (empty) leaves FindBugs out: it takes minutes.
set -euo pipefail
export LC_ALL=C
build=$1
rounds=${2:-3}
cd "$(dirname "$0")/.."
findbugs=${FINDBUGS-findbugs}
java_folder=/usr/share/java
# Seconds, with atomicity, that are asked of some.
declare -A most_seconds=([hsqldb]=10 [tomcat9]=10)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
TIMEFORMAT='%U %S'
failures=0

jars_of() { # PROGRAM: fills `jars`
    local jar
    jars=("$java_folder/$1.jar")
    [ "$1" = tomcat9 ] || return 0
    jars=()
    for jar in "$java_folder"/tomcat9-*.jar; do
        [ -L "$jar" ] || [[ "$jar" == *-i18n-* ]] || jars+=("$jar")
    done
}

# Adds the seconds that it took to FILE, whatever its exit status.
measure() { # FILE COMMAND...
    local file=$1
    shift
    { time "$@" >"$work/out" 2>"$work/err" </dev/null || true; } 2>"$work/time"
    awk '{ print $1 + $2 }' "$work/time" >>"$file"
}

median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
stat() { sed -n "s/^ *\"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$work/result.json"; }

# Of all lines of a way, `seconds`, `memory` (MB) and `findings`.
check() { # OPTIONS... -- JARS
    local options=()
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    shift
    rm -f "$work/seconds" "$work/result.json"
    for _ in $(seq "$rounds"); do
        measure "$work/seconds" "$build/turnstile" check --stats "${options[@]}" --format json -o "$work/result.json" "$@"
    done
    [ -s "$work/result.json" ] || { echo "bench: turnstile check failed: $(head -n 3 "$work/err")" >&2; exit 1; }
    seconds=$(median "$work/seconds")
    memory=$(awk -v bytes="$(stat process_peak_bytes)" 'BEGIN { printf "%.0f", bytes / 1e6 }')
    findings=$(grep -c '"rule":' "$work/result.json" || true)
}

# Fills `detectors` with those that report something of the category.
find_detectors() {
    local library=$java_folder/findbugs.jar
    (cd "$work" && jar xf "$library" findbugs.xml)
    detectors=$(awk -v RS='>' '
        function value(name) {
            return match($0, name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3) : ""
        }
        /<Detector / { reports[value("class")] = value("reports") }
        /<BugPattern / && value("category") == "MT_CORRECTNESS" { wanted[value("type")] = 1 }
        END {
            for (class in reports) {
                count = split(reports[class], types, ",")
                for (i = 1; i <= count; i++)
                    if (types[i] in wanted) {
                        name = class
                        sub(/.*\./, "", name)
                        print name
                        break
                    }
            }
        }' "$work/findbugs.xml" | sort | paste -sd,)
}

# Leaves `findbugs` empty, and says why, if it does not run.
prepare_findbugs() {
    [ -n "$findbugs" ] || return 0
    if ! command -v "$findbugs" >/dev/null; then
        echo "FindBugs is left out: the package findbugs is not installed"
    elif ! javac -cp "$java_folder/asm.jar" -d "$work/classes" bench/OldClasses.java >"$work/out" 2>&1 ||
        ! java -cp "$java_folder/asm.jar:$work/classes" OldClasses "$work/platform.jar" >"$work/out" 2>&1 ||
        ! find_detectors 2>"$work/out" || [ -z "$detectors" ]; then
        echo "FindBugs is left out: $(head -n 1 "$work/out")"
    else
        return 0
    fi
    findbugs=
}

# `findbugs_seconds` and `findbugs_findings`, empty if it did not come to an end.
run_findbugs() { # JARS
    rm -f "$work/seconds"
    java -cp "$java_folder/asm.jar:$work/classes" OldClasses "$work/old.jar" "$@"
    measure "$work/seconds" "$findbugs" -textui -maxHeap 2000 -low -visitors "$detectors" -bugCategories MT_CORRECTNESS \
        -auxclasspath "$work/platform.jar" "$work/old.jar"
    findbugs_seconds=$(cat "$work/seconds")
    findbugs_findings=$(sed -n 's/^Warnings generated: //p' "$work/err")
    if [ -z "$findbugs_findings" ] && grep -qE '^(Exception|Unknown|Usage)' "$work/out" "$work/err"; then
        findbugs_seconds=
    fi
}

prepare_findbugs
echo "turnstile check: medians of $rounds runs${findbugs:+; FindBugs: one run, its thread detectors only}"
printf '%-8s %-10s %8s %8s %9s\n' "" "" "CPU s" "MB" findings
for program in hsqldb derby h2 tomcat9; do
    jars_of "$program"
    for way in belief rfj atomicity; do
        options=(--defaults "$way")
        [ "$way" != atomicity ] || options=(--expect-atomic exported)
        check "${options[@]}" -- "${jars[@]}"
        printf '%-8s %-10s %8.2f %8s %9s\n' "$program" "$way" "$seconds" "$memory" "$findings"
        [ "$way" != belief ] || checked=$seconds
        if [ "$way" = atomicity ]; then
            echo "         $(stat methods_atomic_at_all_call_sites) of $(stat methods_with_an_atomicity) methods are atomic at all" \
                "call sites; $(stat atomicity_warnings) warnings, $(stat atomicity_reported) with clusters"
            most=${most_seconds[$program]-$seconds}
            if awk -v a="$seconds" -v b="$most" 'BEGIN { exit !(a > b) }'; then
                echo "bench: $program takes more than $most s" >&2
                failures=$((failures + 1))
            fi
        fi
    done
    [ -n "$findbugs" ] || continue
    run_findbugs "${jars[@]}"
    if [ -z "$findbugs_seconds" ]; then
        echo "$program  FindBugs did not come to an end: $(head -n 1 "$work/err")"
    else
        awk -v program="$program" -v takes="$findbugs_seconds" -v findings="${findbugs_findings:-0}" -v belief="$checked" \
            -v atomicity="$seconds" 'BEGIN {
            printf "%-8s %-10s %8.2f %8s %9s   %.0fx belief, %.0fx atomicity\n", program, "FindBugs", takes, "", findings,
                takes / belief, takes / atomicity }'
    fi
done
[ "$failures" = 0 ] || exit 1
