#!/usr/bin/env bash
# Runs a test command, and when it fails, repeats its failures at the end of the output: thousands of lines of
# passing tests would hide them. Usage: Tests/run-tests.sh swift test …
set -uo pipefail
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$@" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}

if [ "$status" -ne 0 ]; then
    echo "== What failed:"
    # A failed expectation is "✘ Test … recorded an issue …", and lines that start with ↳ or are indented explain it.
    sed 's/\x1b\[[0-9;]*m//g' "$log" | awk '/^✘ .*recorded an issue/ { print; explains = 1; next }
         /^(↳|  )/ { if (explains) print; next }
         { explains = 0 }
         /error: |Fatal error|signal code/ && !/ error larder: / { if (!seen[$0]++) print }' | cut -c 1-600 | head -n 60
fi
exit "$status"
