#!/bin/sh
# Prints 1 if the tests can start a PostgreSQL server, after installing it if the machine lets it. Nothing is printed, and
# one line is written for people, if they cannot. Usage: Tests/set-up-postgresql.sh "sudo or nothing"
sudo=$1
settings=/etc/postgresql-common/createcluster.conf

is_there() {
    ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 && pkg-config --exists libpq
}

install() {
    export DEBIAN_FRONTEND=noninteractive
    $sudo apt-get update -qq || return
    # The server's package would start a server for the machine.
    if [ ! -e $settings ]; then
        $sudo apt-get install -y -qq --no-install-recommends postgresql-common || return
        echo "create_main_cluster = false" | $sudo tee -a $settings
    fi
    $sudo apt-get install -y -qq --no-install-recommends libpq-dev postgresql
}

if ! is_there && command -v apt-get >/dev/null 2>&1; then
    echo "installing: libpq-dev postgresql" >&2
    install >/dev/null 2>&1
fi
# pgbouncer is only unpacked: its package would start one for the machine. Without it, the tests have no pooler.
fetch_pooler() {
    [ -x /usr/sbin/pgbouncer ] || [ -x .build/pgbouncer/usr/sbin/pgbouncer ] && return
    libraries=$(apt-cache depends pgbouncer | sed -n 's/^ *Depends: \(libevent.*\|libc-\{0,1\}ares.*\)$/\1/p')
    mkdir -p .build/pgbouncer && $sudo apt-get install -y -qq --no-install-recommends $libraries &&
        (cd .build/pgbouncer && apt-get download -qq pgbouncer && dpkg -x pgbouncer_*.deb .)
}

if is_there; then
    command -v apt-get >/dev/null 2>&1 && fetch_pooler >/dev/null 2>&1
    echo 1
else
    echo "PostgreSQL's server and libpq are not there, and could not be installed: their tests are left out." >&2
fi
