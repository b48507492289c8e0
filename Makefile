# make demo      the main job on real data
# make test      everything that is tested
# make check     what a change must pass: format, no warnings, tests
# make larder    the command line
# make help      all of them

.PHONY: help setup demo larder test test-macro test-app check lint format build test-tsan test-asan test-long clean
.PHONY: bench bench-quick bench-scale bench-growth bench-allocations bench-soak bench-compile bench-upgrade
.PHONY: bench-postgresql
.DEFAULT_GOAL := help

SWIFT ?= swift
SOURCES := Package.swift Sources Adapters Tests Examples Tools Benchmarks/Package.swift Benchmarks/Sources
PACKAGES := libsqlite3-dev liblmdb-dev pkg-config iso-codes
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# The folder with the ISO tables; `make demo DATA=/some/folder` takes another.
DATA ?= /usr/share/iso-codes/json
# Warnings are errors in this package's own builds, and never in those of its users.
# On Linux they also have the stand-ins for SwiftUI (Package.swift), which no app compiles.
export LARDER_STRICT := 1
# What the tests spend their time in is optimized in debug builds, assertions included (Package.swift lists it).
export LARDER_OPTIMIZED := 1
# A few tests at once keep two processors busy. Without this all begin together, and a test that waits for its turn among
# thousands, on the few threads that tasks share, runs into the limits of time that it sets itself.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

# Installs what the tests of PostgreSQL need, and lets the manifest know; one line says if they are left out.
POSTGRESQL = LARDER_POSTGRESQL=$$(Tests/set-up-postgresql.sh "$(SUDO)") && export LARDER_POSTGRESQL &&

help:
	@sed -n 's/^# \(make .*\)/\1/p' Makefile
	@echo "make test-tsan, make test-asan, make test-long, make format, make clean"
	@echo "make bench, bench-quick, bench-scale, bench-growth, bench-allocations, bench-soak, bench-compile, bench-upgrade"
	@echo "make bench-postgresql"

# Installs what is missing of the system packages; nothing where all is there, or where there is no apt.
setup:
	@if command -v dpkg-query >/dev/null 2>&1; then \
	    missing=""; \
	    for package in $(PACKAGES); do \
	        dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	    done; \
	    if [ -n "$$missing" ]; then \
	        echo "installing:$$missing"; \
	        $(SUDO) apt-get update -qq && \
	        DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	    fi; \
	else \
	    echo "not a Debian system: please see that these are installed: $(PACKAGES)"; \
	fi

demo: setup
	@$(SWIFT) build --product larder-demo
	@$(SWIFT) run --skip-build larder-demo "$(DATA)"

build: setup
	@$(POSTGRESQL) LARDER_TOOLS=1 LARDER_METRICS=1 $(SWIFT) build --build-tests

# Without the macro, which the command line does not need. `make larder TRAITS=PostgreSQL` makes one for servers too.
LARDER = LARDER_TOOLS=1 LARDER_WITHOUT_EXAMPLES=1 $(SWIFT) build -c release --scratch-path .build/tools \
    $(if $(TRAITS),--traits $(TRAITS),--disable-default-traits)

larder: setup
	@$(LARDER) --product larder
	@echo "$$($(LARDER) --show-bin-path)/larder"

test: setup
	@$(POSTGRESQL) export LARDER_TOOLS=1 LARDER_METRICS=1 && $(SWIFT) build --build-tests && \
	    Tests/run-tests.sh $(SWIFT) test --skip-build
	@$(MAKE) --no-print-directory test-macro

# The tests of the macro by themselves; Package.swift says why.
test-macro: setup
	@LARDER_MACRO_TESTS=1 Tests/run-tests.sh $(SWIFT) test

# What an app compiles in its debug build: warnings are no errors there, and nothing is optimized. The compiler has crashed
# on code there that it compiles with optimization, and all other commands here use that.
APP_TARGETS := LarderSQLite LarderLMDB LarderMemory LarderTransfer LarderRecords LarderRouting LarderTesting LarderSwiftUI
test-app: setup
	@$(POSTGRESQL) unset LARDER_OPTIMIZED LARDER_STRICT && export LARDER_WITHOUT_EXAMPLES=1 && \
	    for target in $(APP_TARGETS) $${LARDER_POSTGRESQL:+LarderPostgreSQL}; do \
	        $(SWIFT) build --disable-default-traits --scratch-path .build/app --target $$target || exit 1; \
	    done

check: lint test-app test

# The format, the habits of English that CONTRIBUTING lists, and the sizes of rooms and files.
lint:
	@$(SWIFT) format lint --strict --recursive $(SOURCES)
	@perl Tests/lint-english.pl
	@perl Tests/lint-size.pl

format:
	@$(SWIFT) format --in-place --recursive $(SOURCES)

# The sanitizers run without the macro, so that swift-syntax need not be built once more for each. What only repeats
# processes or random data is done an eighth as often there (Tests/AdapterTestSupport/Repetitions.swift).
test-tsan: setup
	@$(POSTGRESQL) LARDER_TOOLS=1 LARDER_SANITIZER=thread LARDER_WITHOUT_EXAMPLES=1 $(SWIFT) test --disable-default-traits \
	    --sanitize thread --scratch-path .build/tsan

# Without the search for leaks, which does not know pointers that Swift has packed with an enum's tag.
test-asan: setup
	@$(POSTGRESQL) LARDER_TOOLS=1 LARDER_SANITIZER=address LARDER_WITHOUT_EXAMPLES=1 \
	    ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --disable-default-traits \
	    --sanitize address --scratch-path .build/asan

# Random operations on each engine, every kill, every damaged copy: with optimised code, as they are many. Each test that
# repeats something at random ends after so many minutes, or after a million operations. Tests set what only debug builds
# let them (`DEBUG`).
MINUTES ?= 2
test-long: setup
	@$(POSTGRESQL) LARDER_LONG=$(MINUTES) LARDER_WITHOUT_EXAMPLES=1 $(SWIFT) test --disable-default-traits -c release \
	    -Xswiftc -enable-testing -Xswiftc -DDEBUG --scratch-path .build/long

BENCH = $(SWIFT) run -c release --package-path Benchmarks larder-bench

# The table with ratios and verdicts; also in Benchmarks/results. Succeeds only when every target holds.
bench: setup
	@$(BENCH) --results Benchmarks/results

bench-quick: setup
	@$(BENCH) --quick --results Benchmarks/results

# Growth from a thousand to a million items.
bench-scale: setup
	@$(BENCH) scale

# Work whose time may not grow faster than the number of items. Succeeds only when every growth holds.
bench-growth: setup
	@$(BENCH) growth

# Allocations per operation, the memory that ten thousand request shapes take, reads in async code.
bench-allocations: setup
	@$(BENCH) allocations
	@$(BENCH) shapes
	@$(BENCH) async

# Eight readers beside one writer, a minute on each engine.
bench-soak: setup
	@$(BENCH) soak

# Schema steps through a million rows beside a raw INSERT … SELECT.
bench-upgrade: setup
	@$(BENCH) upgrade

# The table for a server beside raw libpq, then the times at the end of a slow wire. The benchmark starts a server of its
# own. `make bench-postgresql OPTIONS=--quick` takes less time. Succeeds only when every target holds.
SERVERS = --contender "raw libpq" --contender "raw libpq (begin and end)" --contender "Larder PostgreSQL"
bench-postgresql: setup
	@$(POSTGRESQL) test -n "$$LARDER_POSTGRESQL" && { \
	    $(BENCH) $(SERVERS) $(OPTIONS) --results Benchmarks/results/postgresql; outcome=$$?; \
	    $(BENCH) delay && exit $$outcome; }

# How long a file with 50 item types and 200 filter expressions takes to compile.
bench-compile: setup
	@SWIFT="$(SWIFT)" Benchmarks/compile-time.sh

clean:
	@rm -rf .build Benchmarks/.build
