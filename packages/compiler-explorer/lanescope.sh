#!/bin/sh
# Lanescope as a tool of Compiler Explorer, which calls it with what the visitor wrote in the field of arguments and, last, the
# file of the source. Without arguments the launches are those of the source's comments and host code; with them, theirs.
set -eu

program=${LANESCOPE:-lanescope}
# Less than Compiler Explorer waits for a tool (7.5 s).
seconds=${LANESCOPE_SECONDS:-6}

if [ $# -eq 0 ]; then
  echo "lanescope: no source; Compiler Explorer gives it as the last argument" >&2
  exit 2
fi

given=$(($# - 1))
at=0
for argument; do
  at=$((at + 1))
  [ "$at" -gt "$given" ] && break
  # Nothing here writes a file, runs a compiler or reads another file than the source.
  case $argument in
    -o* | --output* | --compile* | --against* | --launch* | --include* | -I* | --config* | *@* | --)
      echo "lanescope: \`$argument\` is not for this tool: give --grid, --block, --arg NAME=VALUE, --device, --kernel, -D" >&2
      exit 2
      ;;
  esac
done

if [ "$given" -eq 0 ]; then
  exec "$program" check --max-seconds "$seconds" --color never "$1"
fi
exec "$program" kernel --max-seconds "$seconds" --color never --no-includes "$@"
