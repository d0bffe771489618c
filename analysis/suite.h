/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One suite of the result file, read from all tables at once and boiled down to what each sequence showed. */
#ifndef CORRIDOR_ANALYSIS_SUITE_H
#define CORRIDOR_ANALYSIS_SUITE_H

#include "coverage.h"
#include "cursor.h"
#include "moments.h"

#include <corridor/tables.h>

/* What a sequence showed. A detection is a reorganization whose verdict in that box is failed or smoke. */
struct cor__sequence {
    bool there;        /* it has a row */
    bool is_continued; /* it continues another one that failed: no independent observation */
    uint32_t cases, executed, case_rows;
    uint32_t reorganizations, failures;           /* failures: with an activated fault */
    uint32_t gray, black, both;                   /* detections; both: through both boxes */
    uint32_t first_gray, first_black, last_black; /* case of the detection, 0 = none */
    uint32_t to_keep, kept; /* reorganizations that belong into table failures, and rows there */
    uint64_t case_print, reorganization_print; /* fingerprints of reorganized cases and their verdicts */
    struct cor__coverage coverage;
};

/* Reads suites in the order of the file. */
struct cor__suite_reader {
    struct cor__cursor cursor[COR_TABLE_COUNT]; /* those of tables that are not read stay zero */
    struct cor__environment environment;
    struct cor_suite_row suite;     /* the present one */
    struct cor__sequence *sequence; /* owned */
    size_t sequence_capacity;
    uint64_t visits, transitions; /* of the suite, as counted in the file */
    struct cor_arm_tables *arm;   /* borrowed; gets the counts of the suite */
    struct cor__moments *moments; /* borrowed, [COR_METRIC_COUNT]; gets what is observed a failure */
};

enum cor_status cor__suite_reader_init(struct cor__suite_reader *reader, struct cor_result *result,
                                       struct cor_error *error) COR_MUST_USE;
void cor__suite_reader_fini(struct cor__suite_reader *reader);

/* Goes to the next suite: *there says whether there is one; its row is then in reader->suite. */
enum cor_status cor__suite_reader_next(struct cor__suite_reader *reader, bool *there,
                                       struct cor_error *error) COR_MUST_USE;

/* Reads all rows of the present suite into reader->sequence, `arm` and `moments`. */
enum cor_status cor__suite_reader_read(struct cor__suite_reader *reader, struct cor_arm_tables *arm,
                                       struct cor__moments *moments, struct cor_error *error) COR_MUST_USE;

/* Complains about rows behind the last suite. */
enum cor_status cor__suite_reader_end(struct cor__suite_reader *reader, struct cor_error *error) COR_MUST_USE;

/* One thing that identity is about, in the present arm, suite and sequence. */
void cor__check(struct cor_arm_tables *arm, enum cor_identity identity, bool holds, uint32_t suite,
                uint32_t sequence);

/* Checks what the sequences of the suite just read must satisfy. */
void cor__check_suite(const struct cor__suite_reader *reader);

/* Checks what the figures of an arm must satisfy. */
void cor__check_arm(struct cor_arm_tables *arm);

/* Fills tables->claim from the figures. */
void cor__judge_claims(struct cor_tables *tables);

/* Whether the text of an experiment says that its arms share suites. */
bool cor__is_paired(const char *experiment);

#endif
