/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/case_end.h>

/* GO(table): its rows of the case, from where the cursor comes to; *count of them. */
#define GO(TABLE, at)                                                                              \
    do {                                                                                           \
        while (cursor->at < tables->TABLE##_count && tables->TABLE##s[cursor->at].case_ < number) \
            cursor->at++;                                                                          \
    } while (0)
#define IS_THERE(TABLE, at) ((at) < tables->TABLE##_count && tables->TABLE##s[at].case_ == number)

struct cor_case_rows cor_case_at(const struct cor_case_tables *tables, size_t index,
                                 struct cor_case_cursor *cursor) {
    const uint32_t number = tables->cases[index].case_;
    struct cor_case_rows rows = {.row = &tables->cases[index], .has_text = tables->has_text};
    GO(reorganization, reorganization);
    GO(snapshot, snapshot);
    GO(constraint, constraint);
    if (IS_THERE(reorganization, cursor->reorganization))
        rows.reorganization = &tables->reorganizations[cursor->reorganization];
    if (IS_THERE(snapshot, cursor->snapshot))
        rows.snapshot = &tables->snapshots[cursor->snapshot];
    if (tables->constraint_count > 0)
        rows.constraints = tables->constraints + cursor->constraint;
    while (IS_THERE(constraint, cursor->constraint + rows.constraint_count))
        rows.constraint_count++;
    /* In time the last reorganization, of whichever case, ended the sequence, if nothing is under way. */
    const struct cor_reorganization_row *broken = rows.reorganization;
    if (rows.snapshot)
        broken = index + 1 == tables->case_count && tables->reorganization_count > 0 && !rows.snapshot->under_way
                     ? &tables->reorganizations[tables->reorganization_count - 1]
                     : NULL;
    rows.is_broken = broken && broken->black == COR_VERDICT_FAILED;
    return rows;
}

/* What the look at a case has noted of constraints. */
static enum cor_inside noted(const struct cor_case_rows *rows) {
    enum cor_inside inside = COR_INSIDE_INSIDE;
    for (size_t i = 0; i < rows->constraint_count && inside != COR_INSIDE_OUTSIDE; i++)
        if (rows->constraints[i].box == COR_BOX_DETECT)
            inside = rows->constraints[i].verdict == COR_VERDICT_FAILED ? COR_INSIDE_OUTSIDE : COR_INSIDE_UNKNOWN;
    return inside;
}

/* In time a look in the case is not what it leaves; where there was none, the end of the case was noted, and the
 * structure is of its kind unless it is on its way. */
static enum cor_inside seen_in_time(const struct cor_case_rows *rows) {
    const struct cor_snapshot_row *snapshot = rows->snapshot;
    if (snapshot->inside != COR_INSIDE_NOT_LOOKED)
        return (enum cor_inside)snapshot->inside;
    return rows->has_text && snapshot->looks == 0 && !snapshot->under_way ? noted(rows) : COR_INSIDE_UNKNOWN;
}

enum cor_inside cor_case_end(const struct cor_case_rows *rows) {
    const struct cor_reorganization_row *reorganization = rows->reorganization;
    enum cor_inside seen = (enum cor_inside)rows->row->inside;
    if (rows->is_broken)
        return COR_INSIDE_OUTSIDE;
    if (rows->snapshot)
        seen = seen_in_time(rows);
    else if (reorganization && reorganization->inside_after != COR_INSIDE_NOT_LOOKED)
        seen = (enum cor_inside)reorganization->inside_after;
    else if (rows->has_text)
        seen = noted(rows);
    return seen == COR_INSIDE_INSIDE || seen == COR_INSIDE_EDGE ? COR_INSIDE_INSIDE
           : seen == COR_INSIDE_OUTSIDE                         ? COR_INSIDE_OUTSIDE
                                                                : COR_INSIDE_UNKNOWN;
}
