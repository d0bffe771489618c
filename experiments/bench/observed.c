/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A corridor beside a run that is observed: three invariants of a consensus, event by event. */
#include "timing.h"

#include <corridor/observed.h>
#include <corridor/rng.h>

#include <stdlib.h>

enum { EVENTS = 1 << 16, ATTRIBUTES = 4, INDEXES = 512, FIRST = 4 /* attribute of the text */ };
enum { ROLE, TERM, STORED, COMMIT };

static const char text[] = "structure observed\n"
                           "attribute role: words follower, leader\n"
                           "attribute term: integer\n"
                           "attribute stored: integer\n"
                           "attribute commit: integer\n"
                           "channel applied\n"
                           "invariant one_leader: all(a in agents where a.role == 'leader':\n"
                           " all(b in agents where b.role == 'leader' and b.term == a.term: b == a))\n"
                           "invariant agreed: agree(applied)\n"
                           "invariant on_majority: all(a in agents where a.role == 'leader':\n"
                           " 2 * count(b in agents where b.stored >= a.commit) > count(agents))\n";

/* What the agent that an event is of shows and tells. */
struct event {
    uint32_t agent;
    struct cor_value values[ATTRIBUTES];
    uint64_t told; /* index; 0: nothing */
};

struct observing {
    struct cor_corridor *corridor;
    struct cor_observed *observed;
    struct event *events;
};

static double observe(void *context) {
    struct observing *o = context;
    struct cor_error error = COR_NO_ERROR;
    uint32_t violated;
    bench_must(cor_observed_restart(o->observed, &error), &error);
    for (uint32_t e = 0; e < EVENTS; e++) {
        const struct event *event = &o->events[e];
        for (uint32_t a = 0; a < ATTRIBUTES; a++)
            cor_observed_show(o->observed, event->agent, FIRST + a, event->values[a]);
        if (event->told > 0)
            bench_must(cor_observed_tell(o->observed, event->agent, 0, event->told, event->told, &error),
                       &error);
        bench_must(cor_observed_event(o->observed, &violated, &error), &error);
        if (violated != COR_NONE)
            bench_fail("a sound run was found violated");
    }
    return EVENTS;
}

/* Events of a sound run: most change nothing, some store, commit, apply; now and then another agent leads. */
static void draw_events(struct observing *o, uint32_t agents, bool is_idle) {
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    const struct cor_words *words = &o->corridor->words;
    const struct cor_value follower = cor_word(cor_words_find(words, "follower")),
                           leader = cor_word(cor_words_find(words, "leader"));
    struct event *shown = bench_kept(calloc(agents, sizeof *shown));
    uint32_t leads = 0;
    int64_t term = 1;
    for (uint32_t a = 0; a < agents; a++)
        shown[a] = (struct event){
            a, {a == 0 ? leader : follower, cor_integer(1), cor_integer(0), cor_integer(0)}, 0};
    for (uint32_t e = 0; e < EVENTS; e++) {
        const uint32_t agent = e < agents ? e : cor_rng_below(&rng, agents);
        const uint32_t what = cor_rng_below(&rng, 100);
        struct event *event = &shown[agent];
        event->told = 0;
        if (e < agents || is_idle || what < 60) {
        } else if (what < 80) {
            event->values[STORED].as.integer++;
        } else if (what < 95) {
            event->told = (uint64_t)(event->values[COMMIT].as.integer % INDEXES) + 1;
            if (agent != leads)
                event->values[COMMIT].as.integer++;
        } else if (agent != leads) {
            shown[agent].values[ROLE] = leader;
            shown[agent].values[TERM] = cor_integer(++term);
            shown[agent].values[COMMIT] = cor_integer(0);
            shown[leads].values[ROLE] = follower; /* as soon as it has an event of its own */
            leads = agent;
        }
        o->events[e] = *event;
    }
    free(shown);
}

static struct bench_figure measure(uint32_t agents, bool is_idle) {
    struct observing o = {.events = bench_kept(calloc(EVENTS, sizeof *o.events))};
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_corridor_parse(text, "bench", &o.corridor, &error), &error);
    bench_must(cor_observed_create(o.corridor, agents, NULL, &o.observed, &error), &error);
    draw_events(&o, agents, is_idle);
    const struct bench_figure figure = {1e9 * bench_measure(observe, NULL, &o, bench_careful).seconds, 0, ""};
    cor_observed_destroy(o.observed);
    cor_corridor_destroy(o.corridor);
    free(o.events);
    return figure;
}

void bench_observed(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    figures[0] = measure(3, true);
    figures[1] = measure(3, false);
    figures[2] = measure(5, false);
    figures[3] = measure(100, false);
}
