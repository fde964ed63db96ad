#!/usr/bin/env bash
# Writes the completions a built racpscope prints of itself under a share folder.
#
#   scripts/write-completions.sh BINARY SHARE
set -euo pipefail

binary=$1 share=$2
bash_folder=$share/bash-completion/completions
zsh_folder=$share/zsh/site-functions
mkdir -p "$bash_folder" "$zsh_folder"
"$binary" completions bash >"$bash_folder/racpscope"
"$binary" completions zsh >"$zsh_folder/_racpscope"
chmod 644 "$bash_folder/racpscope" "$zsh_folder/_racpscope"
