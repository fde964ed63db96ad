#!/usr/bin/env bash
# Compares instructions a frame and allocations with the figures kept for this toolchain; fails where one is exceeded.
# Both repeat from run to run, unlike seconds.
#
#   Benchmarks/check.sh            compares
#   Benchmarks/check.sh --update   writes what is measured into Benchmarks/Thresholds/VERSION.json
set -euo pipefail
cd "$(dirname "$0")/.."

update=
case ${1-} in
  '') ;;
  --update) update=1 ;;
  *) echo 'usage: Benchmarks/check.sh [--update]' >&2; exit 2 ;;
esac
version=$(swift --version 2>/dev/null | sed -n -E 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1)
thresholds=Benchmarks/Thresholds/$version.json
if [[ -z $update && ! -f $thresholds ]]; then
  echo "No thresholds for Swift $version; Benchmarks/check.sh --update makes them from this machine." >&2
  exit 1
fi

bin=$(Benchmarks/build.sh)
cache=.build/bench
measured=$cache/measured.txt

instructions() {
  local log=$cache/cachegrind.log
  if ! valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null "$@" >/dev/null 2>"$log"; then
    cat "$log" >&2
    return 1
  fi
  sed -n -E 's/.*I +refs: +//p' "$log" | tr -d ,
}

# Two sizes of the same traffic: what a frame costs is their difference, without what starting costs.
small_frames=$("$bin/make-scenario" --bench "$cache/small.btsnoop" 32 500 16 | awk '{ print $1 }')
large_frames=$("$bin/make-scenario" --bench "$cache/large.btsnoop" 128 500 16 | awk '{ print $1 }')
instructions_a_frame() {
  local small large
  small=$(instructions "$@" "$cache/small.btsnoop") || return 1
  large=$(instructions "$@" "$cache/large.btsnoop") || return 1
  echo $(( (large - small) / (large_frames - small_frames) ))
}

"$bin/count-allocations" >"$cache/allocations.txt"
sed 's/^/allocations\//' "$cache/allocations.txt" >"$measured"
for stage in walk track show records lint; do
  count=$(instructions_a_frame "$bin/run-stage" "$stage")
  echo "instructions/$stage $count" >>"$measured"
done

if [[ -n $update ]]; then
  awk '{ line[NR] = sprintf("  \"%s\": %d", $1, $2) }
    END { print "{"; for (i = 1; i <= NR; i++) print line[i] (i < NR ? "," : ""); print "}" }' "$measured" >"$thresholds"
  echo "wrote $thresholds"
  exit 0
fi

# Instructions may rise by 3 %, allocations by 2 % and 8 calls: what is set up at first use differs a little.
status=0
awk '
  FNR == NR {
    if (split($0, part, "\"") < 3) next
    value = part[3]
    gsub(/[:, ]/, "", value)
    kept[part[2]] = value + 0
    next
  }
  {
    seen[$1] = 1
    if (!($1 in kept)) { printf "%-42s %9d  has no threshold\n", $1, $2; failed = 1; next }
    limit = $1 ~ /^instructions/ ? kept[$1] * 1.03 : kept[$1] * 1.02 + 8
    verdict = $2 > limit ? "EXCEEDED" : $2 < kept[$1] * 0.9 - 8 ? "better: lower the threshold" : "ok"
    if ($2 > limit) failed = 1
    printf "%-42s %9d  threshold %9d  %s\n", $1, $2, kept[$1], verdict
  }
  END {
    for (name in kept) if (!(name in seen)) { printf "%-42s was not measured\n", name; failed = 1 }
    exit failed
  }' "$thresholds" "$measured" || status=1
if (( status )); then
  echo "More than $thresholds allows. If that is meant: Benchmarks/check.sh --update, and say why in the commit." >&2
fi
exit "$status"
