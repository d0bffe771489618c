/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Formulas of time: linear temporal logic on finite traces, with past and bounds, over named conditions that
 * hold, are violated or are unknown. What a condition is, and what a state consists of, is the caller's.
 *
 *   formula := true | false | CONDITION | ( formula )
 *            | not f | UNARY f | UNARY[low, high] f        always eventually next weak_next
 *                                                          historically once previous
 *            | f BINARY f | f BINARY[low, high] f          until weak_until since
 *            | f and f | f or f | f implies f
 *
 * From tight to loose: not and the unary words; until, weak_until, since (to the right); and; or; implies (to
 * the right). "!", "&&" and "||" are other spellings of not, and, or. A name is letters, digits and "_", with
 * points between parts ("door.open").
 *
 * A formula is judged at the first state of a trace of n states. Position i of it, 0 <= i < n:
 *
 *   eventually[l, h] f     f at some j, i + l <= j <= i + h, of those that exist (j < n)
 *   always[l, h] f         f at each such j
 *   a until[l, h] b        b at such a j, and a at i .. j - 1
 *   a weak_until[l, h] b   (a until[l, h] b) or always[0, h] a
 *   next[l, h] f           positions i + l .. i + h exist, and f at each of them; next f = next[1, 1] f
 *   weak_next[l, h] f      always[l, h] f; weak_next f = weak_next[1, 1] f
 *   once[l, h] f           f at some j, i - h <= j <= i - l, of those that exist (j >= 0)
 *   historically[l, h] f   f at each such j
 *   a since[l, h] b        b at such a j, and a at j + 1 .. i
 *   previous[l, h] f       positions i - h .. i - l exist, and f at each of them; previous f = previous[1, 1]
 *
 * Without bounds the others reach as far as the trace does. So "next" is false at the last state and
 * "weak_next" true. On the trace of no states conditions, next, eventually, until and all words of the past
 * but historically are false; weak_next, always, weak_until and historically are true.
 *
 * Three values (Kleene): "not" exchanges holds and violated, "and" and "eventually" take the worst and the
 * best of what they join, unknown lying between violated and holds. */
#ifndef CORRIDOR_TEMPORAL_H
#define CORRIDOR_TEMPORAL_H

#include <corridor/error.h>
#include <corridor/truth.h>

#include <stdint.h>

/* What a condition is in a state, and what a formula is of a trace. */
enum cor_temporal_value { COR_TEMPORAL_VIOLATED, COR_TEMPORAL_HOLDS, COR_TEMPORAL_UNKNOWN };

/* What a condition of this truth is to a formula; and the truth that a formula's value is. */
static inline enum cor_temporal_value cor_temporal_of(enum cor_truth truth) {
    return truth == COR_TRUTH_TRUE    ? COR_TEMPORAL_HOLDS
           : truth == COR_TRUTH_FALSE ? COR_TEMPORAL_VIOLATED
                                      : COR_TEMPORAL_UNKNOWN;
}

static inline enum cor_truth cor_temporal_truth(enum cor_temporal_value value) {
    return value == COR_TEMPORAL_HOLDS      ? COR_TRUTH_TRUE
           : value == COR_TEMPORAL_VIOLATED ? COR_TRUTH_FALSE
                                            : COR_TRUTH_UNKNOWN;
}

/* The word of a value: "violated", "holds", "unknown". */
const char *cor_temporal_word(enum cor_temporal_value value);

#define COR_TEMPORAL_BYTES_MAX 65536     /* of a text */
#define COR_TEMPORAL_NODES_MAX 1000      /* names and operators of a formula */
#define COR_TEMPORAL_DEPTH_MAX 200       /* brackets and operators within each other */
#define COR_TEMPORAL_CONDITIONS_MAX 64   /* different conditions in a formula */
#define COR_TEMPORAL_BOUND_MAX 1000      /* of [low, high] */
#define COR_TEMPORAL_BOUNDS_SUM_MAX 4000 /* of all `high` of a formula */

/* A formula; nothing of it changes. */
struct cor_temporal;

/* Parses `text` over the conditions `names` (NULL-terminated; not kept). A name that is a word of the
 * language cannot be written. COR_STATUS_INPUT: the cause names the column (from 1; and the line, if there
 * are several), what was found and what was expected, a limit that was passed, or an unknown name, with a
 * did-you-mean as remedy; `place` (may be NULL) goes in front. A name that is no identifier ("moved > 3")
 * stands for a comparison that the caller has found in the text: where it stands, it is a condition. Freed by
 * cor_temporal_destroy. */
enum cor_status cor_temporal_parse(const char *text, const char *const *names, const char *place,
                                   struct cor_temporal **formula, struct cor_error *error) COR_MUST_USE;

/* For callers that find comparisons: the length of what stands at `at` and is no word of the language,
 * bracket, bound, "!", "&&" or "||", blanks at its end not counted: a name or a comparison. 0: none does, and
 * then *other is the length of what does; else it is 0. */
size_t cor_temporal_operand(const char *at, size_t *other);

/* Frees it; NULL is none. */
void cor_temporal_destroy(struct cor_temporal *formula);
COR_DESTROYS(cor_temporal, struct cor_temporal)

/* A formula that is followed along a trace, state by state. Its memory is bounded by the formula, not by the
 * length of the trace: what it has learnt is forgotten when it grows too large, and learnt again. */
struct cor_temporal_watch;

/* A watch before the first state of a trace. `formula` is borrowed until it is destroyed. Freed by
 * cor_temporal_watch_destroy. */
enum cor_status cor_temporal_watch_create(const struct cor_temporal *formula,
                                          struct cor_temporal_watch **watch,
                                          struct cor_error *error) COR_MUST_USE;

/* Frees it; NULL is none. */
void cor_temporal_watch_destroy(struct cor_temporal_watch *watch);

/* Back before the first state; what was learnt stays. */
void cor_temporal_restart(struct cor_temporal_watch *watch);

/* Takes the next state: conditions[c] is an enum cor_temporal_value of names[c]. COR_STATUS_INPUT: too much
 * is owed at once to be followed (a formula that nests bounded words can ask for exponentially much).
 * After an error it can only be destroyed. */
enum cor_status cor_temporal_step(struct cor_temporal_watch *watch, const uint8_t *conditions,
                                  struct cor_error *error) COR_MUST_USE;

/* What the formula is if the trace ends here. */
enum cor_temporal_value cor_temporal_verdict(const struct cor_temporal_watch *watch);

/* What it is where the trace was stopped here, as a test is, and would have gone on: as cor_temporal_verdict,
 * but unknown, and not violated, where all that lacks is within bounds that reach beyond the last state.
 * Nobody is accused of what there was no time for. Words without bounds reach as far as the trace does. */
enum cor_temporal_value cor_temporal_so_far(const struct cor_temporal_watch *watch);

#define COR_TEMPORAL_OPEN UINT64_MAX

/* The state, from 0, with which the verdict was fixed: the first one after which every continuation, by any
 * number of states in which each condition may hold, be violated or be unknown, has the same verdict.
 * COR_TEMPORAL_OPEN: none did so far; at the end of the trace its end decided.
 *
 * Promised: what is said to be fixed is fixed (impartial), always. It is said at once (anticipatory)
 * - of "holds" and "violated", unless the formula has more than 2,048 different remainders on the one
 *   continuation that matters, in which all is unknown;
 * - of "unknown", unless neither a verdict nor its impossibility is found within 4,096 steps from remainder
 *   to remainder;
 * and in both cases if half a million joins of remainders suffice for the state. Beyond that it is said
 * later, or not at all, and when may depend on what the watch saw in traces before. A formula of which
 * nothing but its value is left is seen at once in any case. */
uint64_t cor_temporal_decided_at(const struct cor_temporal_watch *watch);

/* How far a condition is from holding in the state that was taken last, and from being violated, at least 0;
 * infinite: that is not known. */
struct cor_temporal_degrees {
    double of, of_denial;
};

#define COR_TEMPORAL_NEVER UINT32_MAX

/* How far a formula is from holding. */
struct cor_temporal_distance {
    uint32_t states; /* that have to come before it is sure to hold, or the trace ends with it; 0: it does, or
                        none is left; NEVER: however many of those that are left come, it does not hold */
    double degree;   /* how far what is asked of the next state was from being so in the last one */
};

/* The distance after the state that was taken last, of which degrees[c] are those of names[c], if at most
 * `left` states come (at most UINT32_MAX - 1). NEVER is sure, and said where too few states are left for
 * "next" and "eventually"; else distances are guesses: of several ways the one of the fewest states, and of
 * these the one of the least degree; what joins others takes the most states and the sum of degrees. */
enum cor_status cor_temporal_distance(struct cor_temporal_watch *watch,
                                      const struct cor_temporal_degrees *degrees, uint32_t left,
                                      struct cor_temporal_distance *distance,
                                      struct cor_error *error) COR_MUST_USE;

/* A part of why a formula is violated. */
struct cor_temporal_reason {
    enum cor_temporal_reason_kind {
        COR_TEMPORAL_FACT,     /* a condition is `value` in the states `first` to `last` */
        COR_TEMPORAL_TOO_LATE, /* a word that waits for something from `first` on had time until `last` */
        COR_TEMPORAL_BROKEN,   /* a word that waits from `first` on, and asks for something until then, got no
                                  more than that to `last`, in which what it asks for was not so */
        COR_TEMPORAL_ENDED,    /* a word that waits from `first` on still did when the trace ended */
        COR_TEMPORAL_NOTHING_BEFORE /* a word asks in `first` for a state that is before all states */
    } kind;
    uint64_t first, last;
    uint32_t condition;  /* FACT: among the names */
    uint8_t value;       /* FACT: enum cor_temporal_value, never unknown */
    uint32_t at, length; /* of the others: where the word with what it is said of stands in the text */
};

/* Why a formula that is violated is so: facts that suffice, in the order of the text. Whatever conditions are
 * elsewhere, it is violated: on every continuation, if `is_decided`, else if the trace ends here. states[i *
 * width + c] is an enum cor_temporal_value of names[c] in state i, `count` > 0 of them: up to the deciding
 * one, if it is decided. *is_enough: false where a verdict was decided that no facts up to it decide by
 * themselves, as that of "eventually next false": then they are why it is violated if the trace ends here.
 * Of several reasons the first is taken. Neighbour states with the same fact are one. *reasons is freed with
 * free(). Time and memory: `count` times nodes of the formula. */
enum cor_status cor_temporal_reasons(const struct cor_temporal *formula, const uint8_t *states, size_t width,
                                     uint64_t count, bool is_decided, struct cor_temporal_reason **reasons,
                                     size_t *reason_count, bool *is_enough,
                                     struct cor_error *error) COR_MUST_USE;

/* The word of its kind: "fact", "too_late", "broken", "ended", "nothing_before". */
const char *cor_temporal_reason_word(enum cor_temporal_reason_kind kind);

/* One of them in words, cut off at `size`: "alarm holds in cycle 4". `text` and `names` are those of the
 * parse; `state` is what the caller calls a state, which is `first_number` for state 0. */
void cor_temporal_reason_text(const struct cor_temporal_reason *reason, const char *text,
                              const char *const *names, const char *state, uint64_t first_number, char *words,
                              size_t size);

#endif
