#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A world program in the shell: a lamp with a switch. A line of JSON in, a line out.
on=false tick=0
while read -r line; do
    id=${line#*\"id\":} id=${id%%,*}
    case $line in
    *\"bye\"*) exit ;;
    *\"hello\"*)
        echo "{\"id\":$id,\"world\":\"lamp\",\"version\":\"1\",\"types\":{\"lamp\":{\"on\":\"bool\"}},\"actions\":{\"press\":{}},\"entities\":{\"lamp\":\"lamp\"},\"can\":[\"reset\"]}"
        continue
        ;;
    *\"reset\"*) on=false tick=0 ;;
    *\"look\"*) ;;
    *) tick=$((tick + 1)) ;;
    esac
    case $line in *\"press\"*) if [ $on = true ]; then on=false; else on=true; fi ;; esac
    echo "{\"id\":$id,\"tick\":$tick,\"entities\":[{\"id\":\"lamp\",\"type\":\"lamp\",\"on\":$on}],\"all\":true}"
done
