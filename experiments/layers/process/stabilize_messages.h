/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * States of processes that send messages: DIGITS, first the local state of each process, then what is under
 * way on each link. Any message that is the first of its link may come next, or be lost, and any alarm that
 * is set may go off: each of these is an actor, and to loss a fair daemon owes nothing. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_STABILIZE_MESSAGES_H
#define CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_STABILIZE_MESSAGES_H

#include <corridor/acts.h>
#include <corridor/process_stabilize.h>

#define PROCESS_LAYER__MAIL_MOST 8u /* messages on a link */

struct process_layer__mail {
    const struct cor_acts *acts;           /* owned; of a view borrowed */
    const struct cor_process_rules *rules; /* borrowed: the variables */
    uint32_t capacity, digit_count, actor_count;
    uint64_t owed;
    uint32_t sizes[COR_RULES_PROCESSES_MAX];   /* [digit] */
    uint32_t strides[COR_RULES_PROCESSES_MAX]; /* [digit] of the number of a state; once it is known to fit */
    uint32_t below[COR_ACTS_LINKS_MAX]
                  [PROCESS_LAYER__MAIL_MOST + 2]; /* [link][length] contents of fewer messages */
    uint32_t actor[COR_RULES_PROCESSES_MAX];      /* [process] its first alarm */
    uint32_t *answers[COR_RULES_PROCESSES_MAX]; /* owned; of rules: [view] the same number where the rule says
                                                 * the same; 0: nothing is to do */
};

/* Of rules over messages, which were asked, or of a program with messages, which is asked. *undecided: owned
 * by the caller: why nothing can be proved of it, in a sentence; or NULL. */
enum cor_status process_layer__mail_make(struct cor_process_rules *rules, uint32_t capacity,
                                         struct process_layer__mail *mail, char **undecided,
                                         struct cor_error *error) COR_MUST_USE;
void process_layer__mail_fini(struct process_layer__mail *mail); /* idempotent */

/* The same of a system that has messages, as a view: all of it is borrowed, and it needs no fini. */
enum cor_status process_layer__mail_view(const struct cor_stabilize_system *system, uint32_t capacity,
                                         struct process_layer__mail *mail,
                                         struct cor_error *error) COR_MUST_USE;

double process_layer__mail_states(const struct process_layer__mail *mail);
void process_layer__mail_digits(const struct process_layer__mail *mail, uint32_t state, uint32_t *digits);
uint32_t process_layer__mail_number(const struct process_layer__mail *mail, const uint32_t *digits);
void process_layer__mail_moves(const struct process_layer__mail *mail, uint32_t state,
                               struct cor_space_moves *moves);

/* Who moves, if these actors do. */
uint64_t process_layer__mail_movers(const struct process_layer__mail *mail, uint64_t actors);
/* "0's alarm", "0 hears 1", "a message is lost". */
void process_layer__mail_put_actors(const struct process_layer__mail *mail, uint64_t actors, char *text,
                                    size_t size);

/* Of a process of rules: in how many ways it can move by what it has, by what is under way to it and by what
 * those whom it reads have now; how many of its copies and of these messages are not as their sender is now.
 */
uint32_t process_layer__mail_enabled(const struct process_layer__mail *mail, const uint32_t *digits,
                                     uint32_t p);
uint32_t process_layer__mail_old(const struct process_layer__mail *mail, const uint32_t *digits, uint32_t p);

/* Messages under way on a link, the first one first; how many. */
uint32_t process_layer__mail_on(const struct process_layer__mail *mail, const uint32_t *digits, uint32_t link,
                                uint32_t messages[PROCESS_LAYER__MAIL_MOST]);

/* Puts so many messages on a link, the first one first; at most as many as fit. */
void process_layer__mail_put_on(const struct process_layer__mail *mail, uint32_t *digits, uint32_t link,
                                const uint32_t *messages, uint32_t count);

/* What happens, as a choice of a test names it: of a loss the link is that whose digit a step changes alone.
 */
enum process_layer__happening {
    PROCESS_LAYER__MOVES, /* of rules that read each other: `who` does */
    PROCESS_LAYER__HEARS, /* `who` a message from `of` */
    PROCESS_LAYER__LOSES, /* likewise; it is lost */
    PROCESS_LAYER__ALARM  /* alarm `of` of `who` goes off */
};
void process_layer__mail_name(const struct process_layer__mail *mail, uint32_t actor, const uint32_t *before,
                              const uint32_t *after, struct cor_choice *choice);
/* The actor of a choice; *link: on which a message is lost. COR_NONE: there is none. */
uint32_t process_layer__mail_actor_of(const struct process_layer__mail *mail, const struct cor_choice *choice,
                                      uint32_t *link);

/* Can a loop of a program with messages happen in time: each message takes as long as the delays of the
 * environment say, of which *high is the longest, and no alarm goes off before it is due? One of more than
 * 2,000 events is not asked about, and cannot. Rules over messages have no time: they always can. mail: may
 * be NULL, likewise. */
struct cor_process_environment;
enum cor_status process_layer__mail_in_time(const struct process_layer__mail *mail,
                                            const struct cor_process_environment *environment,
                                            const struct cor_space_run *loop, bool *is_in_time,
                                            uint32_t *high, struct cor_error *error) COR_MUST_USE;

/* The same of the digits of each of `count` states, and who moves there. */
enum cor_status process_layer__mail_loop_in_time(const struct process_layer__mail *mail,
                                                 const struct cor_process_environment *environment,
                                                 const uint32_t *digits, const uint64_t *movers,
                                                 uint32_t count, bool *is_in_time, uint32_t *high,
                                                 struct cor_error *error) COR_MUST_USE;

/* What is in no variable: "; 1 has 0 of 2; under way: 0>1 2"; freed by the caller. */
char *process_layer__mail_text(const struct process_layer__mail *mail, const uint32_t *digits);

#endif
