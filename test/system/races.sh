#!/usr/bin/env bash
# Every idiom of shared data, right and wrong, through `turnstile run`: test/races/README.md.
exec bash "$TURNSTILE_SOURCE/test/races/run.sh"
