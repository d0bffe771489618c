/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What agents tell of the indices of channels: a table (channel, index) -> digest, so that each that is told
 * is looked up once. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_CHANNELS_H
#define CORRIDOR_ORACLE_CORRIDOR_CHANNELS_H

#include <corridor/corridor.h>

/* Two agents, or one that changed its mind, told something else of an index: who told it first stands first.
 */
struct corridor__discord {
    bool is_there;
    bool was_possible; /* an index was told twice, or by two agents whatever they told of */
    bool was_told;     /* something was, first by `teller` */
    uint32_t teller;
    uint32_t agents[2];
    uint64_t index, digests[2];
};

struct corridor__channels {
    struct corridor__told {
        uint64_t index, digest;
        uint32_t channel, agent;        /* that told it first */
        uint32_t run;                   /* in which it was told; another one's: the slot is free */
    } * slots;                          /* owned; hash table */
    uint32_t slot_count, used;          /* a power of two; 0: none yet */
    uint32_t run;                       /* from 1 */
    struct corridor__discord *discords; /* owned; [channel] the first one */
    uint32_t channel_count, discord_count;
};

/* Nothing is told; corridor__channels_fini frees it in any case; what is made begins with zeroes. */
enum cor_status corridor__channels_init(struct corridor__channels *channels, uint32_t channel_count,
                                        struct cor_error *error) COR_MUST_USE;
void corridor__channels_fini(struct corridor__channels *channels);

/* Forgets all that was told. */
void corridor__channels_restart(struct corridor__channels *channels);

/* An agent tells what stands there. */
enum cor_status corridor__channels_tell(struct corridor__channels *channels, uint32_t agent, uint32_t channel,
                                        uint64_t index, uint64_t digest,
                                        struct cor_error *error) COR_MUST_USE;

/* What is at odds in a channel, as a breach of agree() and as a sentence; digests are words. */
void corridor__discord_breach(const struct cor_corridor *corridor, uint32_t constraint,
                              const struct corridor__discord *discord, struct cor_breach *breach);
void corridor__discord_text(const char *channel, const struct corridor__discord *discord,
                            const char *const digests[2], char *text, size_t size);

/* ---- sentences about agents that are observed */

#define CORRIDOR__UP UINT64_MAX

/* What is known of agents when one is told of them. */
struct corridor__shown {
    uint32_t agent_count;
    const struct cor_attribute_values *columns; /* sets stand there as bits */
    const uint64_t *down_since; /* [agent] a tick, CORRIDOR__UP: is up; NULL: nobody says since when */
};

/* A breach of a constraint as a sentence, and others with what its agents show of the attributes that the
 * constraint reads, and who of them is down: whoever is counts by what it showed last, unless the constraint
 * asks for `up`. Where the breach names nobody, or not all, of all agents, the first of them. */
void corridor__shown_text(const struct cor_corridor *corridor, uint32_t constraint,
                          const struct cor_breach *breach, const struct corridor__shown *shown, char *text,
                          size_t size);

#endif
