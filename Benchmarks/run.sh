#!/usr/bin/env bash
# Measures racpscope beside tshark and btmon over the same captures, in one run, turn by turn; the fastest of the
# rounds counts. Nothing is subtracted: start-up, reading and output are in every figure. The ratios against the peers
# are of the time that a user waits, on a machine that does nothing else; those of processor time stand beside them, as
# show and lint judge on a second processor while they read on.
#
#   Benchmarks/run.sh [--markdown]    --markdown prints only the table
#
#   BENCH_ROUNDS=N   rounds (5)
#   BENCH_QUICK=1    tshark and btmon read a file of 480 links only; the whole one takes tshark most of a minute
#   BENCH_LONG=1     also the file ten times as long
set -euo pipefail
cd "$(dirname "$0")/.."

markdown=
case ${1-} in
  '') ;;
  --markdown) markdown=1 ;;
  *) echo 'usage: Benchmarks/run.sh [--markdown]' >&2; exit 2 ;;
esac
rounds=${BENCH_ROUNDS:-5}
say() { [[ -n $markdown ]] || printf '%s\n' "$*"; }
progress() { printf '%s\n' "$*" >&2; }

progress 'Building for release'
bin=$(Benchmarks/build.sh)
cache=.build/bench
results=$cache/results.tsv
: >"$results"

# capture NAME ARGUMENT... makes a capture once; the arguments are make-scenario's, with OUT for the file.
capture() {
  local file=$cache/$1.btsnoop counted=$cache/$1.frames
  shift
  if [[ ! -s $file || ! -s $counted || $bin/make-scenario -nt $file ]]; then
    progress "Making $file"
    "$bin/make-scenario" "${@/OUT/$file.new}" | awk '{ print $1 }' >"$counted"
    mv "$file.new" "$file"
  fi
}
frames_of() { cat "$cache/$1.frames"; }

# measure TOOL CAPTURE COMMAND... adds one run to the results; false where the command failed.
measure() {
  local tool=$1 capture=$2 seconds processor peak status
  shift 2
  read -r seconds processor peak status < <("$bin/measure-run" "$@")
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$tool" "$capture" "$(frames_of "$capture")" "$seconds" "$processor" "$peak" \
    "$status" >>"$results"
  (( status == 0 ))
}

capture bench --bench OUT 4000 500 40
peers=bench
if [[ ${BENCH_QUICK-} == 1 ]]; then
  # The first 480 links of the same traffic.
  capture peers --bench OUT 480 500 40
  peers=peers
fi
capture single --single OUT 2000000
# Every link is of another meter, so that no record comes twice.
capture few --bench OUT 400 500 400
capture distinct --bench OUT 4000 500 4000

tshark_fields=(
  -e frame.number -e btatt.handle -e btatt.glucose_measurement.sequence_number
  -e btatt.glucose_measurement.glucose_concentration.kg_per_l -e btatt.record_access_control_point.opcode
)
ours() {
  measure 'walk-capture' "$1" "$bin/walk-capture" "$cache/$1.btsnoop"
  # Links, attributes and records without any rule: what judging on the same thread costs more is what the rules cost.
  measure 'run-stage track' "$1" "$bin/run-stage" track "$cache/$1.btsnoop"
  measure 'run-stage lint' "$1" "$bin/run-stage" lint "$cache/$1.btsnoop"
  measure 'racpscope show' "$1" "$bin/racpscope" show "$cache/$1.btsnoop"
  measure 'racpscope records --format csv' "$1" "$bin/racpscope" records --format csv "$cache/$1.btsnoop"
  measure 'racpscope lint' "$1" "$bin/racpscope" lint --fail-on never "$cache/$1.btsnoop"
}

for (( round = 1; round <= rounds; round++ )); do
  progress "Round $round of $rounds"
  ours bench
  ours single
  if [[ $peers != bench ]]; then ours "$peers"; fi
  if (( round <= 2 )) || [[ ${BENCH_QUICK-} == 1 ]]; then
    if command -v tshark >/dev/null; then
      measure 'tshark -T fields' "$peers" tshark -n -r "$cache/$peers.btsnoop" -T fields "${tshark_fields[@]}" || true
    fi
    if command -v btmon >/dev/null; then
      measure 'btmon -r' "$peers" btmon -r "$cache/$peers.btsnoop" || true
    fi
  fi
done

ours few
ours distinct

if [[ ${BENCH_LONG-} == 1 ]]; then
  capture long --bench OUT 4000 500 40 --times 10
  progress 'The file ten times as long, once'
  ours long
fi

command -v tshark >/dev/null && say "$(tshark --version | head -n 1)"
command -v btmon >/dev/null && say "btmon $(btmon --version)"
say "load of the machine at the end: $(cut -d ' ' -f 1-3 /proc/loadavg)"
say "$(awk -F ': ' '/^model name/ { print $2; exit }' /proc/cpuinfo), $(uname -m), $rounds rounds, the fastest counts"
[[ $peers == bench ]] || say "tshark and btmon read the first $(frames_of peers) frames only; without BENCH_QUICK they read all $(frames_of bench)."
say ''
awk -F '\t' -v peers="$peers" -f Benchmarks/report.awk "$results"

# The live half: the collector on replay, the store in one transaction of all the records an epoch has numbers for.
live=$cache/live
say "$("$bin/measure-collector")  (goal: at most 2000)"
fastest=0
for (( round = 1; round <= 3; round++ )); do
  rm -f "$live".db*
  rate=$("$bin/store-writer" measure "$live.db" 65536 | grep -o '[0-9]\+' | head -n 1)
  (( rate <= fastest )) || fastest=$rate
done
rm -f "$live".db*
say "store: $fastest records a second in one transaction  (goal: at least 200000)"
