/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a design says of itself, and the inputs that its samples miss. Every outcome that the contexts of
 * plans, the branches of their bodies and the handlers of an event together can have is looked for in the
 * cases of its unit; what none of them has is asked of z3, in a child of the planning process. A solution
 * becomes a case of the unit; that there is none is a proof about the design; and what z3 cannot tell stays
 * open. Comparisons are looked at one below, at and one above where they turn, wherever the rest of the
 * condition leaves it to them. */
#ifndef CORRIDOR_DESIGN_CHECK_H
#define CORRIDOR_DESIGN_CHECK_H

#include <corridor/agent_terms.h>
#include <corridor/unit_cases.h>

/* On what a finding about a design rests. */
enum cor_ground {
    COR_GROUND_STRUCTURE = 1, /* it is written so */
    COR_GROUND_WITNESS,       /* these values show it */
    COR_GROUND_PROOF,         /* no values are otherwise */
    COR_GROUND_OPEN           /* neither was found: it may be so */
};

/* "structure", "witness", "proof", "open". */
const char *cor_ground_word(enum cor_ground ground);

/* Something found of a design. */
struct cor_design_finding {
    enum cor_aut_check check;
    enum cor_severity severity;
    enum cor_ground ground;
    char *about, *plan; /* owned; what it is about, and the plan that has it: "" if none */
    char *text;         /* owned; a sentence, with the values of a witness */
    bool beyond;        /* only where a number leaves 64 bits: of the design alone, no matter for a test */
};

/* What was found of one design. Begins as {0}. */
struct cor_design_findings {
    struct cor_design_finding *items; /* owned */
    uint32_t count;
    size_t capacity;
    uint32_t solved; /* cases that the design has got */
    uint64_t asked;  /* questions to z3 */
    bool is_cut;     /* as in struct cor_solver_statistics */
};

/* Frees what they hold. Idempotent. */
void cor_design_findings_fini(struct cor_design_findings *findings);

/* One finding more; texts are copied. */
enum cor_status cor_design_findings_add(struct cor_design_findings *findings,
                                        const struct cor_design_finding *finding,
                                        struct cor_error *error) COR_MUST_USE;

/* Looks at the whole design with these settings, and gives its file the cases that samples miss. A function
 * of design and settings; without z3 less is decided. */
enum cor_status cor_design_check(struct cor_design_file *file, const struct cor_test_settings *settings,
                                 struct cor_design_findings *findings, struct cor_error *error) COR_MUST_USE;

/* Leaves what a test of the agent does not show by itself: a witness is a case there, unless it is a note. */
void cor_design_findings_drop_witnesses(struct cor_design_findings *findings);

/* The solved cases and the findings as a member "solved" of an experiment, and back: then nothing is asked.
 */
void cor_design_put_solved(struct cor_json_writer *writer, const struct cor_design_file *file,
                           const struct cor_design_findings *findings);
enum cor_status cor_design_read_solved(const struct cor_json *json, struct cor_design_file *file,
                                       struct cor_design_findings *findings,
                                       struct cor_error *error) COR_MUST_USE;

#endif
