#!/usr/bin/env bash
# Asks the bash completion as a shell would, and compares every command and option that either shell offers with what toi
# itself lists; the manual page, too.
set -euo pipefail
# shellcheck source=completion/toi.bash
source completion/toi.bash

# complete_words EXPECTED WORD...: the last word is the one being typed.
complete_words() {
  local expected=$1
  shift
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _toi
  if [[ "${COMPREPLY[*]}" != "$expected" ]]; then
    echo "'$*' completes to '${COMPREPLY[*]}', not '$expected'"
    exit 1
  fi
}

complete_words "query" toi q
complete_words "--version --help" toi --
complete_words "vf ee" toi query a.csv --kind ""
complete_words "exact" toi query --method e
complete_words "--threads" toi query --thr
complete_words "--json" toi methods -
complete_words "--size --seed --write --queries --grazing --count --out --certificates --memory --threads --json" toi demo -
complete_words "step sequence surface sweep" toi s
complete_words "swept-boxes" toi surface --method s
complete_words "" toi surface --spin-a ""
complete_words "check contact" toi c
complete_words "line-search" toi l
complete_words "README.md" toi check --colour READ
complete_words "README.md" toi line-search READ
complete_words "krawczyk" toi contact --newton k
complete_words "README.md" toi contact --picture READ
complete_words "" toi contact --max-boxes ""
complete_words "bvh brute" toi step --broad b
complete_words "all" toi query --method a
complete_words "" toi step --method a
complete_words "--half-space --hits" toi step a.ply b.ply --h
complete_words "" toi sequence --hi
complete_words "" toi step --half-space ""
complete_words "README.md" toi step READ
complete_words "README.md" toi step --hits READ
complete_words "" toi step --memory ""
complete_words "methods" toi help m
complete_words "" toi query --tolerance ""
complete_words "README.md" toi query READ
complete_words "README.md" toi query --out READ

complete_words "exact" toi bench --truth-by ""
complete_words "README.md" toi bench READ

# Options of another command say nothing here, nor does anything after --version.
complete_words "" toi methods --kind ""
complete_words "README.md" toi check --method READ
complete_words "" toi --version -
complete_words "" toi frobnicate -

# same WHAT EXPECTED FOUND: one name a line, in any order.
wrong=0
same() {
  if ! diff <(sort -u <<<"$2") <(sort -u <<<"$3") >"$differences"; then
    echo "$1 differ: < what toi itself says, > what is offered"
    cat "$differences"
    wrong=1
  fi
}
differences=$(mktemp)
trap 'rm -f "$differences"' EXIT

# offered WORD...: what bash completes the words to.
offered() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _toi
  printf '%s\n' "${COMPREPLY[@]}"
}

# The commands are those that toi lists, in both shells and the manual.
commands=$("$TOI_BIN" --help | sed -nE 's/^  ([a-z][a-z-]*) {2,}.*/\1/p')
[[ $(wc -l <<<"$commands") -gt 5 ]] || {
  echo "toi --help lists no commands"
  exit 1
}
same "commands of bash" "$commands" "$(offered toi "" | grep -vE '^(help|--.*)$')"
same "commands after help, of bash" "$commands" "$(offered toi help "")"
same "commands of zsh" "$commands" "$(sed -n '/^commands=/,/^)/p' completion/_toi | sed -nE "s/^  '([a-z-]+):.*/\1/p" | grep -vx help)"
same "commands after help, of zsh" "$commands" "$(sed -n 's/^  _values command //p' completion/_toi | tr ' ' '\n')"

# The options of a command are those that it lists, and the words that an option takes are those it shows, as vf|ee.
for command in $commands; do
  help=$("$TOI_BIN" "$command" --help)
  options=$(grep -oE '^  --[a-z-]+' <<<"$help" | tr -d ' ' | grep -vx -e --help)
  zsh=$(sed -n "/^${command//-/_}_options=/,/^)/p" completion/_toi)
  manual=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' docs/man/toi.1 | sed -n "/^\\.Cm $command\$/,/^\\.Nm/p")
  same "options of toi $command in bash" "$options" "$(offered toi "$command" --)"
  same "options of toi $command in zsh" "$options" "$(grep -oE -- '--[a-z-]+\[' <<<"$zsh" | tr -d '[')"
  same "options of toi $command in the manual" "$options" "$(grep -oE 'Fl -[a-z-]+' <<<"$manual" | sed 's/^Fl -/--/')"
  while read -r option words; do
    same "words of toi $command $option in bash" "${words//|/$'\n'}" "$(offered toi "$command" "$option" "")"
    same "words of toi $command $option in zsh" "${words//|/$'\n'}" \
      "$(sed -nE "s/^ .*$option\\[.*:\\(([a-z0-9 -]+)\\)'\$/\\1/p" <<<"$zsh" | tr ' ' '\n')"
  done < <(sed -nE 's/^  (--[a-z-]+) ([a-z0-9-]+(\|[a-z0-9-]+)+) .*/\1 \2/p' <<<"$help")
done
exit "$wrong"
