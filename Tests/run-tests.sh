#!/usr/bin/env bash
# Runs a test command, and when it fails, repeats its failures at the end of the output: thousands of lines of
# passing tests would hide them. A run that prints nothing for ten minutes hangs: its threads are shown, and it is
# ended. Usage: Tests/run-tests.sh swift test …
set -uo pipefail
log=$(mktemp)
# Small files in memory are made and removed in a part of the time. They have a folder there if there is room.
memory=
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${room:-0}" -ge $((4 << 20)) ] && memory=$(mktemp -d /dev/shm/larder-XXXXXX); then
    # PostgreSQL's server has another user.
    chmod 711 "$memory"
    export LARDER_MEMORY=$memory
fi
minutes=${LARDER_SILENT_MINUTES:-10}

watch() {
    while sleep 20; do
        [ -n "$(find "$log" -mmin "+$((minutes - 1))" 2>/dev/null)" ] || continue
        for process in $(pgrep -P "$(pgrep -d, -P $$)" -f xctest); do
            echo "error: the tests have printed nothing for $minutes minutes; the threads of process $process:"
            { gdb -p "$process" -batch -ex 'thread apply all backtrace 30' 2>/dev/null ||
                lldb --batch -p "$process" -o 'thread backtrace all'; } 2>&1 |
                grep -E '^ *(#|\* thread|thread|frame|Thread)' | cut -c 1-200 | head -n 300
            kill -KILL "$process"
        done
    done
}
watch &
watcher=$!
# A server ends by itself behind the tests, and removes its folder meanwhile.
clean() {
    kill "$watcher"
    rm -f "$log"
    [ -n "$memory" ] || return
    for _ in 1 2 3 4 5; do
        rm -rf "$memory" 2>/dev/null && return
        sleep 1
    done
}
trap clean EXIT

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
