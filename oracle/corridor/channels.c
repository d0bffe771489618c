/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "channels.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 256u

enum cor_status corridor__channels_init(struct corridor__channels *channels, uint32_t channel_count,
                                        struct cor_error *error) {
    channels->run = 1;
    channels->channel_count = channel_count;
    channels->discords = cor_calloc(channel_count, sizeof *channels->discords);
    return cor_made(channels->discords, error);
}

void corridor__channels_fini(struct corridor__channels *channels) {
    free(channels->slots);
    free(channels->discords);
    *channels = (struct corridor__channels){NULL};
}

void corridor__channels_restart(struct corridor__channels *channels) {
    memset(channels->discords, 0, channels->channel_count * sizeof *channels->discords);
    channels->used = channels->discord_count = 0;
    if (++channels->run == 0) {
        memset(channels->slots, 0, channels->slot_count * sizeof *channels->slots);
        channels->run = 1;
    }
}

/* The slot of the index, or the free one where it belongs. */
static struct corridor__told *find(const struct corridor__channels *channels, uint32_t channel,
                                   uint64_t index) {
    uint64_t at = cor_hash_word(channel, index);
    for (;; at++) {
        struct corridor__told *slot = &channels->slots[at & (channels->slot_count - 1)];
        if (slot->run != channels->run || (slot->channel == channel && slot->index == index))
            return slot;
    }
}

static enum cor_status grow(struct corridor__channels *channels, struct cor_error *error) {
    struct corridor__channels grown = *channels;
    if (channels->slot_count > UINT32_MAX / 2)
        return cor_fail_memory(error);
    grown.slot_count = channels->slot_count > 0 ? 2 * channels->slot_count : SLOTS_FIRST;
    grown.slots = cor_calloc(grown.slot_count, sizeof *grown.slots);
    COR_TRY(cor_made(grown.slots, error));
    for (uint32_t s = 0; s < channels->slot_count; s++) {
        const struct corridor__told *told = &channels->slots[s];
        if (told->run == channels->run)
            *find(&grown, told->channel, told->index) = *told;
    }
    free(channels->slots);
    *channels = grown;
    return COR_OK;
}

enum cor_status corridor__channels_tell(struct corridor__channels *channels, uint32_t agent, uint32_t channel,
                                        uint64_t index, uint64_t digest, struct cor_error *error) {
    COR_ASSERT(channel < channels->channel_count);
    if (channels->used >= channels->slot_count / 2)
        COR_TRY(grow(channels, error));
    struct corridor__told *slot = find(channels, channel, index);
    struct corridor__discord *discord = &channels->discords[channel];
    if (!discord->was_told)
        discord->teller = agent;
    discord->was_told = true;
    discord->was_possible = discord->was_possible || discord->teller != agent || slot->run == channels->run;
    if (slot->run != channels->run) {
        *slot = (struct corridor__told){index, digest, channel, agent, channels->run};
        channels->used++;
        return COR_OK;
    }
    if (slot->digest != digest && !discord->is_there) {
        channels->discord_count++;
        *discord = (struct corridor__discord){.is_there = true,
                                              .was_possible = true,
                                              .was_told = true,
                                              .teller = discord->teller,
                                              .agents = {slot->agent, agent},
                                              .index = index,
                                              .digests = {slot->digest, digest}};
    }
    return COR_OK;
}

static struct cor_span span_of(const char *text) {
    return (struct cor_span){text, (uint32_t)strlen(text)};
}

void corridor__discord_breach(const struct cor_corridor *corridor, uint32_t constraint,
                              const struct corridor__discord *discord, struct cor_breach *breach) {
    static const char *const names[] = {"a", "b"};
    static const char *const digests[] = {"digest of a", "digest of b"};
    *breach = (struct cor_breach){.part = span_of(corridor->constraints[constraint].text), .is_wanted = true};
    breach->binding_count = 2;
    breach->value_count = 3;
    breach->values[0] = (struct cor_breach_value){span_of("index"), cor_integer((int64_t)discord->index),
                                                  COR_NODE_INTEGER, 0};
    for (int i = 0; i < 2; i++) {
        breach->bindings[i] = (struct cor_binding){span_of(names[i]), COR_AGENT, discord->agents[i]};
        breach->values[1 + i] = (struct cor_breach_value){
            span_of(digests[i]), cor_integer((int64_t)discord->digests[i]), COR_NODE_INTEGER, 0};
    }
}

void corridor__discord_text(const char *channel, const struct corridor__discord *discord,
                            const char *const digests[2], char *text, size_t size) {
    if (discord->agents[0] == discord->agents[1])
        snprintf(text, size, "Agent %" PRIu32 " told %s of index %" PRIu64 " of %s, and tells %s now.",
                 discord->agents[0], digests[0], discord->index, channel, digests[1]);
    else
        snprintf(text, size,
                 "Agent %" PRIu32 " told %s of index %" PRIu64 " of %s, and agent %" PRIu32 " tells %s.",
                 discord->agents[0], digests[0], discord->index, channel, discord->agents[1], digests[1]);
}
