#!/usr/bin/env bash
# Installs what is missing of the Debian packages that a purpose needs.
#
#   scripts/packages.sh build|test|soak|fuzz|bench|demo|aarch64
#
# Asks dpkg first, so that nothing happens, and no privileges are needed, when all is there.
set -euo pipefail

build="gcc libc6-dev make cmake pkg-config libzip-dev zlib1g-dev openjdk-17-jdk-headless"
programs="libhsqldb-java libh2-java libderby-java libtomcat9-java libguava-java libnetty-java"
old="libxmlenc-java libfelix-bundlerepository-java libeclipse-jdt-core-java" # class files from before Java 6, and a compiler for such
clang="clang libclang-rt-dev"

case "${1-}" in
build | demo) wanted="$build" ;; # the demo compiles and runs with the JDK of the build
soak) wanted="$build libhsqldb-java libasm-java" ;;
test) wanted="$build $clang libcmocka-dev libasm-java $programs $old" ;;
fuzz) wanted="$build $clang libeclipse-jdt-core-java" ;;
bench) wanted="$build $programs libasm-java findbugs" ;;
aarch64) wanted="$build gcc-aarch64-linux-gnu qemu-user-static" ;;
*)
    echo "usage: scripts/packages.sh build|test|soak|fuzz|bench|demo|aarch64" >&2
    exit 2
    ;;
esac

if ! command -v dpkg-query >/dev/null; then
    echo "turnstile: not a Debian system: please see that you have: $wanted" >&2
    exit 0
fi

missing=""
for package in $wanted; do
    status=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=""
elif command -v sudo >/dev/null; then
    as_root="sudo"
else
    echo "turnstile: please install as root: apt-get install$missing" >&2
    exit 1
fi

echo "turnstile: installing$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
