/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file of the system layer (papers 001 and 002), said once, as schema.h says that of the
 * interaction layer: an arm is a world and how it is changed, a suite one test in it, a case a cycle of a
 * test agent. */
#ifndef CORRIDOR_SYSTEM_SCHEMA_H
#define CORRIDOR_SYSTEM_SCHEMA_H

#include <corridor/layer_schema.h>

#define COR_SYSTEM_FORMAT_MAJOR 1

#define COR_SYSTEM_TURNS_MAX 1000000 /* that a test keeps, of all its test agents (16): then it is cut */

/* A text is a part of vectors/text. */
#define COR_SYSTEM_TEXT(X, R, name, what)                                            \
    X(R, uint64_t, name##_start, "1", NONE, what ": its first byte in vectors/text") \
    X(R, uint32_t, name##_bytes, "bytes", NONE, "bytes of that; 0 = none")

#define COR_SYSTEM_TEST_COLUMNS(X, R)                                                                \
    COR_SUITE_KEYS(X, R)                                                                             \
    X(R, uint16_t, test, "code", NONE, "test with its examples, code in catalog/test")               \
    X(R, uint32_t, run, "1", NONE, "repetition, from 0")                                             \
    X(R, uint8_t, verdict, "code", TEST, "how the test ended")                                       \
    X(R, uint8_t, trouble, "code", SYSTEM, "what is wrong with the world itself; 0 = nothing")       \
    X(R, uint32_t, cycles, "cycles", NONE, "cycles of the test")                                     \
    X(R, uint64_t, ticks, "ticks", NONE, "of the world when the test ended")                         \
    X(R, uint32_t, decided, "cycles", NONE, "cycle that fixed the verdict; 0 = the end of the test") \
    X(R, uint32_t, judged, "1", NONE, "verdicts of judges that were told")                           \
    X(R, uint32_t, violated, "1", NONE, "verdicts that something is violated")                       \
    X(R, uint32_t, unknown, "1", NONE, "verdicts that could not be told")                            \
    X(R, uint32_t, entities, "entities", NONE, "entities seen")                                      \
    X(R, uint32_t, cells, "cells", NONE, "free cells seen")                                          \
    X(R, uint64_t, replies, "1", NONE, "fingerprint of commands and views, in their order")          \
    COR_SYSTEM_TEXT(X, R, why, "reason")

#define COR_SYSTEM_AGENT_COLUMNS(X, R)                                                                    \
    COR_SUITE_KEYS(X, R)                                                                                  \
    X(R, uint16_t, test_agent, "code", NONE, "code in catalog/test_agent")                                \
    X(R, uint8_t, end, "code", GOAL, "what became of its goal")                                           \
    X(R, uint32_t, cycles, "cycles", NONE, "cycles until then")                                           \
    X(R, uint32_t, actions, "actions", NONE, "actions carried out")                                       \
    X(R, uint32_t, waited, "cycles", NONE, "cycles in which it was stalled")                              \
    X(R, uint64_t, budget_left, "actions", NONE, "of its budget; 18446744073709551615 = it has no limit") \
    X(R, double, reward, "1", NONE, "that it got")                                                        \
    COR_SYSTEM_TEXT(X, R, why, "why it failed, or the guard that it waits for")

#define COR_SYSTEM_CYCLE_COLUMNS(X, R)                                                                      \
    COR_SUITE_KEYS(X, R)                                                                                    \
    X(R, uint32_t, cycle, "1", NONE, "cycle of the test; 0: what comes before the first")                   \
    X(R, uint16_t, test_agent, "code", NONE, "whose turn it is, code in catalog/test_agent")                \
    X(R, uint8_t, turn, "code", TURN, "what it did")                                                        \
    X(R, uint16_t, action, "code", NONE, "action, code in catalog/action")                                  \
    X(R, uint16_t, goal, "code", NONE, "goal that it works on, code in catalog/goal; 0 = none")             \
    X(R, uint64_t, tick, "ticks", NONE, "of the world behind it")                                           \
    X(R, uint32_t, column, "cells", NONE, "where it stands behind it; 4294967295 = in no cell")             \
    X(R, uint32_t, row, "cells", NONE, "row of that cell")                                                  \
    X(R, uint32_t, floor, "1", NONE, "floor of that cell")                                                  \
    X(R, uint64_t, state, "1", NONE, "named states that hold behind it: bit i is entry i of catalog/state") \
    X(R, uint64_t, state_unknown, "1", NONE, "named states that are unknown, likewise")                     \
    X(R, uint32_t, shown, "entities", NONE, "entities that the view names")                                 \
    X(R, double, reward, "1", NONE, "reward of the cycle")                                                  \
    X(R, uint8_t, trouble, "code", SYSTEM, "what was wrong with the world; 0 = nothing")                    \
    COR_SYSTEM_TEXT(X, R, command, "the command as JSON")                                                   \
    COR_SYSTEM_TEXT(X, R, picture, "name of the picture that the world sent")

#define COR_SYSTEM_GOAL_COLUMNS(X, R)                                         \
    COR_SUITE_KEYS(X, R)                                                      \
    X(R, uint16_t, test_agent, "code", NONE, "code in catalog/test_agent")    \
    X(R, uint16_t, goal, "code", NONE, "code in catalog/goal")                \
    X(R, uint32_t, depth, "1", NONE, "goals above it")                        \
    X(R, uint32_t, begun, "cycles", NONE, "cycle in which it became current") \
    X(R, uint32_t, ended, "cycles", NONE, "cycle in which it ended")          \
    X(R, uint32_t, actions, "actions", NONE, "actions that it cost")          \
    X(R, uint8_t, end, "code", GOAL, "what became of it")                     \
    COR_SYSTEM_TEXT(X, R, why, "why it failed")

#define COR_SYSTEM_VERDICT_COLUMNS(X, R)                                                                    \
    COR_SUITE_KEYS(X, R)                                                                                    \
    X(R, uint8_t, judge, "code", JUDGE, "what judges")                                                      \
    X(R, uint16_t, check, "code", NONE, "what is judged, code in catalog/check")                            \
    X(R, uint16_t, test_agent, "code", NONE, "by whose beliefs, code in catalog/test_agent; 0 = of nobody") \
    X(R, uint8_t, verdict, "code", VERDICT, "passed, failed, or undecided: unknown")                        \
    X(R, uint32_t, cycle, "cycles", NONE, "cycle that fixed it; 0 = the end of the test")                   \
    COR_SYSTEM_TEXT(X, R, why, "why it does not hold, with the values")

#define COR_SYSTEM_ENTITY_COLUMNS(X, R)                                             \
    COR_SUITE_KEYS(X, R)                                                            \
    X(R, uint16_t, type, "code", NONE, "its type, code in catalog/type")            \
    X(R, uint32_t, first, "cycles", NONE, "cycle in which it was seen first")       \
    X(R, uint32_t, seen, "cycles", NONE, "cycles in which it was seen, or changed") \
    X(R, uint32_t, touched, "actions", NONE, "actions on it")                       \
    COR_SYSTEM_TEXT(X, R, identity, "its identity")

#define COR_SYSTEM_CELL_COLUMNS(X, R)                                         \
    COR_SUITE_KEYS(X, R)                                                      \
    X(R, uint32_t, column, "cells", NONE, "column of the cell, from 0")       \
    X(R, uint32_t, row, "cells", NONE, "its row")                             \
    X(R, uint32_t, floor, "1", NONE, "its floor")                             \
    X(R, uint8_t, free, "1", NONE, "1 if one can stand in it")                \
    X(R, uint32_t, first, "cycles", NONE, "cycle in which it was seen first") \
    X(R, uint32_t, visits, "cycles", NONE, "cycles that a test agent stood in it")

#define COR_SYSTEM_STEP_COLUMNS(X, R)                                                         \
    COR_SUITE_KEYS(X, R)                                                                      \
    X(R, uint64_t, from, "1", NONE, "named states before: bit i is entry i of catalog/state") \
    X(R, uint16_t, action, "code", NONE, "action, code in catalog/action")                    \
    X(R, uint64_t, to, "1", NONE, "named states behind it")                                   \
    X(R, uint64_t, count, "cycles", NONE, "in which that was seen")

#define COR_SYSTEM_COVERED_COLUMNS(X, R)                                           \
    COR_SUITE_KEYS(X, R)                                                           \
    X(R, uint32_t, number, "1", NONE, "of what the world says was executed of it") \
    X(R, uint32_t, first, "cycles", NONE, "cycle in which it was said first")      \
    X(R, uint64_t, count, "cycles", NONE, "in which it was said")

/* X(L, TABLE, group, row struct, columns, meaning) */
#define COR_SYSTEM_TABLES(X, L)                                                                             \
    X(L, TESTS, "tests", system_test, COR_SYSTEM_TEST_COLUMNS, "tests, each a suite of its arm")            \
    X(L, AGENTS, "test_agents", system_agent, COR_SYSTEM_AGENT_COLUMNS, "test agents of each test")         \
    X(L, CYCLES, "cycles", system_cycle, COR_SYSTEM_CYCLE_COLUMNS, "turns of test agents")                  \
    X(L, GOALS, "goals", system_goal, COR_SYSTEM_GOAL_COLUMNS, "goals that became current, and their ends") \
    X(L, VERDICTS, "verdicts", system_verdict, COR_SYSTEM_VERDICT_COLUMNS,                                  \
      "what judges said: once of each that held, once of each cycle in which one did not")                  \
    X(L, ENTITIES, "entities", system_entity, COR_SYSTEM_ENTITY_COLUMNS, "entities that were seen")         \
    X(L, CELLS, "cells", system_cell, COR_SYSTEM_CELL_COLUMNS, "cells that were seen")                      \
    X(L, STEPS, "steps", system_step, COR_SYSTEM_STEP_COLUMNS,                                              \
      "the learnt model: actions between named states, and how often")                                      \
    X(L, COVERED, "covered", system_covered, COR_SYSTEM_COVERED_COLUMNS,                                    \
      "what the world says was executed of it")

/* X(L, VECTOR, dataset under /vectors, C type, meaning) */
#define COR_SYSTEM_VECTORS(X, L) \
    X(L, TEXT, "text", uint8_t, "texts of commands, identities and reasons: UTF-8")

/* X(L, CATALOG, group under /catalog, meaning) */
#define COR_SYSTEM_CATALOGS(X, L)                                                                  \
    X(L, ARM, "arm", "arms of the campaign: a world, its change, a policy")                        \
    X(L, TEST, "test", "tests, each with a combination of its examples")                           \
    X(L, AGENT, "test_agent", "test agents; 0 is nobody")                                          \
    X(L, ACTION, "action", "actions of the world; 0 waits, 1 looks")                               \
    X(L, GOAL, "goal", "goals by name, or by kind; 0 is none")                                     \
    X(L, CHECK, "check", "what is judged: asserts, post-conditions, invariants, formulas, models") \
    X(L, STATE, "state", "named states, the conditions that they are")                             \
    X(L, TYPE, "type", "types of entities")

/* Numbers of the tables, vectors and catalogs of this layer: their indices in cor_system_schema, by which
 * record and result take them. */
COR_NUMBERS(system_table, COR_SYSTEM_TABLES, COR_SYSTEM_TABLE_)
COR_NUMBERS(system_vector, COR_SYSTEM_VECTORS, COR_SYSTEM_VECTOR_)
COR_NUMBERS(system_catalog, COR_SYSTEM_CATALOGS, COR_SYSTEM_CATALOG_)

/* The row structs: struct cor_system_test_row and so on. */
COR_SYSTEM_TABLES(COR_EACH_STRUCT, )

extern const struct cor_layer_schema cor_system_schema;

#endif
