#!/usr/bin/env bash
# Runs every test; prints failures, skips with their reasons, the summary and what is left out, and fails when a test
# fails.
set -euo pipefail
cd "$(dirname "$0")/.."

mkdir -p .build
log=.build/test.log
status=0
swift test --disable-xctest >"$log" 2>&1 || status=$?

if (( status )); then
  grep -v -E '^(\[|◇)|passed after|started\.$' "$log" || true
else
  grep -E '^➜' "$log" || true
fi
if ! summary=$(grep -E 'Test run with [0-9]+ tests?' "$log"); then
  echo "No test ran; see $log" >&2
  exit $(( status ? status : 1 ))
fi
(( status )) || echo "$summary"
lab='left out: the lab, a real kernel and an independent meter in a virtual machine (make lab, make lab-all)'
command -v qemu-system-x86_64 >/dev/null || lab+='; it needs QEMU, which is missing here'
echo "$lab"
exit "$status"
