#!/usr/bin/env bash
# A JVM that is killed has reported nothing: `turnstile run` does, and loses none of what it had found. One that hangs and is
# asked to end tells why it hangs.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
cd "$work"
find_jdks
mkdir temporary
export TMPDIR="$work/temporary"

signal=KILL
kill_when_ready() { # ARGUMENTS of turnstile run...: the status is in `status`
    rm -f out
    mkfifo out
    "$TURNSTILE" run "$@" >out 2>err </dev/null &
    local command=$! word jvm
    read -r word jvm <out
    [ "$word" = ready ] || fail "turnstile run $*: prints '$word'"
    kill "-$signal" "$jvm"
    status=0
    wait $command 2>/dev/null || status=$?
    [ -z "$(ls -A "$TMPDIR")" ] || fail "turnstile run $*: a temporary file stays: $(ls "$TMPDIR")"
}
says() { # FILE TEXT WHERE
    grep -qF -- "$2" "$1" || fail "$3: '$2' is not in $1: $(head -c 800 "$1")"
}

for jdk in "${jdks[@]}"; do
    version=$(jdk_version "$jdk")
    mkdir -p "classes.$version"
    compile_by "$jdk" -g -d "classes.$version" "$TURNSTILE_SOURCE"/test/java/{Killed,Hanging,LockedLoader}.java
    program=("$jdk/bin/java" -cp "classes.$version" Killed)
    for options in "" "--atomicity reduction" "--events distinct"; do
        # shellcheck disable=SC2086 # several words
        kill_when_ready $options "${program[@]}"
        [ "$status" = 137 ] || fail "$version $options: status $status"
        says err "before it could report: this is what it had found until then" "$version $options"
        says err "race (observed): Killed.shared at Killed.java:14" "$version $options"
        says err 'thread "one" started at' "$version $options"
        says err "turnstile: 1 race (1 observed)" "$version $options"

        rm -f report.json
        # shellcheck disable=SC2086
        kill_when_ready $options -o report.json "${program[@]}"
        [ "$status" = 137 ] || fail "$version $options -o: status $status"
        says err "report.json has what it had found until then" "$version $options"
        says report.json '"member": "shared"' "$version $options"
        says report.json '"findings": 1,' "$version $options"
    done

    # The first JVM ends by itself and has its own report; that of the other one is beside it.
    status=0
    rm -f report*.json
    "$TURNSTILE" run -o report.json "${program[@]}" parent >answer 2>err || status=$?
    [ "$status" = 66 ] || fail "$version, another JVM: status $status: $(cat err)"
    says report.json '"findings": 0,' "$version, another JVM"
    other=(report.*.json)
    [ "${#other[@]}" = 1 ] && [ -e "${other[0]}" ] || fail "$version, another JVM: reports ${other[*]}"
    says "${other[0]}" '"member": "shared"' "$version, another JVM"
    says err "${other[0]} has what it had found until then" "$version, another JVM"

    signal=TERM
    program=("$jdk/bin/java" -cp "classes.$version" Hanging)
    for options in "" "--atomicity both --atomic none" "--atomic none --record hanging.trace"; do
        # shellcheck disable=SC2086
        kill_when_ready $options "${program[@]}"
        [ "$status" = 143 ] || fail "$version hanging $options: status $status"
        says err "deadlock (observed): Hanging at Hanging.java:22" "$version hanging $options"
        says err 'acquires, thread "left", holding' "$version hanging $options"
        says err 'acquires, thread "right", holding' "$version hanging $options"
        says err "turnstile: 1 deadlock (1 observed)" "$version hanging $options"
    done
    "$TURNSTILE" analyze hanging.trace >again || [ $? = 1 ] || fail "$version: the trace of a program that hangs: $(cat again)"
    says again "deadlock (observed): Hanging at Hanging.java:22" "$version, analyzed again"
    # It is looked at with care: no more references than were asked for, and no code of the program's own is run.
    kill_when_ready "$jdk/bin/java" -Xcheck:jni -XX:+DisplayVMOutputToStderr -cp "classes.$version" Hanging 200
    says err "turnstile: 1 deadlock (1 observed)" "$version -Xcheck:jni"
    ! grep -q "JNI local refs" err || fail "$version -Xcheck:jni: $(grep -m 1 "JNI local refs" err)"
    timeout -k 1 30 "$TURNSTILE" run "$jdk/bin/java" -Djava.system.class.loader=LockedLoader -cp "classes.$version" LockedLoader 2>err ||
        fail "$version: the end waits for a loader of the program: $(cat err)"
    says err "turnstile: nothing found" "$version, a loader of the program"
    signal=KILL
done

finish "of JVMs that were killed nothing is lost, on ${#jdks[@]} JDKs"
