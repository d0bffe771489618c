/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a function that can fail returns, and the one programmer-error check.
 *
 * Three kinds of trouble, never mixed (docs/architecture.md):
 *   programmer error      COR_ASSERT, always on: prints where, and aborts;
 *   environment error     enum cor_status, must be looked at, with a struct cor_error (error.h);
 *   outcome of the world  (a violated constraint, a failing algorithm): data, see terms.h. */
#ifndef CORRIDOR_STATUS_H
#define CORRIDOR_STATUS_H

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
    X(PLUGIN, "unusable algorithm")               \
    X(INTERRUPTED, "interrupted")                 \
    X(INTERNAL, "internal error")

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

/* Aborts with the place when `condition` is false: the caller broke a contract, and nothing sensible can
 * follow. */
#define COR_ASSERT(condition) ((condition) ? (void)0 : cor__assertion_failed(#condition, __FILE__, __LINE__))

/* Like COR_ASSERT for checks of whole objects, which cost: only where COR_VALIDATING is defined. */
#ifdef COR_VALIDATING
#define COR_VALIDATE(condition) COR_ASSERT(condition)
#else
#define COR_VALIDATE(condition) ((void)sizeof(condition))
#endif

/* A function that gives the word of each value of an enumeration that begins at 0, from the words in its order, and "?"
 * for any other: COR_WORDS(cor_colour_word, enum cor_colour, "red", "blue") */
#define COR_WORDS(function, type, ...)                                                                       \
    const char *function(type value) {                                                                       \
        static const char *const words[] = {__VA_ARGS__};                                                    \
        return (unsigned)value < sizeof words / sizeof *words ? words[value] : "?";                          \
    }

/* Behind COR_ASSERT. */
_Noreturn void cor__assertion_failed(const char *condition, const char *file, int line);

#endif
