/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result file of a search, said once, as schema.h says that of the interaction layer: an arm is a
 * generator on an arm of an experiment, a suite is an island - a search of its own -, a row a test that was
 * executed. Tests are no sample of the experiment's laws: no rate may be made of them. */
#ifndef CORRIDOR_SEARCH_SCHEMA_H
#define CORRIDOR_SEARCH_SCHEMA_H

#include <corridor/failure_class.h>
#include <corridor/schema.h>

#define COR_SEARCH_FORMAT_NAME "corridor-search"
#define COR_SEARCH_FORMAT_MAJOR 1

/* Of the tests of an island so many have a row from the first on; of those behind, those that did something
 * new or failed in a new way. */
#define COR_SEARCH_TESTS_WHOLE 10000

/* A class of failures. `killers` is as the first files have it, and has no room for checks from code 12 on;
 * all of them are in the columns of the boxes. */
#define COR_SEARCH_CLASS_COLUMNS(X, R)                                                               \
    X(R, uint64_t, killers, "1", NONE,                                                               \
      "what saw it: bit (box * 12 + check) of checks below 12; bit 0: smoke")                        \
    X(R, uint8_t, smoke, "code", SMOKE, "how the algorithm failed without a result")                 \
    X(R, uint8_t, fault, "1", NONE, "1 if the arm's fault corrupted something in that case")         \
    X(R, uint64_t, by_detect, "1", NONE, "checks that saw it through the box detect: bit = code", 1) \
    X(R, uint64_t, by_gray, "1", NONE, "through the box gray", 1)                                    \
    X(R, uint64_t, by_black, "1", NONE, "through the box black", 1)                                  \
    X(R, uint64_t, by_interim, "1", NONE, "through the box interim", 1)                              \
    X(R, uint64_t, by_move, "1", NONE, "through the box move", 2)                                    \
    X(R, uint64_t, by_time, "1", NONE, "through the box time", 2)

/* The class in a row that has these columns. */
#define COR_SEARCH_CLASS(row)                                                                    \
    cor_search_class_read((row)->killers, (row)->smoke, (row)->fault,                            \
                          (const uint64_t[COR_BOX_CODES]){[COR_BOX_GRAY] = (row)->by_gray,       \
                                                          [COR_BOX_BLACK] = (row)->by_black,     \
                                                          [COR_BOX_DETECT] = (row)->by_detect,   \
                                                          [COR_BOX_INTERIM] = (row)->by_interim, \
                                                          [COR_BOX_MOVE] = (row)->by_move,       \
                                                          [COR_BOX_TIME] = (row)->by_time})

/* Puts a class into a row that has these columns. */
#define COR_SEARCH_CLASS_PUT(row, class)                                                        \
    ((row)->killers = cor_search_killers(class), (row)->smoke = (uint8_t)(class)->smoke,        \
     (row)->fault = (class)->fault, (row)->by_detect = (class)->killers.checks[COR_BOX_DETECT], \
     (row)->by_gray = (class)->killers.checks[COR_BOX_GRAY],                                    \
     (row)->by_black = (class)->killers.checks[COR_BOX_BLACK],                                  \
     (row)->by_interim = (class)->killers.checks[COR_BOX_INTERIM],                              \
     (row)->by_move = (class)->killers.checks[COR_BOX_MOVE],                                    \
     (row)->by_time = (class)->killers.checks[COR_BOX_TIME])

#define COR_SEARCH_ISLAND_COLUMNS(X, R)                                                                   \
    COR_SUITE_KEYS(X, R)                                                                                  \
    X(R, uint16_t, generator, "code", NONE, "code in catalog/generator")                                  \
    X(R, uint16_t, target, "code", NONE, "arm of the experiment, code in catalog/target")                 \
    X(R, uint64_t, budget, "cases", NONE, "test cases that were to be executed")                          \
    X(R, uint64_t, cases, "cases", NONE, "test cases executed: all that the generator has executed, too") \
    X(R, uint32_t, tests, "tests", NONE, "tests executed")                                                \
    X(R, uint32_t, failing, "tests", NONE, "tests that failed")                                           \
    X(R, uint64_t, first, "cases", NONE, "executed up to the first failing case, it included; 0: none")   \
    X(R, uint32_t, classes, "classes", NONE, "classes of failures found")                                 \
    X(R, uint32_t, features, "features", NONE, "features seen")                                           \
    X(R, uint64_t, last_new, "cases", NONE,                                                               \
      "executed when the last new feature was seen, its test included")                                   \
    X(R, uint8_t, interrupted, "1", NONE, "1 if it was interrupted before its budget was used up")

#define COR_SEARCH_TEST_COLUMNS(X, R)                                                         \
    COR_SUITE_KEYS(X, R)                                                                      \
    X(R, uint32_t, test, "1", NONE, "test of the island, from 1")                             \
    X(R, uint32_t, parent, "1", NONE, "the test that it was made from; 0 = none")             \
    X(R, uint8_t, mutation, "code", MUTATION, "how it was made")                              \
    X(R, double, energy, "tests", NONE, "tests that its parent was worth")                    \
    X(R, uint32_t, drawn_suite, "1", NONE, "suite by whose streams it is drawn")              \
    X(R, uint32_t, drawn_sequence, "1", NONE, "sequence by whose streams it is drawn")        \
    X(R, double, weight_mantissa, "1", NONE,                                                  \
      "weight of its walk: weight_mantissa * 2^-weight_halvings; 0: it has none")             \
    X(R, uint32_t, weight_halvings, "1", NONE, "see weight_mantissa")                         \
    X(R, uint64_t, spent, "cases", NONE, "executed by the generator to make it")              \
    X(R, uint32_t, cases, "cases", NONE, "executed of the test itself")                       \
    X(R, uint64_t, total, "cases", NONE, "executed by the island so far, this test included") \
    X(R, uint32_t, features, "features", NONE, "features of the test")                        \
    X(R, uint32_t, fresh, "features", NONE, "thereof new to the island")                      \
    X(R, uint32_t, reorganizations, "1", NONE, "reorganizations of the test")                 \
    X(R, uint64_t, reached, "times", NONE, "the seam of the arm's fault was executed")        \
    X(R, uint64_t, held, "times", NONE, "its condition held there")                           \
    X(R, uint64_t, activated, "times", NONE, "it corrupted something")                        \
    X(R, uint32_t, case_, "1", NONE, "the first case that failed; 0 = none did")              \
    COR_SEARCH_CLASS_COLUMNS(X, R)

#define COR_SEARCH_CORPUS_COLUMNS(X, R)                                                              \
    COR_SUITE_KEYS(X, R)                                                                             \
    X(R, uint32_t, test, "1", NONE, "test of the island that was kept")                              \
    X(R, uint32_t, favoured, "features", NONE, "features for which it is the test that costs least") \
    X(R, uint64_t, feature_start, "1", NONE, "first of its features in vectors/feature")             \
    X(R, uint32_t, features, "features", NONE, "features of it")                                     \
    X(R, uint64_t, text_start, "bytes", NONE, "first byte of its test file in vectors/text")         \
    X(R, uint32_t, text, "bytes", NONE, "bytes of its test file")

#define COR_SEARCH_FINDING_COLUMNS(X, R)                                                         \
    COR_SUITE_KEYS(X, R)                                                                         \
    X(R, uint32_t, finding, "1", NONE, "class of failures of the island, from 1")                \
    X(R, uint32_t, test, "1", NONE, "the first test that failed so")                             \
    X(R, uint64_t, first, "cases", NONE, "executed up to the case in which it did, it included") \
    X(R, uint32_t, tests, "tests", NONE, "tests that failed so")                                 \
    X(R, uint32_t, case_, "1", NONE, "the case of that test that failed")                        \
    COR_SEARCH_CLASS_COLUMNS(X, R)                                                               \
    X(R, uint64_t, text_start, "bytes", NONE, "first byte of that test's file in vectors/text")  \
    X(R, uint32_t, text, "bytes", NONE, "bytes of that test's file")

#define COR_SEARCH_REGION_COLUMNS(X, R)                                                                   \
    COR_SUITE_KEYS(X, R)                                                                                  \
    X(R, uint32_t, round, "1", NONE, "round of learning, from 1")                                         \
    X(R, uint64_t, cases, "cases", NONE, "executed by the island when it was learned")                    \
    X(R, uint32_t, suites, "suites", NONE, "learned from")                                                \
    X(R, uint32_t, hits, "suites", NONE, "thereof with the target met")                                   \
    X(R, uint32_t, inside, "suites", NONE, "of those learned from, within the region")                    \
    X(R, uint32_t, inside_hits, "suites", NONE, "thereof with the target met")                            \
    X(R, uint32_t, fresh, "suites", NONE, "drawn within the region afterwards")                           \
    X(R, uint32_t, fresh_hits, "suites", NONE, "thereof with the target met")                             \
    X(R, uint8_t, target, "1", NONE,                                                                      \
      "1: the seam was reached, 2: its condition held, 3: the fault was activated or the probe's bucket " \
      "counted")                                                                                          \
    X(R, uint32_t, law, "suites", NONE, "drawn by the law, in all rounds")                                \
    X(R, uint32_t, law_hits, "suites", NONE, "thereof with the target met")                               \
    X(R, double, chance, "1", NONE,                                                                       \
      "probability of so many fresh hits or more if the region were no better than the law")              \
    X(R, uint32_t, support, "draws", NONE, "of parameters by the law, not executed")                      \
    X(R, uint32_t, support_inside, "draws", NONE, "thereof within the region")                            \
    X(R, uint8_t, settled, "1", NONE, "1 for the region from which suites were drawn to the end")         \
    X(R, uint64_t, text_start, "bytes", NONE, "first byte of its constraints in vectors/text")            \
    X(R, uint32_t, text, "bytes", NONE, "bytes of its constraints: a line each, all of which are to hold")

#define COR_SEARCH_STAGE_COLUMNS(X, R)                                                           \
    COR_SUITE_KEYS(X, R)                                                                         \
    X(R, uint32_t, stage, "1", NONE, "from 0: tests by the law")                                 \
    X(R, uint32_t, climbs, "1", NONE, "that came to this stage")                                 \
    X(R, uint32_t, tests, "tests", NONE, "made in it")                                           \
    X(R, uint32_t, rose, "tests", NONE, "thereof taken as the start of tests of the next stage") \
    X(R, double, lowest, "1", NONE, "the least of the highest levels of these tests; NaN: none") \
    X(R, double, highest, "1", NONE, "the greatest of them; NaN: none")

#define COR_SEARCH_CELL_COLUMNS(X, R)                                                               \
    COR_SUITE_KEYS(X, R)                                                                            \
    X(R, uint32_t, cell, "1", NONE, "cell of the island, from 1, in the order of being found")      \
    X(R, double, low_1, "1", NONE, "lower end of the first amount in it; NaN: no amounts are said") \
    X(R, double, low_2, "1", NONE, "of the second; NaN: there is none")                             \
    X(R, double, low_3, "1", NONE, "of the third; NaN: there is none")                              \
    X(R, uint32_t, tests, "tests", NONE, "of the island in it, those cut by the budget aside")      \
    X(R, uint32_t, sampled, "tests", NONE,                                                          \
      "of the first budget / longest sequence tests, which is a number fixed beforehand")           \
    X(R, uint32_t, first, "1", NONE, "the first of them")                                           \
    X(R, uint64_t, cases, "cases", NONE, "executed by the island when that was over")

/* X(L, TABLE, group, row struct, columns, meaning[, since]) */
#define COR_SEARCH_TABLES(X, L)                                                                             \
    X(L, ISLANDS, "islands", search_island, COR_SEARCH_ISLAND_COLUMNS, "searches, each a suite of its arm") \
    X(L, TESTS, "tests", search_test, COR_SEARCH_TEST_COLUMNS,                                              \
      "tests executed: 10,000 of an island, then what told something new")                                  \
    X(L, CORPUS, "corpus", search_corpus, COR_SEARCH_CORPUS_COLUMNS, "tests that a generator has kept")     \
    X(L, FINDINGS, "findings", search_finding, COR_SEARCH_FINDING_COLUMNS,                                  \
      "classes of failures, each with the first test that failed so")                                       \
    X(L, REGIONS, "regions", search_region, COR_SEARCH_REGION_COLUMNS,                                      \
      "regions of parameters that a generator has learned")                                                 \
    X(L, STAGES, "stages", search_stage, COR_SEARCH_STAGE_COLUMNS,                                          \
      "stages of splitting, over all climbs of an island")                                                  \
    X(L, CELLS, "cells", search_cell, COR_SEARCH_CELL_COLUMNS,                                              \
      "cells of a pattern space that tests came to", 3)

/* X(L, VECTOR, dataset under /vectors, C type, meaning) */
#define COR_SEARCH_VECTORS(X, L)                                                             \
    X(L, TEXT, "text", uint8_t, "test files (docs/do/test-files.md) and constraints, UTF-8") \
    X(L, FEATURE, "feature", uint16_t, "features of tests, see corpus")

/* X(L, CATALOG, group under /catalog, meaning) */
#define COR_SEARCH_CATALOGS(X, L)                                                   \
    X(L, ARM, "arm", "arms of the search: a generator on an arm of the experiment") \
    X(L, GENERATOR, "generator", "where tests come from")                           \
    X(L, TARGET, "target", "arms of the experiment: algorithm, fault and preset")

/* Numbers of the tables, vectors and catalogs of this layer: their indices in cor_search_schema, by which
 * record and result take them. */
COR_NUMBERS(search_table, COR_SEARCH_TABLES, COR_SEARCH_TABLE_)
COR_NUMBERS(search_vector, COR_SEARCH_VECTORS, COR_SEARCH_VECTOR_)
COR_NUMBERS(search_catalog, COR_SEARCH_CATALOGS, COR_SEARCH_CATALOG_)

/* The row structs: struct cor_search_island_row and so on. */
COR_SEARCH_TABLES(COR_EACH_STRUCT, )

/* For the macros above: the class that the columns hold, and `killers` of a class. */
struct cor_failure_class cor_search_class_read(uint64_t killers, uint8_t smoke, uint8_t fault,
                                               const uint64_t checks[COR_BOX_CODES]);
uint64_t cor_search_killers(const struct cor_failure_class *class);

extern const struct cor_layer_schema cor_search_schema;

#endif
