#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# constants_only.sh library.a ...: an algorithm has no mutable globals and exports one symbol, its constant.
# Sections that hold writable data must be empty; .data.rel.ro (constants with addresses in them) is read-only at run time.
status=0
for library; do
    writable=$(readelf -SW "$library" | sed 's/\[ */[/' |
        awk '$2 ~ /^\.(data|bss|tdata|tbss)/ && $2 !~ /^\.data\.rel\.ro/ && $6 !~ /^0+$/ { print $2 ":" $6 }')
    if [ -n "$writable" ]; then
        echo "$library: mutable globals in" $writable
        status=1
    fi
    exported=$(readelf -sW "$library" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }')
    if [ "$(echo "$exported" | wc -w)" -ne 1 ]; then
        echo "$library: exports" $exported
        status=1
    fi
done
exit $status
