#!/usr/bin/env bash
# Fails with one sentence when Swift is missing or older than the package needs.
set -euo pipefail

needed=6.2
if ! version=$(swift --version 2>/dev/null); then
  echo "Swift is missing: install Swift $needed or newer from https://www.swift.org/install/linux/ and put it in PATH." >&2
  exit 1
fi
found=$(sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' <<<"$version" | head -n 1)
if [[ $(printf '%s\n' "$needed" "$found" | sort -V | head -n 1) != "$needed" ]]; then
  echo "Swift $found is too old: install Swift $needed or newer from https://www.swift.org/install/linux/." >&2
  exit 1
fi
