/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is said of a case in one word, and means the same in properties, levels and figures as in formulas of
 * a corridor: read off rows, here alone.
 *
 *   inside   the case leaves the system inside its corridor. Of a corridor as a text: the structure is of its
 * kind, and all invariants and triggers hold, whatever the monitor watches and waits for; else the threshold
 *            holds, of a structure that the black box did not fail. At the edge either answer is right, and
 * nobody is accused: it counts as inside alarm    the monitor raised one, at any of its looks failed
 * something was seen through a box, or there was no result: the case fails (failure_class.h), and not by what
 * works beside the algorithm */
#ifndef CORRIDOR_CASE_WORDS_H
#define CORRIDOR_CASE_WORDS_H

#include <corridor/schema.h>

#include <stdbool.h>

/* The rows of one sequence that tell it, in ascending order of case. */
struct cor_case_tables {
    const struct cor_case_row *cases;
    const struct cor_reorganization_row *reorganizations;
    const struct cor_violation_row *violations;
    const struct cor_constraint_row *constraints; /* of a corridor as a text alone */
    const struct cor_tick_row *ticks;             /* of continuous execution alone, */
    const struct cor_snapshot_row *snapshots;     /* likewise */
    size_t case_count, reorganization_count, violation_count, constraint_count, tick_count, snapshot_count;
    bool has_text; /* the corridor is one */
};

/* Those of one case. */
struct cor_case_rows {
    const struct cor_case_row *row;
    const struct cor_reorganization_row *reorganization; /* NULL: none was asked for in it */
    const struct cor_snapshot_row *snapshot;             /* NULL: there is none */
    const struct cor_constraint_row *constraints;        /* through any box */
    size_t constraint_count;
    bool has_text, is_violated;
    bool is_broken; /* the structure that it leaves failed the black box */
    bool is_start;  /* a reorganization began with an alarm in it */
};

/* How far the tables were gone through; begins with zeros. */
struct cor_case_cursor {
    size_t reorganization, violation, constraint, tick, snapshot;
};

/* The rows of cases[index]; indices ascend from 0. */
struct cor_case_rows cor_case_at(const struct cor_case_tables *tables, size_t index,
                                 struct cor_case_cursor *cursor);

enum cor_case_answer { COR_CASE_NO, COR_CASE_YES, COR_CASE_UNKNOWN };

/* UNKNOWN: a constraint is, the oracle did not look, or what was seen was not kept. */
enum cor_case_answer cor_case_inside(const struct cor_case_rows *rows);
enum cor_case_answer cor_case_alarm(const struct cor_case_rows *rows);
bool cor_case_failed(const struct cor_case_rows *rows);

#endif
