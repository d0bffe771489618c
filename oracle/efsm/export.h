/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the languages that a model is exported to share. */
#ifndef CORRIDOR_ORACLE_EFSM_EXPORT_H
#define CORRIDOR_ORACLE_EFSM_EXPORT_H

#include <corridor/bytes.h>
#include <corridor/efsm_export.h>

/* An export under way. */
struct efsm__export {
    const struct cor_efsm *model;
    const struct cor_efsm_goal *goal; /* NULL: none */
    bool is_promela, knows_last;      /* knows_last: a trap asks which transition was taken before */
    uint32_t choices;                 /* of the input with the most parameters: as many as each move takes */
    uint32_t temporaries;             /* that the longest update needs */
    struct cor_bytes out;
};

/* A text: as it is; as part of a comment, or of a text within quotes; as text of XML. */
void efsm__export_put(struct cor_bytes *out, const char *text);
void efsm__export_put_plain(struct cor_bytes *out, const char *text);
void efsm__export_put_escaped(struct cor_bytes *out, const char *text);

/* When the transition is enabled, its location aside. */
void efsm__export_put_enabled(const struct cor_efsm *model, const struct cor_efsm_transition *t,
                              struct cor_bytes *out);

/* What it assigns, to traps, too: one behind the other; where that is not the same as all at once, by way of
 * temporaries. */
enum cor_status efsm__export_put_effects(struct efsm__export *e, uint32_t transition, struct cor_bytes *out,
                                         struct cor_error *error) COR_MUST_USE;

/* That all traps are covered. */
void efsm__export_put_goal(const struct efsm__export *e, struct cor_bytes *out);

/* The whole file into `out`. */
enum cor_status efsm__export_promela(struct efsm__export *e, struct cor_error *error) COR_MUST_USE;
enum cor_status efsm__export_uppaal(struct efsm__export *e, struct cor_error *error) COR_MUST_USE;

#endif
