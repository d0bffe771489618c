/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kind of failure a case of the interaction layer is: which checks were violated through which boxes,
 * how the algorithm ended without a result, and whether the arm's fault was at work. One definition for
 * everybody who lists, repeats, shrinks or counts failures. */
#ifndef CORRIDOR_FAILURE_CLASS_H
#define CORRIDOR_FAILURE_CLASS_H

#include <corridor/schema.h>

#include <stdbool.h>

/* What can see a failure: a check of the oracle through a box, or smoke. A number below COR_KILLERS. */
#define COR_KILLERS (COR_BOX_CODES * COR_CHECK_CODES)
_Static_assert(COR_CHECK_CODES <= 64, "checks of one box are the bits of a word");
#define COR_KILLER_SMOKE 0 /* neither box nor check has the code 0 */

/* The number of the killer that is a check through a box, by their codes in terms.h. */
static inline size_t cor_killer(int box, int check) {
    COR_ASSERT(box > 0 && box < COR_BOX_CODES && check > 0 && check < COR_CHECK_CODES);
    return (size_t)box * COR_CHECK_CODES + (size_t)check;
}

/* "gray.agent_missing", "black.structure_differs", "detect.alarm_missed", "smoke" ... into `text`; returns
 * it. */
const char *cor_killer_word(size_t killer, char text[64]);

/* "C1" to "C5", "C7", "R-Detect"; "" for smoke. */
const char *cor_killer_rule(size_t killer);

/* A set of killers: bit c of checks[b] is check c through box b, bit 0 of checks[0] smoke. */
struct cor_killer_set {
    uint64_t checks[COR_BOX_CODES];
};

/* Puts a killer into a set that has it or not. */
static inline void cor_killer_set_add(struct cor_killer_set *set, size_t killer) {
    set->checks[killer / COR_CHECK_CODES] |= UINT64_C(1) << killer % COR_CHECK_CODES;
}

/* Whether the killer is in the set. */
static inline bool cor_killer_set_has(const struct cor_killer_set *set, size_t killer) {
    return set->checks[killer / COR_CHECK_CODES] >> killer % COR_CHECK_CODES & 1;
}

/* Whether both sets have the same killers. */
bool cor_killer_set_equal(const struct cor_killer_set *a, const struct cor_killer_set *b);

/* Of a sequence that is asked a property, a formula of time over its cases: what violated it. X(NAME, word)
 */
#define COR_UNMETS(X)                                                                                    \
    X(NONE, "")                    /* no property is asked, or it is not violated */                     \
    X(CASE, "property")            /* a case, whatever had come behind it */                             \
    X(STOP, "property.stopped")    /* it was open when a failure in the black box ended the execution */ \
    X(END, "property.unfulfilled") /* it was open when the sequence had no case left */

enum cor_unmet {
#define COR_UNMET(NAME, ...) COR_UNMET_##NAME,
    COR_UNMETS(COR_UNMET)
#undef COR_UNMET
        COR_UNMET_COUNT
};

/* The class of a case. A masked one has no killer, and a fault. */
struct cor_failure_class {
    struct cor_killer_set killers;
    enum cor_smoke smoke; /* COR_SMOKE_NONE without that killer */
    bool fault;           /* the arm's fault corrupted something in this case */
    enum cor_unmet unmet; /* where a property is asked; then nothing else is told */
};

/* Of a class as text, its end included. */
#define COR_FAILURE_CLASS_TEXT 4096

/* "gray.agent_repeated,black.agent_repeated,fault", "smoke.crashed", "fault" (masked), "property", "none"
 * into `text`; returns it. */
const char *cor_failure_class_text(const struct cor_failure_class *class, char text[COR_FAILURE_CLASS_TEXT]);

/* The class of such a text; "none" stands alone. COR_STATUS_INPUT at `place` with what would be right. */
enum cor_status cor_failure_class_parse(const char *text, const char *place, struct cor_failure_class *class,
                                        struct cor_error *error) COR_MUST_USE;

/* Whether two classes have the same killers, smoke, fault, and the same way not to meet a property. */
static inline bool cor_failure_class_equal(const struct cor_failure_class *a,
                                           const struct cor_failure_class *b) {
    return cor_killer_set_equal(&a->killers, &b->killers) && a->smoke == b->smoke && a->fault == b->fault &&
           a->unmet == b->unmet;
}

/* Rows of one sequence, each kind in ascending order of case. */
struct cor_failure_rows {
    const struct cor_violation_row *violations;
    const struct cor_reorganization_row *reorganizations;
    size_t violation_count, reorganization_count;
};

/* Takes the rows of the first case off `rows` that has a violation or a reorganization: its number and its
 * class; 0 if there is none. A case in which something that is said of time was violated comes twice then,
 * the second time for that. A class without killers and fault: nothing failed. Codes that are none are passed
 * over. */
uint32_t cor_failure_rows_next(struct cor_failure_rows *rows, struct cor_failure_class *class);

/* Whether a case of that class fails: something other than an interim solution was seen to be wrong. */
bool cor_failure_class_fails(const struct cor_failure_class *class);

/* Whether it is a monitor or a mechanism that failed, not the algorithm: it ended the sequence. */
static inline bool cor_failure_class_is_foreign(const struct cor_failure_class *class) {
    return cor_killer_set_has(&class->killers, cor_killer(COR_BOX_DETECT, COR_CHECK_MONITOR_SMOKE)) ||
           cor_killer_set_has(&class->killers, cor_killer(COR_BOX_TIME, COR_CHECK_MECHANISM_SMOKE));
}

struct cor_record;

/* The rows of a record from these numbers on. */
struct cor_failure_rows cor_failure_rows_of(struct cor_record *record, size_t violations,
                                            size_t reorganizations);

/* The first failing case of the sequence and its class; 0 if none fails. */
uint32_t cor_first_failure(struct cor_failure_rows rows, struct cor_failure_class *class);

/* ---- what is said of a case in one word, and means the same in properties, levels and figures as in
 * formulas of a corridor: read off rows, here alone.
 *
 *   inside   the case leaves the system inside its corridor. Of a corridor as a text: the structure is of its
 * kind, and all invariants and triggers hold, whatever the monitor watches and waits for; else the threshold
 *            holds, of a structure that the black box did not fail. At the edge either answer is right, and
 * nobody is accused: it counts as inside alarm    the monitor raised one, at any of its looks failed
 * something was seen through a box, or there was no result: the case fails (failure_class.h), and not by what
 * works beside the algorithm */

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

/* Those of the one sequence that a record has, borrowed until it changes; `has_text` by the rows of its end.
 */
struct cor_record;
struct cor_case_tables cor_case_tables_of(struct cor_record *record);

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
