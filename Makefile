SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build

PREFIX ?= /usr/local
DESTDIR ?=
CAPTURE ?= samples/first-sync.btsnoop
FUZZ_SECONDS ?= 60
LAB_FLAGS ?=

PACKAGES := libpcap-dev libbluetooth-dev libarchive-dev zlib1g-dev libssl-dev libsqlite3-dev pkg-config make
LAB_PACKAGES := qemu-system-x86 busybox-static bluez cpio kmod xz-utils python3-venv dbus
SWIFT_SOURCES := Sources Tests Package.swift Benchmarks
BUILD := swift build -c release --product racpscope
STANDALONE := .build/standalone/release/racpscope

.PHONY: help build run test lint format standalone install uninstall dist lab lab-all bench bench-check fuzz clean packages toolchain

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages:
	@scripts/install-packages.sh $(PACKAGES)

toolchain:
	@scripts/check-swift.sh

build: packages toolchain ## Build the release binary
	@$(BUILD)

run: build ## Analyse a sample capture, or CAPTURE=FILE
	@"$$($(BUILD) --show-bin-path)/racpscope" "$(CAPTURE)"

test: packages toolchain ## Run every test
	@scripts/install-packages.sh --optional tshark
	@scripts/run-tests.sh

lint: toolchain ## Check the format of every Swift file
	@swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	@echo 'lint: clean'

format: toolchain ## Format every Swift file in place
	@swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

# The Swift runtime linked in, so that the binary outlives this toolchain; a scratch path of its own, so that the
# ordinary build stays as it is.
standalone: packages toolchain
	@swift build -c release --static-swift-stdlib --scratch-path .build/standalone --product racpscope

# Under sudo nothing is built, as root would own the result: run "make standalone" first.
install: ## Install the binary and completions under PREFIX (DESTDIR is honoured)
	@[[ -n $${SUDO_USER-} && -x $(STANDALONE) ]] || $(MAKE) --no-print-directory standalone
	@install -d "$(DESTDIR)$(PREFIX)/bin"
	@install -m 755 $(STANDALONE) "$(DESTDIR)$(PREFIX)/bin/racpscope"
	@scripts/write-completions.sh $(STANDALONE) "$(DESTDIR)$(PREFIX)/share"
	@echo "installed $(DESTDIR)$(PREFIX)/bin/racpscope"

uninstall: ## Remove what install put under PREFIX
	@rm -f "$(DESTDIR)$(PREFIX)/bin/racpscope" \
	  "$(DESTDIR)$(PREFIX)/share/bash-completion/completions/racpscope" \
	  "$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_racpscope"

dist: standalone ## Make dist/racpscope-VERSION-linux-ARCH.tar.gz
	@scripts/make-dist.sh $(STANDALONE)

lab: build ## Sync a simulated meter through a virtual machine's kernel: the ten core scenarios
	@scripts/install-packages.sh --optional $(LAB_PACKAGES)
	@Tests/Lab/run.sh $(LAB_FLAGS) core

lab-all: build ## The same, every scenario
	@scripts/install-packages.sh --optional $(LAB_PACKAGES)
	@Tests/Lab/run.sh all

bench: packages toolchain ## Measure speed and memory
	@scripts/install-packages.sh --optional tshark
	@Benchmarks/run.sh

bench-check: packages toolchain ## Compare instructions and allocations with the thresholds
	@scripts/install-packages.sh valgrind
	@Benchmarks/check.sh

fuzz: packages toolchain ## Fuzz every decoder for FUZZ_SECONDS
	@FUZZ_SECONDS=$(FUZZ_SECONDS) Tests/Fuzz/run.sh

clean: ## Remove everything that was built
	@rm -rf .build dist Tests/Fuzz/.build
