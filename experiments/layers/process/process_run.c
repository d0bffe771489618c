/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One schedule, executed: the cluster makes events happen, the corridor sees what came of them. */
#include "generator_draws.h"

#include <corridor/process_run.h>

#include <corridor/array.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is done at each event: calling it would cost as much as a third of what it does. */
#define AT_EACH_EVENT static inline __attribute__((always_inline))

struct cor_process_runner {
    struct cor_process_setting setting;
    struct cor_cluster *cluster;   /* owned */
    struct cor_observed *observed; /* owned */
    struct cor_observed *trapped;  /* owned; of the traps; NULL: there are none */
    const struct cor_process *program;
    const struct cor_cluster_overview *overview; /* of the cluster */
    struct cor_process_listener listener;
    /* What the program shows and the corridor reads: [attribute of the program], [channel of the program]. */
    uint32_t attributes[COR_PROCESS_ATTRIBUTES_MAX], channels[COR_PROCESS_ATTRIBUTES_MAX];
    uint32_t shown; /* bit a: the corridor has attribute a of the program */
    uint32_t
        *words[COR_PROCESS_ATTRIBUTES_MAX];  /* owned; of a WORD: its words as the corridor numbers them */
    uint32_t case_number;                    /* of the present case, from 1 */
    bool has_fault;                          /* happened in the present case */
    struct cor_process_set disk_waits;       /* wrote before the case, and was not done in it yet */
    struct cor_process_outcome *outcome;     /* of the run */
    bool is_over, has_history, is_by_itself; /* is_by_itself: the present event is of a default */
    uint64_t idle_left; /* steps that only make time go on, or are not possible: they are no events of a
                           schedule, but may not go on for ever */
};

/* ---- what the corridor reads */

static enum cor_status match_words(struct cor_process_runner *runner, uint32_t attribute,
                                   struct cor_error *error) {
    const struct cor_process_attribute *shown = &runner->program->attributes[attribute];
    COR_TRY(cor_made(runner->words[attribute] = cor_calloc(shown->word_count, sizeof(uint32_t)), error));
    for (uint32_t w = 0; w < shown->word_count; w++)
        runner->words[attribute][w] = cor_words_find(&runner->setting.corridor->words, shown->words[w]);
    return COR_OK;
}

enum cor_status cor_process_runner_create(const struct cor_process_setting *setting,
                                          struct cor_process_runner **runner, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_process_runner *made = cor_calloc(1, sizeof *made);
    *runner = NULL;
    COR_TRY(cor_made(made, error));
    made->setting = *setting;
    COR_TRY_OUT(cor_cluster_create(&setting->cluster, &made->cluster, error));
    made->program = cor_cluster_program(made->cluster);
    made->overview = cor_cluster_overview(made->cluster);
    COR_TRY_OUT(cor_observed_create(setting->corridor, setting->cluster.process_count, setting->parameters,
                                    &made->observed, error));
    if (setting->watched)
        cor_observed_watch(made->observed, setting->watched);
    if (setting->traps && setting->traps->count > 0) {
        COR_TRY_OUT(cor_observed_create(setting->traps->corridor, setting->cluster.process_count,
                                        setting->parameters, &made->trapped, error));
        cor_observed_watch(made->trapped, setting->traps->watched);
    }
    const struct cor_corridor *corridor = made->setting.corridor;
    for (uint32_t a = 0; a < made->program->attribute_count; a++)
        for (uint32_t c = 0; c < corridor->attribute_count; c++)
            if (corridor->attributes[c].at &&
                strcmp(corridor->attributes[c].name, made->program->attributes[a].name) == 0) {
                made->attributes[a] = c;
                made->shown |= 1u << a;
                if (made->program->attributes[a].type == COR_PROCESS_WORD)
                    COR_TRY_OUT(match_words(made, a, error));
            }
    for (uint32_t k = 0; k < made->program->channel_count; k++) {
        made->channels[k] = COR_NONE;
        for (uint32_t c = 0; c < corridor->channel_count; c++)
            if (strcmp(corridor->channels[c].name, made->program->channels[k].name) == 0) {
                made->channels[k] = c;
                made->has_history = made->has_history || corridor->channels[c].is_history;
            }
    }
    *runner = made;
out:
    if (status != COR_OK)
        cor_process_runner_destroy(made);
    return status;
}

void cor_process_runner_destroy(struct cor_process_runner *runner) {
    if (!runner)
        return;
    cor_observed_destroy(runner->observed);
    cor_observed_destroy(runner->trapped);
    cor_cluster_destroy(runner->cluster);
    for (uint32_t a = 0; a < COR_PROCESS_ATTRIBUTES_MAX; a++)
        free(runner->words[a]);
    free(runner);
}

void cor_process_runner_listen(struct cor_process_runner *runner,
                               const struct cor_process_listener *listener) {
    runner->listener = listener ? *listener : (struct cor_process_listener){0};
}

const struct cor_cluster *cor_process_runner_cluster(const struct cor_process_runner *runner) {
    return runner->cluster;
}

bool cor_process_runner_is_by_itself(const struct cor_process_runner *runner) {
    return runner->is_by_itself;
}

const struct cor_corridor *cor_process_runner_corridor(const struct cor_process_runner *runner) {
    return runner->setting.corridor;
}

void cor_process_runner_forget(struct cor_process_runner *runner) {
    cor_cluster_forget(runner->cluster);
}

void cor_process_runner_hurry(struct cor_process_runner *runner, double hang_seconds) {
    cor_cluster_hurry(runner->cluster, hang_seconds);
}

void cor_process_runner_moved(const struct cor_process_runner *runner) {
    cor_cluster_moved(runner->cluster);
}

const struct cor_observed *cor_process_runner_observed(const struct cor_process_runner *runner) {
    return runner->observed;
}

const struct cor_observed *cor_process_runner_trapped(const struct cor_process_runner *runner) {
    return runner->trapped;
}

static struct cor_value value_of(const struct cor_process_runner *runner, uint32_t attribute,
                                 union cor_process_value value) {
    switch ((enum cor_process_attribute_type)runner->program->attributes[attribute].type) {
    case COR_PROCESS_REAL:
        return cor_real(value.real);
    case COR_PROCESS_WORD:
        return cor_word(runner->words[attribute][value.count]);
    case COR_PROCESS_COUNT:
    case COR_PROCESS_SET:
        break;
    }
    return cor_integer((int64_t)value.count);
}

/* ---- what happens */

/* Shows what a process has shown and is new; all of it if `changed` is UINT32_MAX. */
AT_EACH_EVENT void show(struct cor_process_runner *runner, uint32_t process,
                        const union cor_process_value *values, uint32_t changed) {
    for (uint32_t left = changed & runner->shown; left != 0; left &= left - 1) {
        const uint32_t a = (uint32_t)__builtin_ctz(left);
        const struct cor_value value = value_of(runner, a, values[a]);
        cor_observed_show(runner->observed, process, runner->attributes[a], value);
        if (runner->trapped) /* whose corridor begins with the same text: numbers are the same */
            cor_observed_show(runner->trapped, process, runner->attributes[a], value);
    }
}

/* A process is there from now on, or not any more. */
static void attend(struct cor_process_runner *runner, uint32_t process, bool is_there) {
    cor_observed_attend(runner->observed, process, is_there);
    if (runner->trapped)
        cor_observed_attend(runner->trapped, process, is_there);
}

/* Who the violation is about: the elements of the first way in which the invariant is broken. */
static void find_bindings(struct cor_process_runner *runner, uint32_t constraint) {
    struct cor_process_outcome *outcome = runner->outcome;
    struct cor_breaches breaches = {0};
    cor_observed_explain(runner->observed, constraint, &breaches);
    outcome->binding_count = breaches.count;
    if (breaches.kept_count == 0)
        return;
    const struct cor_breach *first = &breaches.kept[0];
    if (first->binding_count > 0)
        outcome->one = first->bindings[0].element;
    if (first->binding_count > 1)
        outcome->other = first->bindings[1].element;
    if (first->binding_count == 0 && first->counted_count > 0)
        outcome->one = first->counted[0].element;
    if (first->binding_count == 0 && first->counted_count > 1)
        outcome->other = first->counted[1].element;
}

/* Notes the first violation; the run is over with it. COR_NONE: there is none. */
static void note_violation(struct cor_process_runner *runner, uint32_t constraint) {
    struct cor_process_outcome *outcome = runner->outcome;
    if (constraint == COR_NONE || outcome->violated != COR_NONE)
        return;
    outcome->violated = constraint;
    outcome->violated_case = runner->case_number;
    outcome->violated_event = outcome->events;
    const struct cor_constraint *violated = &runner->setting.corridor->constraints[constraint];
    if (violated->kind == COR_CONSTRAINT_TEMPORAL) {
        size_t size = strlen(violated->text);
        while (size > 0 && strchr(" \t\r\n", violated->text[size - 1])) /* where a comment was */
            size--;
        snprintf(outcome->sentence, sizeof outcome->sentence, "The cases up to %u violate the formula %.*s.",
                 runner->case_number, (int)cor_text_fit(violated->text, size < 300 ? size : 300),
                 violated->text);
    } else {
        cor_observed_sentence(runner->observed, constraint, outcome->sentence, sizeof outcome->sentence);
        find_bindings(runner, constraint);
    }
    runner->is_over = true;
}

/* A process showed what the corridor's declaration excludes: an end like those that the cluster sees. */
static void note_excluded(struct cor_process_runner *runner, uint32_t process) {
    struct cor_process_outcome *outcome = runner->outcome;
    struct cor_error why = COR_NO_ERROR;
    uint32_t violated;
    (void)!cor_observed_event(runner->observed, &violated, &why);
    outcome->end = COR_PROCESS_END_EXCLUDED;
    outcome->end_process = process;
    snprintf(outcome->sentence, sizeof outcome->sentence, "The corridor excludes it: %.400s.", why.cause);
    runner->is_over = true;
}

/* Which traps are met after the last event, and were not before. */
static enum cor_status look_at_traps(struct cor_process_runner *runner, struct cor_error *error) {
    const struct cor_process_traps *traps = runner->setting.traps;
    struct cor_process_outcome *outcome = runner->outcome;
    uint32_t violated;
    COR_TRY(cor_observed_event(runner->trapped, &violated, error));
    for (uint32_t t = 0; t < traps->count; t++) {
        if ((outcome->met >> t & 1) != 0 ||
            cor_observed_truth(runner->trapped, traps->first + t) != COR_TRUTH_TRUE)
            continue;
        outcome->met |= UINT64_C(1) << t;
        outcome->met_at[t] = (struct cor_process_met){runner->case_number, outcome->events};
    }
    return COR_OK;
}

/* What a process told of a channel that the corridor reads, as the kind that it is there. */
static enum cor_status take_told(struct cor_process_runner *runner, const struct cor_told *told,
                                 struct cor_error *error) {
    const struct cor_corridor *corridor = runner->setting.corridor;
    const char *texts[3];
    if (told->kind == COR_TOLD_SAID) /* for people */
        return COR_OK;
    for (int t = 0; t < 3; t++)
        texts[t] = cor_cluster_text(runner->cluster, told->texts[t]);
    if (told->kind == COR_TOLD_RETURN || told->kind == COR_TOLD_FAILED)
        return runner->has_history ? cor_observed_answer(runner->observed, told->process, told->index,
                                                         texts[0], told->kind == COR_TOLD_FAILED, error)
                                   : COR_OK;
    const bool is_call = told->kind == COR_TOLD_CALL;
    uint32_t channel = runner->channels[told->channel];
    if (channel != COR_NONE && corridor->channels[channel].is_history != is_call)
        channel = COR_NONE;
    if (is_call ? !runner->has_history : channel == COR_NONE)
        return COR_OK;
    return is_call ? cor_observed_call(runner->observed, told->process, channel, told->index, texts[0],
                                       texts[1], texts[2], error)
                   : cor_observed_tell(runner->observed, told->process, channel, told->index, told->digest,
                                       error);
}

/* What came of the last event, for the corridor. */
AT_EACH_EVENT enum cor_status look(struct cor_process_runner *runner, struct cor_error *error) {
    const bool has_news = runner->overview->has_news;
    uint32_t violated;
    if (has_news) {
        size_t count;
        const struct cor_told *told = cor_cluster_told(runner->cluster, &count);
        for (size_t t = 0; t < count; t++)
            COR_TRY(take_told(runner, &told[t], error));
    }
    const uint32_t excluded = cor_observed_excluded(runner->observed);
    if (excluded != COR_NONE) {
        note_excluded(runner, excluded);
        return COR_OK;
    }
    COR_TRY(cor_observed_event(runner->observed, &violated, error));
    if (runner->trapped)
        COR_TRY(look_at_traps(runner, error));
    if (violated != COR_NONE)
        note_violation(runner, violated);
    if (has_news) {
        /* Notes whether a process has ended by itself; the run is over with that. */
        struct cor_process_outcome *outcome = runner->outcome;
        const char *sentence;
        outcome->end = cor_cluster_end(runner->cluster, &outcome->end_process, &sentence);
        if (outcome->end != COR_PROCESS_END_NONE) {
            outcome->is_by_machine = cor_cluster_is_by_machine(runner->cluster);
            if (outcome->violated == COR_NONE)
                snprintf(outcome->sentence, sizeof outcome->sentence, "Process %u: %s.", outcome->end_process,
                         sentence ? sentence : cor_process_end_word(outcome->end));
            runner->is_over = true;
        }
    }
    return COR_OK;
}

/* Is something overdue since before the present case began: a message, an alarm? */
static bool is_overdue(const struct cor_process_runner *runner, uint64_t since) {
    const struct cor_cluster_overview *overview = runner->overview;
    for (uint32_t to = 0; to < runner->setting.cluster.process_count; to++) {
        const struct cor_process_standing *standing = cor_cluster_standing(runner->cluster, to);
        for (uint32_t left = overview->alarms[to]; left != 0; left &= left - 1)
            if (standing->due[__builtin_ctz(left)] < since)
                return true;
        COR_SET_EACH(from, &overview->senders[to]) {
            uint32_t flying;
            if (cor_cluster_flight(runner->cluster, from, to, &flying)[0].sent < since)
                return true;
        }
    }
    return false;
}

/* Is every process up, none of them paused, no link cut, and none that loses all? */
static bool are_well(const struct cor_process_runner *runner) {
    const struct cor_cluster_overview *overview = runner->overview;
    const uint32_t count = runner->setting.cluster.process_count;
    if (!cor_set_is_empty(overview->paused) || cor_cluster_now(runner->cluster) < overview->loses_until ||
        cor_set_size(&overview->up) + cor_set_size(&overview->absent) != count)
        return false;
    for (uint32_t to = 0; to < count; to++)
        if (!cor_set_is_empty(overview->cut[to]))
            return false;
    return true;
}

/* No fault happened in the case, all were well from its begin to its end, and what was due before it has
 * happened: else no formula of time may ask anything of the program. */
static bool is_stable(const struct cor_process_runner *runner) {
    if (runner->has_fault || !cor_set_is_empty(runner->disk_waits) || !are_well(runner))
        return false;
    return !is_overdue(runner, (runner->case_number - 1) * runner->setting.case_ticks);
}

static void begin_case(struct cor_process_runner *runner) {
    runner->has_fault = !are_well(runner); /* one that came before and lasts */
    runner->disk_waits = runner->overview->writing;
}

/* Cases that end at `tick` or before. Time goes on to the end of each. */
static enum cor_status end_cases(struct cor_process_runner *runner, uint64_t tick, struct cor_error *error) {
    while (!runner->is_over && tick >= runner->case_number * runner->setting.case_ticks) {
        const struct cor_process_event end = {.tick = runner->case_number * runner->setting.case_ticks,
                                              .kind = COR_PROCESS_EVENT_TICK};
        uint32_t violated;
        bool happened;
        COR_TRY(cor_cluster_happen(runner->cluster, &end, &happened, error));
        COR_TRY(cor_observed_case(runner->observed, is_stable(runner), &violated, error));
        runner->outcome->cases++;
        note_violation(runner, violated);
        if (runner->outcome->cases == runner->setting.case_count)
            runner->is_over = true;
        if (runner->is_over)
            return COR_OK;
        runner->case_number++;
        begin_case(runner);
    }
    return COR_OK;
}

static enum cor_status begin_run(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                 struct cor_process_outcome *outcome, struct cor_error *error) {
    *outcome = (struct cor_process_outcome){
        .violated = COR_NONE, .end_process = COR_NONE, .one = COR_NONE, .other = COR_NONE};
    runner->outcome = outcome;
    runner->is_over = false;
    runner->case_number = 1;
    COR_TRY(cor_cluster_reset(runner->cluster, name, error));
    COR_TRY(cor_observed_restart(runner->observed, error));
    if (runner->trapped)
        COR_TRY(cor_observed_restart(runner->trapped, error));
    const uint32_t count = runner->setting.cluster.process_count;
    for (uint32_t p = 0; p < count; p++)
        if (cor_set_has(&runner->overview->absent, p) || cor_set_has(&runner->overview->unstarted, p))
            attend(runner, p, false);
        else
            show(runner, p, cor_cluster_values(runner->cluster, p, NULL), UINT32_MAX);
    begin_case(runner);
    return look(runner, error);
}

/* Makes an event happen that lies in the present case. */
AT_EACH_EVENT enum cor_status happen(struct cor_process_runner *runner, const struct cor_process_event *event,
                                     struct cor_process_schedule *executed, struct cor_error *error) {
    struct cor_process_outcome *outcome = runner->outcome;
    const bool is_unstarted = cor_set_has(&runner->overview->unstarted, event->process);
    uint32_t changed;
    bool happened;
    if (executed) /* before it happens: whoever looks in from outside sees what the process died of */
        COR_TRY(cor_process_schedule_add(executed, event, error));
    COR_TRY(cor_cluster_happen(runner->cluster, event, &happened, error));
    if (!happened) {
        if (executed)
            executed->count--;
        return COR_OK;
    }
    outcome->events++;
    if (event->kind == COR_PROCESS_EVENT_DELIVER || event->kind == COR_PROCESS_EVENT_DUPLICATE)
        outcome->messages++;
    runner->has_fault |= cor_process_event_is_fault((enum cor_process_event_kind)event->kind);
    if (event->kind == COR_PROCESS_EVENT_DISK || event->kind == COR_PROCESS_EVENT_DISK_ERROR)
        cor_set_drop(&runner->disk_waits, event->process);
    const union cor_process_value *values = cor_cluster_values(runner->cluster, event->process, &changed);
    const bool comes =
        event->kind == COR_PROCESS_EVENT_JOIN || (event->kind == COR_PROCESS_EVENT_RESTART && is_unstarted);
    if (comes || event->kind == COR_PROCESS_EVENT_LEAVE) {
        attend(runner, event->process, comes);
        changed = comes ? UINT32_MAX : 0;
    }
    show(runner, event->process, values, changed);
    if (cor_process_event_is_crash(event->kind) || event->kind == COR_PROCESS_EVENT_LEAVE) {
        COR_TRY(cor_observed_lost(runner->observed, event->process, event->tick, error));
        if (runner->trapped)
            COR_TRY(cor_observed_lost(runner->trapped, event->process, event->tick, error));
    } else if (event->kind == COR_PROCESS_EVENT_RESTART) {
        cor_observed_up(runner->observed, event->process);
        if (runner->trapped)
            cor_observed_up(runner->trapped, event->process);
    }
    COR_TRY(look(runner, error));
    return runner->listener.event
               ? runner->listener.event(runner->listener.data, runner->cluster, event, error)
               : COR_OK;
}

/* What comes by itself up to the tick of the event: the schedule keeps that one alone. */
static enum cor_status happen_by_itself(struct cor_process_runner *runner,
                                        const struct cor_process_event *event,
                                        struct cor_process_schedule *executed, struct cor_error *error) {
    struct cor_process_event next, end = {.tick = event->tick, .kind = COR_PROCESS_EVENT_TICK};
    bool happened;
    if (executed)
        COR_TRY(cor_process_schedule_add(executed, event, error));
    while (!runner->is_over && process_layer__by_itself(runner->cluster, event->ordinal, &next) &&
           next.tick <= event->tick) {
        if (runner->outcome->events >= runner->setting.event_most)
            runner->outcome->is_cut_short = runner->is_over = true;
        else
            COR_TRY(end_cases(runner, next.tick, error));
        runner->is_by_itself = true;
        const enum cor_status status = runner->is_over ? COR_OK : happen(runner, &next, NULL, error);
        runner->is_by_itself = false;
        COR_TRY(status);
    }
    COR_TRY(end_cases(runner, event->tick, error));
    return runner->is_over ? COR_OK : cor_cluster_happen(runner->cluster, &end, &happened, error);
}

/* The run is over. What ended with a case keeps a last event at that tick, so that it is the same when it is
 * executed again. */
static enum cor_status end_run(struct cor_process_runner *runner, struct cor_process_schedule *executed,
                               struct cor_error *error) {
    struct cor_process_outcome *outcome = runner->outcome;
    outcome->ticks = cor_cluster_now(runner->cluster);
    outcome->digest = cor_cluster_digest(runner->cluster);
    const bool is_whole = outcome->cases == runner->setting.case_count;
    for (uint32_t c = 0; c < runner->setting.corridor->constraint_count; c++) {
        if (runner->setting.watched && !runner->setting.watched[c])
            continue;
        const enum cor_truth verdict = cor_observed_verdict(runner->observed, c);
        const uint64_t bit = UINT64_C(1) << c % 64;
        if (verdict == COR_TRUTH_FALSE && is_whole)
            note_violation(runner, c); /* what should have come has not come */
        if (cor_observed_is_tested(runner->observed, c))
            outcome->tested.words[c / 64] |= bit;
        /* A formula that would be violated if the run ended here may still hold, unless that is fixed; and
         * one that would hold may still be violated. */
        const bool may_change = !is_whole && !cor_observed_is_fixed(runner->observed, c);
        if (verdict == COR_TRUTH_UNKNOWN || (verdict == COR_TRUTH_FALSE && may_change)) {
            outcome->undecided++;
            outcome->open.words[c / 64] |= bit;
        }
        if (verdict == COR_TRUTH_TRUE && may_change &&
            runner->setting.corridor->constraints[c].kind == COR_CONSTRAINT_TEMPORAL)
            outcome->so_far.words[c / 64] |= bit;
    }
    const struct cor_process_event last = {.tick = outcome->ticks, .kind = COR_PROCESS_EVENT_TICK};
    if (executed && outcome->cases > 0 && outcome->cases == runner->case_number &&
        (executed->count == 0 || executed->events[executed->count - 1].tick < last.tick ||
         executed->events[executed->count - 1].kind != COR_PROCESS_EVENT_DEFAULT))
        return cor_process_schedule_add(executed, &last, error);
    return COR_OK;
}

enum cor_status cor_process_run_begin(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                      const struct cor_process_course *course,
                                      struct cor_process_outcome *outcome, struct cor_error *error) {
    if (course->executed)
        course->executed->count = 0;
    COR_TRY(begin_run(runner, name, outcome, error));
    runner->idle_left = (uint64_t)runner->setting.case_count + runner->setting.event_most;
    return course->kind->begin(course->generator, name, error);
}

/* The next event of a run that is not over. */
AT_EACH_EVENT enum cor_status step(struct cor_process_runner *runner, const struct cor_process_course *course,
                                   struct cor_error *error) {
    struct cor_process_outcome *outcome = runner->outcome;
    struct cor_process_event event;
    if (outcome->events >= runner->setting.event_most || runner->idle_left == 0) {
        outcome->is_cut_short = runner->is_over = true;
        return COR_OK;
    }
    const uint32_t now = runner->case_number - 1;
    const struct cor_weather *weather =
        course->weather[now < course->weather_count ? now : course->weather_count - 1];
    COR_TRY(course->kind->next(course->generator, weather, &event, error));
    if (event.kind == COR_PROCESS_EVENT_DEFAULT)
        return happen_by_itself(runner, &event, course->executed, error);
    if (event.tick >= runner->case_number * runner->setting.case_ticks)
        COR_TRY(end_cases(runner, event.tick, error));
    if (event.kind == COR_PROCESS_EVENT_TICK && event.tick <= cor_cluster_now(runner->cluster))
        runner->idle_left--; /* no more than the end of a case */
    else if (!runner->is_over) {
        const uint32_t before = outcome->events;
        COR_TRY(happen(runner, &event, course->executed, error));
        runner->idle_left -= outcome->events == before;
    }
    return COR_OK;
}

enum cor_status cor_process_run_step(struct cor_process_runner *runner,
                                     const struct cor_process_course *course, bool *is_over,
                                     struct cor_error *error) {
    const enum cor_status status = runner->is_over ? COR_OK : step(runner, course, error);
    *is_over = runner->is_over;
    return status;
}

enum cor_status cor_process_run_end(struct cor_process_runner *runner,
                                    const struct cor_process_course *course, struct cor_error *error) {
    return end_run(runner, course->executed, error);
}

void cor_process_run_fork(struct cor_process_runner *runner, const struct cor_process_course *course,
                          const struct cor_stream_name *name) {
    cor_cluster_fork(runner->cluster, name);
    course->kind->fork(course->generator, name);
}

enum cor_status cor_process_run_turn(struct cor_process_runner *runner,
                                     const struct cor_process_course *course,
                                     const struct cor_stream_name *name, struct cor_error *error) {
    cor_cluster_fork(runner->cluster, name);
    return course->kind->begin(course->generator, name, error);
}

enum cor_status cor_process_run(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                const struct cor_schedule_generator_kind *kind,
                                struct cor_schedule_generator *generator,
                                const struct cor_weather *const *weather, uint32_t weather_count,
                                struct cor_process_schedule *executed, struct cor_process_outcome *outcome,
                                struct cor_error *error) {
    const struct cor_process_course course = {kind, generator, weather, weather_count, executed};
    COR_TRY(cor_process_run_begin(runner, name, &course, outcome, error));
    while (!runner->is_over)
        COR_TRY(step(runner, &course, error));
    return cor_process_run_end(runner, &course, error);
}

enum cor_status cor_process_replay(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                   const struct cor_process_schedule *schedule,
                                   struct cor_process_schedule *executed, struct cor_process_outcome *outcome,
                                   struct cor_error *error) {
    if (executed)
        executed->count = 0;
    bool has_default = false;
    for (size_t e = 0; e < schedule->count; e++)
        has_default = has_default || schedule->events[e].kind == COR_PROCESS_EVENT_DEFAULT;
    COR_TRY(begin_run(runner, name, outcome, error));
    for (size_t e = 0; e < schedule->count && !runner->is_over; e++) {
        const bool is_time = schedule->events[e].kind == COR_PROCESS_EVENT_TICK;
        if (schedule->events[e].kind == COR_PROCESS_EVENT_DEFAULT) {
            COR_TRY(happen_by_itself(runner, &schedule->events[e], executed, error));
            if (runner->is_over && e + 1 < schedule->count) /* with the last case: the rest does not come */
                outcome->is_cut_short |=
                    outcome->violated == COR_NONE && outcome->end == COR_PROCESS_END_NONE;
            continue;
        }
        /* Beside defaults time does not go on for what does not happen: they would come to something else. */
        if (has_default && !cor_cluster_is_possible(runner->cluster, &schedule->events[e]))
            continue;
        COR_TRY(end_cases(runner, schedule->events[e].tick, error));
        if (runner->is_over) /* with the last case, unless something was violated */
            outcome->is_cut_short = outcome->violated == COR_NONE && !(is_time && e + 1 == schedule->count);
        else if (!is_time || schedule->events[e].tick > cor_cluster_now(runner->cluster))
            COR_TRY(happen(runner, &schedule->events[e], executed, error));
    }
    return end_run(runner, executed, error);
}

bool cor_process_outcome_is_same(const struct cor_process_outcome *a, const struct cor_process_outcome *b) {
    return a->violated == b->violated && a->end == b->end;
}
