#!/usr/bin/env bash
# Installs what is missing of the named Debian or Ubuntu packages; quick and silent when nothing is missing.
#
#   scripts/install-packages.sh PACKAGE...             fails when a package cannot be installed
#   scripts/install-packages.sh --optional PACKAGE...  says what is missing and succeeds
set -euo pipefail

optional=
if [[ ${1-} == --optional ]]; then
  optional=1
  shift
fi

missing=()
for package in "$@"; do
  if ! dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed'; then
    missing+=("$package")
  fi
done
(( ${#missing[@]} )) || exit 0

give_up() {
  printf 'Missing packages: %s. %s\n' "${missing[*]}" "$1" >&2
  [[ -n $optional ]] && exit 0
  exit 1
}

command -v apt-get >/dev/null || give_up 'Install them with the package manager of this system.'
as_root=()
if (( EUID != 0 )); then
  command -v sudo >/dev/null || give_up "As root, run: apt-get install ${missing[*]}"
  as_root=(sudo)
fi

printf 'Installing %s\n' "${missing[*]}"
"${as_root[@]}" apt-get update -qq || give_up 'apt-get update failed.'
# env: sudo does not pass the variable on. Without it tshark asks who may capture.
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
  >/dev/null || give_up 'apt-get install failed.'
