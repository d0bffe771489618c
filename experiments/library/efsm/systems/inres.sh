#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Inres initiator of inres_initiator.json as a system under test: a line of JSON in, a line out (docs/look-up/efsm.md).
# Nothing but the shell: the requests' members have a fixed order, so that patterns can tell them.

place=disconnect number=0 counter=0 data=0

leave() { place=disconnect; said='["IDISind",[]]'; }
again() { # the frame once more, or no more of it
    if [ $counter -ge 4 ]; then leave; else counter=$((counter + 1)); said="[\"DT\",[$number,$data]]"; fi
}

while read -r line; do
    id=${line#*:} id=${id%%,*}
    argument=${line##*\[} argument=${argument%%\]*}
    said=''
    case "$place $line" in
    *'"hello"'*) echo "{\"id\":$id,\"protocol\":1,\"name\":\"inres.sh\"}"; continue ;;
    *'"reset"'*) place=disconnect number=0 counter=0 data=0; echo "{\"id\":$id,\"ready\":true}"; continue ;;
    *'"bye"'*) exit 0 ;;
    *'"in":"DR"'*) leave ;;
    disconnect*'"ICONreq"'*) place=wait counter=0 said='["CR",[]],["Timer.start",[]]' ;;
    wait*'"CC"'*) place=connect number=1 said='["ICONconf",[]]' ;;
    wait*'"Timer.expired"'*)
        if [ $counter -ge 4 ]; then leave; else counter=$((counter + 1)) said='["CR",[]],["Timer.start",[]]'; fi ;;
    connect*'"IDATreq"'*) place=sending counter=0 data=$argument said="[\"DT\",[$number,$data]],[\"Timer.start\",[]]" ;;
    sending*'"AK"'*) if [ "$argument" = $number ]; then place=connect number=$((1 - number)); else again; fi ;;
    sending*'"Timer.expired"'*) again ;;
    esac
    if [ "$said" ]; then echo "{\"id\":$id,\"out\":[$said]}"; else echo "{\"id\":$id,\"quiet\":true}"; fi
done
