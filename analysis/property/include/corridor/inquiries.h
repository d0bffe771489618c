/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The member "properties" of an experiment: what is asked of its arms, and how it is decided. Decisions are
 * made over suites in their order, from the first sequence of each: sequences of one suite share a
 * configuration, so suites are what is independent. So a campaign, a file that it has left and any number of
 * workers come to the same. */
#ifndef CORRIDOR_INQUIRIES_H
#define CORRIDOR_INQUIRIES_H

#include <corridor/json.h>
#include <corridor/property.h>
#include <corridor/ruling.h>
#include <corridor/steady.h>

#define COR_INQUIRIES_MAX 1000

/* A property of an arm, or of what it has more than another one. */
struct cor_inquiry {
    struct cor_property *property;   /* owned */
    char *arm, *minus;               /* owned; NULL: each arm, as inquiries of their own; minus: none */
    uint32_t arm_index, minus_index; /* once found; COR_NOBODY: none */
    char *curve; /* owned; the property over cases of which this is one of them; NULL: none */
    uint32_t at; /* ... in which case */
    struct cor_ruling_rule rule;
    struct cor_ruling ruling;      /* owned; as far as suites were taken */
    struct cor_steady_pilot pilot; /* owned; S: of the first sequences */
    bool is_given;        /* S: of one configuration, so that batches of a sequence are what is drawn */
    double other;         /* of a difference: what the first of both arms said */
    uint32_t other_suite; /* ... in this suite; COR_NOBODY: none waits */
};

/* Begins with zeros. */
struct cor_inquiries {
    struct cor_inquiry *items; /* owned */
    uint32_t count;
    size_t capacity;
    const struct cor_result_header
        *head; /* borrowed until arms are found: whose sequences (cor_property_parse_of) */
};

/* Reads an array of properties: texts, or objects {"property", "arm", "minus", "method", "alpha", "beta",
 * "indifference", "width", "level", "factor"}. A property over cases, E [ moved at 1..50 ] or P [ inside ]
 * at 1..50, is one for each of them: P [ next[6, 6] (inside) ] in case 7. COR_STATUS_INPUT. To be freed also
 * on failure. */
enum cor_status cor_inquiries_read(const struct cor_json *json, struct cor_inquiries *inquiries,
                                   struct cor_error *error) COR_MUST_USE;

/* Finds the arms by their names; an inquiry without one becomes one for each. `experiment` is the text that a
 * result file of it has, which says what amounts can be; `place` is where it is. */
enum cor_status cor_inquiries_find_arms(struct cor_inquiries *inquiries, const char *const *names,
                                        const char *experiment, const char *place,
                                        struct cor_error *error) COR_MUST_USE;

/* What the experiment, its root, says of its sequences as a number: the member that says how many cases they
 * have, which arms may say again, or which tests say alone, and "agents" of its model. */
struct cor_property_limits cor_property_limits(const struct cor_json *experiment,
                                               const struct cor_property_source *source);

/* "configurations" of an arm of an experiment, of the preset that it names, or of all arms: false where there
 * are none, so that configurations are drawn by the law of its parameters. */
bool cor_configurations_find(const struct cor_json *experiment, const struct cor_json *arm,
                             struct cor_json *configurations);

/* Asks for nothing of an arm whose configurations are chosen, not drawn: rows of a design or of a covering
 * array are no sample of any law, so no test and no interval holds of them. That of one configuration alone
 * (cor_inquiries_give) is all right. `experiment`: its root. COR_STATUS_INPUT. */
enum cor_status cor_inquiries_check_drawn(const struct cor_inquiries *inquiries,
                                          const struct cor_json *experiment, const char *place,
                                          struct cor_error *error) COR_MUST_USE;

/* Why sequences of an arm have no law, in words that go on behind a colon; false: they have. `experiment` is
 * its root, `arm` what the catalog of arms says of that of this name. */
#define COR_NO_LAW_BYTES 300
typedef bool cor_no_law(const struct cor_json *experiment, const struct cor_json *arm, const char *name,
                        char why[COR_NO_LAW_BYTES]);

/* Whether what is asked can be asked of the arms, which are found: of a layer whose rows of sequences become
 * cases (cor_ending_source) whether all cases are kept, whether suites of an arm are of one test, and whether
 * their law is one (no_law NULL: it always is). is_width: of all arms it is asked how many sequences fail,
 * with an interval, and so the latter two. `head`: of a result file, or what one of the experiment would
 * have. COR_STATUS_INPUT: why not. */
enum cor_status cor_inquiries_can_ask(const struct cor_inquiries *inquiries, bool is_width,
                                      const struct cor_result_header *head, cor_no_law *no_law,
                                      const char *place, struct cor_error *error) COR_MUST_USE;

/* Frees them. Idempotent. */
void cor_inquiries_fini(struct cor_inquiries *inquiries);

/* All of them are of suites of one configuration ("given" of an experiment), or not. */
void cor_inquiries_give(struct cor_inquiries *inquiries, bool is_given);

/* Takes what the next suite of an arm says of the inquiry. Suites of an arm come in ascending
 * order, and of two arms that are compared suite after suite. COR_STATUS_MEMORY. */
enum cor_status cor_inquiry_take(struct cor_inquiry *inquiry, uint32_t arm, uint32_t suite,
                                 const struct cor_property_value *value,
                                 struct cor_error *error) COR_MUST_USE;

/* Does the inquiry ask for suites of that arm? */
static inline bool cor_inquiry_asks(const struct cor_inquiry *inquiry, uint32_t arm) {
    return inquiry->arm_index == arm || inquiry->minus_index == arm;
}

/* Is something asked of the arm, and all of it over? */
bool cor_inquiries_are_over(const struct cor_inquiries *inquiries, uint32_t arm);

/* The share of the inquiries that are over; 1 of none. */
double cor_inquiries_decided(const struct cor_inquiries *inquiries);

#endif
