#!/usr/bin/env bash
# docs/learn.md: every command prints what the page says, and draws the pictures that stand there; its links hold the
# same queries.
set -euo pipefail
script/learn-docs --check

# The numbers of a link are those of a command on the page, in the same order.
links=$(grep -oE 'query=vf,[0-9.,e-]+' docs/learn.md | sed 's/^query=vf,//')
[[ $(wc -l <<<"$links") -eq 5 ]]
commands=$(sed -nE 's/^\$ toi explain --kind vf --points "([^"]*)".*/\1/p' docs/learn.md | tr -s ' ' ',')
while read -r link; do
  grep -qxF -- "$link" <<<"$commands" || {
    echo "the link $link is no query of docs/learn.md"
    exit 1
  }
done <<<"$links"
