#!/usr/bin/env bash
# Makes the samples that are written as scenarios; the others are recordings and stay as they are.
set -euo pipefail
cd "$(dirname "$0")/.."

make_scenario=${MAKE_SCENARIO:-}
if [[ -z $make_scenario ]]; then
  swift build -c release --product make-scenario >&2
  make_scenario=$(swift build -c release --product make-scenario --show-bin-path)/make-scenario
fi

"$make_scenario" bond-lost samples/bond-lost.pklg --format pklg
"$make_scenario" first-sync samples/android-headers.btsnoop --format uart --clip headers
"$make_scenario" insulin-pump samples/insulin-pump.pcapng --format pcapng
"$make_scenario" resolvable-address samples/resolvable-address.btsnoop --format uart
"$make_scenario" eatt-sync samples/enhanced-bearers.pcap --format pcap254
"$make_scenario" mid-connection-start samples/mid-connection-start.pcap --format pcap187 --fragment 27
