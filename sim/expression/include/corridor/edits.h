/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mutants of a condition, as texts. */
#ifndef CORRIDOR_EDITS_H
#define CORRIDOR_EDITS_H

#include <corridor/error.h>

#include <stddef.h>

/* Texts that grow. */
struct cor_texts {
    char **items; /* owned, and each of them */
    size_t count, capacity;
};

/* Appends a text, which is freed in any case; NULL says that memory was out when it was made. */
enum cor_status cor_texts_add_take(struct cor_texts *texts, char *text, struct cor_error *error) COR_MUST_USE;

/* Frees them. Idempotent. */
void cor_texts_fini(struct cor_texts *texts);

/* Appends a condition, which can be parsed, as it is with one of its relations otherwise (at its boundary,
 * and denied); with one of its numbers one more, and one less; without one of the terms that "and" joins at
 * the top. COR_STATUS_INPUT at what is no token. */
enum cor_status cor_edit_relations(const char *text, struct cor_texts *texts,
                                   struct cor_error *error) COR_MUST_USE;
enum cor_status cor_edit_constants(const char *text, struct cor_texts *texts,
                                   struct cor_error *error) COR_MUST_USE;
enum cor_status cor_edit_terms(const char *text, struct cor_texts *texts,
                               struct cor_error *error) COR_MUST_USE;

#endif
