/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Systems of rules that are too large to be gone through: a test that a share of states is back in time, by
 * runs that are drawn, and the longest way back that is found. */
#include "internal.h"
#include "stabilize_messages.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/process_stabilize.h>
#include <corridor/ruling.h>
#include <corridor/stabilize_wide.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PILOT 64u          /* runs by which it is seen how long one takes */
#define PILOT_FIRST 100u   /* of these, and ten times as many */
#define PILOT_STEPS 10000u /* where they are not back, up to so many */
#define EFFORT 1000000     /* states that the search judges */
#define MOST 100000        /* runs of a test */

struct sampler {
    struct cor_stabilize_system *system; /* borrowed */
    struct process_layer__mail mail;     /* a view, where it has messages */
    const struct cor_process_environment *environment;
    struct cor_wide wide;
    uint32_t sizes[COR_RULES_PROCESSES_MAX];
    const char *unknown; /* an invariant that is unknown in a state that was met */
};

static void moves_of(const void *self, const uint32_t *locals, uint32_t process,
                     struct cor_space_moves *moves) {
    const struct sampler *sampler = self;
    if (process != COR_WIDE_ALL)
        cor_stabilize_system_moves_of(sampler->system, locals, process, moves);
    else
        process_layer__rules_moves(sampler->system, sampler->wide.apply ? &sampler->mail : NULL, locals,
                                   moves);
}

/* With messages: what is added to the number of the state. */
static void apply(const void *self, uint32_t *digits, int32_t by) {
    const struct sampler *sampler = self;
    cor_stabilize_system_locals(sampler->system,
                                process_layer__mail_number(&sampler->mail, digits) + (uint32_t)by, digits);
}

/* Can a loop happen in time? */
static enum cor_status counts(void *self, const uint32_t *digits, const uint64_t *movers, uint32_t count,
                              bool *it_does, struct cor_error *error) {
    const struct sampler *sampler = self;
    uint32_t high;
    return process_layer__mail_loop_in_time(&sampler->mail, sampler->environment, digits, movers, count,
                                            it_does, &high, error);
}

static enum cor_status is_inside(void *self, const uint32_t *locals, bool *inside, struct cor_error *error) {
    struct sampler *sampler = self;
    enum cor_truth truth;
    const char *name;
    COR_TRY(cor_stabilize_system_inside(sampler->system, locals, &truth, &name, error));
    *inside = truth == COR_TRUTH_TRUE;
    if (truth == COR_TRUTH_UNKNOWN)
        sampler->unknown = name;
    return COR_OK;
}

static const struct cor_field fields[] = {
    {"share", COR_OPTIONAL, COR_REAL_FIELD(struct cor_stabilize_sample, share, 0.5, 0.9999)},
    {"error", COR_OPTIONAL, COR_REAL_FIELD(struct cor_stabilize_sample, error, 1e-9, 0.2)},
    {"steps", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_stabilize_sample, steps, 1, 100000000)},
    {"effort", COR_OPTIONAL,
     COR_INTEGER_FIELD(struct cor_stabilize_sample, effort, 1000, INT64_C(100000000000))},
    {0}};

enum cor_status cor_stabilize_sample_read(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_stabilize_sample *sample = &((struct cor_stabilize_asked *)into)->sample;
    sample->is_asked = true;
    return cor_json_is_object(json) ? cor_json_fields(json, fields, sample, error)
                                    : cor_json_bool(json, &sample->is_asked, error);
}

/* What to say of a share whose test is over. */
static void say_share(const struct cor_stabilize_sample *asked, const struct cor_ruling *ruling,
                      struct cor_stabilize_sampled *sampled, double states, struct cor_stabilize_said *said) {
    char drawn[COR_COMMAS_SIZE], all[COR_COMMAS_SIZE], steps[COR_COMMAS_SIZE], longest[COR_COMMAS_SIZE];
    const char *s = cor_plural(sampled->steps);
    struct cor_bounds bounds;
    double middle;
    cor_ruling_interval(ruling, &middle, &bounds);
    sampled->drawn = ruling->used;
    cor_with_commas(sampled->drawn, drawn);
    cor_real_with_commas(states, all);
    cor_with_commas(sampled->steps, steps);
    said->is_good = ruling->end == COR_RULING_HOLDS;
    if (ruling->end == COR_RULING_UNDECIDED)
        cor_stabilize_put(
            said, COR_STABILIZE_UNDECIDED, "undecided", ": ",
            "after %s states drawn of %s it is open whether %g of them are back within %s steps", drawn, all,
            asked->share, steps);
    else if (said->is_good)
        cor_stabilize_put(
            said, COR_STABILIZE_SAMPLED, "nothing that stays outside", " ",
            "in %s states drawn of %s: at least %g of them are back within %s step%s (error %g); the longest "
            "way found has %s step%s",
            drawn, all, asked->share, steps, s, asked->error, cor_with_commas(sampled->longest, longest),
            cor_plural(sampled->longest));
    else
        cor_stabilize_put(
            said, COR_STABILIZE_SAMPLED, "not back in time", " ",
            "%.2f [%.2f, %.2f] of %s states drawn of %s within %s step%s: fewer than %g are (error %g)",
            middle, bounds.low, bounds.high, drawn, all, steps, s, asked->share, asked->error);
}

/* A no that was met: what it is, and the test that shows it. */
static void say_no(const struct cor_wide_run *run, enum cor_wide_end end, struct cor_stabilize_said *said,
                   uint32_t longest, uint32_t within) {
    said->is_good = false;
    if (end == COR_WIDE_LOOPS)
        cor_stabilize_put(said, COR_STABILIZE_LOOPS, "does not come back", ": ",
                          "%" PRIu32 " step%s can be repeated for ever", run->count, cor_plural(run->count));
    else if (end == COR_WIDE_RESTS)
        cor_stabilize_put(said, COR_STABILIZE_RESTS, "does not come back", ": ",
                          "in a state that was met nobody can move, and it is outside");
    else if (end == COR_WIDE_LEAVES)
        cor_stabilize_put(said, COR_STABILIZE_LEAVES, "does not stay", ": ",
                          "from a state inside that was met a step leads outside");
    else
        cor_stabilize_put(said, COR_STABILIZE_LATE, "comes back", " ",
                          "within %" PRIu32 " steps at least; within %" PRIu32 " was asked", longest, within);
}

/* A yes of states that were drawn is one to steps alone, and where something was outside. */
static void limit_yes(const struct cor_stabilize_asked *asked, const struct cor_stabilize_sampled *sampled,
                      struct cor_stabilize_said *said) {
    if (sampled->longest == 0)
        cor_stabilize_put_undecided(said,
                                    "all states that were met are inside, and nothing is put to the test");
    else if (asked->again_count > 0 || asked->within.moves != COR_UNBOUNDED ||
             asked->within.rounds != COR_UNBOUNDED)
        cor_stabilize_put_undecided(
            said, "\"again\", and \"within\" in moves or rounds, are not asked of states that are drawn");
}

static enum cor_status take_way(const struct cor_wide *wide, const struct cor_wide_run *run,
                                struct cor_stabilize_way *way, struct cor_error *error) {
    *way = (struct cor_stabilize_way){.process_count = wide->digit_count, .loop = run->loop};
    for (uint32_t i = 0; i < run->count; i++)
        COR_TRY(
            cor_stabilize_way_add(way, run->digits + (size_t)i * wide->digit_count, run->movers[i], error));
    return COR_OK;
}

/* How long a run may take, where nothing is asked: twice the longest of some, rounded up to 1, 2 or 5. */
static enum cor_status find_steps(const struct cor_wide *wide, struct cor_wide_question *question,
                                  struct cor_wide_run *run, enum cor_wide_end *end, struct cor_error *error) {
    uint32_t most = 0, outside, unit = 1;
    *end = COR_WIDE_BACK;
    question->steps = PILOT_FIRST;
    for (uint32_t number = 0; number < PILOT && (*end == COR_WIDE_BACK || *end == COR_WIDE_OUT); number++) {
        COR_TRY(cor_wide_draw(wide, question, number, run, end, &outside, error));
        while (*end == COR_WIDE_OUT && question->steps < PILOT_STEPS) {
            question->steps *= 10;
            COR_TRY(cor_wide_draw(wide, question, number, run, end, &outside, error));
        }
        most = outside > most ? outside : most;
    }
    while (5 * unit < 2 * most)
        unit *= 10;
    question->steps = unit >= 2 * most ? unit : 2 * unit >= 2 * most ? 2 * unit : 5 * unit;
    if (question->steps > PILOT_STEPS)
        question->steps = PILOT_STEPS;
    return COR_OK;
}

/* Runs until the test is over, or a no is met. */
static enum cor_status decide(struct sampler *sampler, const struct cor_wide_question *question,
                              struct cor_ruling *ruling, struct cor_wide_run *run, enum cor_wide_end *end,
                              uint32_t *longest, struct cor_error *error) {
    uint32_t outside;
    for (uint32_t number = PILOT; !ruling->is_over && number < PILOT + MOST; number++) {
        if (number % 64 == 0 && question->go_on && !question->go_on(question->asker, "states that are drawn"))
            return cor_fail(error, COR_STATUS_INTERRUPTED, NULL, NULL, "interrupted");
        COR_TRY(cor_wide_draw(&sampler->wide, question, number, run, end, &outside, error));
        if (*end != COR_WIDE_BACK && *end != COR_WIDE_OUT)
            return COR_OK;
        COR_TRY(cor_ruling_take(ruling, *end == COR_WIDE_BACK, error));
        *longest = *end == COR_WIDE_BACK && outside > *longest ? outside : *longest;
    }
    *end = COR_WIDE_BACK;
    return COR_OK;
}

/* What test and search came to. */
static void say_end(const struct sampler *sampler, const struct cor_stabilize_asked *asked,
                    const struct cor_wide_run *run, enum cor_wide_end end, const struct cor_ruling *ruling,
                    struct cor_stabilize_sampled *sampled, struct cor_stabilize_said *said) {
    const uint32_t within = asked->within.steps;
    if (sampler->unknown) {
        char why[120];
        snprintf(why, sizeof why, "%.80s is unknown in a state", sampler->unknown);
        cor_stabilize_put_undecided(said, why);
    } else if (end != COR_WIDE_BACK || (within != COR_UNBOUNDED && sampled->longest > within)) {
        /* of a run that was drawn for the test its steps are known, and no more */
        const bool is_kept = end != COR_WIDE_BACK || (run->count > 0 && run->count - 1 > within);
        say_no(run, end, said, sampled->longest, within);
        sampled->from = end == COR_WIDE_RESTS             ? run->count - 1
                        : is_kept && end == COR_WIDE_BACK ? run->count - 2 - within
                                                          : 0;
        sampled->is_no = is_kept;
    } else {
        say_share(&asked->sample, ruling, sampled, cor_stabilize_system_states(sampler->system), said);
        if (said->is_good)
            limit_yes(asked, sampled, said);
    }
}

enum cor_status cor_stabilize_sample(struct cor_stabilize_system *system,
                                     const struct cor_stabilize_asked *asked,
                                     const struct cor_stabilize_question *question,
                                     const struct cor_process_environment *environment, uint64_t seed,
                                     struct cor_stabilize_sampled *sampled, struct cor_stabilize_said *said,
                                     struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    const struct cor_stabilize_sample *sample = &asked->sample;
    const uint32_t within = asked->within.steps;
    struct sampler sampler = {.system = system};
    struct cor_wide_question wide_question = {.daemon = question->daemon,
                                              .fairness = question->fairness,
                                              .seed = seed,
                                              .steps = sample->steps,
                                              .effort = sample->effort > 0 ? sample->effort : EFFORT,
                                              .go_on = question->go_on,
                                              .asker = question->self};
    struct cor_ruling_rule rule = cor_ruling_rule(true, true, true, sample->share);
    struct cor_ruling ruling;
    struct cor_wide_run run = {.loop = COR_UNBOUNDED};
    enum cor_wide_end end = COR_WIDE_BACK;
    uint32_t drawn_longest = 0;
    enum cor_status status = COR_OK;
    *sampled = (struct cor_stabilize_sampled){.way = {.loop = COR_UNBOUNDED}};
    *said = (struct cor_stabilize_said){.between = " "};
    for (uint32_t p = 0; p < rules->definition.process_count; p++)
        sampler.sizes[p] = rules->processes[p].local_count;
    sampler.wide = (struct cor_wide){.actor_count = rules->definition.process_count,
                                     .digit_count = rules->definition.process_count,
                                     .sizes = sampler.sizes,
                                     .owed = UINT64_MAX,
                                     .self = &sampler,
                                     .moves = moves_of,
                                     .inside = is_inside};
    if (cor_stabilize_system_has_messages(system)) {
        COR_TRY(process_layer__mail_view(system, asked->mail, &sampler.mail, error));
        sampler.environment = environment;
        sampler.wide.actor_count = sampler.mail.actor_count;
        sampler.wide.digit_count = sampler.mail.digit_count;
        sampler.wide.sizes = sampler.mail.sizes;
        sampler.wide.owed = sampler.mail.owed;
        sampler.wide.apply = apply;
        sampler.wide.counts = counts;
    }
    rule.alpha = rule.beta = sample->error;
    cor_ruling_init(&ruling, &rule);
    if (wide_question.steps == 0 && within != COR_UNBOUNDED && within > 0)
        wide_question.steps = within;
    if (wide_question.steps == 0)
        COR_TRY_OUT(find_steps(&sampler.wide, &wide_question, &run, &end, error));
    sampled->steps = wide_question.steps;
    if (end == COR_WIDE_BACK || end == COR_WIDE_OUT)
        COR_TRY_OUT(decide(&sampler, &wide_question, &ruling, &run, &end, &drawn_longest, error));
    if (end == COR_WIDE_BACK) {
        cor_wide_run_fini(&run);
        COR_TRY_OUT(cor_wide_search(&sampler.wide, &wide_question, &run, &end, error));
    }
    sampled->longest = end == COR_WIDE_BACK && run.count > 0 ? run.count - 1 : 0;
    if (sampled->longest < drawn_longest)
        sampled->longest = drawn_longest;
    COR_TRY_OUT(take_way(&sampler.wide, &run, &sampled->way, error));
    say_end(&sampler, asked, &run, end, &ruling, sampled, said);
out:
    cor_ruling_fini(&ruling);
    cor_wide_run_fini(&run);
    return status;
}
