# shellcheck shell=bash
# For a bash script that runs in the guest (Tests/Lab/run.sh --shell-script FILE): a meter, btmon, bluetoothd.
# LAB_SHARE is a folder the host sees, RACPSCOPE the binary. The host writes meter.log and meter.btsnoop there.
say() { echo "[$(cut -d' ' -f1 /proc/uptime)] $*"; }

# meter COMMAND: the host does it before this returns. "meter new [OPTIONS]" comes first: a meter and an adapter.
# bench/bench.py lists the commands, options and faults.
meter_commands=0
meter() {
  local file=$LAB_SHARE/commands/$(( ++meter_commands )) answer
  echo "$*" >"$file.new"
  mv "$file.new" "$file.request"
  until [[ -e $file.answer ]]; do sleep 0.02; done
  answer=$(<"$file.answer")
  [[ $answer == OK ]] || { echo "meter $*: $answer" >&2; return 1; }
}

# btmon_start NAME: HCI traffic of every adapter into $LAB_SHARE/NAME.btsnoop, until btmon_stop.
btmon_start() {
  btmon -w "$LAB_SHARE/$1.btsnoop" >/dev/null 2>&1 &
  btmon=$!
  sleep 0.7
}

btmon_stop() {
  sleep 0.3
  kill "$btmon"
  wait "$btmon" 2>/dev/null
}

# bluetoothd_start [OPTIONS]: the system bus and bluetoothd; its log is $LAB_SHARE/bluetoothd.log.
bluetoothd_start() {
  mkdir -p /run/dbus
  pgrep -x dbus-daemon >/dev/null || dbus-daemon --system --fork --nopidfile
  /usr/libexec/bluetooth/bluetoothd -n -d "$@" >"$LAB_SHARE/bluetoothd.log" 2>&1 &
  sleep 1
}
