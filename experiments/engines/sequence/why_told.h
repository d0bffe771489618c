/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was found to be the cause of a failure, told in the order of happening. */
#ifndef CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_WHY_TOLD_H
#define CORRIDOR_EXPERIMENTS_ENGINES_SEQUENCE_WHY_TOLD_H

#include <corridor/plugin.h>
#include <corridor/why.h>

/* A cause in words; all owned. */
struct sequence__why_step {
    char *what;    /* "agent 3 says kind 9 to agent 7", */
    char *when;    /* "round 4", "move 17" */
    char *values;  /* what it says, or what was drawn; "": nothing */
    char *because; /* how it came to that; "": in a turn of its own, or nothing is known */
    char *then;    /* what whoever got it did; "": nothing */
    char *changed; /* in which way it was changed, */
    char *instead; /* and what happened then */
};

/* Of cause `index` of the report, of a test of `algorithm`. */
enum cor_status sequence__why_step(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                                   size_t index, struct sequence__why_step *step,
                                   struct cor_error *error) COR_MUST_USE;
/* Likewise message `number` of the course, of which nothing was changed; what it made others say is told of
 * these. */
enum cor_status sequence__message_told(const struct cor_course *course, const struct cor_algorithm *algorithm,
                                       uint32_t number, struct sequence__why_step *step,
                                       struct cor_error *error) COR_MUST_USE;
void sequence__why_step_fini(struct sequence__why_step *step);

/* The first sentences: what fails, and what it needs. NULL: no memory. */
char *sequence__why_summary(const struct cor_why_report *report, const struct cor_algorithm *algorithm,
                            bool is_interrupted);

/* The causes as a sequence diagram: the messages with those that they answer and those that answer them. */
enum cor_status sequence__why_diagram(const struct cor_why_report *report,
                                      const struct cor_algorithm *algorithm, char **text,
                                      struct cor_error *error) COR_MUST_USE;

/* The next message of the course: those that came, as they came, and behind those of a round those that were
 * lost in it. The places begin at 0. False: there is none. */
struct sequence__mail_place {
    size_t came, lost;
};
bool sequence__mail_next(const struct cor_course *course, struct sequence__mail_place *at, uint32_t *number);

/* Mail of a course likewise, at most SEQUENCE__DRAWN_MOST messages; [message] those that are wanted;
 * `end`: what stands below. Behind it the graph that the algorithm told of, if it did: partitions that have
 * an agent of `named`, [agent of all], come first. */
#define SEQUENCE__DRAWN_MOST 1000u
enum cor_status sequence__course_diagram(const struct cor_course *course, const bool *wanted,
                                         const bool *named, const struct cor_algorithm *algorithm,
                                         const char *end, char **text, struct cor_error *error) COR_MUST_USE;

/* graph_drawing.c: that graph as a square of SVG without a frame, `size` wide, of at most
 * SEQUENCE__GRAPH_MOST agents; owned. Without a graph *text is NULL. */
#define SEQUENCE__GRAPH_MOST 64u
enum cor_status sequence__graph_drawn(const struct cor_course *course, const bool *named, char **text,
                                      double *size, struct cor_error *error) COR_MUST_USE;

#endif
