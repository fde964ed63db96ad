#!/usr/bin/env bash
# Builds racpscope, make-scenario and the measuring programs for release, and prints the folder they are in.
set -euo pipefail
cd "$(dirname "$0")/.."

# The Swift runtime linked in, as "make install" does it.
build() { swift build -c release --static-swift-stdlib --package-path Benchmarks --scratch-path .build/bench/build "$@"; }
log=.build/bench/build.log
mkdir -p .build/bench
# The plan of the last build lists the files of the package next door and is not made anew where one is added there.
rm -f .build/bench/build/release.yaml
for product in racpscope make-scenario measure-run walk-capture run-stage count-allocations measure-collector store-writer; do
  if ! build --product "$product" >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
  fi
done
build --show-bin-path
