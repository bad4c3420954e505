# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Completion of toi for bash: commands, options, and what an option takes.

_toi() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} choices=
  COMPREPLY=()

  # What the option before the cursor takes; numbers are left to the reader.
  case $previous in
  --kind) choices="vf ee" ;;
  --norm) choices="l2 linf" ;;
  --truth-by) choices="exact" ;;
  --inclusion) choices="aabb obb" ;;
  --accept) choices="parameter world" ;;
  --demo) choices="cloth pinned torus" ;;
  --incoming) choices="auto on off" ;;
  --order) choices="lower upper race" ;;
  --newton) choices="linear krawczyk none" ;;
  --without) choices="tangency mean-value spheres guesses polish" ;;
  --method)
    choices="certified exact tight-inclusion time-inclusion cubic"
    if [[ ${COMP_WORDS[1]} == surface ]]; then
      choices="time-inclusion swept-boxes"
    fi
    if [[ ${COMP_WORDS[1]} == query || ${COMP_WORDS[1]} == bench || ${COMP_WORDS[1]} == surface ]]; then
      choices+=" all"
    fi
    ;;
  --broad) choices="auto bvh sweep brute" ;;
  --truth | --out | --plugin | --certificates | --candidates | --hits | --write | --picture)
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
    ;;
  --tolerance | --t-max | --min-separation | --separation-fraction | --max-checks | --scene-bound | --threads | \
    --repeat | --samples | --limit | --count | --seed | --size | --memory | --velocity-? | --shift-? | --spin-? | \
    --centre-? | --simultaneity | --spacing | --max-boxes | --max-seconds | --eye) return ;;
  esac
  if [[ -n $choices ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    return
  fi

  # The command first, then its options or files.
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "query step sequence surface contact bench demo methods help --version --help" -- "$word")
    return
  fi
  case ${COMP_WORDS[1]} in
  query)
    choices="--kind --method --tolerance --t-max --min-separation --separation-fraction --norm --max-checks"
    choices+=" --inclusion --no-zero-toi --scene-bound --threads --truth --out --certificates --plugin --repeat"
    choices+=" --samples --fail-on-hit --counters --json"
    ;;
  step | sequence)
    choices="--all --broad --memory --method --min-separation --separation-fraction --tolerance --t-max --norm"
    choices+=" --max-checks --inclusion --no-zero-toi --scene-bound --threads --fail-on-hit --json"
    if [[ ${COMP_WORDS[1]} == step ]]; then
      choices+=" --candidates --hits"
    fi
    ;;
  surface)
    choices="--tolerance --accept --inclusion --method --min-separation --norm --t-max --max-checks --velocity-a"
    choices+=" --velocity-b --shift-a --shift-b --spin-a --spin-b --centre-a --centre-b --self --contacts --simultaneity"
    choices+=" --spacing --convergence --demo --threads --samples --out --fail-on-hit --json"
    ;;
  contact)
    choices="--t-max --tolerance --simultaneity --spacing --incoming --order --newton --without --max-boxes"
    choices+=" --max-seconds --memory --compare --picture --eye --out --fail-on-hit --json"
    ;;
  bench)
    choices="--method --plugin --kind --min-separation --separation-fraction --norm --tolerance --t-max --max-checks"
    choices+=" --inclusion --no-zero-toi --scene-bound --truth-by --pool --repeat --samples --limit --markdown --json"
    ;;
  demo) choices="--size --seed --write --queries --grazing --count --out --certificates --threads --json" ;;
  help) choices="query step sequence surface contact bench demo methods" ;;
  *) choices="--json" ;;
  esac
  if [[ $word == -* || ${COMP_WORDS[1]} == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    return
  fi
  case ${COMP_WORDS[1]} in
  query | step | sequence | surface | contact | bench) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
  esac
}

complete -o filenames -F _toi toi
