#!/usr/bin/env bash
# What action.yml runs: annotations, and where they are asked for SARIF and the comment of a pull request.
#
# LANESCOPE_PROGRAM   the program (lanescope)
# LANESCOPE_PATHS     files, folders and globs, one a line
# LANESCOPE_OPTIONS   further options of `lanescope check`, one a line (--max-ways=2)
# LANESCOPE_SARIF     file to write SARIF to
# LANESCOPE_COMMENT   file to write the comment to
# LANESCOPE_BASE      commit that the comment compares with
set -euo pipefail

program=${LANESCOPE_PROGRAM:-lanescope}
mapfile -t paths < <(grep -v '^[[:space:]]*$' <<<"${LANESCOPE_PATHS:-.}")
mapfile -t options < <(grep -v '^[[:space:]]*$' <<<"${LANESCOPE_OPTIONS:-}" || true)

status=0
"$program" check "${options[@]}" --format github -- "${paths[@]}" || status=$?

# What follows tells the same again: its exit status says nothing new.
if [[ -n ${LANESCOPE_SARIF:-} ]]; then
  "$program" check "${options[@]}" --format sarif --output "$LANESCOPE_SARIF" -- "${paths[@]}" || true
fi
if [[ -n ${LANESCOPE_COMMENT:-} ]]; then
  scratch=$(mktemp -d)
  beside=()
  if [[ -n ${LANESCOPE_BASE:-} ]]; then
    git worktree add --quiet --detach "$scratch/base" "$LANESCOPE_BASE"
    (cd "$scratch/base" && "$program" check "${options[@]}" --no-fixes --format json --output "$scratch/base.json" -- "${paths[@]}") || true
    git worktree remove --force "$scratch/base"
    if [[ -s $scratch/base.json ]]; then
      beside=(--base "$scratch/base.json")
    else
      echo "::warning::lanescope could not check $LANESCOPE_BASE: the comment has no base"
    fi
  fi
  "$program" check "${options[@]}" --format markdown "${beside[@]}" --output "$LANESCOPE_COMMENT" -- "${paths[@]}" || true
  rm -rf "$scratch"
fi
exit "$status"
