/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file of the process layer (distributed programs under test), said once, as schema.h says that of
 * the interaction layer: an arm is a program with a fault, an environment and a generator, a suite some
 * schedules of it, a sequence one schedule, a case a span of ticks. */
#ifndef CORRIDOR_PROCESS_SCHEMA_H
#define CORRIDOR_PROCESS_SCHEMA_H

#include <corridor/layer_schema.h>

#define COR_PROCESS_FORMAT_MAJOR 1

/* A text is a part of vectors/text. */
#define COR_PROCESS_TEXT(X, R, name, what)                                           \
    X(R, uint64_t, name##_start, "1", NONE, what ": its first byte in vectors/text") \
    X(R, uint32_t, name##_bytes, "bytes", NONE, "bytes of that; 0 = none")

#define COR_PROCESS_SEQUENCE_KEYS(X, R) \
    COR_SUITE_KEYS(X, R)                \
    X(R, uint32_t, sequence, "1", NONE, "schedule within the suite, from 0")

#define COR_PROCESS_SUITE_COLUMNS(X, R)                                                              \
    COR_SUITE_KEYS(X, R)                                                                             \
    X(R, uint32_t, sequences, "sequences", NONE, "schedules that were executed")                     \
    X(R, uint32_t, failed, "sequences", NONE, "thereof failed: a violation, or an end of a process") \
    X(R, uint32_t, undecided, "sequences", NONE, "thereof undecided")                                \
    X(R, uint64_t, cases, "cases", NONE, "whole cases of all schedules")                             \
    X(R, uint64_t, events, "events", NONE, "that happened")                                          \
    X(R, uint64_t, messages, "messages", NONE, "that were delivered")                                \
    X(R, uint64_t, ticks, "ticks", NONE, "of virtual time, of all schedules")                        \
    X(R, uint64_t, seen, "1", NONE, "different states that processes showed together in the suite")  \
    X(R, uint8_t, seen_full, "code", NONE, "1 if there were more states than are remembered: seen is a least")

#define COR_PROCESS_SEQUENCE_COLUMNS(X, R)                                                                   \
    COR_PROCESS_SEQUENCE_KEYS(X, R)                                                                          \
    X(R, uint16_t, generator, "code", NONE, "what made the schedule, code in catalog/generator")             \
    X(R, uint8_t, verdict, "code", VERDICT,                                                                  \
      "passed, failed, or undecided: it was cut short, or a constraint was not decided")                     \
    X(R, uint16_t, violated, "code", NONE,                                                                   \
      "what was violated first, code in catalog/constraint; 0 = nothing")                                    \
    X(R, uint32_t, violated_case, "1", NONE, "case of that, from 1; 0 = none")                               \
    X(R, uint32_t, violated_event, "1", NONE, "event of that, from 1; 0 = none")                             \
    X(R, uint16_t, end, "code", NONE, "how a process ended by itself, code in catalog/end; 0 = none did")    \
    X(R, uint8_t, end_process, "1", NONE, "which; 255 = none")                                               \
    X(R, uint8_t, cut, "code", NONE, "1 if so many events as a schedule may have came before its last case") \
    X(R, uint16_t, open, "constraints", NONE, "that were not decided")                                       \
    X(R, uint32_t, cases, "cases", NONE, "whole ones")                                                       \
    X(R, uint32_t, events, "events", NONE, "that happened")                                                  \
    X(R, uint32_t, messages, "messages", NONE, "that were delivered")                                        \
    X(R, uint64_t, ticks, "ticks", NONE, "of virtual time")                                                  \
    X(R, uint64_t, digest, "1", NONE, "fingerprint of all that was shown, sent, set and stored")             \
    X(R, uint32_t, kept, "events", NONE, "rows of the schedule in table events; 0 = it is not kept")         \
    COR_PROCESS_TEXT(X, R, why, "what is violated, or what the process did")

#define COR_PROCESS_CASE_COLUMNS(X, R)                                                         \
    COR_PROCESS_SEQUENCE_KEYS(X, R)                                                            \
    X(R, uint32_t, case_, "1", NONE, "span of ticks within the schedule, from 1")              \
    X(R, uint16_t, weather, "code", NONE, "state of the environment, code in catalog/weather") \
    X(R, uint8_t, whole, "code", NONE, "1 if the schedule went on to its end")                 \
    X(R, uint32_t, events, "events", NONE, "that happened in it")                              \
    X(R, uint32_t, messages, "messages", NONE, "that were delivered in it")                    \
    X(R, uint32_t, faults, "events", NONE, "of the surroundings that happened in it")

#define COR_PROCESS_VIOLATION_COLUMNS(X, R)                                                  \
    COR_PROCESS_SEQUENCE_KEYS(X, R)                                                          \
    X(R, uint16_t, constraint, "code", NONE, "that is violated, code in catalog/constraint") \
    X(R, uint32_t, case_, "1", NONE, "case of the violation, from 1")                        \
    X(R, uint32_t, event, "1", NONE, "event of it, from 1")                                  \
    X(R, uint8_t, one, "1", NONE,                                                            \
      "process that the first variable of the constraint stands for; 255 = none")            \
    X(R, uint8_t, other, "1", NONE, "process of the second; 255 = none")                     \
    X(R, uint64_t, count, "1", NONE, "bindings of the variables under which it is violated")

#define COR_PROCESS_CONSTRAINT_COLUMNS(X, R)                                                        \
    COR_SUITE_KEYS(X, R)                                                                            \
    X(R, uint16_t, constraint, "code", NONE, "that is judged, code in catalog/constraint")          \
    X(R, uint32_t, tested, "sequences", NONE,                                                       \
      "schedules that could have violated it: something that it reads changed, or its channel was " \
      "told of by two, or an index of it twice; of counters, anything else; or what `tested` of "   \
      "the corridor says")                                                                          \
    X(R, uint32_t, violated, "sequences", NONE, "schedules that violated it first")                 \
    X(R, uint32_t, undecided, "sequences", NONE, "schedules in which it had no verdict")

#define COR_PROCESS_HAPPENED_COLUMNS(X, R)                                      \
    COR_SUITE_KEYS(X, R)                                                        \
    X(R, uint16_t, event, "code", NONE, "kind of event, code in catalog/event") \
    X(R, uint64_t, count, "events", NONE, "of that kind that happened in the suite")

#define COR_PROCESS_SEEN_COLUMNS(X, R)                                    \
    COR_SUITE_KEYS(X, R)                                                  \
    X(R, uint32_t, sequences, "sequences", NONE, "schedules up to there") \
    X(R, uint64_t, states, "1", NONE, "different states that processes showed together up to there")

#define COR_PROCESS_TRAP_COLUMNS(X, R)                                              \
    COR_SUITE_KEYS(X, R)                                                            \
    X(R, uint16_t, trap, "code", NONE, "that was looked for, code in catalog/trap") \
    X(R, uint32_t, met, "sequences", NONE, "schedules that met it; 0 = it was not reached")

#define COR_PROCESS_MET_COLUMNS(X, R)                                                 \
    COR_PROCESS_SEQUENCE_KEYS(X, R)                                                   \
    X(R, uint16_t, trap, "code", NONE, "that the schedule met, code in catalog/trap") \
    X(R, uint32_t, case_, "1", NONE, "case in which it was met first, from 1")        \
    X(R, uint32_t, event, "1", NONE, "event after which, from 1; 0 = before the first event")

#define COR_PROCESS_EVENT_COLUMNS(X, R)                                        \
    COR_PROCESS_SEQUENCE_KEYS(X, R)                                            \
    X(R, uint32_t, number, "1", NONE, "of the event in the schedule, from 1")  \
    X(R, uint64_t, tick, "ticks", NONE, "virtual time of it")                  \
    X(R, uint16_t, event, "code", NONE, "its kind, code in catalog/event")     \
    X(R, uint8_t, process, "1", NONE, "to which it happens")                   \
    X(R, uint8_t, peer, "1", NONE, "the other one, as the kind has it")        \
    X(R, uint8_t, what, "1", NONE, "message, alarm, input or cell, by number") \
    X(R, uint32_t, ordinal, "1", NONE, "which of those that are alike, from 0")

/* X(L, TABLE, group, row struct, columns, meaning[, since]) */
#define COR_PROCESS_TABLES(X, L)                                                                           \
    X(L, SUITES, "suites", process_suite, COR_PROCESS_SUITE_COLUMNS, "suites: schedules of an arm")        \
    X(L, SEQUENCES, "sequences", process_sequence, COR_PROCESS_SEQUENCE_COLUMNS,                           \
      "schedules, and how they ended")                                                                     \
    X(L, CASES, "cases", process_case, COR_PROCESS_CASE_COLUMNS,                                           \
      "cases of schedules that are kept; of all if the experiment says so")                                \
    X(L, VIOLATIONS, "violations", process_violation, COR_PROCESS_VIOLATION_COLUMNS,                       \
      "violations of invariants, with the processes that they are about")                                  \
    X(L, CONSTRAINTS, "constraints", process_constraint, COR_PROCESS_CONSTRAINT_COLUMNS,                   \
      "constraints that are judged, and what became of them")                                              \
    X(L, HAPPENED, "happened", process_happened, COR_PROCESS_HAPPENED_COLUMNS, "events by their kind")     \
    X(L, SEEN, "seen", process_seen, COR_PROCESS_SEEN_COLUMNS,                                             \
      "how many states were new, schedule after schedule: after 1, 2, 4 .. and all")                       \
    X(L, EVENTS, "events", process_event, COR_PROCESS_EVENT_COLUMNS,                                       \
      "schedules that are kept: of each suite the first of each class of failures; all if the experiment " \
      "says so")                                                                                           \
    X(L, TRAPS, "traps", process_trap, COR_PROCESS_TRAP_COLUMNS,                                           \
      "traps that are looked for, and in how many schedules each was met", 1)                              \
    X(L, MET, "met", process_met, COR_PROCESS_MET_COLUMNS, "traps that schedules met, and where first", 1)

/* X(L, VECTOR, dataset under /vectors, C type, meaning) */
#define COR_PROCESS_VECTORS(X, L) X(L, TEXT, "text", uint8_t, "sentences about violations and ends: UTF-8")

/* X(L, CATALOG, group under /catalog, meaning[, since]) */
#define COR_PROCESS_CATALOGS(X, L)                                                       \
    X(L, ARM, "arm", "arms of the campaign: a program, its fault, an environment")       \
    X(L, CONSTRAINT, "constraint", "constraints of the corridors; 0 is none")            \
    X(L, END, "end", "how a process can end by itself; 0 is not at all")                 \
    X(L, EVENT, "event", "kinds of events")                                              \
    X(L, GENERATOR, "generator", "what made the schedules")                              \
    X(L, WEATHER, "weather", "states of the environments")                               \
    X(L, MESSAGE, "message",                                                             \
      "kinds of messages, by their numbers; nothing where programs of arms have others") \
    X(L, TRAP, "trap", "traps: conditions that schedules were to meet", 1)

/* Numbers of the tables, vectors and catalogs of this layer: their indices in cor_process_schema, by which
 * record and result take them. */
COR_NUMBERS(process_table, COR_PROCESS_TABLES, COR_PROCESS_TABLE_)
COR_NUMBERS(process_vector, COR_PROCESS_VECTORS, COR_PROCESS_VECTOR_)
COR_NUMBERS(process_catalog, COR_PROCESS_CATALOGS, COR_PROCESS_CATALOG_)

#define COR_PROCESS_NOBODY 255 /* in columns that name a process */
#define COR_PROCESS_NUMBERS 255 /* processes are numbered below it */

/* The row structs: struct cor_process_suite_row and so on. */
COR_PROCESS_TABLES(COR_EACH_STRUCT, )

extern const struct cor_layer_schema cor_process_schema;

#endif
