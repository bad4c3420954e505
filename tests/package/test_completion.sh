#!/usr/bin/env bash
# Asks the bash completion as a shell would, and compares every option it knows with the manual page.
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
complete_words "--size --seed --write --queries --grazing --count --out --certificates --threads --json" toi demo -
complete_words "step sequence surface" toi s
complete_words "swept-boxes" toi surface --method s
complete_words "" toi surface --spin-a ""
complete_words "contact" toi c
complete_words "krawczyk" toi contact --newton k
complete_words "README.md" toi contact --picture READ
complete_words "" toi contact --max-boxes ""
complete_words "bvh brute" toi step --broad b
complete_words "all" toi query --method a
complete_words "" toi step --method a
complete_words "--hits" toi step a.ply b.ply --h
complete_words "" toi sequence --h
complete_words "README.md" toi step READ
complete_words "README.md" toi step --hits READ
complete_words "" toi step --memory ""
complete_words "methods" toi help m
complete_words "" toi query --tolerance ""
complete_words "README.md" toi query READ
complete_words "README.md" toi query --out READ

complete_words "exact" toi bench --truth-by ""
complete_words "README.md" toi bench READ

# The options of a command are those of the manual's synopsis, in both shells.
compare_options() {
  local manual zsh
  manual=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/p' docs/man/toi.1 | sed -n "/^\\.Cm $1/,/^\\.Nm/p" |
    grep -oE 'Fl -[a-z-]+' | sed 's/^Fl -/--/' | sort -u)
  COMP_WORDS=(toi "$1" --)
  COMP_CWORD=2
  _toi
  diff <(echo "$manual") <(printf '%s\n' "${COMPREPLY[@]}" | sort -u)
  zsh=$(sed -n "/^$1_options/,/^)/p" completion/_toi | grep -oE -- '--[a-z-]+\[' | tr -d '[' | sort -u)
  diff <(echo "$manual") <(echo "$zsh")
}
compare_options query
compare_options step
compare_options sequence
compare_options surface
compare_options contact
compare_options bench
compare_options demo
