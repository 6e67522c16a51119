#!/usr/bin/env bash
# `turnstile run` as a command: what the program is started with, what comes back, and what is refused before it starts.
# Most of it with a shell script in the place of `java`, which writes down how it was called.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
cd "$work"

# The folder for temporary files must be empty after each run.
mkdir temporary "my jdk" "my jdk/bin"
export TMPDIR="$work/temporary"
unset JAVA_TOOL_OPTIONS

# Home of a JDK whose `java` is ours. What it does beside is in the variable ACT, and what its JVMs tell in LOG: a line for
# each that ends.
echo 'JAVA_VERSION="21.0.1"' >"my jdk/release"
cat >"my jdk/bin/java" <<'SCRIPT'
#!/bin/sh
printf '%s\n' "$@" >"$WORK/arguments"
printf '%s\n' "${JAVA_TOOL_OPTIONS-not set}" >"$WORK/variable"
log=$(printf '%s\n' "${JAVA_TOOL_OPTIONS-} $*" | sed -n 's/.*[,=]log=\([^, "]*\).*/\1/p')
printf "$LOG" >>"$log"
eval "$ACT"
SCRIPT
chmod +x "my jdk/bin/java"
sed 's/^#.*//' "my jdk/bin/java" >wrapper
chmod +x wrapper
export WORK=$work LOG='ended 1 0\n' ACT=:
java="$work/my jdk/bin/java"

run() { # STATUS ARGUMENTS...
    local wanted=$1 status=0
    shift
    rm -f "$work/arguments" "$work/variable"
    "$TURNSTILE" run "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "turnstile run $*: exit status $status instead of $wanted: $(head -c 500 err)"
    [ -z "$(ls -A "$TMPDIR" 2>/dev/null)" ] || fail "turnstile run $*: a temporary file stays: $(ls "$TMPDIR")"
}
silent() { [ ! -s err ] || fail "$1: not silent: $(cat err)"; [ ! -s out ] || fail "$1: not silent: $(cat out)"; }
argument() { sed -n "$1p" arguments; }
agent_options() { # what the agent is told, without what is always there
    argument 1 | sed "s|^-agentpath:$(readlink -f "$TURNSTILE_AGENT")=||; s/children,log=[^,]*\$//; s/,\$//"
}
says() { grep -qF -- "$2" "$1" || fail "'$2' is not in $1: $(head -c 500 "$1")"; }
refused() { # TEXT ARGUMENTS...: one line, status 2, the program is not started
    local text=$1
    shift
    run 2 "$@"
    [ "$(wc -l <err)" = 1 ] || fail "turnstile run $*: not one line: $(cat err)"
    grep -q '^turnstile: error: ' err || fail "turnstile run $*: no error: $(cat err)"
    says err "$text"
    [ ! -e arguments ] || fail "turnstile run $*: the program was started"
}
told() { # OPTIONS AS THE AGENT GETS THEM, ARGUMENTS...
    local wanted=$1
    shift
    run 0 "$@" "$java"
    [ "$(agent_options)" = "$wanted" ] || fail "turnstile run $*: the agent is told '$(agent_options)', not '$wanted'"
}

# ---- what the program is started with ----

run 0 "$java" -cp x Main -v --races
silent "a run without findings"
[ "$(argument 1 | grep -c "^-agentpath:.*=children,log=$TMPDIR/")" = 1 ] || fail "first argument: $(argument 1)"
[ "$(tail -n +2 arguments | paste -sd ' ')" = "-cp x Main -v --races" ] || fail "arguments: $(cat arguments)"
[ "$(cat variable)" = "not set" ] || fail "JAVA_TOOL_OPTIONS is set for java itself: $(cat variable)"
run 0 -- "$java" -- -q
[ "$(tail -n +2 arguments | paste -sd ' ')" = "-- -q" ] || fail "arguments behind --: $(cat arguments)"
run 0 --stats -- "$java" "one word" "" "last"
[ "$(tail -n +2 arguments | paste -sd '|')" = "one word||last" ] || fail "words with spaces: $(cat arguments)"
PATH="$work/my jdk/bin:$PATH" run 0 java
[ -e arguments ] || fail "java is not found on the PATH"
mkdir links
ln -s "$java" links/java
run 0 links/java -x
[ "$(argument 2)" = -x ] || fail "a link to java: $(cat arguments)"
JAVA_TOOL_OPTIONS=-Dmine run 0 "$java"
[ "$(cat variable)" = "-Dmine" ] || fail "the user's JAVA_TOOL_OPTIONS: $(cat variable)"

told ""
told "races=hybrid" --races hybrid
told "races=lockset,discipline" --discipline --races=lockset
told "races=hb,granularity=object,arrays=off" --races hb --granularity object --arrays off
told "granularity=field,arrays=element" --granularity field --arrays element
told "history=2,max-reports=1000000" --history 2 --max-reports 1000000
told "include=java.util.*,include=sun,exclude=*Test,watch=Account.balance" \
    --watch Account.balance --include 'java.util.*' --exclude '*Test' --include=sun
told 'exclude=a\,b\\c=d' --exclude 'a,b\c=d'
told "stats,format=json,color=always,quiet" --stats --format json --color always -q
told "output=$work/result.json" -o result.json
mkdir 'a,b\c d'
told "output=$work/a\\,b\\\\c d/r.json" -o 'a,b\c d/r.json'
told "output=/dev/null" -o /dev/null
run 0 -v "$java"
says err "0 findings in 1 JVMs"
[ "$(agent_options)" = verbose ] || fail "-v: the agent is told $(agent_options)"

# ---- what comes back ----

LOG='ended 1 2\n' run 66 "$java"
silent "a run with findings"
LOG='ended 1 0\nended 1 1\n' run 66 "$java"
LOG='ended 1 0\nended 1 0\n' run 0 "$java"
LOG='ended 1 12\n' run 3 --exit-code 3 "$java"
LOG='ended 1 12\n' run 0 --exit-code 0 "$java"
LOG='ended 1 2\n' ACT='exit 7' run 7 "$java"
ACT='exit 7' run 7 "$java"
ACT='exit 255' run 255 "$java"
LOG='' run 0 "$java"
says err "turnstile: warning: nothing was checked"
LOG='' run 0 -q "$java"
silent "-q without a JVM"
LOG='' ACT='exit 1' run 1 "$java"
silent "a program that fails by itself"
ACT='echo to out; echo to err >&2' run 0 "$java"
[ "$(cat out err | paste -sd +)" = "to out+to err" ] || fail "streams: $(cat out err)"
[ "$(printf 'one\ntwo' | ACT="cat" "$TURNSTILE" run "$java" | od -c)" = "$(printf 'one\ntwo' | od -c)" ] ||
    fail "standard input does not reach the program"

# Ended by a signal: so is the command, and findings change nothing.
for signal in TERM INT HUP KILL SEGV USR1; do
    number=$(kill -l "$signal")
    # shellcheck disable=SC2016 # Perl's variable
    by=$(LOG='ended 1 2\n' ACT="kill -$signal \$\$" perl -e 'system(@ARGV); print $? & 127' \
        "$TURNSTILE" run "$java" 2>/dev/null)
    [ "$by" = "$number" ] || fail "a program killed by $signal: the command ends with signal $by, not $number"
    [ -z "$(ls -A temporary)" ] || fail "killed by $signal: a temporary file stays"
done

# Signals to the command reach the program, which decides.
mkfifo ready
for signal in TERM INT HUP QUIT USR1 USR2; do
    # shellcheck disable=SC2016 # for the script
    ACT='sleep 600 & trap "kill $!; exit 5" '$signal'; echo >"$WORK/ready"; while :; do wait; done' \
        env --default-signal "$TURNSTILE" run "$java" >out 2>err &
    read -r _ <ready
    kill -s "$signal" $!
    status=0
    wait $! || status=$?
    [ "$status" = 5 ] || fail "$signal to the command: exit status $status instead of the program's 5"
done
# Whoever ignores SIGCHLD still gets the status.
status=0
ACT='exit 9' timeout 60 env --ignore-signal=CHLD "$TURNSTILE" run "$java" >out 2>err || status=$?
[ "$status" = 9 ] || fail "with SIGCHLD ignored: exit status $status"

# ^C goes to both from the terminal: the program must see it once. It then asks the command for a TERM; had the
# command sent an INT of its own, that would have come before. The shell of script must go out of the way: it
# would be ended by the ^C, and some shells do not of themselves.
type_interrupt() {
    mkfifo keys
    # shellcheck disable=SC2016
    ACT='sleep 600 & trap "kill $!; echo term >>$WORK/seen; exit 5" TERM; trap "echo int >>$WORK/seen; kill -TERM $PPID" INT
         echo >"$WORK/ready"; while :; do wait; done' \
        env --default-signal script -qec "exec '$TURNSTILE' run '$java'" /dev/null >out 2>err <keys &
    exec 5>keys
    read -r _ <ready
    printf '\003' >&5
    status=0
    wait $! || status=$?
    exec 5>&-
    [ "$status" = 5 ] || fail "^C: exit status $status instead of the program's 5: $(cat out err)"
    [ "$(paste -sd ' ' seen)" = "int term" ] || fail "^C: the program has seen '$(paste -sd ' ' seen)'"
}
if script -qec true /dev/null >out 2>err </dev/null; then
    type_interrupt
else
    echo "no terminal can be had here, so nobody typed ^C: $(cat err)"
fi

# ---- programs that start JVMs ----

run 0 ./wrapper one two
[ "$(paste -sd ' ' arguments)" = "one two" ] || fail "a script gets other arguments: $(cat arguments)"
grep -q "^-agentpath:.*=child,log=$TMPDIR/" variable || fail "JAVA_TOOL_OPTIONS of a script: $(cat variable)"
LOG='ended 1 1\n' run 66 ./wrapper
JAVA_TOOL_OPTIONS=-Dmine run 0 ./wrapper
grep -q "^-Dmine -agentpath:" variable || fail "the user's options are lost for a script: $(cat variable)"
cp "$java" links/javac
run 0 links/javac
grep -q '^-agentpath:' variable || fail "javac is taken for java"
mkdir nojdk nojdk/bin
cp "$java" nojdk/bin/
run 0 nojdk/bin/java
grep -q '^-agentpath:' variable || fail "a java without a JDK is taken for one"

# JVMs split the variable at blanks; quotes of both kinds in a path must survive that.
place="$work/it's \"a\" place"
mkdir "$place"
cp "$TURNSTILE_AGENT" "$place/libturnstile.so"
printf '#!/bin/sh\nexec "%s/bin/java" "$@"\n' "$TURNSTILE_JDK" >start
chmod +x start
for program in ./start "$TURNSTILE_JDK/bin/java"; do
    TURNSTILE_AGENT="$place/libturnstile.so" run 0 -q --exclude "a 'b' \"c\"" "$program" -version
    says err ' version "'
done
! grep -q "Picked up" err || fail "java itself is given JAVA_TOOL_OPTIONS: $(cat err)"

# ---- recorded runs ----

# What is only for this run goes to the folder for temporary files, which is empty afterwards; nothing else is removed.
mkdir beside
for name in one two.trace run.trace run.1.trace 3; do echo "$name" >"beside/$name"; done
cd beside
run 0 --atomicity both "$java"
grep -q "^-agentpath:.*record=$TMPDIR/turnstile-....../run.trace" ../arguments || fail "recorded to: $(cat ../arguments)"
run 0 --record mine.trace "$java"
grep -q "record=$work/beside/mine.trace" ../arguments || fail "recorded to: $(cat ../arguments)"
cd ..
[ "$(cat beside/one beside/two.trace beside/run.trace beside/run.1.trace beside/3 | paste -sd ' ')" = \
    "one two.trace run.trace run.1.trace 3" ] || fail "files are gone: $(ls beside)"
refused "/nowhere/a.trace: cannot be written: No such file" --record /nowhere/a.trace "$java"
mkfifo pipe
refused "pipe: is not a regular file: a trace is written to one" --record pipe "$java"
refused "/dev/null: is not a regular file: a trace is written to one" --record /dev/null "$java"
refused "one: the trace and the result need files of their own" --record one -o one "$java"
[ ! -e one ] || fail "a trace is begun that is refused"
echo old >there.trace
refused "nosuch: not found on the PATH" --record there.trace nosuch
[ "$(cat there.trace)" = old ] || fail "a file is gone for a program that cannot be started"
refused "--without takes one of reentrant-locks" --without locks "$java"
refused "--atomic takes one of heuristics, annotated, none, not 'all'" --atomic all "$java"

# Options that change nothing are told, one by one, when the program is about to start.
no_effect() { # TEXT OPTIONS...
    local text=$1
    shift
    run 0 "$@" "$java"
    [ "$(cat err)" = "turnstile: warning: $text" ] || fail "turnstile run $*: $(cat err)"
}
echo 'class A { }' >empty.locks
for option in "--atomic annotated" "--atomic-methods empty.locks" "--locks empty.locks" "--source my jdk" \
    "--without reentrant-locks" "--events all"; do
    no_effect "${option%% *} has no effect without --atomicity or --record" "${option%% *}" "${option#* }"
    run 0 --atomicity both "${option%% *}" "${option#* }" "$java"
    ! grep -q "no effect" err || fail "$option: $(cat err)"
done
no_effect "--without has no effect with --atomicity blocks" --atomicity blocks --without reentrant-locks
run 0 --record kept.trace --without reentrant-locks "$java"
silent "--without of a recorded run"
run 0 --atomicity off --atomic annotated --events all "$java"
silent "options of what is switched off"

# ---- what is declared ----

# Files are read before the program starts, and what they say of atomicity reaches the agent in a file of this run only.
cat >bank.locks <<'LOCKS'
class bank.Account {
    int balance guarded_by this;
    void add(int amount, String[] why) atomicity this ? mover : atomic;
    all(*) atomic;
    void audit() atomicity cmpd;
    void grow() requires this;
    Account(int balance) atomic;
}
LOCKS
mkdir -p src/bank
cat >src/bank/Account.java <<'JAVA'
package bank;
class Account {
    void add(int amount, java.util.List<String> why) /*# atomic */ { }
    Runnable task = new Runnable() {
        public void run() /*# atomicity cmpd */ { }
    };
    void move(Account other) {
        /*# atomic */ synchronized (this) {
        }
    }
}
JAVA
# shellcheck disable=SC2016 # for the shell of the program
export COPY='cp "$(sed -n "s/.*,declared=\([^,]*\).*/\1/p" "$WORK/arguments" | head -1)" "$WORK/declared"'
for options in "--atomicity both" "--record kept.trace"; do
    rm -f declared
    # shellcheck disable=SC2086 # several words
    ACT=$COPY run 0 $options --source src --locks bank.locks "$java"
    diff - <(tr '\t' ' ' <declared) <<'LINES' || fail "$options: the agent is told something else of what is declared"
method atomic ends bank.Account add int,String[] 0 0
method other ends bank.Account audit  0 0
method atomic ends bank.Account all * 0 0
method atomic is bank/Account add int,java.util.List 0 0
method other numbered bank/Account$# run  5 5
block bank/Account.java 8 8
LINES
done
run 0 --atomicity both -v --source src/bank/Account.java "$java"
says err "declared: 1 methods and 1 synchronized blocks that should be atomic, 1 methods that need not"
run 0 --locks bank.locks "$java"
! grep -q declared= arguments || fail "the agent is told what is declared, and records nothing"
run 0 --atomicity both --source "$TMPDIR" "$java"
! grep -q declared= arguments || fail "the agent is told of declarations that are not there"

refused "no.locks: cannot be opened: No such file or directory" --atomicity both --locks no.locks "$java"

# The file with patterns is there before the program starts, and found wherever its JVM is.
refused "no.patterns: No such file or directory" --atomicity both --atomic-methods no.patterns "$java"
refused "temporary: Is a directory" --atomicity both --atomic-methods temporary "$java"
echo 'Bank.move' >patterns
run 0 --atomicity both --atomic-methods patterns "$java"
agent_options | grep -qF ",atomic-methods=$work/patterns" || fail "the agent is told $(agent_options)"
printf '# ours\nBank.move\n\n  Bank.move(int\n' >patterns
refused "patterns:4: 'Bank.move(int': a '(' needs types and a ')' behind it" --atomicity both --atomic-methods patterns "$java"
printf 'Bank.move\n! \n' >patterns
refused "patterns:2: a '!' needs a pattern behind it" --record a.trace --atomic-methods patterns "$java"
[ ! -e a.trace ] || fail "a trace was begun for a program that is not started"
refused "nosource: cannot be read: No such file or directory" --atomicity both --source nosource "$java"
for options in "--atomicity both" "--record kept.trace" ""; do
    printf 'class A {\n    void m() atomicity fast;\n}\n' >bad.locks
    # shellcheck disable=SC2086 # several words, or none
    run 2 $options --locks bank.locks --locks bad.locks "$java"
    says err "bad.locks:2:2"
    says err "turnstile: error: 1 error in lock types"
    [ ! -e arguments ] || fail "the program was started in spite of an error in lock types"
done
mkdir comments
cat >comments/A.java <<'JAVA'
class A {
    int field; /*# atomic */
    int other;
    void m() {
        /*# atomic */ {
        }
    }
}
JAVA
run 0 --atomicity both --source comments "$java"
says err "turnstile: warning: comments/A.java:2:20: \`atomic\` belongs to a method or before a block"
says err "turnstile: warning: comments/A.java:5:13: a run marks methods and synchronized blocks, not other blocks"

# What a check has inferred says what should be atomic: not what it has found not to be.
cat >Steps.java <<'JAVA'
public class Steps {
    private static int value;
    static synchronized void step() { value++; }
    public static void twice() { step(); step(); }
    public static void main(String[] arguments) throws InterruptedException {
        Thread[] threads = {new Thread(Steps::twice), new Thread(Steps::twice)};
        for (Thread thread : threads)
            thread.start();
        for (Thread thread : threads)
            thread.join();
    }
}
JAVA
compile_by "$TURNSTILE_JDK" -g -d steps Steps.java
"$TURNSTILE" check --atomicities -o inferred.locks steps
says inferred.locks "cmpd"
run 66 --atomicity both "$TURNSTILE_JDK/bin/java" -cp steps Steps
says err "Steps.twice"
run 0 --atomicity both --locks inferred.locks "$TURNSTILE_JDK/bin/java" -cp steps Steps
run 0 --atomicity both --atomic annotated --locks inferred.locks "$TURNSTILE_JDK/bin/java" -cp steps Steps
sed -i 's/cmpd/atomic/' inferred.locks
run 66 --atomicity both --atomic annotated --locks inferred.locks "$TURNSTILE_JDK/bin/java" -cp steps Steps
says err "Steps.twice"
! grep -q "warning" err || fail "there is a declared block: $(cat err)"
run 0 --atomicity both --atomic none --locks inferred.locks "$TURNSTILE_JDK/bin/java" -cp steps Steps
! grep -q "warning" err || fail "nothing is to be looked at: $(cat err)"

# Nothing is declared: that is told, whoever analyzes, and changes no status.
for options in "" "--events distinct"; do
    # shellcheck disable=SC2086 # several words
    run 0 --atomicity both --atomic annotated $options "$TURNSTILE_JDK/bin/java" -cp steps Steps
    says err "turnstile: warning: --atomic annotated: no block of what was loaded is declared to be atomic"
done
LOG='ended 1 0\nmarked 2 1\nended 2 0\n' run 0 --atomicity both --atomic annotated "$java"
silent "one of two JVMs has a block"

# Patterns that mean nothing are told, lest silence is taken for a result; of several JVMs, those that meant nothing in any.
cat >patterns <<'END'
!*
Steps.twice
Steps.thrice(int)
!Stairs
END
run 0 --watch Steps.value --watch Steps.velue --include java.util.Foo --include Steps "$TURNSTILE_JDK/bin/java" -cp steps Steps
says err "turnstile: warning: --watch 'Steps.velue': "
says err "turnstile: warning: --include 'java.util.Foo': "
[ "$(grep -c warning err)" = 2 ] || fail "two patterns are wrong: $(cat err)"
run 66 --atomicity both --atomic-methods patterns "$TURNSTILE_JDK/bin/java" -cp steps Steps
says err "turnstile: warning: --atomic-methods 'Steps.thrice(int)': no class that is looked at has such a method with code"
says err "turnstile: warning: --atomic-methods '!Stairs': "
[ "$(grep -c warning err)" = 2 ] || fail "two patterns are wrong: $(cat err)"
run 66 --atomicity both --atomic-methods patterns -q "$TURNSTILE_JDK/bin/java" -cp steps Steps
! grep -q "warning" err || fail "-q: $(cat err)"
"$TURNSTILE_JDK/bin/java" "-agentpath:$TURNSTILE_AGENT=watch=Steps.velue" -cp steps Steps 2>err
says err "turnstile: warning: watch 'Steps.velue': "
run 0 --watch Steps.velue "$TURNSTILE_JDK/bin/java" -version
! grep -q "warning" err || fail "nothing of the program was loaded: $(cat err)"
run 0 --atomicity both --atomic none --atomic-methods patterns "$TURNSTILE_JDK/bin/java" -cp steps Steps
says err "turnstile: warning: --atomic-methods has no effect with --atomic none"
[ "$(grep -c warning err)" = 1 ] || fail "one option has no effect: $(cat err)"
LOG='unmatched 1 1\naunmatched 1 1\nbended 1 0\nmatched 2 1\naended 2 0\n' run 0 "$java"
says err "turnstile: warning: b"
[ "$(grep -c warning err)" = 1 ] || fail "another JVM had use for the first: $(cat err)"
LOG='unmatched 1 1\na'$(printf 'unmatched 1 1\\n%s' b c d e f g h i)'ended 1 0\n' run 0 "$java"
[ "$(grep -c warning err)" = 7 ] || fail "six are enough: $(cat err)"
says err "turnstile: warning: and 3 more such patterns"

# More findings than are asked for: that is told, with samples (the command reports) and without (the agent does).
cat >Racy.java <<'JAVA'
public class Racy {
    private static int one;
    private static int two;
    private static void change() { one++; two++; }
    public static void main(String[] arguments) throws InterruptedException {
        Thread thread = new Thread(Racy::change);
        thread.start();
        change();
        thread.join();
    }
}
JAVA
compile_by "$TURNSTILE_JDK" -g -d racy Racy.java
for atomicity in off reduction; do
    run 66 --atomicity $atomicity --atomic none --max-reports 1 "$TURNSTILE_JDK/bin/java" -cp racy Racy
    says err "turnstile: 1 race (1 observed); there are more: --max-reports is 1"
    run 66 --atomicity $atomicity --atomic none --max-reports 2 "$TURNSTILE_JDK/bin/java" -cp racy Racy
    says err "turnstile: 2 races (2 observed)"
done

# No room: that is told before the program starts, and if it comes later, what the run has found stays.
cat >Filling.java <<'JAVA'
import java.io.FileOutputStream;
import java.io.IOException;
class Filling {
    public static void main(String[] arguments) throws Exception {
        try (FileOutputStream file = new FileOutputStream(arguments[0])) {
            for (;;) {
                file.write(new byte[4096]);
            }
        } catch (IOException full) {
            mix(new int[5000]);
            Racy.main(arguments);
        }
    }
    /** More than the last page of what is being written has room for. */
    private static void mix(int[] numbers) {
        java.util.SplittableRandom random = new java.util.SplittableRandom(1);
        for (int i = 0; i < 50000; i++) {
            numbers[random.nextInt(numbers.length)]++;
        }
    }
}
JAVA
compile_by "$TURNSTILE_JDK" -g -cp racy -d racy Filling.java
mkdir "$work/small"
if mount -t tmpfs -o size=96k tmpfs "$work/small" 2>/dev/null; then
    trap 'umount "$work/small"; rm -rf "$work"' EXIT
    TMPDIR="$work/small"
    "$TURNSTILE" run --atomicity both -o "$work/result.json" \
        "$TURNSTILE_JDK/bin/java" -cp racy Filling "$work/small/full" 2>err && fail "no findings" || status=$?
    [ "$status" = 66 ] || fail "status $status: $(cat err)"
    says err "run.trace: the trace cannot be written: No space left"
    [ "$(ls "$work/small")" = full ] || fail "a temporary file stays: $(ls "$work/small")"
    rm "$work/small/full"
    [ "$(grep -c '"rule": "race"' "$work/result.json")" = 2 ] ||
        fail "races are lost for samples: $(cat "$work/result.json" err)"
    head -c 80000 /dev/zero >"$work/small/full"
    TMPDIR="$work/temporary" refused "a.trace: cannot be written: No space left" --record "$work/small/a.trace" "$java"
    [ ! -e "$work/small/a.trace" ] || fail "a file stays that is empty"
    rm "$work/small/full"
    TMPDIR="$work/temporary"
    umount "$work/small"
    trap 'rm -rf "$work"' EXIT
fi

# Of a thread that is new to a line that others have run often, the stack of one of these is no stack.
cat >Stacks.java <<'JAVA'
public class Stacks {
    private int value;
    private void set(int to) { value = to; }
    private static void often(Stacks stacks) { stacks.set(1); }
    private static void once(Stacks stacks) { stacks.set(2); }
    public static void main(String[] arguments) throws InterruptedException {
        for (int i = 0; i < 20000; i++)
            often(new Stacks());
        Stacks shared = new Stacks();
        java.io.File written = new java.io.File(arguments[0]); // orders nothing
        Thread thread = new Thread(() -> { once(shared); written.mkdir(); });
        thread.start();
        while (!written.exists())
            Thread.onSpinWait();
        System.out.println(shared.value);
        thread.join();
    }
}
JAVA
compile_by "$TURNSTILE_JDK" -g -d stacks Stacks.java
run 66 "$TURNSTILE_JDK/bin/java" -cp stacks Stacks "$work/written"
says err "at Stacks.set(Stacks.java:3)"
! grep -q "Stacks.often" err || fail "the stack of another thread is shown: $(cat err)"
says err "(what called it is not known)"

# ---- what is refused ----

refused "run needs a program" # nothing
refused "run needs a program" --stats --
refused "unknown option '--frobnicate': see 'turnstile run --help'" --frobnicate "$java"
refused "unknown option '-cp'" -cp x Main
refused "--races takes one of hybrid, lockset, hb, not 'all'" --races all "$java"
refused "--granularity takes one of field, object, not 'x'" --granularity x "$java"
refused "--arrays takes one of element, object, off, not 'on'" --arrays on "$java"
refused "--format takes one of text, json, not 'html'" --format html "$java"
refused "--history takes a whole number from 2 to 32, not '1'" --history 1 "$java"
refused "--max-reports takes a whole number from 1 to 1000000, not '0'" --max-reports 0 "$java"
refused "--exit-code takes a whole number from 0 to 255, not '256'" --exit-code 256 "$java"
refused "--watch takes PATTERN, not an empty word" --watch '' "$java"
refused "--include needs a value: --include PATTERN" --include
refused "--stats takes no value" --stats=yes "$java"

refused "frobnicate: not found on the PATH" frobnicate
refused "'': not found on the PATH" ''
refused "./frobnicate: cannot be run: No such file or directory" ./frobnicate
refused "./links: cannot be run: Is a directory" ./links
: >plain
refused "./plain: cannot be run: Permission denied" ./plain
PATH="$work:$PATH" refused "plain: cannot be run: Permission denied" plain
printf '#!/nowhere/sh\n' >broken
chmod +x broken
refused "./broken: cannot be run: No such file or directory" ./broken

refused "nowhere/r.json: cannot be written: No such file or directory" -o nowhere/r.json "$java"
refused "plain/r.json: cannot be written: Not a directory" -o plain/r.json "$java"
refused "links: cannot be written: Is a directory" -o links "$java"
refused "--output '': cannot be written" -o '' "$java"
mkdir locked
chmod a-w locked
if [ "$(id -u)" != 0 ]; then # the superuser may write everywhere
    refused "locked/r.json: cannot be written: Permission denied" -o locked/r.json "$java"
fi
TMPDIR=$work/nowhere refused "nowhere: no temporary file can be made there: No such file or directory" "$java"

for version in 1.8.0_392 11.0.22 16; do
    mkdir "jdk$version" "jdk$version/bin"
    cp "$java" "jdk$version/bin/"
    echo "JAVA_VERSION=\"$version\"" >"jdk$version/release"
    feature=${version#1.}
    refused "jdk$version/bin/java is Java ${feature%%.*}, in $work/jdk$version: Java 17 or newer is needed" \
        "jdk$version/bin/java"
done
# Java 8 as a JDK: the JRE inside has a `java` too, and no release file.
mkdir -p jdk1.8.0_392/jre/{bin,lib/server}
cp "$java" jdk1.8.0_392/jre/bin/
: >jdk1.8.0_392/jre/lib/server/libjvm.so
refused "is Java 8," jdk1.8.0_392/jre/bin/java
# Nothing tells how old it is: the agent will.
mkdir -p unknown/{bin,lib/server}
cp "$java" unknown/bin/
: >unknown/lib/server/libjvm.so
run 0 unknown/bin/java
grep -q '^-agentpath:' arguments || fail "a JDK without release file is not taken for one"

# ---- where the agent is ----

TURNSTILE_AGENT=nowhere.so refused "TURNSTILE_AGENT: nowhere.so: cannot be opened: No such file or directory" "$java"
mkdir -p a=b prefix/bin
: >a=b/libturnstile.so
TURNSTILE_AGENT=a=b/libturnstile.so refused "a JVM cannot load an agent whose path has a '=' in it" "$java"
cp "$TURNSTILE" prefix/bin/turnstile
TURNSTILE=prefix/bin/turnstile
agent_told=$TURNSTILE_AGENT
unset TURNSTILE_AGENT
refused "the agent, libturnstile.so, is neither in $work/prefix/bin nor in ../lib/turnstile" "$java"
for place in "prefix/lib/$(uname -m)-linux-gnu/turnstile" prefix/lib64/turnstile prefix/lib/turnstile prefix/bin; do
    mkdir -p "$place"
    : >"$place/libturnstile.so"
    run 0 "$java"
    case "$(argument 1)" in
    "-agentpath:$work/$place/libturnstile.so="*) ;;
    *) fail "the agent in $place is not used: $(argument 1)" ;;
    esac
done
export TURNSTILE_AGENT=$agent_told

# ---- java's own complaints ----

run 1 "$TURNSTILE_JDK/bin/java" -jar missing.jar
says err "Unable to access jarfile missing.jar"

finish "programs start, end and are refused as the help says"
