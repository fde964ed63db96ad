#!/usr/bin/env bash
# Fuzzes every entry for an equal share of FUZZ_SECONDS (60), from seeds made of the scenarios and what was kept of
# earlier runs. Fails on the first crash, hang or excess of memory, and prints the input that causes it.
#
#   FUZZ_ONLY=NAME   one entry alone
set -euo pipefail
cd "$(dirname "$0")"

seconds=${FUZZ_SECONDS:-60}
case $seconds in
  '' | *[!0-9]*) echo "FUZZ_SECONDS must be a number of seconds, not '$seconds'." >&2; exit 2 ;;
esac
runtime=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
if ! compgen -G "$runtime/lib/*/clang/*/lib/*/libclang_rt.fuzzer*" >/dev/null \
  && ! compgen -G "$runtime/lib/clang/*/lib/*/libclang_rt.fuzzer*" >/dev/null; then
  echo 'This Swift toolchain has no libFuzzer: install one from swift.org to fuzz.' >&2
  exit 1
fi

log=.build/build.log
mkdir -p .build
build=(swift build -c release --sanitize=fuzzer --sanitize=address --scratch-path .build)
if ! "${build[@]}" --product fuzz >"$log" 2>&1; then
  cat "$log" >&2
  exit 1
fi
fuzz=$("${build[@]}" --show-bin-path)/fuzz

# Without these a crash first writes a backtrace for minutes, and what the runtime keeps for good counts as a leak.
# A small quarantine and short stacks make an input cheaper.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=symbolize=0:detect_leaks=0:quarantine_size_mb=16:malloc_context_size=2
mapfile -t entries < <(FUZZ_TARGET='' "$fuzz" 2>/dev/null)
if [[ -n ${FUZZ_ONLY-} ]]; then entries=("$FUZZ_ONLY"); fi
share=$(( seconds / ${#entries[@]} ))
(( share > 0 )) || share=1

for entry in "${entries[@]}"; do
  export FUZZ_TARGET=$entry
  corpus=.build/corpus/$entry
  found=.build/found/$entry
  output=.build/$entry.log
  mkdir -p "$corpus" "$found"
  FUZZ_SEEDS=$corpus "$fuzz"
  inputs=("$corpus")
  if [[ -d Crashes/$entry ]]; then inputs+=("Crashes/$entry"); fi
  # The limit of time an input is generous: a sanitizer and a busy machine are slow.
  if timeout -k 5 $(( share + 60 )) "$fuzz" -max_total_time="$share" -timeout=20 -rss_limit_mb=2048 -max_len=65536 \
    -artifact_prefix="$found/" "${inputs[@]}" >"$output" 2>&1; then
    printf '%-16s %s\n' "$entry" "$(grep -E '^Done ' "$output" || tail -n 1 "$output")"
  else
    tail -n 30 "$output" >&2
    echo "fuzz: $entry failed. The input:" >&2
    sed -n -E 's/.*Test unit written to /  /p' "$output" >&2
    echo "  again: FUZZ_TARGET=$entry $fuzz INPUT; once fixed, keep it in Tests/Fuzz/Crashes/$entry/" >&2
    exit 1
  fi
done
