#!/usr/bin/env bash
# Packs a built binary with completions and documents: dist/racpscope-VERSION-linux-ARCH.tar.gz.
#
#   scripts/make-dist.sh BINARY    from the top of the repository; the Swift runtime is linked into the binary
set -euo pipefail
cd "$(dirname "$0")/.."

binary=$1
version=$(scripts/version.sh)
name=racpscope-$version-linux-$(uname -m)

mkdir -p dist
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
mkdir -p "$stage/$name/bin"
install -m 755 "$binary" "$stage/$name/bin/racpscope"
strip "$stage/$name/bin/racpscope"
scripts/write-completions.sh "$binary" "$stage/$name/share"
cp README.md LICENSE "$stage/$name/"
cp -R docs "$stage/$name/docs"

# The same sources give the same archive: sorted names, no owner, the time of the last commit.
stamp=$(git log -1 --format=%ct 2>/dev/null || date +%s)
tar --create --directory "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$stamp" "$name" |
  gzip -n -9 >"dist/$name.tar.gz"
(cd dist && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "dist/$name.tar.gz"
