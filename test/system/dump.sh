#!/usr/bin/env bash
# What `turnstile dump` tells of a source file that uses most of the language: each line below follows from
# test/fuzz/java/Everything.java.
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1

compile_by "$TURNSTILE_JDK" -g -parameters -proc:none -d "$work/classes" "$TURNSTILE_SOURCE/test/fuzz/java/Everything.java"
"$TURNSTILE" dump --code "$work/classes" >"$work/out"

while IFS= read -r line; do
    grep -qF -- "$line" "$work/out" || fail "not shown: $line"
done <<'LINES'
public abstract class Everything extends java.lang.Object implements java.util.function.Supplier
    signature <T::Ljava/lang/Comparable<TT;>;:Ljava/lang/Runnable;>Ljava/lang/Object;Ljava/util/function/Supplier<TT;>;
    source Everything.java
    nest member Everything$Point
  static final long LONG = 1099511627776L;
  static final double DOUBLE = 3.141592653589793;
  static final java.lang.String STRING = "\u0000é€😀";
  protected volatile int[][] array;
      deprecated
  synchronized java.lang.Comparable all(java.lang.Comparable, java.util.Map, int...) throws java.lang.Exception;
      parameter 0: given
      @Everything$Mark(value = 3) on parameter 1, type argument 1
sealed interface Everything$Shape
    permitted subclass Everything$Circle
record Everything$Point extends java.lang.Record
    component int x
        @Everything$Mark(value = 1) on type
@interface Everything$Mark extends java.lang.annotation.Annotation
    @java.lang.annotation.Retention(value = java.lang.annotation.RetentionPolicy.RUNTIME)
      default {"a", "b"}
      default java.lang.Object.class
      default java.lang.Thread$State.NEW
      default @Everything$Inner(value = 0.5)
LINES

# A module, as the JDK has it.
"$TURNSTILE" dump --class module-info "$TURNSTILE_JDK" >"$work/modules"
while IFS= read -r line; do
    grep -qF -- "$line" "$work/modules" || fail "not shown of the JDK's modules: $line"
done <<'LINES'
        exports java.util.concurrent
        exports jdk.internal.event to jdk.jfr
        uses java.nio.file.spi.FileSystemProvider
        provides java.nio.file.spi.FileSystemProvider with jdk.internal.jrtfs.JrtFileSystemProvider
LINES

finish "$(grep -c . "$work/out") lines about $(find "$work/classes" -name '*.class' | wc -l) classes"
