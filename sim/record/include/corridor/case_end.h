/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What "inside" is of a case: does it leave the system inside its corridor? Of a corridor as a text its structure
 * is of its kind and all invariants and triggers hold, whatever the monitor watches and waits for; else the
 * threshold holds, of a structure that the black box did not fail. Formulas of a corridor see it as a case ends;
 * here it is read off rows, the one way for properties, levels and figures. */
#ifndef CORRIDOR_CASE_END_H
#define CORRIDOR_CASE_END_H

#include <corridor/schema.h>

#include <stdbool.h>

/* The rows of one sequence that tell it, in ascending order of case. */
struct cor_case_tables {
    const struct cor_case_row *cases;
    const struct cor_reorganization_row *reorganizations;
    const struct cor_snapshot_row *snapshots;     /* of continuous execution alone */
    const struct cor_constraint_row *constraints; /* of a corridor as a text alone */
    size_t case_count, reorganization_count, snapshot_count, constraint_count;
    bool has_text; /* the corridor is one */
};

/* Those of one case. */
struct cor_case_rows {
    const struct cor_case_row *row;
    const struct cor_reorganization_row *reorganization; /* NULL: none was asked for in it */
    const struct cor_snapshot_row *snapshot;             /* NULL: there is none */
    const struct cor_constraint_row *constraints;        /* through any box */
    size_t constraint_count;
    bool has_text, is_broken; /* the structure that it leaves failed the black box */
};

/* How far the tables were gone through; begins with zeros. */
struct cor_case_cursor {
    size_t reorganization, snapshot, constraint;
};

/* The rows of cases[index]; indices ascend. */
struct cor_case_rows cor_case_at(const struct cor_case_tables *tables, size_t index,
                                 struct cor_case_cursor *cursor);

/* INSIDE, OUTSIDE, or UNKNOWN: a constraint is, the oracle did not look, or what it saw was not kept. At the edge
 * either answer is right, and nobody is accused: it counts as inside. */
enum cor_inside cor_case_end(const struct cor_case_rows *rows);

#endif
