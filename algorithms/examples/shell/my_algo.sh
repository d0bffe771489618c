#!/bin/sh
# SPDX-License-Identifier: CC0-1.0
#
# my_algo as a shell script that hands each task to awk: what a request says is cut out of the line by its keys, which
# come in one order. Not fast - a process for each reorganization - but it shows how little is needed.
while IFS= read -r line; do
    id=${line#'{"id":'}
    id=${id%%,*}
    case $line in
    *'"hello":'*)
        echo "{\"id\":$id,\"protocol\":1,\"name\":\"my_algo\",\"version\":\"1.0\",\
\"summary\":\"highest first, dealt back and forth into the present number of partitions\",\
\"parameters\":[{\"name\":\"extra\",\"unit\":\"partitions\",\"meaning\":\"so many partitions more than there are\",\
\"default\":0,\"min\":0,\"max\":100,\"integer\":true}],\
\"faults\":{\"forget\":\"the agent of the least value is forgotten\"}}"
        ;;
    *'"task":'*)
        printf '%s\n' "$line" | awk -v id="$id" '
        {
            structure = values = extra = $0
            sub(/.*"structure":\[/, "", structure); sub(/\],"values".*/, "", structure)
            present = gsub(/\[/, "", structure)
            sub(/.*"values":\[\[/, "", values); sub(/\].*/, "", values)
            sub(/.*"extra":/, "", extra); extra += 0
            n = split(values, value, ",")
            count = present + extra < n ? present + extra : n
            for (agent = 1; agent <= n; agent++)
                order[agent] = agent
            for (size = 1; size < n; size *= 2) { # by descending value: runs are merged
                for (from = 1; from <= n; from += 2 * size) {
                    one = from; other = half = from + size; end = half + size
                    for (at = from; at < end && at <= n; at++)
                        if (one < half && one <= n && (other >= end || other > n || value[order[one]] + 0 >= value[order[other]] + 0))
                            merged[at] = order[one++]
                        else
                            merged[at] = order[other++]
                }
                for (at = 1; at <= n; at++)
                    order[at] = merged[at]
            }
            fault = ""
            if ($0 ~ /"fault":"forget"/) {
                n--
                fault = ",\"fault\":{\"reached\":1,\"held\":1,\"activated\":1,\"in_result\":true}"
            }
            for (turn = 0; turn < n; turn++) { # 0 1 2 2 1 0 0 1 2 ...
                place = turn % (2 * count)
                place = place < count ? place : 2 * count - 1 - place
                block[place] = block[place] (block[place] == "" ? "" : ",") (order[turn + 1] - 1)
            }
            blocks = ""
            for (place = 0; place < count; place++)
                if (block[place] != "")
                    blocks = blocks (blocks == "" ? "" : ",") "[" block[place] "]"
            print "{\"id\":" id ",\"spent\":1" fault ",\"blocks\":[" blocks "]}"
        }'
        ;;
    *) break ;; # bye
    esac
done
