# shellcheck shell=bash
# Runs in the guest what the host sends over a virtio port: a line "N" runs $LAB_SHARE/jobs/N.sh beside all others, its
# output goes to N.out and N.err, its process id to N.pid, and its end is answered by "N STATUS". An empty line ends it.
for port in /sys/class/virtio-ports/*; do
  [[ $(cat "$port/name") == lab.agent ]] && exec 3<>"/dev/${port##*/}"
done
mkdir -p /run/lab
cd /run/lab || exit
echo ready >&3
while read -r job <&3 && [[ -n $job ]]; do
  {
    # shellcheck source=/dev/null
    . "$LAB_SHARE/jobs/$job.sh" </dev/null >"$LAB_SHARE/jobs/$job.out" 2>"$LAB_SHARE/jobs/$job.err" 3>&- &
    echo $! >"/run/lab/$job.pid"
    wait $!
    echo "$job $?" >&3
  } &
done
