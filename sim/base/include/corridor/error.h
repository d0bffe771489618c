/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An environment error as a user reads it: place, cause, remedy. Held by the caller, needs no memory of its
 * own. */
#ifndef CORRIDOR_ERROR_H
#define CORRIDOR_ERROR_H

#include <corridor/status.h>

#include <stdbool.h>
#include <stddef.h>

struct cor_error {
    enum cor_status status;
    char place[512];   /* "file:line:column" or "file: /json/pointer"; may be empty */
    char cause[1024];  /* what is wrong, without a full stop */
    char remedy[1024]; /* what would be right; may be empty */
};

/* No error. */
#define COR_NO_ERROR ((struct cor_error){.status = COR_OK})

/* Sets the error unless one is set already: the first error wins. `error` may be NULL (the status alone is
 * wanted). `place` and `remedy` may be NULL. Returns `status`, so that a failing function can `return
 * cor_fail(...)`. */
enum cor_status cor_fail(struct cor_error *error, enum cor_status status, const char *place,
                         const char *remedy, const char *cause_format, ...) COR_PRINTF(5, 6);

/* cor_fail with the text of the present errno behind the cause: "cannot open: No such file or directory". */
enum cor_status cor_fail_errno(struct cor_error *error, enum cor_status status, const char *place,
                               const char *remedy, const char *cause);

/* COR_STATUS_MEMORY, said. */
enum cor_status cor_fail_memory(struct cor_error *error);

/* The error in one or two lines ("place: cause\n  remedy"), without a trailing newline, into `text`. Errors quote
 * files, so what is not printable, line ends apart, is shown as question marks. */
void cor_error_text(const struct cor_error *error, char *text, size_t size);

/* Is all of `text` UTF-8 without control characters (C0, DEL, C1), which a terminal would obey? */
bool cor_is_printable(const char *text);

/* The words of a status. */
const char *cor_status_text(enum cor_status status);

/* The name among `names` (NULL-terminated) that `word` was probably meant to be, NULL if none is near: at
 * most one edit in each three letters begun, swaps of neighbours counting as one. The first on ties. */
const char *cor_did_you_mean(const char *word, const char *const *names);

/* Writes "known: a, b, c" or, when a name is near, "did you mean "b"? known: a, b, c", cut off at `size`. */
void cor_known_names(const char *word, const char *const *names, char *text, size_t size);

#endif
