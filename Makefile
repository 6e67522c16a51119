# The front door. CMake does the work; `make help` lists the targets.

JOBS ?= $(shell nproc)
# As cmake/jdk.cmake finds it.
JDK = $(or $(JAVA_HOME),$(patsubst %/bin/javac,%,$(realpath $(shell command -v javac))))
CMAKE_BUILD = cmake --build --preset $(1) -j $(JOBS) -- --no-print-directory

.PHONY: all test soak demo fuzz aarch64 bench coverage install format clean help

all: build-packages ## build build/turnstile and build/libturnstile.so
	@cmake --preset release >/dev/null
	@$(call CMAKE_BUILD,release)

test: test-packages ## install what is missing, build everything, run all tests
	@cmake --preset release -DTURNSTILE_TESTS=SYSTEM -DTURNSTILE_WERROR=ON >/dev/null
	@$(call CMAKE_BUILD,release)
	@cmake --preset sanitize >/dev/null
	@$(call CMAKE_BUILD,sanitize)
	ctest --preset sanitize -j $(JOBS)
	ctest --preset release -LE '^busy$$' -j $$(($(JOBS) + 1)) # some wait for others to end
	ctest --preset release -L '^busy$$' -j 2 # each waits now and then
	@tail -n +1 build/test/logs/*.log

soak: export TURNSTILE = $(CURDIR)/build/turnstile
soak: export TURNSTILE_AGENT = $(CURDIR)/build/libturnstile.so
soak: export TURNSTILE_SOURCE = $(CURDIR)
soak: export TURNSTILE_JDK = $(JDK)
soak: soak-packages all ## hsqldb checked for SOAK_SECONDS (1800), each race program 20 times, very many objects, random programs: 100 minutes
	@scripts/soak.sh build
	@RACE_RUNS=$(or $(RACE_RUNS),20) RACE_JOBS=$(JOBS) bash test/races/run.sh
	@ENDURANCE_ON_ALL=yes SOAK_SECONDS=30 bash test/system/endurance.sh
	@RANDOM_PROGRAMS=$(or $(RANDOM_PROGRAMS),3000) bash test/system/calls.sh

demo: demo-packages all ## build, and find the race in examples/bank
	@scripts/demo.sh build/turnstile

fuzz: fuzz-packages ## fuzz every parser with the sanitizers, FUZZ_SECONDS each (60)
	@cmake --preset fuzz >/dev/null
	@$(call CMAKE_BUILD,fuzz)
	@scripts/fuzz.sh build-fuzz $(or $(FUZZ_SECONDS),60)

aarch64: aarch64-packages ## build for aarch64, run unit tests and race programs in an emulator: 15 minutes
	@JOBS=$(JOBS) scripts/aarch64.sh

bench: bench-packages all ## what checking costs, as a ratio to the plain run; class files per second, as a ratio to ASM
	@bench/run.sh build
	@echo
	@bench/check.sh build

coverage: test-packages ## which lines the unit tests reach
	@cmake --preset coverage >/dev/null
	@$(call CMAKE_BUILD,coverage)
	ctest --preset coverage -L unit -j $(JOBS)
	@scripts/coverage.sh build-coverage

install: all ## install into PREFIX (/usr/local)
	@cmake --install build --prefix $(or $(PREFIX),/usr/local)

format: ## lay out the C sources
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean: ## remove all builds
	rm -rf build build-*

%-packages:
	@scripts/packages.sh $*

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*##/ { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
