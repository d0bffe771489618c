/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world that runs: the system under test of papers 001 and 002, as test agents meet it. Reset, acted on,
 * seen; each kind is a struct of functions. (struct cor_world of expression is the values that a condition
 * reads; the beliefs of a test agent are such values.) */
#ifndef CORRIDOR_LIVE_WORLD_H
#define CORRIDOR_LIVE_WORLD_H

#include <corridor/terms.h>
#include <corridor/world_view.h>

#define COR_TEST_AGENTS_MAX 16

struct cor_live_world;

/* The functions of a kind of world, constant. A status is about the testbed; what the world does wrong is
 * `trouble`, 0 if nothing is: then there is no view, and the next thing is a reset. */
struct cor_live_world_kind {
    const char *word; /* "rooms" */
    /* Back to the beginning, for so many test agents; the view of the first. After trouble it begins anew. */
    enum cor_status (*reset)(struct cor_live_world *world, struct cor_world_view *view,
                             enum cor_system_trouble *trouble, struct cor_error *error);
    /* A test agent acts, and sees what it then sees. */
    enum cor_status (*act)(struct cor_live_world *world, uint32_t test_agent,
                           const struct cor_world_command *command, struct cor_world_view *view,
                           enum cor_system_trouble *trouble, struct cor_error *error);
    void (*close)(struct cor_live_world *world); /* frees it */
    /* Says what there is, and begins nothing; NULL: that is known from the start. */
    enum cor_status (*declare)(struct cor_live_world *world, enum cor_system_trouble *trouble,
                               struct cor_error *error);
    /* The suite is over: nothing that remembers it is there at the next reset. NULL: nothing does. */
    void (*rest)(struct cor_live_world *world);
};

/* The head of every world. */
struct cor_live_world {
    const struct cor_live_world_kind *kind;
    const struct cor_world_declaration *declaration; /* NULL before a program has declared itself */
    uint32_t run;    /* that begins with the next reset: names what the world draws. Set by whoever resets */
    char words[512]; /* of the last trouble: what was said or done; "" = none */
};

/* NULL is allowed. */
void cor_live_world_close(struct cor_live_world *world);

#endif
