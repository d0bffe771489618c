/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/case_words.h>

/* The cursor goes to the first row of a table that is not of an earlier case. */
#define GO(table)                                                                                       \
    do {                                                                                                \
        while (cursor->table < tables->table##_count && tables->table##s[cursor->table].case_ < number) \
            cursor->table++;                                                                            \
    } while (0)
#define IS_THERE(table, at) ((at) < tables->table##_count && tables->table##s[at].case_ == number)

struct cor_case_rows cor_case_at(const struct cor_case_tables *tables, size_t index,
                                 struct cor_case_cursor *cursor) {
    const uint32_t number = tables->cases[index].case_;
    struct cor_case_rows rows = {.row = &tables->cases[index], .has_text = tables->has_text};
    GO(reorganization);
    GO(violation);
    GO(constraint);
    GO(snapshot);
    if (IS_THERE(reorganization, cursor->reorganization))
        rows.reorganization = &tables->reorganizations[cursor->reorganization];
    if (IS_THERE(snapshot, cursor->snapshot))
        rows.snapshot = &tables->snapshots[cursor->snapshot];
    if (IS_THERE(constraint, cursor->constraint))
        rows.constraints = &tables->constraints[cursor->constraint];
    while (IS_THERE(constraint, cursor->constraint + rows.constraint_count))
        rows.constraint_count++;
    for (size_t v = cursor->violation; IS_THERE(violation, v) && !rows.is_violated; v++)
        rows.is_violated = !cor_is_foreign_smoke(tables->violations[v].check);
    const struct cor_reorganization_row *broken = rows.reorganization;
    if (rows.snapshot) {
        /* The reorganization that ended the sequence may be of an earlier case, and is over if none is under
         * way. */
        broken =
            index + 1 == tables->case_count && tables->reorganization_count > 0 && !rows.snapshot->under_way
                ? &tables->reorganizations[tables->reorganization_count - 1]
                : NULL;
        /* Ticks are named by the case in which the algorithm was asked, which the alarm may lie before. */
        for (; cursor->tick < tables->tick_count && tables->ticks[cursor->tick].alarm <= rows.snapshot->tick;
             cursor->tick++)
            rows.is_start = true;
    }
    rows.is_broken = broken && broken->black == COR_VERDICT_FAILED;
    return rows;
}

/* What the look at a case has noted of constraints. */
static enum cor_inside noted(const struct cor_case_rows *rows) {
    enum cor_inside inside = COR_INSIDE_INSIDE;
    for (size_t i = 0; i < rows->constraint_count && inside != COR_INSIDE_OUTSIDE; i++)
        if (rows->constraints[i].box == COR_BOX_DETECT)
            inside =
                rows->constraints[i].verdict == COR_VERDICT_FAILED ? COR_INSIDE_OUTSIDE : COR_INSIDE_UNKNOWN;
    return inside;
}

/* In time a look in the case is not what it leaves; where there was none, the end of the case was noted, and
 * the structure is of its kind unless it is on its way. */
static enum cor_inside seen_in_time(const struct cor_case_rows *rows) {
    const struct cor_snapshot_row *snapshot = rows->snapshot;
    if (snapshot->inside != COR_INSIDE_NOT_LOOKED)
        return (enum cor_inside)snapshot->inside;
    return rows->has_text && snapshot->looks == 0 && !snapshot->under_way ? noted(rows) : COR_INSIDE_UNKNOWN;
}

enum cor_case_answer cor_case_inside(const struct cor_case_rows *rows) {
    const struct cor_reorganization_row *reorganization = rows->reorganization;
    enum cor_inside seen = (enum cor_inside)rows->row->inside;
    if (rows->is_broken)
        return COR_CASE_NO;
    if (rows->snapshot)
        seen = seen_in_time(rows);
    else if (reorganization && reorganization->inside_after != COR_INSIDE_NOT_LOOKED)
        seen = (enum cor_inside)reorganization->inside_after;
    else if (rows->has_text)
        seen = noted(rows);
    return seen == COR_INSIDE_INSIDE || seen == COR_INSIDE_EDGE ? COR_CASE_YES
           : seen == COR_INSIDE_OUTSIDE                         ? COR_CASE_NO
                                                                : COR_CASE_UNKNOWN;
}

enum cor_case_answer cor_case_alarm(const struct cor_case_rows *rows) {
    /* A case's row tells of one look, and of one that R-Detect fails rather than of one with an alarm. */
    const bool may_hide = rows->snapshot && rows->snapshot->looks > 1 && cor_is_detection(rows->row->detect);
    return rows->row->alarm || rows->is_start ? COR_CASE_YES : may_hide ? COR_CASE_UNKNOWN : COR_CASE_NO;
}

bool cor_case_failed(const struct cor_case_rows *rows) {
    const struct cor_case_row *row = rows->row;
    return rows->is_violated || cor_is_detection(row->detect) || cor_is_detection(row->gray) ||
           cor_is_detection(row->black);
}
