/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The subject of the layer: its tests are single cases of units, their choices the event that is posted, the
 * values that are not those of the unit's first case, and the turns that are not taken as in the first
 * interleaving. So what is taken out of a test becomes as simple as it can be. The agent's own random numbers
 * are drawn as in the case of that number: they are no choice of these. */
#include "internal.h"

#include <corridor/agent_layer.h>
#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/subject_file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bench {
    const struct cor_agent_experiment *experiment;
    uint32_t arm;
    struct cor_aut_session *session; /* owned, as all below */
    struct cor_unit_runner *runner;
    struct cor_unit_cases cases; /* of the test under way; their file is NULL before the first */
    struct cor_case_values values, begun;
    struct cor_said_turn *turns;
    size_t turn_capacity;
    /* Of the last run: */
    struct cor_trace trace, first; /* first: of what it races with; no events: with nothing */
    struct cor_findings findings;
    char *failure;
    char sentence[400];
    uint32_t turn_count; /* that were given */
    bool is_posted;
};

uint32_t agent_layer__unit_of(const struct cor_agent_experiment *experiment, uint32_t suite) {
    return experiment->chosen.items[suite % experiment->chosen.count];
}

uint32_t agent_layer__suite_of(const struct cor_agent_experiment *experiment, uint32_t unit,
                               uint32_t repetition) {
    for (uint32_t i = 0; i < experiment->chosen.count; i++)
        if (experiment->chosen.items[i] == unit)
            return repetition < (COR_NONE - i) / experiment->chosen.count
                       ? repetition * experiment->chosen.count + i
                       : COR_NONE;
    return COR_NONE;
}

/* ---- values as choices */

enum cor_status agent_layer__add_value(struct cor_choices *choices, struct cor_choice choice,
                                       struct cor_value value, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, choices->count + 1, error));
    COR_TRY(COR_RESERVE(&choices->values, &choices->value_capacity, choices->value_count + 2, error));
    int64_t *at = choices->values + choices->value_count;
    choice.nth = (uint32_t)choices->value_count;
    at[0] = value.kind;
    at[1] = value.kind == COR_VALUE_WORD ? value.as.word : 0;
    if (value.kind == COR_VALUE_INTEGER || value.kind == COR_VALUE_REAL)
        memcpy(&at[1], &value.as, sizeof at[1]);
    choices->value_count += 2;
    choices->items[choices->count++] = choice;
    return COR_OK;
}

struct cor_value agent_layer__value_of(const struct cor_choices *choices, const struct cor_choice *choice) {
    const int64_t *at = choices->values + choice->nth;
    struct cor_value value = {.kind = (uint8_t)at[0]};
    if (value.kind == COR_VALUE_WORD)
        value.as.word = (uint32_t)at[1];
    else
        memcpy(&value.as, &at[1], sizeof at[1]);
    return value;
}

static enum cor_status take_unit(struct bench *bench, uint32_t suite, struct cor_error *error) {
    const struct cor_agent_experiment *experiment = bench->experiment;
    const uint32_t unit = agent_layer__unit_of(experiment, suite);
    if (bench->cases.file && bench->cases.unit == unit)
        return COR_OK;
    cor_unit_cases_fini(&bench->cases);
    return cor_unit_cases_init(&bench->cases, experiment->file, unit, &experiment->settings, error);
}

/* The values of the test's case; false: it posts nothing. */
static bool take_values(struct bench *bench, const struct cor_subject_test *test) {
    const struct cor_choices *choices = &test->choices;
    struct cor_case_values *values = &bench->values;
    bool is_posted = false;
    bench->turn_count = 0;
    for (size_t c = 0; c < choices->count; c++) {
        const struct cor_choice *choice = &choices->items[c];
        uint32_t entry = 0;
        switch (choice->kind) {
        case AGENT_LAYER__POST:
            while (bench->cases.entries[entry].event != choice->what)
                entry++;
            cor_unit_case_begin(&bench->cases, entry, values);
            is_posted = true;
            break;
        case AGENT_LAYER__TURN:
            bench->turns[bench->turn_count++] = (struct cor_said_turn){(uint32_t)choice->at, choice->what};
            break;
        default: /* without the event there is nothing that has values */
            if (is_posted)
                (choice->kind == AGENT_LAYER__GIVE ? values->arguments : values->beliefs)[choice->what] =
                    agent_layer__value_of(choices, choice);
        }
    }
    return is_posted;
}

/* ---- what was found */

const char *agent_layer__about(const struct cor_design *design, enum cor_aut_check check, uint32_t subject) {
    if (subject == COR_NONE)
        return "";
    switch (cor_finding_subject(check)) {
    case COR_SUBJECT_EVENT:
        return design->events[subject].name;
    case COR_SUBJECT_MESSAGE:
        return design->messages[subject].name;
    case COR_SUBJECT_ACTION:
        return design->actions[subject].name;
    case COR_SUBJECT_BELIEF:
        return design->beliefs[subject].name;
    case COR_SUBJECT_FIELD:
        return design->fields[subject].full_name;
    case COR_SUBJECT_PLAN:
        break;
    }
    return design->plans[subject].name;
}

static char *failure_text(const struct cor_design *design, const struct cor_finding *it) {
    const char *about = agent_layer__about(design, it->check, it->subject);
    return cor_format("%s%s%s", cor_term_word(COR_FAMILY_AUT_CHECK, (int)it->check), about[0] ? " " : "",
                      about);
}

/* The failure of the case: what is expected, if that was found; else what matters most, the first of it. */
static enum cor_status choose_failure(struct bench *bench, const char *expected, struct cor_error *error) {
    const struct cor_design *design = bench->experiment->file->design;
    const struct cor_finding *worst = NULL;
    for (uint32_t f = 0; f < bench->findings.count; f++) {
        const struct cor_finding *it = &bench->findings.items[f];
        char *text;
        if (it->severity == COR_SEVERITY_NOTE || cor_finding_is_of_all(it))
            continue;
        COR_TRY(cor_made(text = failure_text(design, it), error));
        const bool is_it = expected && strcmp(text, expected) == 0;
        if (!worst || is_it || it->severity > worst->severity) {
            worst = it;
            free(bench->failure);
            bench->failure = text;
        } else
            free(text);
        if (is_it)
            break;
    }
    if (!worst)
        return COR_OK;
    const struct cor_aut_said said = {.check = worst->check,
                                      .about = agent_layer__about(design, worst->check, worst->subject),
                                      .plan = worst->plan == COR_NONE ? "" : design->plans[worst->plan].name,
                                      .hit = worst->hit,
                                      .run = worst->run};
    cor_aut_said_text(&said, bench->sentence, sizeof bench->sentence);
    /* Others go on behind it; that it is one case is known. */
    static const char in_one[] = " in 1 of 1 case";
    char *sentence = bench->sentence, *at = strstr(sentence, in_one), *end = strrchr(sentence, '.');
    if (end)
        *end = '\0';
    if (at)
        memmove(at > sentence && at[-1] == ',' ? at - 1 : at, at + strlen(in_one),
                strlen(at + strlen(in_one)) + 1);
    return COR_OK;
}

/* ---- executing */

static void begin(struct bench *bench) {
    free(bench->failure);
    bench->failure = NULL;
    bench->sentence[0] = '\0';
    bench->findings.count = 0;
    cor_trace_clear(&bench->trace);
    cor_trace_clear(&bench->first);
}

static struct cor_lone_case lone_of(struct bench *bench, const struct cor_subject_test *test) {
    return (struct cor_lone_case){.unit = bench->cases.unit,
                                  .repetition = test->suite / bench->experiment->chosen.count,
                                  .index = test->sequence,
                                  .trace = &bench->trace,
                                  .first = &bench->first};
}

/* Was the turn that is given one that could be, and is otherwise than in the first interleaving? */
static bool is_told(const struct cor_trace *trace, const struct cor_choice *choice) {
    for (uint32_t t = 0; t < trace->turn_count && t < trace->turn_capacity; t++)
        if (trace->turns[t].at == choice->at)
            return trace->turns[t].to == choice->what;
    return false;
}

static enum cor_status run(void *self, const struct cor_subject_test *test, struct cor_choices *happened,
                           struct cor_run *run, struct cor_error *error) {
    struct bench *bench = self;
    const struct cor_agent_experiment *experiment = bench->experiment;
    const struct cor_choices *choices = &test->choices;
    struct cor_trace *trace = &bench->trace;
    begin(bench);
    COR_TRY(take_unit(bench, test->suite, error));
    COR_TRY(COR_RESERVE(&bench->turns, &bench->turn_capacity, choices->count, error));
    COR_TRY(COR_RESERVE(&trace->turns, &trace->turn_capacity, COR_TURNS_MOST, error));
    *run = (struct cor_run){.failure = COR_NO_FAILURE, .sentence = ""};
    bench->is_posted = test->sequence < bench->cases.count && take_values(bench, test);
    if (!bench->is_posted)
        return COR_OK;
    struct cor_lone_case lone = lone_of(bench, test);
    cor_unit_case_settle(&bench->cases, lone.index, &bench->values);
    lone.given = &bench->values;
    lone.turns = bench->turns;
    lone.turn_count = bench->turn_count;
    lone.findings = &bench->findings;
    COR_TRY(cor_unit_run_case(bench->runner, &lone, error));
    COR_TRY(choose_failure(bench, test->expected, error));
    run->digest = cor_unit_trace_hash(trace, experiment->codes.word_count, &experiment->file->design->words);
    if (bench->failure) {
        run->class = cor_failure_class(bench->failure);
        run->failure = bench->failure;
        run->sentence = bench->sentence;
    }
    if (happened)
        COR_TRY(cor_choices_copy(happened, choices, error));
    for (size_t c = 0; c < choices->count; c++) {
        const struct cor_choice *choice = &choices->items[c];
        if (choice->kind == AGENT_LAYER__TURN && !is_told(trace, choice))
            continue;
        if (happened)
            happened->items[run->choices] = *choice;
        run->choices++;
    }
    if (happened)
        happened->count = run->choices;
    return COR_OK;
}

static enum cor_status add_choice(struct cor_choices *choices, struct cor_choice choice,
                                  struct cor_error *error) {
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, choices->count + 1, error));
    choices->items[choices->count++] = choice;
    return COR_OK;
}

/* Makes the case of that number choices: what of it is not as it would be if nothing were said. */
static enum cor_status make_choices(struct bench *bench, struct cor_choices *choices,
                                    struct cor_error *error) {
    const struct cor_design *design = bench->experiment->file->design;
    const struct cor_case_values *values = &bench->values, *begun = &bench->begun;
    const struct cor_trace *trace = &bench->trace;
    cor_unit_case_begin(&bench->cases, values->entry, &bench->begun);
    choices->count = choices->value_count = 0;
    COR_TRY(
        add_choice(choices, (struct cor_choice){.kind = AGENT_LAYER__POST, .what = values->event}, error));
    for (uint32_t p = 0; p < design->events[values->event].parameter_count; p++)
        if (!cor_value_equal(values->arguments[p], begun->arguments[p]))
            COR_TRY(agent_layer__add_value(choices, (struct cor_choice){.kind = AGENT_LAYER__GIVE, .what = p},
                                           values->arguments[p], error));
    for (uint32_t f = 0; f < design->field_count; f++)
        if (!cor_value_equal(values->beliefs[f], begun->beliefs[f]))
            COR_TRY(agent_layer__add_value(choices,
                                           (struct cor_choice){.kind = AGENT_LAYER__BELIEVE, .what = f},
                                           values->beliefs[f], error));
    if (choices->count + trace->turn_count > COR_TURNS_MOST)
        return cor_fail(error, COR_STATUS_INPUT, bench->experiment->head.path, "a lower limit of steps",
                        "a case takes %u turns otherwise than in its first interleaving, and a test has %u "
                        "choices at most",
                        trace->turn_count, COR_TURNS_MOST);
    for (uint32_t t = 0; t < trace->turn_count; t++)
        COR_TRY(add_choice(choices,
                           (struct cor_choice){.kind = AGENT_LAYER__TURN,
                                               .at = trace->turns[t].at,
                                               .what = trace->turns[t].to},
                           error));
    return COR_OK;
}

static enum cor_status make(void *self, struct cor_subject_test *test, struct cor_run *it,
                            struct cor_error *error) {
    struct bench *bench = self;
    begin(bench);
    COR_TRY(take_unit(bench, test->suite, error));
    COR_TRY(COR_RESERVE(&bench->trace.turns, &bench->trace.turn_capacity, COR_TURNS_MOST, error));
    struct cor_lone_case lone = lone_of(bench, test);
    lone.values = &bench->values;
    if (test->sequence < bench->cases.count)
        cor_unit_case_make(&bench->cases, test->sequence, &bench->values);
    else /* an interleaving: which turns it takes is known when it has been executed */
        COR_TRY(cor_unit_run_case(bench->runner, &lone, error));
    COR_TRY(make_choices(bench, &test->choices, error));
    test->sequence = (uint32_t)(test->sequence % bench->cases.count);
    test->at = test->choices.count;
    return run(bench, test, NULL, it, error);
}

static void close_bench(void *self) {
    struct bench *bench = self;
    if (!bench)
        return;
    begin(bench);
    cor_unit_runner_destroy(bench->runner);
    cor_aut_close(bench->session);
    cor_unit_cases_fini(&bench->cases);
    cor_case_values_fini(&bench->values);
    cor_case_values_fini(&bench->begun);
    cor_trace_fini(&bench->trace);
    cor_trace_fini(&bench->first);
    cor_findings_fini(&bench->findings);
    free(bench->turns);
    free(bench);
}

static enum cor_status open_bench(const struct cor_experiment_head *head, uint32_t arm, void **self,
                                  struct cor_error *error) {
    struct bench *bench = cor_calloc(1, sizeof *bench);
    enum cor_status status = COR_OK;
    *self = NULL;
    COR_TRY(cor_made(bench, error));
    bench->experiment = (const void *)head;
    bench->arm = arm;
    cor_trace_init(&bench->trace);
    cor_trace_init(&bench->first);
    COR_TRY_OUT(cor_case_values_init(&bench->values, bench->experiment->file->design, error));
    COR_TRY_OUT(cor_case_values_init(&bench->begun, bench->experiment->file->design, error));
    COR_TRY_OUT(cor_agent_arm_open(bench->experiment, arm, &bench->session, &bench->runner, error));
    *self = bench;
    return COR_OK;
out:
    close_bench(bench);
    return status;
}

/* Of so few choices all sets are tried: in a moment, or, of agents that are started for each, in a second. */
#define SETS_MOST 12
#define SETS_MOST_OF_PROGRAMS 7

static enum cor_status shrink(void *self, struct cor_shrinking *shrinking, bool *differs,
                              struct cor_error *error) {
    const struct bench *bench = self;
    const bool is_program = bench->experiment->arms[bench->arm].way != COR_AUT_INTERPRETER;
    shrinking->sets_most = is_program ? SETS_MOST_OF_PROGRAMS : SETS_MOST;
    return cor_shrink_here(shrinking, self, is_program, differs, error);
}

/* ---- what became of what is expected */

/* A turn that is given and was not taken; COR_NONE: all were. */
static uint32_t find_turn_missed(const struct bench *bench, const struct cor_subject_test *test) {
    for (size_t c = 0; c < test->choices.count; c++) {
        const struct cor_choice *choice = &test->choices.items[c];
        if (choice->kind == AGENT_LAYER__TURN && !is_told(&bench->trace, choice))
            return (uint32_t)choice->at;
    }
    return COR_NONE;
}

static enum cor_expected find(const void *self, const struct cor_subject_test *test, char *why, size_t size) {
    const struct bench *bench = self;
    const struct cor_agent_arm *arm = &bench->experiment->arms[bench->arm];
    const char *expected = test->expected, *failure = bench->failure;
    const enum cor_trace_end end = bench->trace.end;
    const uint32_t missed = find_turn_missed(bench, test);
    enum cor_expected found = COR_EXPECTED_IS_OPEN;
    struct cor_agent_marks now;
    if (failure && (strcmp(expected, COR_NO_FAILURE) == 0 || strcmp(failure, expected) == 0)) {
        snprintf(why, size, "%s: %s", failure, bench->sentence);
        found = COR_EXPECTED_COMES;
    } else if (failure)
        snprintf(why, size, "%s did not come, but the case fails by %s: %s", expected, failure,
                 bench->sentence);
    else if (test->sequence >= bench->cases.count)
        snprintf(why, size, "the unit has %llu cases, and none of number %u",
                 (unsigned long long)bench->cases.count, test->sequence);
    else if (!bench->is_posted)
        snprintf(why, size, "nothing was posted");
    else if (end != COR_TRACE_END_QUIET)
        snprintf(why, size, "the case was not judged to its end: %s",
                 cor_term(COR_FAMILY_TRACE_END, (int)end)->meaning);
    else if (missed != COR_NONE)
        snprintf(why, size, "turn %u could not be taken, or nobody else would have taken it", missed);
    else if (test->choices.count < test->at)
        snprintf(why, size, "the test has %zu choices, and what is expected came with %llu",
                 test->choices.count, (unsigned long long)test->at);
    else {
        snprintf(why, size, "nothing was found: in this case the agent does as it is designed");
        found = COR_EXPECTED_IS_GONE;
    }
    if (agent_layer__marks(bench->experiment, bench->arm, &now, NULL) == COR_OK)
        cor_subject_put_changes(why, size, "the design",
                                cor_subject_changed(bench->experiment->marks.design, now.design),
                                arm->way == COR_AUT_MODULE    ? "the module"
                                : arm->way == COR_AUT_PROGRAM ? "the program"
                                                              : "the agent",
                                cor_subject_changed(bench->experiment->marks.agent, now.agent));
    return found;
}

static const char *why_otherwise(const struct cor_experiment_head *head, uint32_t arm) {
    const struct cor_agent_experiment *experiment = (const void *)head;
    return experiment->arms[arm].way == COR_AUT_INTERPRETER
               ? "was this program changed since?"
               : "the agent may look at a clock, or remember other cases; else it was changed since";
}

/* ---- the story */

static void tell_value(struct cor_bytes *story, const struct cor_design *design, const char *name,
                       uint32_t domain, struct cor_value value) {
    char text[512];
    cor_value_text(value, &design->domains[domain], &design->words, text, sizeof text);
    cor_bytes_print(story, "  %s = %s\n", name, text);
}

static void tell_case(struct cor_bytes *story, const struct cor_design *design,
                      const struct cor_case_values *values) {
    const struct cor_design_event *event = &design->events[values->event];
    cor_bytes_print(story, "event %s, %s\n", event->name, values->valid ? "valid" : "invalid");
    for (uint32_t p = 0; p < event->parameter_count; p++)
        tell_value(story, design, event->parameters[p].name, event->parameters[p].domain,
                   values->arguments[p]);
    for (uint32_t f = 0; f < design->field_count; f++)
        tell_value(story, design, design->fields[f].full_name, design->fields[f].domain, values->beliefs[f]);
}

static enum cor_status tell_trace(struct cor_bytes *story, const struct cor_design *design,
                                  const struct cor_trace *trace, struct cor_error *error) {
    char *text = cor_trace_print(design, trace);
    COR_TRY(cor_made(text, error));
    cor_bytes_print(story, "%s", text);
    free(text);
    return COR_OK;
}

/* "turn 5 goes to intention 2", where the first interleaving would go on otherwise. */
static void tell_turns(struct cor_bytes *story, const struct cor_trace *trace) {
    const uint32_t count =
        trace->turn_count < trace->turn_capacity ? trace->turn_count : (uint32_t)trace->turn_capacity;
    for (uint32_t t = 0; t < count; t++)
        cor_bytes_print(story, "%s turn %u goes to intention %u", t == 0 ? "the same, but" : ",",
                        trace->turns[t].at, trace->turns[t].to);
    cor_bytes_print(story, "%s:\n", count == 0 ? "the same again" : "");
}

enum cor_status agent_layer__tell(const void *self, struct agent_layer__telling *telling,
                                  struct cor_bytes *story, struct cor_error *error) {
    const struct bench *bench = self;
    const struct cor_design *design = bench->experiment->file->design;
    telling->shown = telling->open = 0;
    if (!bench->is_posted) {
        cor_bytes_print(story, "nothing was posted\n");
        return COR_OK;
    }
    tell_case(story, design, &bench->values);
    if (telling->form == AGENT_LAYER__TRACES && bench->first.event_count > 0) {
        COR_TRY(tell_trace(story, design, &bench->first, error));
        tell_turns(story, &bench->trace);
    }
    if (telling->form != AGENT_LAYER__END)
        COR_TRY(tell_trace(story, design, &bench->trace, error));
    else
        cor_bytes_print(story, "%s after %u events\n",
                        cor_term_word(COR_FAMILY_TRACE_END, (int)bench->trace.end), bench->trace.event_count);
    for (int decided = 1; decided >= 0; decided--)
        for (uint32_t f = 0; f < bench->findings.count; f++) {
            const struct cor_finding *finding = &bench->findings.items[f];
            if (cor_finding_is_of_all(finding) == decided || (int)finding->severity < telling->severity_least)
                continue;
            char *text = failure_text(design, finding);
            COR_TRY(cor_made(text, error));
            cor_bytes_print(story, "%s: %s, %s\n", decided ? "found" : "not decided by one case", text,
                            cor_term_word(COR_FAMILY_SEVERITY, (int)finding->severity));
            free(text);
            ++*(decided ? &telling->shown : &telling->open);
        }
    if (telling->shown + telling->open == 0)
        cor_bytes_print(story, telling->has_fault ? "found: nothing of the fault\n" : "found: nothing\n");
    return COR_OK;
}

const struct cor_subject agent_layer__subject = {
    .test = "case",
    .choice = "choice",
    .measured = COR_NO_KIND,
    .lesser = COR_NO_KIND,
    .open = open_bench,
    .close = close_bench,
    .make = make,
    .run = run,
    .find = find,
    .shrink = shrink,
    .read = agent_layer__test_read,
    .write = agent_layer__test_write,
    .why_otherwise = why_otherwise,
};
