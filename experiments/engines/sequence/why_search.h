/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to sequence: the search for what a failure needs. why.c tries each alone and names; why_sets.c
 * tries several together. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_WHY_SEARCH_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_WHY_SEARCH_H

#include <corridor/why.h>

/* Something that can be changed. */
struct part {
    enum cor_why_part kind;
    uint32_t number;
    enum cor_why_manner manner; /* in which it is changed, or made the failure go */
    uint32_t choice;
    bool goes;   /* changed alone it makes the failure go; */
    bool direct; /* also where all other mail is held, or no other does it */
};

struct why {
    const struct cor_why_definition *definition; /* borrowed, as the next ones */
    struct cor_tester *tester;
    struct cor_why_report *report;
    struct cor_test *test; /* owned; ends with the failing case; how its mail went is its schedule */
    uint64_t identity;     /* of that case */
    uint64_t *place;       /* owned; [message] in the order of delivery */
    struct part *parts;    /* owned; as they happened: messages when they came */
    size_t part_count, part_capacity;
    struct cor_redraw *redraws; /* owned; [part] scratch */
    bool can_hold;              /* with its mail held the test fails alike */
    bool is_stopped;
};

enum { COR_WHY_WAYS = 3, COR_WHY_WAYS_OF_MAIL = 4 }; /* of changing a part */

/* How changes are made together. */
struct together {
    const struct cor_course *held; /* mail is as it was there; NULL: as it comes */
    struct cor_course *told;       /* gets the course; NULL: nobody wants to know */
};

/* Is another execution within the budget, and wanted? */
bool sequence__why_may_execute(struct why *w);

/* Is the failure there? All that was wrong is wrong, in the same case, with the fault at work or not; what
 * else is wrong does not matter. */
bool sequence__why_is_there(const struct why *w, const struct cor_test_result *result);

/* Executes the test with all parts changed but those that are marked in `gone`; NULL: with all `count`.
 * numbers[i]: by which part i is found among the messages, NULL: its own. */
enum cor_status sequence__why_execute(struct why *w, const struct part *parts, size_t count, const bool *gone,
                                      const uint32_t *numbers, const struct together *how,
                                      struct cor_test_result *result, struct cor_error *error) COR_MUST_USE;

/* Can the part be changed in its manner? */
bool sequence__why_can_be(const struct why *w, const struct part *part);

/* The part in way number `way` of changing it; false: it has no so many. */
bool sequence__why_next_way(struct part *part, uint32_t way);

/* Are both said by the same agent to the same agent, and of the same kind? */
bool sequence__why_is_same(const struct cor_course_message *one, const struct cor_course_message *other);

/* Tells a part as a cause, and what happens when it alone is changed, by an execution of its own. */
enum cor_status sequence__why_name(struct why *w, const struct part *part,
                                   struct cor_error *error) COR_MUST_USE;

/* A smallest set of parts that make the failure go together, named if there is one. */
enum cor_status sequence__why_sets(struct why *w, bool *is_found, struct cor_error *error) COR_MUST_USE;

#endif
