#!/usr/bin/env bash
# Rewritten programs do what the originals do: a small program that counts its own entries and exits,
# and javac on a java.base in which every instruction has something inserted before it.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
sources=$TURNSTILE_SOURCE/test/java/rewrite
java=$TURNSTILE_JDK/bin/java

mkdir "$work/plain"
compile_by "$TURNSTILE_JDK" -d "$work/tools" "$sources"/{Counter,Driver,Generate}.java
"$java" -cp "$work/tools" Generate "$work/Huge.java"
compile_by "$TURNSTILE_JDK" -g -d "$work/plain" "$sources/Program.java" "$work/Huge.java"
"$java" -cp "$work/plain" Program >"$work/expected"
"$java" -cp "$work/plain" Program overflow >"$work/expected-overflow"

# What each method must count: entered, returned, left by an exception. fib(10) makes 177 calls. Of
# six Derived(int), three return, one throws before this() is called and two in it, which no handler
# can cover.
counts=('Program.fib(I)I=177,177,0' 'Program.deep(I)V=7,0,7' 'Program.guarded(I)I=5,3,2'
    'Program.locked(Ljava/lang/Object;Ljava/lang/Object;I)I=6,0,6'
    'Program$Derived.<init>(I)V=6,3,1' 'Program$Derived.<init>(IZ)V=5,3,1'
    'Program$Base.<init>(JDLjava/lang/String;)V=5,4,1')

far_jumps() {
    "$TURNSTILE_JDK/bin/javap" -c -p -cp "$1" Huge | grep -c goto_w
}

for option in "" --instructions; do
    rm -rf "$work/out"
    "$TURNSTILE_TOOLS" count_rewrite $option "$work/out" "$work/plain"
    least=0
    if [[ $option ]]; then
        least=10000
        (($(far_jumps "$work/out") > $(far_jumps "$work/plain"))) || fail "no branch was widened"
    fi
    "$java" -Xverify:all -cp "$work/out:$work/tools" Driver Program $least "${counts[@]}" \
        >"$work/got" || fail "the counts are wrong"
    diff "$work/expected" "$work/got" || fail "the counting program does something else"
done
for what in all branchy all,after,replace; do
    rm -rf "$work/out"
    "$TURNSTILE_TOOLS" nop_rewrite --out "$work/out" --what "$what" "$work/plain"
    "$java" -Xverify:all -cp "$work/out" Program overflow >"$work/got" || fail "it does not run"
    diff "$work/expected-overflow" "$work/got" || fail "the rewritten program does something else"
done

# The JVM counts on what Object's constructor looks like: it stays.
base=$TURNSTILE_JDK/jmods/java.base.jmod
if [[ -f $base ]]; then
    compile_by "$TURNSTILE_JDK" -d "$work/javac-plain" "$sources"/*.java "$work/Huge.java"
    rm -rf "$work/out"
    "$TURNSTILE_TOOLS" nop_rewrite --quiet --out "$work/out" --what branchy "$base"
    rm "$work/out/java/lang/Object.class"
    "$java" --patch-module java.base="$work/out" -Xverify:all \
        -m jdk.compiler/com.sun.tools.javac.Main -d "$work/javac-rewritten" "$sources"/*.java \
        "$work/Huge.java" \
        2>"$work/log" || { cat "$work/log"; fail "javac on the rewritten java.base"; }
    diff -r "$work/javac-plain" "$work/javac-rewritten" || fail "javac makes other classes"
    echo "javac on the rewritten java.base makes the same classes"
fi

finish "rewritten programs do what the originals do"
