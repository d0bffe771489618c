/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a function that can fail returns, the error as a user reads it, and the one programmer-error check.
 *
 * Three kinds of trouble, never mixed (docs/architecture.md):
 *   programmer error      COR_ASSERT, always on: prints where, and aborts;
 *   environment error     enum cor_status, must be looked at, with a struct cor_error;
 *   outcome of the world  (a violated constraint, a failing algorithm): data, see terms.h. */
#ifndef CORRIDOR_ERROR_H
#define CORRIDOR_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define COR_MUST_USE __attribute__((warn_unused_result))
#define COR_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))

/* X(name, text). The text completes "corridor: ". */
#define COR_STATUSES(X)                           \
    X(OK, "no error")                             \
    X(MEMORY, "out of memory")                    \
    X(FILE, "file error")                         \
    X(INPUT, "invalid input")                     \
    X(UNSATISFIABLE, "contradictory constraints") \
    X(EXISTS, "would overwrite")                  \
    X(PLUGIN, "unusable plug-in")                 \
    X(INTERRUPTED, "interrupted")                 \
    X(INTERNAL, "internal error")

/* How a call ended: COR_OK, which is 0, or what kind of error it met; struct cor_error has the words. */
enum cor_status {
#define COR_STATUS_NAME(name, text) COR_STATUS_##name,
    COR_STATUSES(COR_STATUS_NAME)
#undef COR_STATUS_NAME
};
#define COR_OK COR_STATUS_OK

/* The error idiom. COR_TRY where nothing is to be given back: what fails is returned at once. COR_TRY_OUT
 * where something is: the function has `enum cor_status status = COR_OK` and one exit, the label `out`. */
#define COR_TRY(call)                          \
    do {                                       \
        const enum cor_status tried_ = (call); \
        if (tried_ != COR_OK)                  \
            return tried_;                     \
    } while (0)
#define COR_TRY_OUT(call)     \
    do {                      \
        status = (call);      \
        if (status != COR_OK) \
            goto out;         \
    } while (0)

/* What a variable holds is given back where its scope ends, however it is left, so that a function with such
 * variables alone needs no exit `out` (they are initialised where they are declared, and given back in the
 * opposite order; nothing jumps over them; what is {0} may be given back, too):
 *   COR_FREED char *text = cor_format(...);                            free(text)
 *   COR_FINISHED(cor_bytes) struct cor_bytes said = {0};               cor_bytes_fini(&said)
 *   COR_DESTROYED(cor_json) struct cor_json_document *file = NULL;     cor_json_destroy(file)
 *   COR_ENDED_BY(close_bench) struct bench bench = {0};                close_bench(&bench)
 *
 * The third needs COR_DESTROYS, below. */
#define COR_ENDED_BY(function) __attribute__((cleanup(function)))
#define COR_FREED COR_ENDED_BY(base__free_held)
#define COR_FINISHED(object) COR_ENDED_BY(object##_fini)
#define COR_DESTROYED(object) COR_ENDED_BY(object##_destroy_held)

/* Beside the declaration of object_destroy(type *), so that COR_DESTROYED(object) knows it. */
#define COR_DESTROYS(object, type)                                \
    static inline void object##_destroy_held(type *const *held) { \
        object##_destroy(*held);                                  \
    }

/* The pointer that the variable at `held` holds; it holds NULL then, so that the taker has it alone:
 * *created = cor_taken(&made). */
static inline void *cor_taken(void *held) {
    static void *const none = NULL;
    void *taken;
    memcpy(&taken, held, sizeof taken);
    memcpy(held, &none, sizeof none);
    return taken;
}

/* Behind COR_FREED; inline, so that a pointer that is held stays in a register. */
static inline void base__free_held(const void *held) {
    void *memory;
    memcpy(&memory, held, sizeof memory);
    free(memory);
}

/* Aborts with the place when `condition` is false: the caller broke a contract, and nothing sensible can
 * follow. */
#define COR_ASSERT(condition) ((condition) ? (void)0 : base__assertion_failed(#condition, __FILE__, __LINE__))

/* Like COR_ASSERT for checks of whole objects, which cost: only where COR_VALIDATING is defined. */
#ifdef COR_VALIDATING
#define COR_VALIDATE(condition) COR_ASSERT(condition)
#else
#define COR_VALIDATE(condition) ((void)sizeof(condition))
#endif

/* A function that gives the word of each value of an enumeration that begins at 0, from the words in its
 * order, and "?" for any other: COR_WORDS(cor_proof_word, enum cor_plan_proof, "none", "bfs") */
#define COR_WORDS(function, type, ...)                                              \
    const char *function(type value) {                                              \
        static const char *const words[] = {__VA_ARGS__};                           \
        return (unsigned)value < sizeof words / sizeof *words ? words[value] : "?"; \
    }

/* Behind COR_ASSERT. */
_Noreturn void base__assertion_failed(const char *condition, const char *file, int line);

/* An environment error as a user reads it: place, cause, remedy. Held by the caller, needs no memory of its
 * own.
 */
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

/* COR_OK; or COR_STATUS_MEMORY, said, if `memory` is NULL: COR_TRY(cor_made(copy, error)). */
static inline enum cor_status cor_made(const void *memory, struct cor_error *error) {
    return memory ? COR_OK : cor_fail_memory(error);
}

/* The error in one or two lines ("place: cause\n  remedy"), without a trailing newline, into `text`. Errors
 * quote files, so what is not printable, line ends apart, is shown as question marks. */
void cor_error_text(const struct cor_error *error, char *text, size_t size);

/* Makes a text harmless for a terminal, in place: what is not printable, line ends and tabs apart, becomes
 * question marks. */
void cor_make_printable(char *text);

/* Is all of `text` UTF-8 without control characters (C0, DEL, C1), which a terminal would obey? */
bool cor_is_printable(const char *text);

/* How many bytes of a text are shown where at most so many may be: none of a UTF-8 character that would be
 * cut. */
size_t cor_text_fit(const char *text, size_t most);

/* The words of a status. */
const char *cor_status_text(enum cor_status status);

/* Is the name one of `names` (NULL-terminated; NULL: there are none)? */
bool cor_is_among(const char *const *names, const char *name);

/* The name among `names` (NULL-terminated) that `word` was probably meant to be, NULL if none is near: at
 * most one edit in each three letters begun, swaps of neighbours counting as one. A name of which the word,
 * from three letters on, is a part counts as one edit away, and so does one with which the word ends behind
 * what is no letter. Large and small letters count as the same where all others are, and so do "-", "_" and a
 * blank. The first on ties. */
const char *cor_did_you_mean(const char *word, const char *const *names);

/* Writes "known: a, b, c" or, when a name is near, "did you mean "b"? known: a, b, c", cut off at `size`. */
void cor_known_names(const char *word, const char *const *names, char *text, size_t size);

#endif
