#!/bin/sh
# SPDX-License-Identifier: MIT
# A program under test that make subjects has built, or what is missing:  sh built.sh NAME PACKAGE
[ -x "build/registries/$1" ] && exec "build/registries/$1"
echo "build/registries/$1 is not there: make subjects, with $2 of Debian 12" >&2
exit 1
