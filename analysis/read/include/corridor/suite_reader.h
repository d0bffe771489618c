/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Suites of a result file, one after the other, each with all its rows of the tables that are wanted, by
 * sequence and case. Everything in analysis reads through here. Memory depends on the largest suite. */
#ifndef CORRIDOR_SUITE_READER_H
#define CORRIDOR_SUITE_READER_H

#include <corridor/failure_class.h>
#include <corridor/result.h>
#include <corridor/structures.h>

#include <stdbool.h>

/* A table that is wanted, and its columns beside arm and suite (NULL-terminated; NULL = all columns). */
struct cor_reading {
    enum cor_table table;
    const char *const *columns;
};

/* The rows of one sequence, those of cases in ascending order of case. Of tables that were not asked for, and
 * of sequences without any, counts are 0. */
struct cor_sequence_rows {
    const struct cor_sequence_row *row;    /* NULL: the file has none */
    const struct cor_branch_row *branch;   /* NULL: it continues no other sequence (branching) */
    const struct cor_steered_row *steered; /* NULL: its walk is not steered to traps */
    const struct cor_case_row *cases;
    const struct cor_reorganization_row *reorganizations;
    const struct cor_failure_row *failures;
    const struct cor_violation_row *violations;
    const struct cor_tick_row *ticks;         /* of continuous execution alone, */
    const struct cor_snapshot_row *snapshots; /* likewise */
    const struct cor_constraint_row *constraints;
    size_t case_count, reorganization_count, failure_count, violation_count, tick_count, snapshot_count,
        constraint_count;
    bool has_text; /* the corridor is a text */
};

/* Those that tell words of its cases (failure_class.h), as far as they were read. */
struct cor_case_tables cor_sequence_case_tables(const struct cor_sequence_rows *sequence);

/* A suite that was read. */
struct cor_suite_rows {
    struct cor_suite_row row;
    size_t arm;                               /* index in catalog/arm */
    const struct cor_sequence_rows *sequence; /* [row.sequences] */
    struct {
        const void *row; /* of the table's row struct, in the order of the file; sequences, branches and rows
                            of cases by sequence and case */
        size_t count;
    } table[COR_TABLE_COUNT];
};

/* Whether the sequence is one of a sample: not chosen because another one failed, nor steered anywhere. */
static inline bool cor_is_sample(const struct cor_sequence_rows *sequence) {
    return !sequence->branch && !sequence->steered;
}

struct cor_suite_reader;

#define COR_ANY_SUITE UINT32_MAX /* no suite in particular */

/* Begins before the first suite. SUITES, SEQUENCES, BRANCHES and STEERED are always read, the former with all
 * columns; `readings` names the others (and what is wanted of SEQUENCES beside sequence, cases and executed).
 * The result must outlive the reader. */
enum cor_status cor_suite_reader_create(struct cor_result *result, const struct cor_reading *readings,
                                        size_t reading_count, struct cor_suite_reader **reader,
                                        struct cor_error *error) COR_MUST_USE;

/* Frees the reader, and with it the suite that was read last. NULL is allowed. */
void cor_suite_reader_destroy(struct cor_suite_reader *reader);
COR_DESTROYS(cor_suite_reader, struct cor_suite_reader)

/* Goes to the suites of one arm (a code), or to one of its suites: before the first cor_suite_reader_next,
 * which ends with COR_STATUS_INPUT at `place` (borrowed until then: the option that chose it; NULL with
 * COR_ANY_SUITE) if there is no such suite. */
enum cor_status cor_suite_reader_choose(struct cor_suite_reader *reader, uint16_t arm, uint32_t suite,
                                        const char *place, struct cor_error *error) COR_MUST_USE;

/* Reads the next suite; *suite is NULL at the end. Valid until the next call. COR_STATUS_INPUT for a suite of
 * an arm that the catalog lacks, rows of sequences that the suite does not have, sequences that occur twice,
 * rows that belong to no suite. Missing rows are no error here: see cor_suite_check. */
enum cor_status cor_suite_reader_next(struct cor_suite_reader *reader, const struct cor_suite_rows **suite,
                                      struct cor_error *error) COR_MUST_USE;

#define COR_STATES_MAX 64u   /* of a profile in a suite that is whole */
#define COR_BYTE_STATES 256u /* of any profile: a walk holds a byte a state */

/* Is the suite whole, for those who build on it: chains, profiles and sequences numbered without a gap, walks
 * within the vector, no case beyond those executed, branches of earlier sequences? COR_STATUS_INPUT says what
 * is not. PROFILES, CHAINS and all of SEQUENCES have to be read; tables by case are checked only if they were
 * read. */
enum cor_status cor_suite_check(const struct cor_suite_rows *suite, const struct cor_result *result,
                                struct cor_error *error) COR_MUST_USE;

/* Are profiles (of up to COR_BYTE_STATES states) and chains numbered without a gap, and do chains and
 * transitions belong to a profile of the suite? For those who do without the rest. COR_STATUS_INPUT says what
 * is not. */
enum cor_status cor_environment_check(const struct cor_suite_rows *suite,
                                      struct cor_error *error) COR_MUST_USE;

/* A table that contradicts itself or another; `format` completes "table x: ". */
enum cor_status cor_damaged(struct cor_error *error, enum cor_table table, const char *format, ...)
    COR_PRINTF(3, 4);

/* What the rows of a reorganization say, defined once. A box saw something. */
static inline bool cor_is_detected(const struct cor_reorganization_row *row) {
    return cor_is_detection(row->gray) || cor_is_detection(row->black);
}

/* It ended without a result. */
static inline bool cor_is_smoke(const struct cor_reorganization_row *row) {
    return row->gray == COR_VERDICT_SMOKE || row->black == COR_VERDICT_SMOKE;
}

/* Through which box a detection counts. */
enum cor_any_box { COR_ANY_BOX, COR_GRAY_BOX, COR_BLACK_BOX, COR_ANY_BOXES };

/* "any", "gray", "black". */
const char *cor_any_box_word(enum cor_any_box box);

/* The structure is the accepted solution, and fails: in continuous time values went on until adoption was
 * complete. */
static inline bool cor_is_outrun(const struct cor_reorganization_row *row) {
    return row->black == COR_VERDICT_FAILED && row->agreement == COR_VERDICT_PASSED;
}

/* A fault corrupted something: what paper 003 counts as a failure (A4). */
static inline bool cor_is_activated(const struct cor_reorganization_row *row) {
    return row->fault_activated > 0;
}

/* ... and no box saw it. */
static inline bool cor_is_masked(const struct cor_reorganization_row *row) {
    return cor_is_activated(row) && !cor_is_detected(row);
}

/* Violations of the solution and of the structure, all of them: of each check and box at most four have a
 * row. Violations that other boxes see are their rows. */
static inline uint64_t cor_counted_violations(const struct cor_reorganization_row *row) {
    return (uint64_t)row->gray_violations + row->black_violations;
}

/* Is a row among those that the reorganization counts? */
static inline bool cor_is_counted(const struct cor_violation_row *row) {
    return row->box == COR_BOX_GRAY || row->box == COR_BOX_BLACK;
}

/* The sentence of a violation in an arm whose structures are of that kind (cor_violation_kind_text); a
 * constraint of a corridor as text by its name and what it says, if `head` has it: the result's head, NULL:
 * none. */
#define COR_SENTENCE 1024 /* two reals of 309 digits fit */
struct cor_result_header;
void cor_violation_sentence(enum cor_structure_kind kind, const struct cor_violation_row *row,
                            const struct cor_result_header *head, char text[COR_SENTENCE]);

/* The same, given the constraint's name and what it says. */
void cor_constraint_sentence(const struct cor_violation_row *row, const char *name, const char *says,
                             char text[COR_SENTENCE]);

/* The number of the constraint that the violation is of, UINT32_MAX: of none. */
uint32_t cor_violated_constraint(const struct cor_violation_row *row);

/* Counts of codes: a number that its family lacks counts as 0, not said. */
static inline uint8_t cor_known_code(uint8_t code, uint8_t codes) {
    return code < codes ? code : 0;
}

/* Windows on the vector of walks. */
struct cor_walk_window {
    struct cor_result *result; /* borrowed */
    uint8_t *bytes;            /* owned */
    uint64_t start;
    size_t size;
};

/* Allocates the window: COR_STATUS_MEMORY; frees it. */
enum cor_status cor_walk_window_init(struct cor_walk_window *window, struct cor_result *result,
                                     struct cor_error *error) COR_MUST_USE;
void cor_walk_window_fini(struct cor_walk_window *window);

/* Bytes of the walks from `position` on: at least one and at most `wanted`, each below `states` (else
 * COR_STATUS_INPUT); valid until the next look. */
enum cor_status cor_walk_look(struct cor_walk_window *window, uint64_t position, uint64_t wanted,
                              uint32_t states, const uint8_t **bytes, size_t *count,
                              struct cor_error *error) COR_MUST_USE;

/* The walk of one sequence, whole. Begins as {0}; its memory may serve walk after walk. */
struct cor_sequence_walk {
    uint8_t *states; /* owned; state of chain c at case i: states[c * length + i] */
    size_t length;   /* cases + 1: case 0 is before the first one */
    size_t capacity;
};

/* Reads the walk of a sequence of a suite that passed cor_suite_check, tables CHAINS and PROFILES and all of
 * SEQUENCES read. COR_STATUS_INPUT if it visits a state that the profile of its chain lacks. */
enum cor_status cor_sequence_walk_read(struct cor_sequence_walk *walk, const struct cor_suite_rows *suite,
                                       uint32_t sequence, struct cor_result *result,
                                       struct cor_error *error) COR_MUST_USE;

/* Frees what the walk holds. Idempotent. */
void cor_sequence_walk_fini(struct cor_sequence_walk *walk);

#endif
