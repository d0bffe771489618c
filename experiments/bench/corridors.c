/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sizes, number and kind of a structure of 1,000 agents, judged by a corridor as a text and by the oracle's
 * own checks. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "setting.h"
#include "timing.h"

#include <corridor/array.h>
#include <corridor/corridor.h>
#include <corridor/expression.h>
#include <corridor/observed.h>
#include <corridor/prove.h>
#include <corridor/rng.h>
#include <corridor/temporal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MEMBERS = 1000, LOOKS = 2000 };

static const char structure_text[] =
    "structure partitioning\n"
    "parameter s_min, s_max, n_min, n_max: integer\n"
    "invariant sizes: all(o in organizations: s_min <= count(o.members) and count(o.members) <= s_max)\n"
    "invariant number: n_min <= count(organizations) <= n_max\n";

struct corridors {
    struct cor_corridor *corridor;
    struct cor_corridor_judge *judge;
    struct cor_oracle *oracle;
    struct cor_lists lists;
    struct cor_snapshot state;
    struct cor_limits limits;
    uint64_t found; /* is looked at, so nothing of the loops can be left out */
};

static double judge_by_text(void *context) {
    struct corridors *c = context;
    struct cor_error error = COR_NO_ERROR;
    struct cor_judgement judgement;
    for (int i = 0; i < LOOKS; i++) {
        bench_must(cor_corridor_judge_look(c->judge, &c->state, &judgement, &error), &error);
        c->found += judgement.violation_count + (cor_corridor_ask(c->judge, 0, NULL) != COR_TRUTH_TRUE) +
                    (cor_corridor_ask(c->judge, 1, NULL) != COR_TRUTH_TRUE);
    }
    return LOOKS;
}

static double judge_by_oracle(void *context) {
    struct corridors *c = context;
    struct cor_judgement judgement;
    for (int i = 0; i < LOOKS; i++) {
        cor_oracle_judge(c->oracle, &c->lists, MEMBERS, &c->limits, &judgement);
        c->found += judgement.violation_count;
    }
    return LOOKS;
}

static struct bench_figure compare(uint32_t organizations) {
    struct corridors c = {.limits = {1, MEMBERS, 1, MEMBERS}};
    struct cor_error error = COR_NO_ERROR;
    struct cor_attribute_values columns[4] = {{0}};
    const struct cor_value parameters[] = {cor_integer(1), cor_integer(MEMBERS), cor_integer(1),
                                           cor_integer(MEMBERS)};
    uint32_t members[MEMBERS];
    cor_lists_init(&c.lists);
    bench_must(cor_corridor_parse(structure_text, "bench", &c.corridor, &error), &error);
    bench_must(cor_corridor_judge_create(c.corridor, &c.judge, &error), &error);
    bench_must(cor_oracle_create(MEMBERS, &c.oracle, &error), &error);
    for (uint32_t o = 0; o < organizations; o++) {
        uint32_t count = 0;
        for (uint32_t agent = o; agent < MEMBERS; agent += organizations)
            members[count++] = agent;
        bench_must(cor_lists_put(&c.lists, members, count, &error), &error);
    }
    c.state = (struct cor_snapshot){MEMBERS, &c.lists, NULL, columns, parameters};
    const struct bench_times times = bench_measure(judge_by_text, judge_by_oracle, &c, bench_careful);
    COR_ASSERT(c.found == 0);
    struct bench_figure figure = {times.seconds / times.reference, 1, ""};
    snprintf(figure.note, sizeof figure.note, "%.2f us by the text, %.2f by the oracle", 1e6 * times.seconds,
             1e6 * times.reference);
    cor_lists_fini(&c.lists);
    cor_oracle_destroy(c.oracle);
    cor_corridor_judge_destroy(c.judge);
    cor_corridor_destroy(c.corridor);
    return figure;
}

void bench_corridors(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    figures[0] = compare(25);
    figures[1] = compare(100);
}

/* ---- A corridor beside a run that is observed: three invariants of a consensus, event by event */

enum { EVENTS = 1 << 16, ATTRIBUTES = 4, INDEXES = 512, FIRST = 4 /* attribute of the text */ };
enum { ROLE, TERM, STORED, COMMIT };

static const char observed_text[] =
    "structure observed\n"
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

static struct bench_figure measure(uint32_t agents, bool is_idle) {
    struct observing o = {.events = bench_kept(calloc(EVENTS, sizeof *o.events))};
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_corridor_parse(observed_text, "bench", &o.corridor, &error), &error);
    bench_must(cor_observed_create(o.corridor, agents, NULL, &o.observed, &error), &error);
    /* Events of a sound run: most change nothing, some store, commit, apply; now and then another agent
     * leads. */
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    const struct cor_words *words = &o.corridor->words;
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
        o.events[e] = *event;
    }
    free(shown);
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

/* ---- what is proved of a corridor's text, and reasons of violations in a large state */

enum { AGENTS = 1000, ORGANIZATIONS = 40 };

static const char proved_text[] =
    "structure partitioning\n"
    "attribute capacity: integer 0 .. 100\n"
    "parameter s_min: integer 1 .. 4\n"
    "parameter s_max: integer 1 .. 8\n"
    "parameter limit: real 0 .. 10\n"
    "invariant sizes: all(o in organizations: s_min <= count(o.members) and count(o.members) <= s_max)\n"
    "invariant some: all(o in organizations: count(o.members) >= 1)\n"
    "invariant supply: all(o in organizations: sum(a in o.members: a.capacity) >= 50)\n"
    "trigger balance: max(o in organizations: mean(a in o.members: a.value))\n"
    "  - min(o in organizations: mean(a in o.members: a.value)) <= limit\n"
    "invariant backup: all(o in organizations: any(a in o.members: a.type == 'crane') implies "
    "count(o.members) >= 2)\n";

static const char violated_text[] =
    "structure partitioning\n"
    "attribute value: real 0 .. 1\n"
    "invariant sizes: all(o in organizations: count(o.members) <= 30)\n"
    "invariant supply: all(o in organizations: sum(a in o.members: a.value) >= 3)\n"
    "trigger balance: max(o in organizations: mean(a in o.members: a.value))\n"
    "  - min(o in organizations: mean(a in o.members: a.value)) <= 0.3\n";

static struct cor_corridor *parse(const char *text) {
    struct cor_error error = COR_NO_ERROR;
    struct cor_corridor *corridor;
    bench_must(cor_corridor_parse(text, "bench", &corridor, &error), &error);
    return corridor;
}

/* z3 works in a child process: the clock on the wall. */
static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double prove(void *context) {
    const struct cor_proof_bounds bounds = {2, 8, 1, 6};
    struct cor_error error = COR_NO_ERROR;
    struct cor_corridor *corridor = parse(proved_text);
    struct cor_proof proof;
    (void)context;
    bench_must(cor_prove(corridor, &bounds, &proof, &error), &error);
    if (cor_solver_is_there() && proof.answer != COR_ANSWER_SATISFIABLE)
        bench_fail("the corridor was not proved to be satisfiable");
    cor_proof_fini(&proof);
    cor_corridor_destroy(corridor);
    return 1;
}

struct reasoning {
    struct cor_corridor *corridor;
    struct cor_snapshot state;
    struct cor_reason reason;
    uint32_t constraint;
};

static double find_reason(void *context) {
    struct reasoning *r = context;
    struct cor_error error = COR_NO_ERROR;
    bench_must(cor_corridor_reason(r->corridor, &r->state, r->constraint, &r->reason, &error), &error);
    if (!r->reason.is_there || r->reason.count == 0)
        bench_fail("no reason was found");
    return 1;
}

/* Partitions of 20 to 31 agents; the last has values that are low. */
void bench_proofs(const struct bench_places *places, struct bench_figure *figures) {
    struct cor_error error = COR_NO_ERROR;
    struct reasoning r = {.corridor = parse(violated_text)};
    struct cor_lists lists;
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    double *values = bench_kept(malloc(AGENTS * sizeof *values));
    (void)places;
    figures[0] = (struct bench_figure){
        bench_measure(prove, NULL, NULL, (struct bench_care){5, 0, now}).seconds, 0, ""};
    cor_lists_init(&lists);
    for (uint32_t o = 0, next = 0; o < ORGANIZATIONS; o++) {
        const uint32_t size = o == 7 ? 31 : o + 1 == ORGANIZATIONS ? AGENTS - next : o % 2 ? 24 : 26;
        uint32_t members[AGENTS];
        for (uint32_t i = 0; i < size; i++, next++) {
            members[i] = next;
            values[next] = (o + 1 == ORGANIZATIONS ? 0.1 : 1) * (double)cor_rng_below(&rng, 1000) / 1000;
        }
        bench_must(cor_lists_put(&lists, members, size, &error), &error);
    }
    struct cor_attribute_values *columns =
        bench_kept(cor_calloc(r.corridor->attribute_count, sizeof *columns));
    for (uint32_t q = 0; q < r.corridor->attribute_count; q++)
        if (strcmp(r.corridor->attributes[q].name, "value") == 0)
            columns[q].reals = values;
    r.state = (struct cor_snapshot){.agent_count = AGENTS, .organizations = &lists, .columns = columns};
    for (r.constraint = 0; r.constraint < 3; r.constraint++)
        figures[1 + r.constraint] =
            (struct bench_figure){1e3 * bench_measure(find_reason, NULL, &r, bench_careful).seconds, 0, ""};
    cor_reason_fini(&r.reason);
    cor_lists_fini(&lists);
    cor_corridor_destroy(r.corridor);
    COR_FREE(columns, values);
}

/* ---- formulas of time, state by state */

static const char *const formulas[] = {"always p", "always (p implies eventually q)",
                                       "always (p implies eventually[0, 3] q)"};
static const char *const names[] = {"p", "q", NULL};
enum { STATES = 1 << 16, ROUNDS = 16 };

struct trace {
    struct cor_temporal_watch *watch;
    uint8_t (*states)[2];
    uint64_t sum; /* so that nothing is left out */
};

static double follow(void *context) {
    struct trace *trace = context;
    struct cor_error error = COR_NO_ERROR;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < STATES; i++)
            bench_must(cor_temporal_step(trace->watch, trace->states[i], &error), &error);
        trace->sum += cor_temporal_verdict(trace->watch);
    }
    return (double)ROUNDS * STATES;
}

/* Traces that never decide: p always holds for the first formula, and comes at any time for the others; q, at
 * any time, too, but after three states without it in any case. */
void bench_temporal(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    uint8_t(*states)[2] = bench_kept(malloc(sizeof(uint8_t[STATES][2])));
    struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
    for (int f = 0; f < 3; f++) {
        for (int i = 0, without = 0; i < STATES; i++) {
            states[i][0] = f == 0 || cor_rng_below(&rng, 2) == 0;
            states[i][1] = without == 3 || cor_rng_below(&rng, 4) == 0;
            without = states[i][1] ? 0 : without + 1;
        }
        struct cor_error error = COR_NO_ERROR;
        struct cor_temporal *formula;
        struct trace trace = {.states = states};
        bench_must(cor_temporal_parse(formulas[f], names, NULL, &formula, &error), &error);
        bench_must(cor_temporal_watch_create(formula, &trace.watch, &error), &error);
        figures[f] =
            (struct bench_figure){1e-6 / bench_measure(follow, NULL, &trace, bench_careful).seconds, 0, ""};
        if (cor_temporal_decided_at(trace.watch) != COR_TEMPORAL_OPEN)
            bench_fail("a trace decided its formula");
        cor_temporal_watch_destroy(trace.watch);
        cor_temporal_destroy(formula);
    }
    free(states);
}

/* ---- guards of models: evaluated, and how far they are from holding */

/* That of t2 of the three-variable counter (paper 004, figure 2), and one of twenty variables, as paper 004
 * has them on average in its largest model. */
static const char *const guards[] = {"i > 6 && a == 10 && b == 6 && c == 2",
                                     "i > 6 && a >= 10 && b <= 6 && c == 2 && d + e <= 7 && f != g && h < j "
                                     "&& k + l + m <= n && o == p && q >= r && s < 9 && "
                                     "t == u"};
static const char *const variable_names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                             "l", "m", "n", "o", "p", "q", "r", "s", "t", "u", NULL};
enum { VARIABLES = sizeof variable_names / sizeof *variable_names - 1, VECTORS = 64, GUARD_ROUNDS = 2000 };

struct guard {
    struct cor_expression expression;
    int64_t values[VECTORS][VARIABLES];
    uint64_t sum; /* so that nothing is left out */
};

static double hold(void *context) {
    struct guard *g = context;
    for (int round = 0; round < GUARD_ROUNDS; round++)
        for (int i = 0; i < VECTORS; i++)
            g->sum += cor_expression_holds(&g->expression, g->values[i]);
    return (double)GUARD_ROUNDS * VECTORS;
}

static double measure_degree(void *context) {
    struct guard *g = context;
    for (int round = 0; round < GUARD_ROUNDS; round++)
        for (int i = 0; i < VECTORS; i++)
            g->sum += cor_expression_degree(&g->expression, g->values[i]);
    return (double)GUARD_ROUNDS * VECTORS;
}

void bench_guards(const struct bench_places *places, struct bench_figure *figures) {
    (void)places;
    for (int i = 0; i < 2; i++) {
        struct guard g = {.sum = 0};
        const char *text = guards[i];
        struct cor_error error = COR_NO_ERROR;
        struct cor_rng rng = cor_rng_named(&(struct cor_stream_name){.seed = 1, .purpose = COR_PURPOSE_TEST});
        bench_must(cor_expression_parse(text, variable_names, true, NULL, &g.expression, &error), &error);
        for (int j = 0; j < VECTORS; j++)
            for (int v = 0; v < VARIABLES; v++)
                g.values[j][v] = cor_rng_below(&rng, 12);
        figures[2 * i] =
            (struct bench_figure){1e9 * bench_measure(hold, NULL, &g, bench_careful).seconds, 0, ""};
        figures[2 * i + 1] = (struct bench_figure){
            1e9 * bench_measure(measure_degree, NULL, &g, bench_careful).seconds, 0, ""};
        cor_expression_fini(&g.expression);
    }
}
