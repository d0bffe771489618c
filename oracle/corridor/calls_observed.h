/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Histories of what is observed: calls of agents and their answers, judged as they come. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_CALLS_OBSERVED_H
#define CORRIDOR_ORACLE_CORRIDOR_CALLS_OBSERVED_H

#include <corridor/corridor.h>
#include <corridor/history.h>

struct corridor__calls {
    const struct cor_corridor *corridor; /* borrowed; NULL: it has no history */
    struct corridor__history {
        struct cor_history record;
        struct cor_linear *linear; /* owned; NULL: the channel is no history */
        enum cor_possible possible;
        size_t call;                 /* impossible: whose end left no order */
        bool has_returned, has_told; /* a call; one with a value that could be wrong */
    } * histories;                   /* owned; [channel] */
    struct corridor__open {
        uint32_t agent, channel, open; /* channel COR_NONE: nobody asks of it, and its end is known */
        uint64_t ticket;
        size_t number; /* in the record */
    } * open;          /* owned; calls without an end */
    size_t open_count, open_capacity;
    uint64_t events; /* calls, answers, and agents that were lost */
};

/* corridor__calls_fini frees it in any case; what is made begins with zeroes. */
enum cor_status corridor__calls_init(struct corridor__calls *calls, const struct cor_corridor *corridor,
                                     struct cor_error *error) COR_MUST_USE;
void corridor__calls_fini(struct corridor__calls *calls);

/* Forgets all calls. */
enum cor_status corridor__calls_restart(struct corridor__calls *calls, struct cor_error *error) COR_MUST_USE;

/* As cor_observed_call, cor_observed_answer and cor_observed_lost. COR_STATUS_INPUT: the object has no such
 * operation, or the answer is none of it. */
enum cor_status corridor__calls_call(struct corridor__calls *calls, uint32_t agent, uint32_t channel,
                                     uint64_t ticket, const char *const texts[3],
                                     struct cor_error *error) COR_MUST_USE;
enum cor_status corridor__calls_answer(struct corridor__calls *calls, uint32_t agent, uint64_t ticket,
                                       const char *value, bool failed, struct cor_error *error) COR_MUST_USE;
enum cor_status corridor__calls_lost(struct corridor__calls *calls, uint32_t agent,
                                     struct cor_error *error) COR_MUST_USE;

/* After the last event; of what is sequential unknown, for what comes may change it. */
enum cor_truth corridor__calls_ask(const struct corridor__calls *calls, const struct cor_constraint *asked);

/* If the run ends here. */
enum cor_truth corridor__calls_verdict(const struct corridor__calls *calls,
                                       const struct cor_constraint *asked);

/* Why it is violated, in a sentence. */
void corridor__calls_text(const struct corridor__calls *calls, const struct cor_constraint *asked, char *text,
                          size_t size);

#endif
