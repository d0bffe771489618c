/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cause of a failure inside the algorithm: the messages, draws and moves without which it does not
 * happen. Each is told by counterfactual executions: the test once more, in which that one alone is lost,
 * comes later or is drawn another way. docs/do/why.md says what is named, and in which sense it is the
 * smallest set. */
#ifndef CORRIDOR_WHY_H
#define CORRIDOR_WHY_H

#include <corridor/course.h>
#include <corridor/test.h>

/* How the search ended. */
enum cor_why_end {
    COR_WHY_NAMED,      /* causes are told; each is confirmed, and acts by itself */
    COR_WHY_TOLD_LAST,  /* none acts by itself: of those that make the failure go alone the last is told, and
                           before it the last at which the fault struck; all act by what follows from them */
    COR_WHY_NEEDS_NONE, /* it fails whatever of them is changed: each alone, and all at once */
    COR_WHY_NOTHING,    /* there is none to be changed: no reorganization, or one without mail and draws */
    COR_WHY_PASSES,     /* the test does not fail */
    COR_WHY_FLAKY,      /* or not the same way twice: `second` says whether it passes then */
    COR_WHY_STOPPED     /* by the budget, or by the caller */
};

/* What can be changed. */
enum cor_why_part { COR_WHY_MESSAGE, COR_WHY_DRAW, COR_WHY_MOVE, COR_WHY_PARTS };

/* In which way. */
enum cor_why_manner {
    COR_WHY_LOST,   /* a message */
    COR_WHY_LATE,   /* a message, by one round; where mail goes one by one, behind the next one */
    COR_WHY_LAST,   /* a message, behind all others */
    COR_WHY_CAME,   /* a message that was lost on its way: it comes */
    COR_WHY_REDRAWN /* a draw or a move */
};

/* One message, draw or move of the course. */
struct cor_why_cause {
    enum cor_why_part part;
    uint32_t number; /* course.messages, draws or moves[number] */
    enum cor_why_manner manner;
    uint32_t choice;                /* REDRAWN: which other way (struct cor_redraw) */
    struct cor_test_result instead; /* of the execution in which it alone is changed; in a set: in which it
                                       alone is as it was */
    bool is_late_enough; /* a message that was lost: coming one round later makes the failure go, too */
    bool has_next;       /* the first message that is another then: */
    struct cor_course_message next;
    uint64_t *next_words; /* owned; its payload */
};

/* How long to try; borrowed for the call. */
struct cor_why_definition {
    uint64_t budget; /* cases to execute at most; 0: as many as it takes */
    /* Asked before each execution, with their number up to now; false: stop. NULL: go on. */
    bool (*go_on)(void *self, uint64_t executions);
    void *self;
};

/* What was found. */
struct cor_why_report {
    enum cor_why_end end;
    uint32_t case_;                 /* the failing one */
    struct cor_failure_class class; /* of the failure */
    struct cor_test_result second;  /* FLAKY: what came of it the second time */
    struct cor_course course;       /* of the reorganization in that case, as it failed */
    struct cor_why_cause *causes;   /* owned; in the order of happening */
    size_t cause_count;
    bool is_set;  /* none of them alone makes the failure go: all together do, and fewer do not */
    bool is_held; /* causes act without the help of other messages: all others as they were */
    uint64_t there[COR_WHY_PARTS], alone[COR_WHY_PARTS]; /* parts; those that make the failure go alone */
    uint64_t otherwise; /* thereof failing in another way instead of passing */
    uint64_t executions, cases;
};

/* Looks for the causes of the failure of `test` by `tester`. COR_STATUS_INPUT: the algorithm works in a cell
 * (cor_session_is_open). The report is to be freed by cor_why_report_fini, whatever comes. */
enum cor_status cor_why(const struct cor_test *test, const struct cor_why_definition *definition,
                        struct cor_tester *tester, struct cor_why_report *report,
                        struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_why_report_fini(struct cor_why_report *report);

#endif
