#!/usr/bin/env bash
# Builds for aarch64 with a cross compiler, and runs the unit tests, the fuzz corpus and, in that machine's JVM, the race
# programs: all of it in an emulator, so that any machine with Debian 12 can do it. It shows what other instructions, sizes and
# system calls do, but not what weakly ordered memory may do.
#
#   scripts/aarch64.sh
#
# Libraries and JVM are Debian's packages, unpacked into build-aarch64/root: nothing of another machine is installed on this one.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$PWD/build-aarch64
root=$build/root
jobs=${JOBS:-$(nproc)}

unpack_root() {
    local apt=$build/apt
    rm -rf "$apt" "$root"
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$root"
    : >"$apt/status"
    cat >"$apt/apt.conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "$(id -un)";
Dir::State "$apt";
Dir::State::status "$apt/status";
Dir::Cache "$apt";
END
    echo "turnstile: unpacking libraries and a JDK for aarch64"
    APT_CONFIG=$apt/apt.conf apt-get update -qq
    APT_CONFIG=$apt/apt.conf apt-get install -y -qq --download-only --no-install-recommends libc6-dev libzip-dev zlib1g-dev libcmocka-dev \
        openjdk-17-jre-headless >/dev/null
    for package in "$apt"/archives/*.deb; do
        dpkg -x "$package" "$root"
    done
    rm -rf "$apt"
    touch "$root/whole"
}
[ -e "$root/whole" ] || unpack_root

cmake --preset aarch64 >/dev/null
cmake --build --preset aarch64 -j "$jobs" -- --no-print-directory
ctest --preset aarch64 -j "$jobs"

# To the tests this is a JDK, and a command; class files are the same everywhere.
jdk=$build/jdk
mkdir -p "$jdk/bin" "$build/emulated"
emulate() { # SCRIPT PROGRAM
    printf '#!/bin/sh\nexec qemu-aarch64-static -L "%s" "%s" "$@"\n' "$root" "$2" >"$1"
    chmod +x "$1"
}
emulate "$jdk/bin/java" "$root/usr/lib/jvm/java-17-openjdk-arm64/bin/java"
emulate "$build/emulated/turnstile" "$build/turnstile"
cp "$root/usr/lib/jvm/java-17-openjdk-arm64/release" "$jdk"
ln -sfn "$(PATH=${JAVA_HOME:+$JAVA_HOME/bin:}$PATH command -v javac)" "$jdk/bin/javac"

export TURNSTILE=$build/emulated/turnstile TURNSTILE_AGENT=$build/libturnstile.so TURNSTILE_JDK=$jdk TURNSTILE_ONE_JDK=yes
RACE_RUNS=${RACE_RUNS:-1} RACE_JOBS=$jobs bash test/races/run.sh
