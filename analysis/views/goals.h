/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files about tests of running systems share. */
#ifndef CORRIDOR_ANALYSIS_VIEWS_GOALS_H
#define CORRIDOR_ANALYSIS_VIEWS_GOALS_H

#include <corridor/efsm_terms.h>
#include <corridor/system_result.h>
#include <corridor/view.h>

/* The tests of an arm together. A failure says something of the mutant only if the same test does not fail in
 * the arm without a mutant that has the same policy. */
struct views__system_arm {
    const struct cor_catalog_entry *entry;
    char *mutant, *policy; /* owned; NULL: the world as it is; the test agents' own */
    bool is_equivalent;    /* says the experiment: proven to do what the world without a change does */
    size_t original;       /* that arm without a mutant; SIZE_MAX: there is none, or this is one */
    bool *fails;           /* owned, [code of a test]; NULL: of a mutant */
    uint64_t tests, verdicts[COR_TEST_CODES], cycles, entities, cells;
    uint64_t kills; /* failures that say something of the mutant */
};

struct views__system_arms {
    struct views__system_arm *items; /* owned, by index of the arm */
    size_t count;
};

/* What became of an arm. */
enum views__system_outcome {
    VIEWS__SYSTEM_PASSES,     /* each test */
    VIEWS__SYSTEM_FAILS,      /* a test, without a mutant */
    VIEWS__SYSTEM_TROUBLE,    /* without a failure */
    VIEWS__SYSTEM_NO_VERDICT, /* of a test, without a failure; of a mutant: of all that did not fail */
    VIEWS__SYSTEM_KILLED,
    VIEWS__SYSTEM_ALIVE,
    VIEWS__SYSTEM_EQUIVALENT
};

enum views__system_outcome views__system_outcome(const struct views__system_arm *arm);

/* Whether the failure of this test says something of the arm's mutant. */
bool views__system_kills(const struct views__system_arms *arms, const struct cor_system_test_row *test);

/* Fills the sheets of a view with the tests of one arm; of all if `arm` is SIZE_MAX. */
typedef enum cor_status views__fill_system(const struct cor_view_request *request,
                                           const struct cor_layer_tables *system,
                                           const struct views__system_arms *arms, size_t arm,
                                           struct cor_sheets *sheets, struct cor_error *error);

/* What a view of these files does: reads them, finds the arm that is asked for, fills, and counts. */
enum cor_status views__show_system(const struct cor_view_request *request, views__fill_system *fill,
                                   struct cor_sheets *sheets, struct cor_view_findings *found,
                                   struct cor_error *error) COR_MUST_USE;

/* The sheets about mutants, if there are any: the score of each chooser, and each mutant beside each. */
extern const struct cor_sheet_definition views__system_scores, views__system_kill_matrix;
enum cor_status views__put_system_kills(const struct cor_layer_tables *system,
                                        const struct views__system_arms *arms, double level,
                                        struct cor_sheets *sheets, struct cor_error *error) COR_MUST_USE;

/* The rows of a table that are of an arm: the first, and the one behind the last. */
struct views__system_range {
    uint64_t first, end;
};
struct views__system_range views__system_rows(const struct cor_layer_tables *system,
                                              enum cor_system_table table, size_t arm);

/* The test that is asked for, of all arms if `arm` is SIZE_MAX; if none is, the first that failed without a
 * mutant, else that failed, else that was in trouble, else that did not pass, else the first. NULL: there is
 * none. */
const struct cor_system_test_row *views__system_test(const struct cor_layer_tables *system,
                                                     const struct views__system_arms *arms, size_t arm,
                                                     uint32_t suite);

/* A test in a word: "key item [view = 4]", and " #2" of one that is made again. */
#define VIEWS__TEST_NAME 300

/* A text of a row as a sentence; "" where there is nothing to say. */
#define VIEWS__PUT_SAID(sheet, system, row, text) \
    cor_sheet_text((sheet), "%.*s", COR_SYSTEM_SAID((system), (row), text))

#endif
