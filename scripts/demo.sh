#!/usr/bin/env bash
# Compiles examples/bank and shows what the tool makes of it.
#   scripts/demo.sh path/to/turnstile
set -euo pipefail
turnstile=$(realpath "$1")
cd "$(dirname "$0")/../examples/bank"
classes=$(mktemp -d)
trap 'rm -rf "$classes"' EXIT
javac -d "$classes/bank" ./*.java

cd "$classes"

show() {
    printf '\n$ turnstile %s\n' "$*"
    "$turnstile" "$@"
}
show dump --frames bank/Account.class
show dump --callgraph bank
