#!/usr/bin/env bash
# Runs scenarios against a simulated meter over a real kernel's Bluetooth stack, in one boot of a virtual machine.
#
#   Tests/Lab/run.sh core|all|NAME...                    the ten core scenarios, every one, or those named
#   Tests/Lab/run.sh --shell-script FILE [ARGUMENT...]   a bash script in the guest (see guest-shell.sh)
#
# Options, before those:
#   --racpscope FILE   the binary to test (default: the release build, else the debug build)
#   --output DIR       captures, stores and logs (default: .build/lab)
#   --if-available     where the lab cannot run here, say what is left out and succeed
#
# LAB_ACCEL=kvm where the machine can (default: plain emulation), LAB_CPUS, LAB_MEMORY (MiB).
set -euo pipefail
lab=$(cd "$(dirname "$0")" && pwd)
cache=${RACPSCOPE_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/racpscope-lab}
repository=$(cd "$lab/../.." && pwd)

racpscope=${RACPSCOPE-} optional='' output=$repository/.build/lab script=()
while (( $# )); do
  case $1 in
    --racpscope) racpscope=$2; shift 2 ;;
    --output) output=$2; shift 2 ;;
    --if-available) optional=1; shift ;;
    --shell-script) script=("$1"); shift; break ;;
    -*) echo "lab: unknown option $1" >&2; exit 2 ;;
    *) break ;;
  esac
done
if (( $# == 0 )); then
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" >&2
  exit 2
fi
[[ ${script-} ]] && set -- "$(realpath "$1")" "${@:2}"

if [[ -z $racpscope ]]; then
  for candidate in "$repository"/.build/{release,debug}/racpscope; do
    if [[ -x $candidate ]]; then
      racpscope=$candidate
      break
    fi
  done
fi
[[ -n $racpscope ]] && racpscope=$(realpath "$racpscope")

status=0
"$lab/prepare.sh" || status=$?
if (( status == 69 )) && [[ -n $optional ]]; then
  echo "lab: left out: $*"
  exit 0
fi
(( status )) && exit "$status"

mkdir -p "$output"
export PYTHONDONTWRITEBYTECODE=1
exec "$cache/python/bin/python" "$lab/bench" --cache "$cache" --output "$(realpath "$output")" \
  --racpscope "$racpscope" "${script[@]}" "$@"
