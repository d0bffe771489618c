/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk: what the chains of a suite do in one sequence (003, 4.2), and the sources that walks come from. The
 * loop asks a walk for one case after another; whether the states were drawn in advance, read from a file, or
 * answer to what the system did, it cannot tell. */
#ifndef CORRIDOR_WALK_H
#define CORRIDOR_WALK_H

#include <corridor/profile.h>

/* Sources that an arm may name, X(name): each is a `const struct cor_source cor_source_<name>` in a file
 * source_<file>.c beside walk.c. */
#define COR_SOURCES(X)                               \
    X(profile) /* the profile's own probabilities */ \
    X(uniform) /* all states equally likely: what profiles are measured against */

/* What a sequence has from an earlier one of its suite. */
struct cor_branch {
    uint32_t parent,
        prefix; /* sequence; cases that are the same from the first on, 0 = the initial state alone */
};

struct cor_source;
struct cor_steering; /* of experiments/engines/conditions */

/* What a walk depends on. All pointers are borrowed until the walk ends. */
struct cor_walk_definition {
    const struct cor_source *source;
    const struct cor_profile *const *profiles;
    const uint16_t *profile_of_chain; /* [chain_count] */
    uint32_t chain_count, case_count;
    struct cor_stream_name name;     /* seed, arm, suite and sequence */
    const struct cor_branch *branch; /* the sequence continues this one; NULL = none */
    /* [case - 1], ascending: what random draws of a case are named by, and what a branch's prefix counts;
     * NULL: its number. Of recorded walks alone, of which cases were left out. */
    const uint64_t *case_identity;
    const struct cor_walk *recorded; /* the sequence itself as read from a file, or that which is continued */
    struct cor_steering *steering;   /* what the source steers by; NULL: it does not */
};

/* A walk, as far as it is known. Begins with cor_walk_init; its memory may serve walk after walk. */
struct cor_walk {
    uint32_t chain_count, case_count;
    /* owned; [case * chain_count + chain], cases 0 .. case_count; case 0 = before the first test case */
    uint8_t *states;
    size_t capacity; /* bytes */
    uint32_t known;  /* cases whose states stand there */
    struct cor_walk_definition definition;
    void *memory; /* owned; what the source keeps from case to case */
    size_t memory_size, memory_capacity;
};

/* What a source is told before it is asked for another case. */
struct cor_observation {
    struct cor_stream_name name; /* of the case to come: draw from it with purpose WALK and entity chain */
    bool alarm, reorganized;     /* of the case before; false at first */
    double dissimilarity;        /* by the monitor, before reorganizing */
    uint32_t agent_count;
    const double *values; /* [agent]; borrowed for the call */
};

/* How the system reacted in a test case, the whole of it. */
struct cor_reaction {
    bool alarm, reorganized;
    bool failed;                            /* a box did, in this case (failure_class.h) */
    double dissimilarity;                   /* by the monitor, before reorganizing */
    uint32_t partitions, smallest, largest; /* of the structure at the end of the case */
    uint32_t reached, held, activated;      /* the fault, in this case */
    const uint64_t *counted; /* borrowed for the call; [cell of the probes] in this case; NULL = nothing */
};

/* Where walks come from. All that changes lies in `memory` and in the walk, so that both can be put back
 * together to any case. */
struct cor_source {
    const char *name, *meaning; /* the word in experiment files and results, and what it stands for */
    size_t memory_size;         /* bytes, zeroed before `begin`; copied as they are */
    /* The same where it depends on the walk; NULL: it does not. */
    size_t (*memory)(const struct cor_walk_definition *definition);
    /* The states before the first case and, in one go, all cases that do not depend on what will be observed;
     * says how many by walk->known. */
    enum cor_status (*begin)(struct cor_walk *walk, struct cor_error *error);
    /* One case more, or several; NULL if `begin` fills all. */
    enum cor_status (*next)(struct cor_walk *walk, const struct cor_observation *observed,
                            struct cor_error *error);
    /* What came of case `number`, whose states are known; NULL if it does not want to know. */
    void (*see)(struct cor_walk *walk, uint32_t number, const struct cor_reaction *reaction);
    /* The sequence is over, in whichever way; NULL if there is nothing to be done. Cases that nobody asked
     * for may be made known now, as far as the definition goes. */
    void (*end)(struct cor_walk *walk);
    /* Draws all cases behind case `prefix` again, from the streams that the definition names now; NULL if it
     * cannot. */
    void (*again)(struct cor_walk *walk, uint32_t prefix);
};

#define COR_SOURCE(name) extern const struct cor_source cor_source_##name;
COR_SOURCES(COR_SOURCE)
#undef COR_SOURCE

/* The walk of the definition as recorded: what a suite file holds. No arm asks for it. */
extern const struct cor_source cor_source_recorded;

/* The source an arm means by `name`; COR_STATUS_INPUT with the known names. */
enum cor_status cor_source_find(const char *name, const struct cor_source **source,
                                struct cor_error *error) COR_MUST_USE;

/* An empty walk; frees nothing. */
void cor_walk_init(struct cor_walk *walk);

/* Frees what the walk holds. Idempotent. */
void cor_walk_fini(struct cor_walk *walk);

/* Room for that many chains and cases, contents undefined, all of them taken as known. */
enum cor_status cor_walk_resize(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                struct cor_error *error) COR_MUST_USE;

/* Makes it one of recorded states, written chain after chain: [chain * (case_count + 1) + case]. */
enum cor_status cor_walk_of_chains(struct cor_walk *walk, uint32_t chain_count, uint32_t case_count,
                                   const uint8_t *states, struct cor_error *error) COR_MUST_USE;

/* Begins a walk, in memory that an earlier one may have left. Chain c is an instance of
 * profiles[profile_of_chain[c]] and draws from a stream of its own: `name` with purpose WALK and entity c. */
enum cor_status cor_walk_begin(struct cor_walk *walk, const struct cor_walk_definition *definition,
                               struct cor_error *error) COR_MUST_USE;

/* Makes sure that the states of case `number` (1 .. case_count) are known; all before it are. */
enum cor_status cor_walk_reach(struct cor_walk *walk, uint32_t number, const struct cor_observation *observed,
                               struct cor_error *error) COR_MUST_USE;

/* Whether the walk wants to know how the system reacts, and tells it. */
bool cor_walk_sees(const struct cor_walk *walk);
void cor_walk_see(struct cor_walk *walk, uint32_t number, const struct cor_reaction *reaction);

/* The sequence is over: cases that nobody asked for do not belong to the walk, unless its source knows them
 * now. */
void cor_walk_end(struct cor_walk *walk);

/* The walk ends with case `last`, which is known. Its source knew all of it from the start. */
void cor_walk_cut(struct cor_walk *walk, uint32_t last);

/* Makes the walk go on behind case `prefix`, which is known, as one that is drawn from the streams of
 * sequence `sequence`. Its source must be able to. */
void cor_walk_fork(struct cor_walk *walk, uint32_t prefix, uint32_t sequence);

/* Makes `walk`, which began alike, go on as `other` does. */
enum cor_status cor_walk_copy(struct cor_walk *walk, const struct cor_walk *other,
                              struct cor_error *error) COR_MUST_USE;

/* The states of all chains at case `index` (0 = initial). */
static inline const uint8_t *cor_walk_at(const struct cor_walk *walk, uint32_t index) {
    return walk->states + (size_t)index * walk->chain_count;
}

#endif
