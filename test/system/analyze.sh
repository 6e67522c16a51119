#!/usr/bin/env bash
# turnstile analyze, and dump of traces, as a user meets them: reports, JSON, options, bad input, exit statuses.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
cd "$work"

run() { # STATUS ARGUMENTS...: runs turnstile, keeps its output, checks its exit status
    local wanted=$1 status=0
    shift
    "$TURNSTILE" "$@" >out 2>err </dev/null || status=$?
    [ "$status" = "$wanted" ] || fail "turnstile $*: exit status $status instead of $wanted: $(cat err)"
}
says() { grep -qF -- "$2" "$1" || fail "'$2' is not in $1: $(head -c 800 "$1")"; }
says_not() { ! grep -qF -- "$2" "$1" || fail "'$2' is in $1: $(head -c 800 "$1")"; }
one_line() { [ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"; }
says_error() { # STATUS TEXT ARGUMENTS...: one line on standard error
    local status=$1 text=$2
    shift 2
    run "$status" "$@"
    one_line
    says err "turnstile: error: "
    says err "$text"
}
last_line() { [ "$(tail -n 1 out)" = "$1" ] || fail "the summary is '$(tail -n 1 out)' instead of '$1'"; }

cat >race.std <<'END'
main|fork(worker)|1
main|w(x)|10
worker|r(x)|20
END
# The lock of the argument is given back between its length and its characters (paper 001, section 1).
cat >append.std <<'END'
main|fork(other)|1
main|begin(StringBuffer.append)|10
main|acq(this)|11
main|acq(sb)|20
main|r(sb.count)|21
main|rel(sb)|22
main|acq(sb)|30
main|r(sb.count)|31
main|rel(sb)|32
main|rel(this)|12
main|end(StringBuffer.append)|13
other|acq(sb)|40
other|w(sb.count)|41
other|rel(sb)|42
other|acq(this)|50
other|rel(this)|51
END
cat >deadlock.std <<'END'
main|fork(worker)|1
main|acq(L)|10
main|acq(M)|11
main|rel(M)|12
main|rel(L)|13
worker|acq(M)|20
worker|acq(L)|21
worker|rel(L)|22
worker|rel(M)|23
END
cat >fine.std <<'END'
main|fork(worker)|1
main|begin(put)|10
main|acq(L)|11
main|w(x)|12
main|rel(L)|13
main|end(put)|14
worker|acq(L)|20
worker|w(x)|21
worker|rel(L)|22
END
: >empty.std

# What is found, and the exit status.
run 1 analyze race.std
says out 'race (observed): x at location:20'
says out 'read by thread "worker", holding no lock'
says out 'write by thread "main", holding no lock'
says out 'thread "worker" started by thread "main"'
last_line "turnstile: 1 race (1 observed)"
run 1 analyze --atomicity reduction append.std
says out 'atomicity (predicted): StringBuffer.append'
says out 'entered, thread "main", holding no lock'
says out 'commits at, thread "main", holding this'
says out 'violated at, thread "main", holding this'
says out 'meanwhile acquires, thread "other"'
last_line "turnstile: 1 atomicity violation (1 predicted)"
run 1 analyze --atomicity blocks append.std
says out 'read-write-read'
says out 'meanwhile write, thread "other", holding sb'
run 1 analyze append.std
last_line "turnstile: 2 atomicity violations (2 predicted)"
run 1 analyze deadlock.std
says out 'thread "main" holds L and wants M; thread "worker" holds M and wants L'
last_line "turnstile: 1 deadlock (1 predicted)"
run 0 analyze fine.std
last_line "turnstile: nothing found"
# Where there is nothing to look at, something has gone wrong before: that is not the same as to find nothing.
run 2 analyze empty.std
says err "turnstile: error: empty.std: there are no events in it"
[ ! -s out ] || fail "of a trace without events it is said: $(cat out)"
run 2 analyze empty.std race.std
last_line "turnstile: 1 race (1 observed)"

# Options: the engines, the refinements, several traces, quiet.
run 0 analyze --atomicity off append.std
run 0 analyze --races off race.std
run 1 analyze --races hb race.std
run 0 analyze --races lockset race.std # the second thread has taken x over
{ cat race.std; echo 'main|w(x)|11'; } >back.std
run 1 analyze --races lockset back.std
says out "race (predicted): x"
says out "no lock is held at every access"
cat >between.std <<'END'
main|w(x)|1
main|fork(one)|2
main|fork(two)|3
one|w(x)|10
one|acq(L)|11
one|rel(L)|12
two|acq(L)|20
two|rel(L)|21
two|w(x)|22
END
run 1 analyze --atomicity off between.std
says out "race (predicted): x"
says out "In this run L came between them"
run 1 analyze race.std deadlock.std fine.std
last_line "turnstile: 1 race (1 observed), 1 deadlock (1 predicted)"
# Of several traces it is told which one a finding is from; what is found in two of them is one finding.
says out "  trace: race.std"
says out "  trace: deadlock.std"
says_not out "fine.std"
cp race.std again.std
run 1 analyze race.std again.std
says out "  traces: race.std, again.std"
says out "seen 2 times"
last_line "turnstile: 1 race (1 observed)"
run 1 analyze --format json race.std again.std deadlock.std
says out '"traces": ["race.std", "again.std"]'
says out '"traces": ["deadlock.std"]'
grep '"fingerprint"' out >several
for trace in race deadlock; do
    run 1 analyze --format json "$trace.std"
    says_not out '"traces"'
    grep -qFf <(grep '"fingerprint"' out) several || fail "the fingerprint is another among several traces: $(cat several)"
done
run 1 analyze race.std
says_not out "trace:"
# How many are shown.
sed 's/x/y/' race.std >other.std
run 1 analyze --max-reports 1 race.std other.std deadlock.std
[ "$(grep -c '^race (observed)' out)" = 1 ] || fail "--max-reports 1 shows $(cat out)"
last_line "turnstile: 1 race (1 observed), 1 deadlock (1 predicted); there are more: --max-reports is 1"
run 1 analyze --max-reports 1 --format json race.std other.std
says out '"not_shown": 1'
says_error 2 "--max-reports takes a whole number from 1 to 1000000, not '0'" analyze --max-reports 0 race.std
run 0 analyze -q fine.std
[ ! -s out ] || fail "-q prints '$(cat out)' when there is nothing to report"
run 1 analyze -q race.std
says out "race (observed): x"
cat >reentrant.std <<'END'
main|fork(worker)|1
main|begin(b)|10
main|acq(L)|11
main|acq(L)|12
main|rel(L)|13
main|acq(L)|14
main|rel(L)|15
main|rel(L)|16
main|end(b)|17
worker|acq(L)|20
worker|rel(L)|21
END
run 0 analyze reentrant.std
run 1 analyze --without reentrant-locks reentrant.std
run 0 analyze --without protected-locks --without write-protected-data reentrant.std
run 1 analyze -v --stats race.std
grep -qE '^  events +3$' out || fail "--stats shows $(cat out)"
says err "race.std: 3 events, 2 threads"

# JSON: what programs rely on.
run 1 analyze --format json --stats --atomicity reduction append.std
shown=$(java_tool "$TURNSTILE_SOURCE/test/java/Json.java" out tool command summary.atomicity summary.predicted \
    stats.events stats.threads stats.locks findings.*.rule findings.*.grade findings.*.member findings.*.line \
    findings.0.stacks.*.role findings.0.stacks.*.frames.0.line findings.0.stacks.*.thread findings.0.stacks.2.locks.* 2>&1) || true
diff - <(echo "$shown") <<'END' || fail "the JSON is not as described in docs/reports.md"
turnstile
analyze
1
1
16
2
2
atomicity
predicted
StringBuffer.append
30
entered commits at violated at meanwhile acquires
10 22 30 40
main main main other
this
END
run 1 analyze -o result.json race.std
[ ! -s out ] || fail "with -o something is printed: $(cat out)"
[ "$(java_tool "$TURNSTILE_SOURCE/test/java/Json.java" result.json findings.0.rule 2>&1)" = race ] || fail "-o writes no JSON"
run 1 analyze --format text -o result.txt race.std
says result.txt "race (observed): x"

# Where traces come from: gzipped, standard input, a pipe; each is read twice for reduction.
gzip -k append.std
run 1 analyze --atomicity reduction append.std.gz
says out 'commits at, thread "main"'
"$TURNSTILE" analyze --atomicity reduction - <append.std >from_stdin || true
cat append.std | "$TURNSTILE" analyze --atomicity reduction - >from_pipe || true
"$TURNSTILE" analyze --atomicity reduction <(cat append.std.gz) >from_fifo || true
for kind in stdin pipe fifo; do
    cmp -s out "from_$kind" || fail "what comes from a $kind is reported otherwise: $(head -c 300 "from_$kind")"
done

# Bad input: the line or offset, the reason, and what could be used; the rest is analyzed.
says_error 2 "analyze needs a TRACE" analyze
says_error 2 "nowhere.std: cannot be opened: No such file" analyze nowhere.std
says_error 2 ".: is a directory" analyze .
cp race.std own.std
says_error 2 "./own.std: is read, and would be overwritten" analyze -o ./own.std own.std
cmp -s race.std own.std || fail "a trace was overwritten by what was found in it"
says_error 2 "--without takes one of" analyze --without luck race.std
says_error 2 "--races takes one of hybrid, lockset, hb, off, not 'all'" analyze --races all race.std
{ cat race.std; echo 'worker|frob(x)|21'; echo 'worker|r(y)|22'; } >wrong.std
says_error 2 'wrong.std: line 4: "frob" is no operation' analyze wrong.std
says err "3 events before that could be used"
says out "race (observed): x"
head -c 60 append.std.gz >cut.std.gz
says_error 2 "cut.std.gz: " analyze cut.std.gz
printf 'TsTrace\n' >cut.trace
says_error 2 "cut.trace: " analyze cut.trace
head -c 4096 /dev/urandom >noise
run 2 analyze noise
one_line
{ echo 'main|rel(L)|9'; cat race.std; } >impossible.std
run 1 analyze impossible.std
one_line
says err "impossible.std: line 1: thread main releases lock L, which it does not hold"
says err "1 impossible events were left out"
run 1 analyze -q impossible.std
[ ! -s err ] || fail "-q shows a warning: $(cat err)"
run 2 analyze -o /nowhere/result.json race.std
if [ -w /dev/full ]; then
    "$TURNSTILE" analyze race.std >/dev/full 2>err && fail "a full disk is not noticed"
    says err "cannot be written"
fi

# Names that look as if they were written by dump --std are taken apart.
cat >names.std <<'END'
main#1|fork(worker#2)|0
main#1|w(bank.Account.balance#7)|bank.Account.deposit:12#3
worker#2|w(bank.Account.balance#7)|bank.Account.withdraw:15#4
END
run 1 analyze names.std
says out "race (observed): bank.Account.balance at location:15"
says out "at bank.Account.deposit(location:12)"
says_not out "started"

# dump: events as text and as STD; what came from STD goes back as it was.
run 0 dump append.std
says out '5  main  read sb.count  at 21'
[ "$(wc -l <out)" = 16 ] || fail "dump shows $(wc -l <out) of 16 events"
for trace in race append deadlock fine empty reentrant; do
    run 0 dump --std "$trace.std"
    cmp -s out "$trace.std" || fail "dump --std changes $trace.std"
done
run 0 dump --std append.std.gz
cmp -s out append.std || fail "dump --std changes append.std.gz"
run 0 dump --std --numbers race.std
grep -qE '^T[0-9]+\|w\(V1\)\|' out || fail "--numbers shows $(cat out)"
run 2 dump --std wrong.std
[ "$(head -n 3 out)" = "$(cat race.std)" ] || fail "what is good in wrong.std is not written"
says_error 2 "--std is for traces" dump --std --code race.std
says_error 2 "--numbers needs --std" dump --numbers race.std
says_error 2 "nowhere.std: cannot be opened" dump --std nowhere.std

finish "races, atomicity, deadlocks, JSON, pipes, damage and STD through the command"
