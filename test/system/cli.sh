#!/usr/bin/env bash
# The command line as a user meets it: help, version, wrong usage, bad input, full disks.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1

compile_by "$TURNSTILE_JDK" -g -d "$work/bank" "$TURNSTILE_SOURCE"/examples/bank/*.java
cd "$work"

run() { # STATUS ARGUMENTS...: runs turnstile, keeps its output, checks its exit status
    local wanted=$1 status=0
    shift
    "$TURNSTILE" "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "turnstile $*: exit status $status instead of $wanted"
}
says() { grep -qF -- "$2" "$1" || fail "'$2' is not in the output: $(head -c 500 "$1")"; }
one_line() { [ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"; }
says_error() { # STATUS TEXT ARGUMENTS...: one line on standard error
    local status=$1 text=$2
    shift 2
    run "$status" "$@"
    one_line
    says err "turnstile: error: "
    says err "$text"
}

# Help and version.
version=$(sed -n 's/^project(turnstile VERSION \([0-9.]*\).*/\1/p' "$TURNSTILE_SOURCE/CMakeLists.txt")
run 0 --version
[ "$(cat out)" = "turnstile $version" ] || fail "--version says $(cat out)"
run 0 --help
says out "turnstile - find data races"
commands=$(sed -n 's/^COMMAND(\(.*\))$/\1/p' "$TURNSTILE_SOURCE/src/cli/commands.def")
for command in $commands; do
    run 0 --help
    says out "    $command "
    run 0 help "$command"
    for part in NAME SYNOPSIS DESCRIPTION OPTIONS "EXIT STATUS" EXAMPLES; do
        says out "$part"
    done
    cp out by_help
    run 0 "$command" --help
    cmp -s out by_help || fail "help $command and $command --help differ"
    # Every line of the help fits a terminal.
    awk 'length > 80 { exit 1 }' out || fail "help of $command has lines over 80 columns"
done
run 2
says err "SYNOPSIS"

# Wrong usage.
says_error 2 "unknown command 'frobnicate'" frobnicate
says_error 2 "unknown option '--frobnicate'" --frobnicate
says_error 2 "unknown command 'frobnicate'" help frobnicate
says_error 2 "not also about 'check'" help dump check
says_error 2 "unknown option '--frobnicate'" dump --frobnicate
says_error 2 "unknown option '-z'" dump -z
says_error 2 "needs a PATH" dump
says_error 2 "--release needs a value" dump --release
says_error 2 "--release takes a whole number from 8 to 99, not 'eight'" dump --release eight bank
says_error 2 "--release takes a whole number from 8 to 99, not '100'" dump --release=100 bank
says_error 2 "--color takes one of auto, always, never, not 'blue'" dump --color blue bank
says_error 2 "--code takes no value" dump --code=yes bank
says_error 2 "leave out --code" dump --callgraph --code bank
says_error 2 "one version of each class" dump --callgraph --all-versions bank

# Input and output that cannot be used.
says_error 2 "missing.jar: cannot be opened: No such file or directory" dump missing.jar
mkdir empty
run 0 dump empty
one_line
says err "turnstile: warning: no classes were found"
run 0 dump --class 'Nobody*' bank
one_line
says err "no class matches 'Nobody*' among 4"
says_error 2 "--jdk: nowhere is not the home of a JDK" dump --jdk nowhere bank
says_error 2 "--jdk: nowhere is not the home of a JDK" dump -g --jdk nowhere bank
status=0
"$TURNSTILE" dump bank >/dev/full 2>err || status=$?
[ "$status" = 2 ] || fail "a full disk: exit status $status"
one_line
says err "cannot be written: No space left on device"
says_error 2 "nowhere/out.txt: cannot be written: No such file or directory" dump -o nowhere/out.txt bank

# What dump shows.
run 0 dump bank
says out "class Account extends java.lang.Object"
says out "class CarefulAccount extends Account"
run 0 dump --class 'Careful*' bank
says out "class CarefulAccount extends Account"
! grep -q "^class Account " out || fail "--class lets others through"
run 0 dump --class 'java/lang/Thread' --jdk "$TURNSTILE_JDK" "$TURNSTILE_JDK"
says out "class java.lang.Thread "
run 0 dump -v bank
says err "4 classes read, 4 shown"
run 0 dump -c bank/Account.class
says out "getfield"
! grep -q "; locals" out || fail "--code shows frames"
run 0 dump --frames bank/Account.class
says out "; locals [uninitializedThis, int] stack [uninitializedThis]"
run 0 dump -o saved.txt -g bank
[ ! -s out ] || fail "-o also writes to standard output"
says saved.txt "Account.deposit(I)V -> Account.deposit(I)V, CarefulAccount.deposit(I)V"
says saved.txt "[entry: thread, run of a Runnable]"

# A bad class among good ones: one line with file, offset and reason, and the good ones are shown.
mkdir mixed
cp bank/Account.class mixed/
head -c 300 bank/Bank.class >mixed/Bank.class
run 2 dump mixed
one_line
says err "turnstile: error: mixed/Bank.class: at byte "
says out "class Account extends"
for option in --frames --callgraph; do
    run 2 dump "$option" mixed
    one_line
    says err "mixed/Bank.class: at byte "
    says out "class Account extends"
done

# Code that cannot be read is an error whatever is asked for, as its class's would be.
mkdir broken
cp bank/Account.class bank/Bank.class broken/
offset=$(LC_ALL=C grep -obUaP '\x2a\xb4' broken/Account.class | head -n 1 | cut -d : -f 1) # aload_0, getfield
printf '\xcb' | dd of=broken/Account.class bs=1 seek=$((offset + 1)) conv=notrunc status=none
for command in "dump --code" "dump --frames" "dump --callgraph" check; do
    # shellcheck disable=SC2086
    run 2 $command broken
    one_line
    says err "turnstile: error: broken/Account.class: at byte $((offset + 1)): opcode 203 does not exist"
    [ "$command" = check ] || says out "Bank"
done

# What can be read only once, and what has no end.
mkfifo pipe.class
cat bank/Account.class >pipe.class &
run 0 dump pipe.class
says out "class Account extends"
"$TURNSTILE" dump - <bank/Account.class >out 2>err || fail "dump -: exit status $?"
says out "class Account extends"
(cd bank && "$TURNSTILE_JDK/bin/jar" cf ../bank.jar .)
cat bank.jar | "$TURNSTILE" dump /dev/stdin >out 2>err || fail "a jar from a pipe: exit status $?"
says out "class Account extends"
status=0
"$TURNSTILE" dump - </dev/null >out 2>err || status=$?
[ "$status" = 2 ] || fail "nothing on standard input: exit status $status"
says err "turnstile: error: standard input: at byte 0: is empty"
for option in --frames --callgraph; do
    "$TURNSTILE" dump "$option" - <bank/Account.class >out 2>err || fail "dump $option -: exit status $?"
    says out "class Account extends"
done
status=0
"$TURNSTILE" dump - <&- >out 2>err || status=$?
[ "$status" = 2 ] || fail "a closed standard input: exit status $status"
says err "turnstile: error: standard input: cannot be read: Bad file descriptor"
run 0 dump --callgraph bank bank.jar
says err "turnstile: warning: 4 classes are not used, because others of the same name come earlier on the class path"
says_error 2 "'': cannot be opened" dump ""

# Names that would move the cursor or change colours are shown, not obeyed.
run 0 dump --color never bank
! grep -q "$(printf '\033')" out err || fail "escape sequences without colour"
says_error 2 'x\x1B[31m.jar: cannot be opened' dump "$(printf 'x\033[31m.jar')"
! grep -q "$(printf '\033')" err || fail "a name reaches the terminal as it is"

finish "the command line does what its help says"
