#!/usr/bin/env bash
# `turnstile check` on programs that nobody has written for it: it comes to an end, and says the same every time.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
: "${TURNSTILE:?names the built command}"

java=$java_folder
jars=("$java"/{hsqldb,derby,h2,tomcat9-catalina,guava}.jar)
for jar in "${jars[@]}"; do
    need "$jar"
done

check() { # STATUSES OPTIONS...: what the command prints
    local statuses=$1 status=0
    shift
    "$TURNSTILE" check "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    [[ " $statuses " == *" $status "* ]] || fail "check $*: exit status $status: $(head -c 400 "$work/err")"
}

for jar in "${jars[@]}"; do
    for defaults in belief rfj; do
        check "0 1" --defaults "$defaults" --expect-atomic exported --stats "$jar"
        grep -q '^methods failed: 0$' "$work/out" || fail "$jar: methods could not be executed"
        grep -q '^methods atomic at all call sites: [1-9]' "$work/out" || fail "$jar: no method is atomic"
    done
done

# A wrong path does not look like a program without mistakes.
mkdir "$work/empty"
check 2 "$work/empty"
grep -q "no classes were found" "$work/err" || fail "an empty folder: $(cat "$work/err")"

# Guava is annotated, and its authors check it at every build. What is found in it stands in six classes: reads that are
# marked as unsynchronized there, methods for tests, and locks that are the same object for reasons which no type tells
# (Monitor compares guard.monitor with this when it runs).
check 1 --format json "$java/guava.jar"
known='AbstractScheduledService|LocalCache|MapMakerInternalMap|Monitor|SequentialExecutor|ServiceManager'
unknown=$(tr -d '\n' <"$work/out" | grep -oE '"basis": *"declared", *"class": *"[^"]*", *"member": *"[^"]*"' |
    grep -vE "\.($known)[\"$]" | head -3 || true)
[ -z "$unknown" ] || fail "Guava: $unknown"

# The order of the classes makes no difference, nor does the number of workers.
mkdir "$work/first" "$work/second"
(cd "$work/first" && "$TURNSTILE_JDK/bin/jar" xf "$java/h2.jar" org)
mkdir -p "$work/second/org/h2"
mv "$work/first/org/h2/engine" "$work/first/org/h2/mvstore" "$work/second/org/h2/"
check 0 --atomicities "$work/first" "$work/second"
mv "$work/out" "$work/forward"
check 0 --atomicities "$work/second" "$work/first"
cmp "$work/forward" "$work/out" || fail "the order of the classes changes atomicities"
check 1 --expect-atomic exported --format json "$work/first" "$work/second"
mv "$work/out" "$work/forward"
status=0
taskset -c 0 "$TURNSTILE" check --expect-atomic exported --format json "$work/second" "$work/first" >"$work/out" || status=$?
cmp "$work/forward" "$work/out" || fail "the number of workers or the order of the classes changes findings"

# What is inferred can be declared, and is then found to be so.
check 0 --atomicities -o "$work/h2.locks" "$java/h2.jar"
check "0 1" --locks "$work/h2.locks" --format json "$java/h2.jar"
! grep -qE '"rule": *"(not-atomic|bad-annotation)"' "$work/out" || fail "what was inferred for h2 cannot be declared: $(
    grep -oE '"message": *"[^"]*(declared|:)[^"]*"' "$work/out" | head -3)"
finish "${#jars[@]} jars checked with both defaults"
