#!/usr/bin/env bash
# Prints the version, which is written in Sources/racpscope/Version.swift alone.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n 's/^.*let version = "\([^"]*\)".*$/\1/p' Sources/racpscope/Version.swift)
[[ -n $version ]] || { echo 'Sources/racpscope/Version.swift holds no line: let version = "..."' >&2; exit 1; }
echo "$version"
