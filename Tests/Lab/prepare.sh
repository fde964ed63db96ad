#!/usr/bin/env bash
# Puts into the cache what the lab needs: a stock Debian kernel with a small initramfs, and Bumble in a virtual
# environment. Nothing is installed on this system, and nothing is done when all is there.
#
#   Tests/Lab/prepare.sh             fetch and build what is missing
#   Tests/Lab/prepare.sh --refresh   choose the kernel again
#
# LAB_KERNEL names a kernel package, such as linux-image-6.1.0-54-amd64. Exit 69: something cannot be had here.
set -euo pipefail
lab=$(cd "$(dirname "$0")" && pwd)
cache=${RACPSCOPE_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/racpscope-lab}

missing() {
  printf 'lab: %s\n' "$1" >&2
  exit 69
}

# apt verifies the package against the distribution's signed list. The ABIs 6.1.0-56 and -57 are never taken: closing an
# LE L2CAP socket whose connect failed kills the process there.
kernel_package() {
  if [[ -n ${LAB_KERNEL-} ]]; then
    printf '%s\n' "$LAB_KERNEL"
    return
  fi
  local newest
  newest=$(apt-cache search --names-only '^linux-image-6\.12\.[0-9]+\+deb[0-9]+-amd64$' |
    cut -d' ' -f1 | sort -V | tail -1)
  printf '%s\n' "${newest:-linux-image-6.1.0-54-amd64}"
}

# What the guest needs to mount its root, then what Bluetooth needs. Nothing loads modules by itself there, so the
# algorithms of pairing are named (without drbg, LE Secure Connections fails). Those built in are passed over.
modules=(virtio_pci 9p 9pnet_virtio overlay
  sha256_generic sha512_generic hmac ctr drbg cmac ecb ecdh_generic algif_hash algif_skcipher
  virtio_console bluetooth hci_uart uhid)

build_kernel() {
  local tool package version scratch tree image destination=$1
  for tool in apt-get dpkg-deb cpio xz /sbin/depmod /sbin/modprobe /bin/busybox; do
    command -v "$tool" >/dev/null || missing "$tool is missing"
  done
  package=$(kernel_package)
  [[ $package == linux-image-6.1.0-5[67]-* ]] && missing "$package has the bug that prepare.sh names"
  scratch=$(mktemp -d --tmpdir="$cache")
  # shellcheck disable=SC2064 # the folder of now
  trap "rm -rf '$scratch'" EXIT
  (cd "$scratch" && apt-get download -qq "$package" 2>apt.log) ||
    missing "the kernel package $package cannot be downloaded: $(tail -1 "$scratch/apt.log")"
  dpkg-deb -x "$scratch/$package"_*.deb "$scratch/kernel"
  version=$(basename "$scratch"/kernel/lib/modules/*)
  /sbin/depmod -b "$scratch/kernel" "$version"

  tree=$scratch/tree image=$scratch/image
  mkdir -p "$tree"/{bin,dev,proc,sys,modules,mnt/host,mnt/overlay,mnt/root} "$image"
  cp /bin/busybox "$tree/bin/busybox"
  install -m 755 "$lab/guest-init" "$tree/init"
  local module verb file name
  for module in "${modules[@]}"; do
    while read -r verb file _; do
      [[ $verb == insmod ]] || continue
      name=$(basename "${file%.xz}")
      [[ -e $tree/modules/$name ]] && continue
      case $file in
        *.xz) xz -dc "$file" >"$tree/modules/$name" ;;
        *) cp "$file" "$tree/modules/$name" ;;
      esac
      echo "$name" >>"$tree/modules/order"
    done < <(/sbin/modprobe -d "$scratch/kernel" -S "$version" --show-depends "$module" 2>/dev/null)
  done
  [[ -e $tree/modules/hci_uart.ko ]] || missing "$package has no hci_uart module"
  cp "$scratch/kernel/boot/vmlinuz-$version" "$image/vmlinuz"
  (cd "$tree" && find . | cpio -o -H newc --quiet -R 0:0 | gzip -6) >"$image/initramfs.gz"
  echo "$package" >"$image/package"
  rm -rf "$destination"
  mv "$image" "$destination"
  rm -rf "$scratch"
  trap - EXIT
  echo "lab: kernel $version" >&2
}

# Every package with its version and the hashes of its files: pip takes nothing else.
build_python() {
  local destination=$1
  /usr/bin/python3 -c 'import ensurepip, venv' 2>/dev/null || missing 'python3-venv is missing'
  rm -rf "$destination" "$destination.new"
  /usr/bin/python3 -m venv "$destination.new"
  "$destination.new/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes \
    --only-binary :all: --requirement "$lab/requirements.txt" || missing 'Bumble cannot be installed'
  "$destination.new/bin/python" -m compileall -q "$destination.new" >/dev/null || true
  mv "$destination.new" "$destination"
  echo 'lab: Bumble' >&2
}

for tool in qemu-system-x86_64 btattach btmon; do
  command -v "$tool" >/dev/null || missing "$tool is missing"
done
mkdir -p "$cache"
exec {lock}>"$cache/lock"
flock "$lock"
[[ ${1-} == --refresh || -n ${LAB_KERNEL-} ]] && rm -rf "$cache/kernel"
stamp=$(cat "$lab/guest-init" "$lab/prepare.sh" | sha256sum | cut -c1-16)
if [[ $(cat "$cache/kernel/stamp" 2>/dev/null) != "$stamp" ]]; then
  build_kernel "$cache/kernel"
  echo "$stamp" >"$cache/kernel/stamp"
fi
stamp=$(sha256sum "$lab/requirements.txt" | cut -c1-16)
if [[ $(cat "$cache/python/stamp" 2>/dev/null) != "$stamp" ]]; then
  build_python "$cache/python"
  echo "$stamp" >"$cache/python/stamp"
fi
