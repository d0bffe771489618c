/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everything that changes while a sequence runs: environment, agents, and the system structure. Copied,
 * hashed, and changed by four named phases only: attend, where agents come and go, and perceive (state.c),
 * adopt (adoption.c), and, where mechanisms work beside the algorithm, cor_state_write. */
#ifndef CORRIDOR_STATE_H
#define CORRIDOR_STATE_H

#include <corridor/configuration.h>
#include <corridor/lists.h>
#include <corridor/rng.h>
#include <corridor/terms.h>

#include <stdbool.h>

/* An agent that is in a second partition at the same time; only a faulty adoption makes one. */
struct cor_membership {
    uint32_t agent, partition;
};

/* The system structure. Of a partitioning: which partition each agent is in; partitions are
 * 0 .. partition_count - 1, none empty. Of all other kinds the lists `member` and `start` are the structure:
 * there are no labels and no second memberships, and an organization is empty only if it has children. */
struct cor_structure {
    uint32_t partition_count, partition_capacity;
    uint32_t *partition; /* owned; [agent]; COR_NOBODY = in none (after a faulty adoption; who is not there,
                            or came and was not adopted yet) */
    uint32_t *member;    /* owned; agents, partition after partition, ascending within; without second
                            memberships and who is in none: as of the last recount */
    uint32_t *start;     /* owned; partition p is member[start[p] .. start[p + 1]) */
    uint32_t *size;      /* owned; [partition], second memberships included */
    double *sum;         /* owned; [partition] sum of its members' values, kept up to date by additions */
    double total; /* sum of the values of all agents that are there, kept up likewise where the measure asks
                     for it: a chain of additions that nothing else could overlap; for RANGE as of the last
                     recount */
    struct cor_membership *second; /* owned */
    size_t second_count, second_capacity;
    uint32_t *parent; /* owned; [organization] the one above, COR_NOBODY: none; NULL: they do not nest */
    size_t member_capacity, parent_capacity;
};

/* Agents of one type and one group, which live in the same environment and answer it alike. */
struct cor_segment {
    uint32_t first, end; /* agents first .. end - 1 */
    uint32_t chain, group;
    bool is_taken_over; /* each relevant state leads to one state, whichever an agent is in */
    const struct cor_effect *effect;
};

/* In place of the state that an agent takes: it idles. No agent has so many states. */
#define COR_IDLES UINT8_MAX

/* A system at one moment; made by cor_state_create, freed by cor_state_destroy. */
struct cor_state {
    const struct cor_configuration *configuration; /* borrowed until the state is destroyed */
    uint8_t *environment;                          /* owned; [chain] present state */
    uint8_t *agent_state;                          /* owned; [agent] */
    double *value;                                 /* owned; [agent], in 0 .. 1 */
    double *step;       /* owned; scratch: [agent] what a case changes its value by */
    double **attribute; /* owned, and each; [attribute][agent]; cor_state_columns brings them up to date */
    const double **columns;    /* owned; the values, then the attributes */
    bool are_attributes_old;   /* what goes with states and values is of an earlier case */
    bool has_slow_attributes;  /* some go to their level by inertia */
    bool has_added_attributes; /* some add up */
    uint8_t *taken;            /* owned; [agent] the state that it took in this case, or COR_IDLES, of those
                                  whose influence, or whether they idle, is drawn */
    struct cor_segment *segments; /* owned; of the configuration: all agents in their order */
    uint32_t segment_count;
    bool has_drawn_influences; /* of some segment */
    uint8_t *absent;           /* owned; [agent] not 0: is not there; NULL: all always are */
    uint32_t present_count;    /* agents that are there */
    struct cor_structure structure;
};

/* A state of that configuration, at its initial state, all chains in state 0. Groups, types and `next` of the
 * effects are looked at here and stay as they are until the state is destroyed. */
enum cor_status cor_state_create(const struct cor_configuration *configuration, struct cor_state **state,
                                 struct cor_error *error) COR_MUST_USE;

/* Frees it and all it owns. NULL is allowed. */
void cor_state_destroy(struct cor_state *state);
COR_DESTROYS(cor_state, struct cor_state)

/* Back to the configuration's initial state, with the chains in `environment` (chain_count states). */
void cor_state_restart(struct cor_state *state, const uint8_t *environment);

/* Makes `state` equal to `other`, a state of the same configuration. COR_STATUS_MEMORY leaves it as it was.
 */
enum cor_status cor_state_copy(struct cor_state *state, const struct cor_state *other,
                               struct cor_error *error) COR_MUST_USE;

/* Gives `state` the structure of `other`, a state of the same configuration, and nothing else of it; sums are
 * as of the values in `state`. COR_STATUS_MEMORY leaves it as it was. */
enum cor_status cor_state_copy_structure(struct cor_state *state, const struct cor_state *other,
                                         struct cor_error *error) COR_MUST_USE;

/* A fingerprint of all that changes: environment, agents, and structure with the numbers of its partitions
 * (which follow from the solution adopted, so they are as reproducible as the rest). Sums are not in it, nor
 * attributes that follow from the rest. */
uint64_t cor_state_hash(const struct cor_state *state);

/* Attend, before agents perceive: who is there by the chains of presence in `environment`. Whoever is not any
 * more leaves its partition, which dissolves if nobody is left in it; whoever comes is in none, and begins
 * with its initial state, value and attributes. An agent that is not there perceives nothing and counts in
 * nothing; its numbers stay as they are. True if somebody came or went: the structure is new then. */
bool cor_state_attend(struct cor_state *state, const uint8_t *environment);

/* Agents that are there and in no partition. */
uint32_t cor_state_outside(const struct cor_state *state);

/* Perceive (003, 4.3): the chains are now in `environment`; every agent that does not idle changes its state
 * by its influence, and its value. Draws from streams `name` + purpose IDLE or INFLUENCE + entity agent, only
 * where the configuration asks for it. The structure's sums follow. */
void cor_state_perceive(struct cor_state *state, const uint8_t *environment,
                        const struct cor_stream_name *name);

/* Does perceiving draw: may agents idle or be away, or are influences probabilistic? */
static inline bool cor_state_draws(const struct cor_state *state) {
    return state->configuration->idle_ratio > 0 || state->absent || state->has_drawn_influences;
}

/* Perceive once more what was perceived in this case before, by a state that began like this one, whatever
 * became of its structure: nothing is drawn, `taken` is what that state's member of this name was then. Where
 * cor_state_draws is false it is not read. */
void cor_state_perceive_again(struct cor_state *state, const uint8_t *environment, const uint8_t *taken);

/* The chains are now in `environment`, and nobody has perceived it yet. */
void cor_state_surround(struct cor_state *state, const uint8_t *environment);

/* Perceive, of these agents alone, in ascending order, in the environment as it is now: the i-th draws as
 * cor_state_perceive would, from streams with ordinal[i]. */
void cor_state_perceive_some(struct cor_state *state, const uint32_t *agents, const uint32_t *ordinal,
                             uint32_t count, const struct cor_stream_name *name);

/* The columns of all agents, as struct cor_task has them: the values, then attribute after attribute, as they
 * are now. They are the state's, and are read until it changes. */
const double *const *cor_state_columns(struct cor_state *state);

/* Somebody beside the agents sets what all have in a column: their values, or an attribute that is FIXED or
 * goes to its level by inertia. What is computed from it follows, and the structure's sums. */
void cor_state_write(struct cor_state *state, uint32_t column, const double *numbers);

/* The structure as lists: partition after partition, agents ascending within; second memberships at the end
 * of theirs; with parents where organizations nest. */
enum cor_status cor_state_lists(const struct cor_state *state, struct cor_lists *lists,
                                struct cor_error *error) COR_MUST_USE;

/* Members, sizes, sums and total anew from labels and values, in fixed order: bounds the drift of the
 * additions. */
void cor_state_recount(struct cor_state *state);

/* Do labels or lists, sizes and sums agree (sums up to 1e-6)? For COR_VALIDATE. */
bool cor_state_is_sound(const struct cor_state *state);

/* The system's own detector of violations: what triggers a reorganization. It works over the structure's
 * incremental sums and asks nobody; whether it is right is judged by the oracle (R-Detect). */

/* What the monitor remembers from case to case; zero-initialise at the start of a sequence. */
struct cor_monitor_memory {
    uint32_t cases_outside; /* consecutive, up to now */
};

/* The dissimilarity of the partitions' mean values by the configuration's measure (terms.h), from the sums.
 */
double cor_monitor_dissimilarity(const struct cor_state *state);

/* Does the monitor raise an alarm, given that dissimilarity? With its fault, if it has one: a draw from
 * `name` with purpose MONITOR_FAULT. */
bool cor_monitor_alarm(struct cor_monitor_memory *monitor, const struct cor_configuration *configuration,
                       double dissimilarity, const struct cor_stream_name *name);

/* The same, given whether an alarm is due. */
bool cor_monitor_raise(struct cor_monitor_memory *monitor, const struct cor_monitor_definition *definition,
                       bool outside, const struct cor_stream_name *name);

/* Adoption (003, 6): the agents named in a solution, of those that are there, are moved one after another
 * from their present partition into the new one of their block; a partition that loses its last member is
 * dissolved. So an agent that the solution misses stays where it was, one that is listed twice ends in the
 * later block, and the structure is a partitioning whatever the solution is - unless adoption itself is
 * faulty. Kinds other than partitionings (adoption.c): with its first move an agent leaves all organizations
 * that it was in. In coverings each move joins one more, in hierarchies only the last one counts. Where
 * agents may be in no organization, those that the solution does not name leave theirs, after the moves.
 * Where organizations nest, those of the solution are then hung one after another below their parents; what
 * would close a circle, or a parent that there is not, is passed over. In a tree the roots that remain of the
 * old structure are hung below the solution's first. An organization dissolves if nobody is in it or below
 * it. */

/* What one call of cor_adopt did. */
struct cor_adoption_report {
    uint32_t moved; /* agents that are not in the partition that took over most of their old one (the first on
                       ties) */
    uint32_t corrupted; /* moves, or hangings, that the fault of adoption spoilt */
    uint32_t drawn;     /* how often its fault was drawn, whether or not that changed a move, */
    uint32_t struck;    /* and struck */
    size_t moves;       /* that agents make one after another: what hangs organizations is none */
};

/* Scratch memory of adoption. */
struct cor_adopter;

/* For structures of up to `agent_count` agents; destroying it frees it, NULL is allowed. */
enum cor_status cor_adopter_create(uint32_t agent_count, struct cor_adopter **adopter,
                                   struct cor_error *error) COR_MUST_USE;
void cor_adopter_destroy(struct cor_adopter *adopter);

/* Looks at the structure after a move of an adoption: what it would be if the adoption ended with this move,
 * organizations in any order. The lists are read until it returns. */
typedef enum cor_status cor_move_watcher(void *context, const struct cor_lists *structure,
                                         struct cor_error *error);

/* Who looks on at the adoptions that follow; NULL: nobody, as at first. A move is that of one agent: it
 * leaves what it is in and joins one organization, or it joins one more, or it leaves all. Where
 * organizations nest, those of the solution are all hung where they belong before the first agent moves, so
 * each comes into being in its place, with the first agent in it or below it, and no order of hanging them is
 * ever seen; those of the old structure go with the last agent. In a tree, the old root hangs below the new
 * one from the moment that there is one. */
void cor_adopter_watch(struct cor_adopter *adopter, cor_move_watcher *watcher, void *context);

/* Adopts `solution`, raw as it is. Moves are `moves` (unknown agents and blocks are passed over) or, when
 * NULL, agent after agent, block after block. A fault of adoption draws from `name` with purpose
 * ADOPTION_FAULT. Afterwards the solution's blocks come first, in their order, then what remains of old
 * partitions. */
enum cor_status cor_adopt(struct cor_adopter *adopter, struct cor_state *state,
                          const struct cor_lists *solution, const struct cor_move *moves, size_t move_count,
                          const struct cor_stream_name *name, struct cor_adoption_report *report,
                          struct cor_error *error) COR_MUST_USE;

/* The same, but it ends with its first `most` moves; the fault is drawn as cor_adopt draws it. So an adoption
 * move by move is one from the same structure each time, with one move more. The report is of what was done,
 * its `moves` of the whole adoption: with as many, or more, all is as after cor_adopt. Nobody may look on. */
enum cor_status cor_adopt_first(struct cor_adopter *adopter, struct cor_state *state,
                                const struct cor_lists *solution, const struct cor_move *moves,
                                size_t move_count, const struct cor_stream_name *name, size_t most,
                                struct cor_adoption_report *report, struct cor_error *error) COR_MUST_USE;

#endif
