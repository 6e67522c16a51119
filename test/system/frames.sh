#!/usr/bin/env bash
# Frames that data flow computes agree with the compilers' StackMapTables and LocalVariableTables,
# and the JVM verifies classes by them.
# shellcheck disable=SC2317 # functions are called through step
source "$TURNSTILE_SOURCE/test/system/support.bash" || exit 1
folder=$work
java="$TURNSTILE_JDK/bin/java"
status=0

step() {
    echo "== $1"
    shift
    "$@" || status=1
}

# Writes classes with our frames, then lets the JVM verify them. What they need besides is on the
# class path.
verify() {
    local out="$folder/$1"
    shift
    mkdir "$out"
    "$TURNSTILE_TOOLS" frames_rewrite "$out" --classpath "$TURNSTILE_JDK" "${libraries[@]}" \
        --rewrite "$@" &&
        "$java" "${briefly[@]}" -Xverify:all -cp "$folder/verify" VerifyAll "$out" --original "$@" \
            --classpath "${libraries[@]}"
}

agree() {
    "$TURNSTILE_TOOLS" frames_agree --classpath "$TURNSTILE_JDK" "${libraries[@]}" --check "$@"
}

# Old versions of the class file, as old compilers made them: with and without subroutines.
compile_old() {
    local compiler="$java_folder/eclipse-jdt-core.jar"
    need "$compiler"
    "$java" "${briefly[@]}" -jar "$compiler" -g -nowarn -source 1.3 "$@" "$TURNSTILE_SOURCE/test/java/old"
}

jars=()
find_jars
old_jars=("$java_folder/xmlenc.jar" "$java_folder/org.apache.felix.bundlerepository.jar")
for jar in "${old_jars[@]}"; do
    need "$jar"
done
libraries=("${jars[@]}" "${old_jars[@]}" "$java_folder/eclipse-jdt-core.jar")
compile_by "$TURNSTILE_JDK" -d "$folder/verify" "$TURNSTILE_SOURCE/test/java/VerifyAll.java"
compile_old -target 1.1 -d "$folder/subroutines-1.1"
compile_old -target 1.4 -d "$folder/subroutines-1.4"
compile_old -target 1.4 -inlineJSR -d "$folder/inlined"

step "data flow agrees with the StackMapTables of ${#jars[@]} jars" agree "${jars[@]}"
step "data flow agrees with the variables of old files with subroutines" \
    agree "$folder/subroutines-1.1" "$folder/subroutines-1.4" "$folder/inlined"
step "the JVM verifies the jars by frames from data flow" verify new "${jars[@]}"
step "the JVM verifies old files by frames from data flow" \
    verify old "$folder/inlined" "${old_jars[@]}"
step "those frames, read back in one pass, are what data flow says of old files" \
    agree --exact "$folder/old"
exit "$status"
