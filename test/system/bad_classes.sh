#!/usr/bin/env bash
# Class files that are cut, changed or made to hurt: one line each that names file, offset and reason, exit status 2,
# and the good class beside them is shown every time.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1

compile_by "$TURNSTILE_JDK" -g -proc:none -d "$work/good" "$TURNSTILE_SOURCE"/test/fuzz/java/Everything.java
cd "$work"
mkdir bad
good=good/Everything.class
size=$(wc -c <"$good")

patch() { # FILE OFFSET BYTES: overwrites bytes, given as \xNN
    printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}
refused() { # FILE REASON
    local status=0
    "$TURNSTILE" dump --code "$1" 'good/Everything$Circle.class' >out 2>err || status=$?
    [ "$status" = 2 ] || fail "$1: exit status $status"
    [ "$(wc -l <err)" = 1 ] || fail "$1: not one line: $(cat err)"
    grep -qE "^turnstile: error: $1: at byte [0-9]+: .*$2" err || fail "$1: $(cat err)"
    grep -q 'class Everything.Circle' out || fail "$1: the good class is not shown"
}

# Cut at every length; all runs over the same few processes, so that this takes seconds.
mkdir cut
for ((length = 0; length < size; length += 1 + size / 400)); do
    head -c "$length" "$good" >"cut/at$length.class"
done
cuts=$(find cut -name '*.class' | wc -l)
status=0
"$TURNSTILE" dump cut 'good/Everything$Circle.class' >out 2>err || status=$?
[ "$status" = 2 ] || fail "cut classes: exit status $status"
[ "$(wc -l <err)" = "$cuts" ] || fail "$cuts cut classes, $(wc -l <err) lines"
! grep -vE '^turnstile: error: cut/at[0-9]+\.class: at byte [0-9]+: ' err || fail "a line without offset"
grep -q 'class Everything.Circle' out || fail "the good class is not shown"

# The magic number, versions, counts: offsets from the class-file format, JVMS 4.1.
cp "$good" bad/magic.class && patch bad/magic.class 0 '\xCA\xFE\xBA\xBF' && refused bad/magic.class 'not a class file: starts with 0xCAFEBABF'
cp "$good" bad/version.class && patch bad/version.class 6 '\x00\x46' && refused bad/version.class '70'
cp "$good" bad/count.class && patch bad/count.class 8 '\xFF\xFF' && refused bad/count.class 'constant'
cp "$good" bad/nothing.class && patch bad/nothing.class 8 '\x00\x01' && refused bad/nothing.class ''
cp "$good" bad/tag.class && patch bad/tag.class 10 '\x02' && refused bad/tag.class 'constant 1: unknown tag 2'
cat "$good" good/Everything\$Circle.class >bad/twice.class && refused bad/twice.class ''
: >bad/empty.class && refused bad/empty.class 'ends too early'
head -c 100000 /dev/zero >bad/zeros.class && refused bad/zeros.class 'not a class file'

# One byte changed in each of four hundred copies: no crash, no hang, and never a status but 0 or 2.
mkdir flipped
for ((i = 0; i < 400; i++)); do
    cp "$good" "flipped/f$i.class"
    patch "flipped/f$i.class" $((8 + (i * 7919) % (size - 8))) "\\x$(printf '%02x' $((i * 37 % 256)))"
done
status=0
timeout 60 "$TURNSTILE" dump --frames flipped >out 2>err || status=$?
[ "$status" = 0 ] || [ "$status" = 2 ] || fail "changed bytes: exit status $status"
! grep -vE '^turnstile: (error|warning): ' err || fail "something else on standard error"

# A chain of thousands of classes that all override a method of the JDK: each takes the time of one.
mkdir chain
printf 'class C00001 extends C00000 { public String toString() { return ""; } }\nclass C00000 { }\n' >chain/C00001.java
compile_by "$TURNSTILE_JDK" -d chain chain/C00001.java
for ((i = 2; i <= 5000; i++)); do
    name=$(printf '%05d' "$i") above=$(printf '%05d' $((i - 1)))
    LC_ALL=C sed "s/C00000/C$above/g; s/C00001/C$name/g" chain/C00001.class >"chain/C$name.class"
done
timeout 60 "$TURNSTILE" dump --callgraph chain >out || fail "a chain of classes: exit status $?"
grep -q '^5001 classes, 10001 methods' out || fail "a chain of classes: $(tail -1 out)"

# A folder that cannot be looked into is told, whatever it is called; links that lead nowhere are not.
mkdir deep
name=$(printf 'd%.0s' {1..250})
(cd deep && for ((i = 0; i < 17; i++)); do mkdir "$name" && cd "$name" || exit 1; done)
status=0
"$TURNSTILE" dump deep good/Everything\$Circle.class >out 2>err || status=$?
[ "$status" = 2 ] || fail "a folder that is too deep: exit status $status"
grep -q '^turnstile: error: deep/d.*: cannot be opened: File name too long' err || fail "a folder that is too deep is not told"
grep -q 'class Everything.Circle' out || fail "the good class is not shown beside a folder that is too deep"
mkdir links
ln -s nowhere links/nothing
ln -s loop links/loop
cp "$good" links/
"$TURNSTILE" dump links >out 2>err || fail "links that lead nowhere: exit status $?"
[ ! -s err ] || fail "links that lead nowhere are told"

# What is read is not overwritten.
cp "$good" own.class
status=0
"$TURNSTILE" dump -o ./own.class own.class >out 2>err || status=$?
[ "$status" = 2 ] || fail "a class as its own output: exit status $status"
grep -q '^turnstile: error: ./own.class: is read, and would be overwritten' err || fail "a class as its own output is not told"
cmp -s "$good" own.class || fail "a class was overwritten by its own dump"
printf 'class Everything { }\n' >own.locks
status=0
"$TURNSTILE" check --locks own.locks --atomicities -o ./own.locks own.class >out 2>err || status=$?
[ "$status" = 2 ] || fail "a .locks file as the output of what it declares: exit status $status"
grep -q '^turnstile: error: ./own.locks: is read, and would be overwritten' err || fail "a .locks file as output is not told"
[ "$(cat own.locks)" = 'class Everything { }' ] || fail "a .locks file was overwritten by what was inferred with it"

# Of two classes with one name in an archive, the one that the JVM finds there.
mkdir -p twice/OLD
(cd twice && printf 'class Both { int first; }' >Both.java && compile_by "$TURNSTILE_JDK" -d . Both.java)
(cd twice && printf 'class Both { int other; }' >Both.java && compile_by "$TURNSTILE_JDK" -d OLD Both.java)
(cd twice && "$TURNSTILE_JDK/bin/jar" cf ../twice.jar OLD Both.class)
"$TURNSTILE" dump --callgraph twice.jar >out 2>err || fail "two classes with one name: exit status $?"
grep -q 'field first' out || fail "not the class that the JVM finds"
! grep -q 'field other' out || fail "the class that the JVM does not find"

# A class of 70 KB names the same 60000 letters 5000 times: it is shown, all 300 MB of it, and they need not fit into memory.
{
    printf '\xCA\xFE\xBA\xBE\0\0\0\x3D\0\x07'
    printf '\x01\0\x01A\x07\0\x01'
    printf '\x01\0\x10java/lang/Object\x07\0\x03'
    printf '\x01\xEA\x60' && head -c 60000 /dev/zero | tr '\0' x && printf '\x07\0\x05'
    printf '\0\x21\0\x02\0\x04\x13\x88' && printf '\0\x06%.0s' {1..5000} && printf '\0\0\0\0\0\0'
} >bad/interfaces.class
shown=$( (ulimit -v 200000 && "$TURNSTILE" dump bad/interfaces.class 2>err) | tr -cd x | wc -c) || true
[ "$shown" -ge 300000000 ] || fail "of 300000000 letters $shown are shown: $(cat err)"

# An accessor that no compiler would make: it does 5000 things, and is called 10000 times.
mkdir -p stub called
repeat() {
    for ((i = 0; i < $1; i++)); do echo "$2"; done
}
printf 'class Wide { static void access$000001(Wide a) { } }' >stub/Wide.java
printf 'class Many { static void go(Wide a) { %s } }' "$(repeat 10000 'Wide.access$000001(a);')" >Many.java
printf 'class Wide { int v; java.util.function.Consumer<Wide> make() { return a -> { %s }; } }' "$(repeat 5000 'a.v = 1;')" >Wide.java
compile_by "$TURNSTILE_JDK" -cp stub -d called stub/Wide.java Many.java
compile_by "$TURNSTILE_JDK" -d called Wide.java
LC_ALL=C sed -i 's/lambda\$make\$0/access$000001/g' called/Wide.class
(ulimit -v 1000000 && timeout 60 "$TURNSTILE" check called >out 2>err) || fail "an accessor that does very much: exit status $?: $(cat err)"

finish "$cuts cut and 408 changed classes, each refused in one line or read"
