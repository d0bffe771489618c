#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Bugs planted in host, network, store and memory of clusters, and in the conversation with programs in other languages, one at a time: a test has
to find each.

usage: planted_bugs.py COMPILER SOURCE_DIRECTORY EVERY TEST=OBJECT.. -- LINKED..

Every EVERY-th of the list is planted. The file with the bug stands before the library, so its functions are taken.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "sim" / "base" / "tests"))
from planting import plant  # noqa: E402

# (test that finds it, file, text that stands there once, what is planted)
BUGS = [
    ("cluster", "cluster.c", "if (write.operation & COR_PROCESS_FORGETS)", "if (0)"),
    ("cluster", "cluster.c", "&& ordinal-- == 0)", "&& ordinal == 0)"),
    ("cluster", "cluster.c", "|| *index == 0;", "|| true;"),
    ("cluster", "host.c", " + member->speed - 1) / member->speed", ") / member->speed"),
    ("cluster", "host.c", "memset(head + 1, 0, bytes);", ";"),
    ("program", "cluster.c", "if (cluster->guard.end == COR_PROCESS_END_HANG && !cluster->guard.is_certain)", "if (0)"),
    ("cluster", "cluster.c", "    store->count = store->durable;\n    store->used = 0;", "    return;\n    store->used = 0;"),
    ("cluster", "cluster.c", "network_take(network, from, to, 0)", "network_take(network, from, to, link_of(network, from, to)->count - 1)"),
    ("cluster", "cluster.c", "store->writes[store->durable].size /= 2;", ";"),
    ("cluster", "cluster.c", "    cell->is_written = cell->was_written;", "    ;"),
    ("cluster", "cluster.c", "    cell->size_before = cell->size;", "    cell->size_before = (uint16_t)size;"),
    ("cluster", "cluster.c", "store->writes[i].at -= begin;", ";"),
    ("cluster", "cluster.c", "store->count - store->durable - 1) *", "store->count - store->durable - 2) *"),
    ("cluster", "cluster.c", "        link->first++;\n", ""),
    ("cluster", "cluster.c", "        cor_set_drop(&network->overview->senders[to], from);\n", ""),
    ("cluster", "cluster.c", "    link->first = 0;\n    if (flights", "    if (flights"),
    ("cluster", "cluster.c", "        memmove(flights, link->flights + link->first, link->count", "        memmove(flights, link->flights, link->count"),
    ("cluster", "cluster.c", "differing(shown + 2, before + 2, bits << 2)", "differing(shown, before, bits)"),
    ("cluster", "cluster.c", "        memcpy(slot + size - 32, bytes + size - 32, 32);\n", ""),
    ("cluster", "cluster.c", "        memcpy(slot + size - 16, bytes + size - 16, 16);\n", ""),
    ("cluster", "cluster.c", "        memcpy(slot + size - 8, bytes + size - 8, 8);\n", ""),
    ("cluster", "cluster.c", "    memcpy(slot, bytes, size);\n    memset", "    memset"),
    ("cluster", "cluster.c", "uint64_t number = network->overview->sent++;", "uint64_t number = network->overview->sent += link->count < network->flight_most;"),
    ("cluster", "cluster.c", "    memcpy(&network->free[slots], *slot, sizeof(void *));\n".replace("    mem", "        mem"), ""),
    ("cluster", "cluster.c", "cor_cluster_is_cut(cluster, event->peer, event->process)", "false"),
    ("cluster", "cluster.c", "if ((network->cut_loses && cor_set_has", "if ((0 && cor_set_has"),
    ("cluster", "cluster.c", "    if (cluster->definition.cut_loses)\n", "    if (true)\n"),
    ("cluster", "cluster.c", "    if (cluster->definition.cut_loses)\n", "    if (false)\n"),
    ("cluster", "cluster.c", "cor_set_both(overview->senders[to], *from)", "overview->senders[to]"),
    ("cluster", "cluster.c", "cor_set_either(overview->severed[to], overview->parted[to]);", "overview->parted[to];"),
    ("cluster", "cluster.c", "    memset(overview->parted, 0, count * sizeof *overview->parted);\n", ""),
    ("cluster", "cluster.c", "|| now < link->loses_until) {", "|| now <= link->loses_until) {"),
    ("cluster", "cluster.c", "    link->loses_until = until > link->loses_until ? until : link->loses_until;", "    link->loses_until = until;"),
    ("cluster", "cluster.c", "            network->links[l].loses_until = 0;", "            ;"),
    ("cluster", "cluster.c", "    for (; link->count > 0; cluster->overview.lost++)\n        lose_oldest(&cluster->network, event->peer, event->process);", "    ;"),
    ("cluster", "cluster.c", "    if (until > cluster->overview.loses_until)\n        cluster->overview.loses_until = until;", "    ;"),
    ("cluster", "cluster.c", "        return !cluster->overview.is_parted &&\n", "        return\n"),
    ("cluster", "cluster.c", "return cor_set_is_empty(cor_set_without(all, either)) && ", "return "),
    ("cluster", "cluster.c", "const uint32_t reach = (count / 2 + 1) / 2;", "const uint32_t reach = count / 4;"),
    ("cluster", "cluster.c", "left /= count - i, i++", "i++"),
    ("cluster", "cluster.c", "cor_set_has(&network->overview->absent, to)", "0"),
    ("cluster", "cluster.c", "cor_set_size(&cluster->overview.absent) + 1 <", "cor_set_size(&cluster->overview.absent) <"),
    ("cluster", "cluster.c", "    lose_all(&cluster->network, member->number, &cluster->overview.senders[member->number]);\n", ""),
    ("cluster", "cluster.c", "        crash(member, event);\n    store_reset(&member->store);\n", "        crash(member, event);\n"),
    ("cluster", "cluster.c", "    count_writes(member);\n    member->base = member->local_base = 0;\n    member->speed", "    count_writes(member);\n    member->speed"),
    ("cluster", "cluster.c", "        return !member->standing.is_up && !is_absent;", "        return !member->standing.is_up;"),
    ("cluster", "cluster.c", "    alarms_off(member);\n", ""),
    ("cluster", "cluster.c", "    processes__arena_reset(&member->arena);\n    member->me = NULL;", "    member->me = NULL;"),
    ("cluster", "cluster.c", "cluster->now = due > cluster->now ? due : cluster->now;", "(void)due;"),
    ("cluster", "cluster.c", "    cluster->told_count = 0;\n    cluster->overview.has_news", "    cluster->overview.has_news"),
    ("cluster", "cluster.c", "    if (!stays)\n", ""),
    ("cluster", "cluster.c", "    own.entity = member->number;\n", "    own.entity = 0;\n"),
    ("cluster", "cluster.c", "(uint64_t)event->what << 32 | event->ordinal);\n    for", "(uint64_t)event->what << 32);\n    for"),
    ("cluster", "cluster.c", " && !cor_set_has(&cluster->overview.paused, process);", ";"),
    ("cluster", "cluster.c", "    processes__alarms_move(member);\n", ""),
    ("cluster", "cluster.c", "        cluster->members[cluster->touched[--cluster->touched_count]].changed = 0;", "        cluster->touched_count--;"),
    ("cluster", "host.c", " + passed % 1000 * member->speed / 1000;", ";"),
    ("cluster", "host.c", "    memset(arena->free, 0, sizeof arena->free);\n", ""),
    ("cluster", "host.c", "    memset(memory, OVERWRITTEN, units_of(head->size_class) * UNIT);\n", ""),
    ("program", "host.c", "    head->state = DEAD;\n", ""),
    ("program", "guard.c", "    return !guard->is_interrupted;", "    return true;"),
    ("program", "guard.c", "        guard->is_certain = guard->interrupt != NULL;", "        guard->is_certain = 0;"),
    ("program", "guard.c", "        if (!guard->is_interrupted)\n            guard->interrupt();", "        guard->interrupt();"),
    ("program", "host.c", "    if (!member->cluster->guard.is_interrupted)", "    if (1)"),
    ("program", "cluster.c", "    cluster->guard.interrupt = definition->program->interrupt;\n", ""),
    ("program", "guard.c", "&& at + STACK_NEAR > top && at < top + STACK_NEAR", "&& at == top"),
    ("program", "host.c", "if (++cluster->host_calls > PROCESSES__CALLS_MOST)", "if (++cluster->host_calls == 0)"),
    ("program", "cluster.c", "cor_hash_word(cluster->digest_before, at)", "cor_hash_word(cluster->digest, at)"),
    ("program", "cluster.c", "(value.count & ~all)", "(value.count & ~all & 1)"),
    ("command", "process_command.c", "(size > 0 && bytes[size - 1] == '\\n')", "true"),
    ("command", "process_command.c", "record->operation & ~COR_PROCESS_FORGETS", "record->operation"),
    ("command", "process_command.c", "cor_json_is_null(&ticks) ? COR_PROCESS_NEVER : (uint64_t)in", "(uint64_t)in"),
    ("command", "process_command.c", "    if (size == 0)\n        cor_bytes_clear(&talk->bytes);\n", ""),
    ("command", "process_command.c", "cor_hash_bytes(COR_HASH_SEED, bytes, size)", "cor_hash_bytes(COR_HASH_SEED, bytes, 0)"),
    ("command", "process_command.c", " | (forgets ? COR_PROCESS_FORGETS : 0)", ""),
    ("command", "process_command.c", "status == COR_PROCESS_DONE ? \"true\" : \"false\"", "\"true\""),
    ("command", "process_command.c", "are_cells ? size : size - 1", "size"),
    ("command", "process_command.c", "\"%02x\", byte[i]", "\"%x\", byte[i]"),
    ("command", "process_command.c", "host->random(host));", "host->random(host) ^ host->self);"),
    ("command", "process_command.c", "    made->fault = fault > 0 ?", "    made->fault = fault > 1 ?"),
    ("command", "process_command.c", "talk->command->messages[kind]", "talk->command->messages[0 * kind + 1]"),
    ("command", "process_command.c", "    input->weight = (uint32_t)weight;", "    input->weight = 1;"),
    ("command", "process_command.c", "    message->ballot = is_ballot;", "    message->ballot = false;"),
    ("command", "process_command.c", "description->leader_value = (uint32_t)index;", "description->leader_value = 0;"),
    ("command", "process_command.c", "COR_TRY(take_text(json, \"unit\", &attribute->unit, said));", ""),
    ("command", "process_command.c", "int64_t weight = 1, bytes = 0;", "int64_t weight = 0, bytes = 0;"),
    ("command", "process_command.c", "    input->bytes = (uint32_t)bytes;", "    input->bytes = (uint32_t)bytes + 1;"),
    ("command", "process_command.c", "COR_TRY(take_text(&hello, \"meaning\", &description->meaning, said));", ""),
    ("command", "process_command.c", "{\"integer\", \"real\", \"agents\", NULL}", "{\"integer\", \"agents\", \"real\", NULL}"),
    ("command", "process_command.c", "    COR_TRY(cor_json_need(&hello, \"process\", &process, said));\n", "    process = hello;\n"),
    ("all_commands", "process_command.c", "    if (starts && missing)", "    if (0)"),
    ("all_commands", "process_command.c", "    if (strcmp(conversation->line, talk->command->hello) != 0)", "    if (0)"),
    ("all_commands", "process_command.c", "    if (cor_json_size(&list) > MOST)", "    if (cor_json_size(&list) > 1000 * MOST)"),
    ("cluster", "cluster.c", "            left = cor_hash_word(number, i);\n", "            left = number;\n"),
    ("cluster", "cluster.c", "cor_set_add(i < count / 2 ? one : other, order[i]);", "cor_set_add(i <= count / 2 ? one : other, order[i]);"),
    ("cluster", "cluster.c", "        cor_set_add(one, order[count - 1]);\n", "        cor_set_add(one, order[count - 2]);\n"),
    ("cluster", "cluster.c", "        cluster->overview.severed_count--;\n", ""),
]

compiler, top, every = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])
split = sys.argv.index("--")
tests = dict(argument.split("=", 1) for argument in sys.argv[4:split])
tests["all_commands"] = tests["command"]
linked = sys.argv[split + 1:]
room = top / "algorithms" / "processes"
includes = [f"-I{top / folder}/include" for folder in ("sim/base", "sim/json", "algorithms/plugin", "algorithms/cell", "algorithms/host", "algorithms/processes")]


def build(test, mutant, program):
    subprocess.run([compiler, "-std=c17", "-D_POSIX_C_SOURCE=200809L", "-ffp-contract=off", "-fPIC", "-O0", f"-I{room}", *includes, mutant, tests[test], *linked,
                    "-o", program], check=True)


plant(room, BUGS, every, build, lambda test: ["1" if test == "all_commands" else "1000" if test == "cluster" else "100"])
