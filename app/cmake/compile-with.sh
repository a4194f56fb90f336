#!/usr/bin/env bash
# Compiler launcher that runs another compiler than CMake's: compile-with.sh <command>... -- <CMake's compiler> <argument>...
# <command> is the other compiler, behind ccache where there is one.
set -euo pipefail
command=()
while [[ $1 != -- ]]; do
    command+=("$1")
    shift
done
shift 2
exec "${command[@]}" "$@"
