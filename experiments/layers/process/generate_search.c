/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Search: schedules that showed a state which the suite had not seen, or met a trap that none had met, are
 * kept, and changed a little. New ones
 * come from `rounds` and `swarm` by turns, and so does what comes after a changed schedule. */
#include "generator_draws.h"

#include <string.h>

#define CORPUS_MAX 256u
#define FRESH 4u   /* one schedule in so many is new */
#define WINDOW 40u /* events that are taken out, repeated, moved: at most */
#define CHANGES 3u /* of a schedule: at most */
#define TRAP 64u   /* a trap that no schedule had met is worth so many new states */
#define NOBODY UINT32_MAX
#define CONTEST 3u /* kept ones that are drawn; that which was changed least often is */

struct kept {
    struct cor_process_schedule schedule;
    uint32_t fresh,
        chosen; /* states that were new, with those that a trap is worth; how often it was changed */
};

struct cor_schedule_generator {
    struct cor_generator_base base;
    struct cor_rng rng;
    const struct cor_schedule_generator_kind *kinds[2];
    struct cor_schedule_generator *generators[2]; /* owned */
    uint32_t which;                               /* of these, in this schedule */
    struct kept kept[CORPUS_MAX];
    uint32_t kept_count, parent; /* parent: that is changed in this schedule; NOBODY: none */
    struct cor_process_schedule changed, scratch;
    size_t at; /* the next event of it */
};

static void fini(struct cor_schedule_generator *g) {
    for (int k = 0; k < 2; k++)
        cor_schedule_generator_destroy(g->kinds[k], g->generators[k]);
    for (uint32_t k = 0; k < g->kept_count; k++)
        cor_process_schedule_fini(&g->kept[k].schedule);
    cor_process_schedule_fini(&g->changed);
    cor_process_schedule_fini(&g->scratch);
}

static enum cor_status init(struct cor_schedule_generator *g, struct cor_error *error) {
    g->kinds[0] = &cor_schedule_generator_rounds;
    g->kinds[1] = &cor_schedule_generator_swarm;
    for (int k = 0; k < 2; k++)
        COR_TRY(cor_schedule_generator_create(g->kinds[k], g->base.cluster, &g->base.options,
                                              &g->generators[k], error));
    return COR_OK;
}

/* ---- changes */

/* `count` events of `from`, from `first` on, as far as there are. */
static enum cor_status append(struct cor_process_schedule *to, const struct cor_process_schedule *from,
                              size_t first, size_t count, struct cor_error *error) {
    for (size_t e = first; e < from->count && e - first < count; e++)
        COR_TRY(cor_process_schedule_add(to, &from->events[e], error));
    return COR_OK;
}

/* A set of processes in which two take each other's place. */
static uint32_t swapped(uint32_t set, uint32_t one, uint32_t other) {
    const uint32_t differ = (set >> one ^ set >> other) & 1;
    return set ^ (differ << one | differ << other);
}

/* Changes g->changed once. */
static enum cor_status change(struct cor_schedule_generator *g, struct cor_error *error) {
    struct cor_process_schedule *old = &g->scratch, *new = &g->changed;
    const uint32_t kind = cor_rng_below(&g->rng, 6);
    const size_t at = cor_rng_below(&g->rng, (uint32_t)g->changed.count + 1);
    const uint32_t size = 1 + cor_rng_below(&g->rng, WINDOW);
    const uint32_t second = 1 + cor_rng_below(&g->rng, WINDOW);
    const uint32_t count = cor_cluster_process_count(g->base.cluster);
    const uint32_t one = cor_rng_below(&g->rng, count);
    const uint32_t other = cor_rng_below(&g->rng, count);
    const struct cor_process_schedule *mate = &g->kept[cor_rng_below(&g->rng, g->kept_count)].schedule;
    const struct cor_process_schedule held = *old;
    *old = *new;
    *new = held;
    new->count = 0;
    COR_TRY(append(new, old, 0, at, error));
    switch (kind) {
    case 0: /* what comes then is drawn anew */
        return COR_OK;
    case 1: /* some events do not happen */
        return append(new, old, at + size, SIZE_MAX, error);
    case 2: /* they happen twice */
        COR_TRY(append(new, old, at, size, error));
        return append(new, old, at, SIZE_MAX, error);
    case 3: /* they happen later */
        COR_TRY(append(new, old, at + size, second, error));
        COR_TRY(append(new, old, at, size, error));
        return append(new, old, at + size + second, SIZE_MAX, error);
    case 4: /* another schedule goes on */
        return append(new, mate, at, SIZE_MAX, error);
    default: /* to somebody else */
        COR_TRY(append(new, old, at, SIZE_MAX, error));
        /* Two processes take each other's place from event `first` on. */
        for (size_t e = at; e < new->count; e++) {
            struct cor_process_event *event = &new->events[e];
            const uint32_t process = event->process, peer = event->peer;
            if (event->kind == COR_PROCESS_EVENT_PART && event->what == COR_PARTITION_ALONE)
                event->ordinal = event->ordinal == one     ? other
                                 : event->ordinal == other ? one
                                                           : event->ordinal;
            if (event->kind == COR_PROCESS_EVENT_PART && event->what == COR_PARTITION_GROUPS)
                event->ordinal = swapped(event->ordinal >> 16, one, other) << 16 |
                                 swapped(event->ordinal & 0xffff, one, other);
            if (event->kind == COR_PROCESS_EVENT_PART || event->kind == COR_PROCESS_EVENT_UNITE)
                continue;
            event->process = (uint8_t)(process == one ? other : process == other ? one : process);
            event->peer = (uint8_t)(peer == one ? other : peer == other ? one : peer);
        }
        return COR_OK;
    }
}

static enum cor_status begin_search_schedule(struct cor_schedule_generator *g,
                                             const struct cor_stream_name *name, struct cor_error *error) {
    g->rng = process_layer__draws(name, 1);
    g->which = cor_rng_below(&g->rng, 2);
    g->changed.count = g->at = 0;
    g->parent = NOBODY;
    COR_TRY(g->kinds[g->which]->begin(g->generators[g->which], name, error));
    if (g->kept_count == 0 || cor_rng_below(&g->rng, FRESH) == 0)
        return COR_OK;
    uint32_t parent = cor_rng_below(&g->rng, g->kept_count);
    for (uint32_t c = 1; c < CONTEST; c++) {
        const uint32_t rival = cor_rng_below(&g->rng, g->kept_count);
        if (g->kept[rival].chosen < g->kept[parent].chosen)
            parent = rival;
    }
    g->parent = parent;
    COR_TRY(append(&g->changed, &g->kept[parent].schedule, 0, SIZE_MAX, error));
    const uint32_t changes = 1 + cor_rng_below(&g->rng, CHANGES);
    for (uint32_t c = 0; c < changes; c++)
        COR_TRY(change(g, error));
    return COR_OK;
}

static enum cor_status next(struct cor_schedule_generator *g, const struct cor_weather *weather,
                            struct cor_process_event *event, struct cor_error *error) {
    if (g->at == g->changed.count)
        return g->kinds[g->which]->next(g->generators[g->which], weather, event, error);
    *event = g->changed.events[g->at++];
    const uint64_t now = cor_cluster_now(g->base.cluster);
    event->tick = event->tick > now ? event->tick : now;
    return COR_OK;
}

/* Where a schedule is kept: the first free place, or that of the one that showed least and was changed most
 * often. */
static struct kept *place(struct cor_schedule_generator *g) {
    if (g->kept_count < CORPUS_MAX)
        return &g->kept[g->kept_count++];
    struct kept *least = &g->kept[0];
    for (uint32_t k = 1; k < CORPUS_MAX; k++)
        if ((uint64_t)g->kept[k].fresh * (least->chosen + 1) <
            (uint64_t)least->fresh * (g->kept[k].chosen + 1))
            least = &g->kept[k];
    return least;
}

static enum cor_status learn(struct cor_schedule_generator *g, const struct cor_process_schedule *schedule,
                             struct cor_schedule_news news, struct cor_error *error) {
    if (g->parent != NOBODY)
        g->kept[g->parent].chosen++;
    const size_t worth = news.states + (size_t)TRAP * news.traps;
    if (news.failed || worth == 0 || schedule->count == 0)
        return COR_OK;
    struct kept *kept = place(g);
    kept->schedule.count = 0;
    kept->chosen = 0;
    kept->fresh = worth < UINT32_MAX ? (uint32_t)worth : UINT32_MAX;
    return append(&kept->schedule, schedule, 0, SIZE_MAX, error);
}

const struct cor_schedule_generator_kind cor_schedule_generator_search = {
    .name = "search",
    .meaning = "schedules that showed something new, changed a little",
    .size = sizeof(struct cor_schedule_generator),
    .init = init,
    .fini = fini,
    .begin = begin_search_schedule,
    .next = next,
    .no_law = "it learns from one schedule for the next, so that they are not independent",
    .learn = learn,
};
