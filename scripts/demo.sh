#!/usr/bin/env bash
# Compiles examples/bank, shows who calls whom in it, and runs it checked: the program with a race in it, then its correct
# twin, in which nothing may be found.
#
#   scripts/demo.sh path/to/turnstile
#
# JAVA_HOME chooses the JDK.
set -euo pipefail
PATH=$(dirname "$(realpath "$1")"):${JAVA_HOME:+$JAVA_HOME/bin:}$PATH
sources=$(cd "$(dirname "$0")/../examples/bank" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
javac -g -d bank "$sources"/*.java

show() { # STATUS COMMAND...: the status that it must have
    local wanted=$1 status=0
    shift
    printf '\n$ %s\n' "$*"
    "$@" 2>&1 || status=$?
    [ "$status" = "$wanted" ] || { echo "demo: exit status $status, not $wanted" >&2; exit 1; }
    [ "$status" = 0 ] || printf '\n(exit status %s)\n' "$status"
}

show 0 turnstile dump --callgraph bank
show 66 turnstile run java -cp bank Bank
show 0 turnstile run java -cp bank Bank --careful
