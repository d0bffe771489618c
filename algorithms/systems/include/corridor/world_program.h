/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A world that is any program: it speaks lines of JSON, docs/look-up/world-programs.md, and test agents act
 * in it. */
#ifndef CORRIDOR_WORLD_PROGRAM_H
#define CORRIDOR_WORLD_PROGRAM_H

#include <corridor/bytes.h>
#include <corridor/json.h>
#include <corridor/live_world.h>

struct cor_traffic;

/* Programs that were started, between those who use them: what each declared, so that nobody starts one to
 * ask again, and processes that are free. A process that was not reset yet is anybody's; one that was, of a
 * world that can "reset". Of the process that started them: others of ours leave them alone. */
struct cor_world_programs;
enum cor_status cor_world_programs_create(struct cor_world_programs **kept,
                                          struct cor_error *error) COR_MUST_USE;
void cor_world_programs_part(struct cor_world_programs *kept);    /* ends those that are free */
void cor_world_programs_destroy(struct cor_world_programs *kept); /* that, too; NULL is allowed */

/* A program, and how it is greeted. All is borrowed until the world is closed. */
struct cor_world_program_definition {
    const char *command; /* for sh */
    uint64_t seed;
    const char *setup;              /* what it is to be set up with, an array of JSON in one line; NULL: [] */
    const char *const *test_agents; /* their names, at most COR_TEST_AGENTS_MAX */
    uint32_t test_agent_count;
    double answer_seconds;           /* to answer; later it hangs */
    struct cor_traffic *traffic;     /* records it, or replays in its place (traffic.h); NULL: neither */
    bool is_free;                    /* no walls are raised around it (walls.h), */
    bool is_full;                    /* or all of them, else it is not started */
    struct cor_world_programs *kept; /* NULL: nobody else has its processes; not with traffic */
    uint64_t memory_bytes;           /* with walls: that it may ask for (cell.h) */
};

/* So long to answer as a system has, so much memory as a guest; all else is 0. */
struct cor_world_program_definition cor_default_world_program(void);

/* The world "program". It is started and greeted by the first reset, if no process is kept: COR_STATUS_PLUGIN
 * there, if it says that it cannot begin, with its words, or if it does not say what world it is. What it
 * does wrong later is trouble: it died, hung, or garbled, with the words of what it did; the reset after that
 * starts it anew, and it has to declare itself as before. COR_STATUS_PLUGIN and COR_STATUS_FILE here: there
 * is no such program.
 */
enum cor_status cor_world_program_create(const struct cor_world_program_definition *definition,
                                         struct cor_live_world **world, struct cor_error *error) COR_MUST_USE;

/* A value as the lines have it, of that domain, NULL: the identity of an entity: put behind what there is,
 * and read. Words that are new are added. COR_STATUS_INPUT: it is none of the domain. */
void cor_world_value_print(struct cor_bytes *bytes, const struct cor_words *words,
                           const struct cor_domain *domain, struct cor_value value);
enum cor_status cor_world_value_read(const struct cor_json *json, struct cor_words *words,
                                     const struct cor_domain *domain, struct cor_value *value,
                                     struct cor_error *error) COR_MUST_USE;

#endif
