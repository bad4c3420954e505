# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# Completion of toi for bash: commands, options, and what an option takes.

# The options of a command, in $options; none, where there is no such command.
_toi_options() {
  options=
  case $1 in
  query)
    options="--kind --method --tolerance --t-max --min-separation --separation-fraction --norm --max-checks"
    options+=" --inclusion --no-zero-toi --scene-bound --threads --memory --truth --out --certificates --plugin --repeat"
    options+=" --samples --device --device-memory --device-queue --fail-on-hit --counters --json"
    ;;
  explain)
    options="--index --kind --points --method --tolerance --t-max --min-separation --separation-fraction --norm"
    options+=" --max-checks --inclusion --no-zero-toi --scene-bound --picture --json"
    ;;
  step | sequence)
    options="--all --broad --memory --method --filter --min-separation --separation-fraction --tolerance --t-max --norm"
    options+=" --max-checks --inclusion --no-zero-toi --scene-bound --threads --no-start-check --fail-on-hit --json"
    options+=" --half-space --view --viewer --device --device-memory --device-queue"
    if [[ $1 == step ]]; then
      options+=" --candidates --hits --picture --eye"
    fi
    ;;
  check) options="--out --colour --view --viewer --half-space --broad --memory --threads --fail-on-hit --json" ;;
  line-search)
    options="--out --min-separation --separation-fraction --norm --t-max --half-space --broad --memory --threads --json"
    ;;
  surface)
    options="--tolerance --accept --inclusion --method --min-separation --norm --t-max --max-checks --velocity-a"
    options+=" --velocity-b --shift-a --shift-b --spin-a --spin-b --centre-a --centre-b --self --contacts --simultaneity"
    options+=" --spacing --convergence --demo --threads --memory --samples --out --view --viewer --fail-on-hit --json"
    ;;
  contact)
    options="--until --t-max --tolerance --simultaneity --spacing --incoming --order --newton --without --max-boxes"
    options+=" --max-seconds --threads --memory --min-separation --convert --compare --picture --eye --inside --view --viewer --out"
    options+=" --fail-on-hit --json"
    ;;
  sweep)
    options="--all --free --clearance --picture --at --eye --view --viewer --min-separation --method --memory --threads"
    options+=" --fail-on-hit --json"
    ;;
  view) options="--out --viewer --min-separation --threads --memory --json" ;;
  bench)
    options="--method --plugin --kind --min-separation --separation-fraction --norm --tolerance --t-max --max-checks"
    options+=" --inclusion --no-zero-toi --scene-bound --truth-by --pool --repeat --samples --memory --limit --markdown"
    options+=" --device --device-memory --device-queue --plot --csv --wide --json"
    ;;
  demo) options="--size --seed --write --queries --grazing --count --out --certificates --memory --threads --json" ;;
  devices) options="--report --json" ;;
  methods) options="--json" ;;
  esac
}

_toi() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} options choices=
  local commands="query explain step sequence check line-search surface contact sweep view bench demo devices methods"
  COMPREPLY=()
  _toi_options "${COMP_WORDS[1]}"

  # What the option before the cursor takes, if the command has it; numbers are left to the reader.
  if [[ " $options " != *" $previous "* ]]; then
    previous=
  fi
  case $previous in
  --kind)
    choices="vf ee"
    if [[ ${COMP_WORDS[1]} == explain ]]; then
      choices+=" ve vv"
    fi
    ;;
  --norm) choices="l2 linf" ;;
  --truth-by) choices="exact" ;;
  --inclusion) choices="aabb obb" ;;
  --accept) choices="parameter world" ;;
  --demo) choices="cloth pinned torus" ;;
  --incoming) choices="auto on off" ;;
  --order) choices="lower upper race" ;;
  --newton) choices="linear krawczyk none" ;;
  --without) choices="tangency mean-value spheres guesses polish clearance" ;;
  --method)
    choices="certified exact tight-inclusion interval-queue time-inclusion cubic"
    if [[ ${COMP_WORDS[1]} == surface ]]; then
      choices="time-inclusion swept-boxes"
    fi
    if [[ ${COMP_WORDS[1]} == query || ${COMP_WORDS[1]} == bench || ${COMP_WORDS[1]} == surface ]]; then
      choices+=" all"
    fi
    ;;
  --broad) choices="auto bvh sweep brute" ;;
  --filter) choices="float double" ;;
  --device) choices="cpu auto 0" ;;
  --truth | --out | --plugin | --certificates | --candidates | --hits | --write | --picture | --colour | --view | --viewer | \
    --plot | --csv)
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
    return
    ;;
  --tolerance | --t-max | --min-separation | --separation-fraction | --half-space | --max-checks | --scene-bound | \
    --threads | --repeat | --samples | --limit | --count | --seed | --size | --memory | --velocity-? | --shift-? | --spin-? | \
    --centre-? | --simultaneity | --spacing | --max-boxes | --max-seconds | --eye | --inside | --index | --points) return ;;
  esac
  if [[ -n $choices ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$word")
    return
  fi

  # The command first, then its options or files.
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$commands help --version --help" -- "$word")
  elif [[ ${COMP_WORDS[1]} == help ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
  elif [[ -n $options && ${COMP_WORDS[1]} != demo && ${COMP_WORDS[1]} != methods ]]; then
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}

complete -o filenames -F _toi toi
