/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file of the efsm layer (paper 004), said once, as schema.h says that of the interaction layer:
 * an arm is a planner against a system, a suite one test of it, a case a move. */
#ifndef CORRIDOR_EFSM_SCHEMA_H
#define CORRIDOR_EFSM_SCHEMA_H

#include <corridor/layer_schema.h>

#define COR_EFSM_FORMAT_MAJOR 1

#define COR_EFSM_TEST_COLUMNS(X, R)                                                                          \
    COR_SUITE_KEYS(X, R)                                                                                     \
    X(R, uint8_t, verdict, "code", TEST, "how the test ended")                                               \
    X(R, uint8_t, trouble, "code", SYSTEM, "what is wrong with the system itself; 0 = nothing")              \
    X(R, uint8_t, proven, "1", NONE, "1 if what is planned, lost or unreachable is proven")                  \
    X(R, uint32_t, planned, "moves", NONE, "length of the first plan; 4294967295 = the planner did not say") \
    X(R, uint32_t, moves, "moves", NONE, "moves made")                                                       \
    X(R, uint32_t, resets, "resets", NONE, "resets besides the one at the beginning")                        \
    X(R, uint64_t, timeouts, "times", NONE, "times that silence was taken for an answer: may not repeat")    \
    X(R, uint32_t, possible, "states", NONE, "states at most that the system could be in")                   \
    X(R, uint32_t, traps, "traps", NONE, "traps of the goal")                                                \
    X(R, uint32_t, covered, "traps", NONE, "traps covered")                                                  \
    X(R, uint32_t, failed, "1", NONE, "the move that the model does not allow; 0 = none")                    \
    X(R, uint64_t, replies, "1", NONE, "fingerprint of inputs and answers, in their order")

#define COR_EFSM_MOVE_COLUMNS(X, R)                                                                       \
    COR_SUITE_KEYS(X, R)                                                                                  \
    X(R, uint32_t, move, "1", NONE, "move of the test, from 1")                                           \
    X(R, uint32_t, attempt, "1", NONE, "resets before it")                                                \
    X(R, uint16_t, location, "code", NONE, "where the system was, code in catalog/location")              \
    X(R, uint64_t, state_start, "1", NONE, "first value of the state variables, in vectors/value")        \
    X(R, uint32_t, states, "values", NONE, "values of the state")                                         \
    X(R, uint32_t, possible, "states", NONE, "states in which the system could be; the first is shown")   \
    X(R, uint16_t, input, "code", NONE, "input, code in catalog/input")                                   \
    X(R, uint64_t, argument_start, "1", NONE, "first of its arguments in vectors/value")                  \
    X(R, uint32_t, arguments, "values", NONE, "arguments")                                                \
    X(R, uint16_t, transition, "code", NONE, "taken, code in catalog/transition; 0 = none, or not known") \
    X(R, uint64_t, output_start, "1", NONE, "first of its labels in vectors/output")                      \
    X(R, uint32_t, outputs, "labels", NONE, "outputs; 0 = quiet")                                         \
    X(R, uint64_t, value_start, "1", NONE, "first argument of the outputs in vectors/value")              \
    X(R, uint32_t, values, "values", NONE, "arguments of the outputs")                                    \
    X(R, uint8_t, allowed, "1", NONE, "1 if the model allows it")                                         \
    X(R, uint8_t, timeout, "1", NONE, "1 if it was quiet until a clock said so")                          \
    X(R, uint8_t, trouble, "code", SYSTEM, "what was wrong with the system itself; 0 = nothing")          \
    X(R, uint32_t, gained, "traps", NONE, "traps covered by it")                                          \
    X(R, uint32_t, left, "moves", NONE, "of the plan, this one included; 4294967295 = not known")         \
    X(R, uint32_t, candidates, "candidates", NONE, "moves that the planner weighed")                      \
    X(R, uint64_t, degree, "1", NONE, "violation degree of the one chosen; 18446744073709551615 = none is")

#define COR_EFSM_CANDIDATE_COLUMNS(X, R)                                                        \
    COR_SUITE_KEYS(X, R)                                                                        \
    X(R, uint32_t, move, "1", NONE, "move before which it was weighed")                         \
    X(R, uint32_t, rank, "1", NONE, "from 0, the best")                                         \
    X(R, uint16_t, transition, "code", NONE, "that is meant, code in catalog/transition")       \
    X(R, uint16_t, trap, "code", NONE, "that it is to lead to, code in catalog/trap")           \
    X(R, uint16_t, location, "code", NONE, "near the trap, code in catalog/location")           \
    X(R, uint32_t, distance, "moves", NONE, "to there by the control graph, this one included") \
    X(R, uint64_t, degree, "1", NONE, "violation there, behind it")                             \
    X(R, uint64_t, fitness, "1", NONE, "the square of the distance and that of the degree")     \
    X(R, uint8_t, forced, "1", NONE, "1 if the system cannot take a rival instead")

#define COR_EFSM_ALLOWED_COLUMNS(X, R)                                                                 \
    COR_SUITE_KEYS(X, R)                                                                               \
    X(R, uint32_t, move, "1", NONE, "the move that the model does not allow")                          \
    X(R, uint16_t, transition, "code", NONE, "allowed, code in catalog/transition; 0 = to stay quiet") \
    X(R, uint64_t, output_start, "1", NONE, "first of its labels in vectors/output")                   \
    X(R, uint32_t, outputs, "labels", NONE, "outputs; 0 = quiet")                                      \
    X(R, uint64_t, value_start, "1", NONE, "first argument of the outputs in vectors/value")           \
    X(R, uint32_t, values, "values", NONE, "arguments of the outputs")

#define COR_EFSM_TRAP_COLUMNS(X, R)                            \
    COR_SUITE_KEYS(X, R)                                       \
    X(R, uint16_t, trap, "code", NONE, "code in catalog/trap") \
    X(R, uint8_t, end, "code", TRAP_END, "what became of it")  \
    X(R, uint32_t, move, "1", NONE, "that covered it; 0 = none did")

#define COR_EFSM_TAKEN_COLUMNS(X, R)                                       \
    COR_SUITE_KEYS(X, R)                                                   \
    X(R, uint16_t, transition, "code", NONE, "code in catalog/transition") \
    X(R, uint64_t, count, "moves", NONE, "that can only be explained by it")

#define COR_EFSM_MUTANT_COLUMNS(X, R)                                                                  \
    COR_SUITE_KEYS(X, R)                                                                               \
    X(R, uint8_t, difference, "code", EFSM, "can the arm's mutant be told from the model?")            \
    X(R, uint32_t, length, "inputs", NONE, "of a shortest test that tells them apart; 0 = none known") \
    X(R, uint64_t, moves, "moves", NONE, "tried to find out")

#define COR_EFSM_GOAL_COLUMNS(X, R)                                   \
    COR_SUITE_KEYS(X, R)                                              \
    X(R, uint32_t, move, "1", NONE, "move that was answered with it") \
    X(R, uint16_t, goal, "code", NONE, "code in catalog/goal")        \
    X(R, uint8_t, adds, "1", NONE, "1 if it is asked for from the next move on; 0: no more")

#define COR_EFSM_TROUBLE_COLUMNS(X, R)                                                                     \
    COR_SUITE_KEYS(X, R)                                                                                   \
    X(R, uint32_t, move, "1", NONE, "move at which it was; 0 = at the first reset")                        \
    X(R, uint64_t, words_start, "bytes", NONE, "first byte in vectors/words: a sentence, UTF-8 as a rule") \
    X(R, uint32_t, words, "bytes", NONE, "bytes of the sentence")

/* X(L, TABLE, group, row struct, columns, meaning[, since, aside]) */
#define COR_EFSM_TABLES(X, L)                                                                        \
    X(L, TESTS, "tests", efsm_test, COR_EFSM_TEST_COLUMNS, "tests on line, each a suite of its arm") \
    X(L, MOVES, "moves", efsm_move, COR_EFSM_MOVE_COLUMNS, "moves of the tests")                     \
    X(L, CANDIDATES, "candidates", efsm_candidate, COR_EFSM_CANDIDATE_COLUMNS,                       \
      "what the planner \"paper\" weighed")                                                          \
    X(L, ALLOWED, "allowed", efsm_allowed, COR_EFSM_ALLOWED_COLUMNS,                                 \
      "what would have been allowed where a test failed")                                            \
    X(L, TRAPS, "traps", efsm_trap, COR_EFSM_TRAP_COLUMNS, "traps of the goal in each test")         \
    X(L, TAKEN, "taken", efsm_taken, COR_EFSM_TAKEN_COLUMNS, "transitions taken in each test")       \
    X(L, MUTANTS, "mutants", efsm_mutant, COR_EFSM_MUTANT_COLUMNS,                                   \
      "mutants beside the model, in the first suite of the first arm of each")                       \
    X(L, GOALS, "goals", efsm_goal, COR_EFSM_GOAL_COLUMNS,                                           \
      "goals that the system itself asked for, or for no more, while a test ran", 1)                 \
    X(L, TROUBLES, "troubles", efsm_trouble, COR_EFSM_TROUBLE_COLUMNS,                               \
      "what was wrong with the system itself, in words", 1, true)

/* X(L, VECTOR, dataset under /vectors, C type, meaning[, since, aside]) */
#define COR_EFSM_VECTORS(X, L)                                                                       \
    X(L, VALUE, "value", double, "values of states, arguments of inputs and outputs: whole numbers") \
    X(L, OUTPUT, "output", uint16_t, "labels of outputs, codes in catalog/output")                   \
    X(L, ARITY, "arity", uint16_t, "how many arguments each of these labels has")                    \
    X(L, WORDS, "words", uint8_t, "sentences, see troubles", 1, true)

/* X(L, CATALOG, group under /catalog, meaning[, since]) */
#define COR_EFSM_CATALOGS(X, L)                                                        \
    X(L, ARM, "arm", "arms of the campaign: a planner against a system")               \
    X(L, TRANSITION, "transition", "transitions of the model; 0 is none")              \
    X(L, LOCATION, "location", "locations of the model")                               \
    X(L, INPUT, "input", "labels of inputs, with their parameters")                    \
    X(L, OUTPUT, "output", "labels of outputs; 0 is one that the model does not have") \
    X(L, STATE, "state", "state variables, in the order of vectors/value")             \
    X(L, TRAP, "trap", "traps of the goal")                                            \
    X(L, GOAL, "goal", "goals that the system itself may ask for, or for no more", 1)

/* Numbers of the tables, vectors and catalogs of this layer: their indices in cor_efsm_schema, by which
 * record and result take them. */
COR_NUMBERS(efsm_table, COR_EFSM_TABLES, COR_EFSM_TABLE_)
COR_NUMBERS(efsm_vector, COR_EFSM_VECTORS, COR_EFSM_VECTOR_)
COR_NUMBERS(efsm_catalog, COR_EFSM_CATALOGS, COR_EFSM_CATALOG_)

/* The row structs: struct cor_efsm_test_row and so on. */
COR_EFSM_TABLES(COR_EACH_STRUCT, )

extern const struct cor_layer_schema cor_efsm_schema;

#endif
