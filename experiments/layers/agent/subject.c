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
#include <corridor/fields.h>
#include <corridor/hash.h>
#include <corridor/json_names.h>
#include <corridor/subject_file.h>
#include <corridor/turns.h>

#include <inttypes.h>
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

static enum cor_status agent_layer__add_value(struct cor_choices *choices, struct cor_choice choice,
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
    /* Makes the case of that number choices: what of it is not as it would be if nothing were said. */
    const struct cor_design *design = bench->experiment->file->design;
    const struct cor_case_values *values = &bench->values, *begun = &bench->begun;
    const struct cor_trace *trace = &bench->trace;
    cor_unit_case_begin(&bench->cases, values->entry, &bench->begun);
    test->choices.count = test->choices.value_count = 0;
    COR_TRY(add_choice(&test->choices, (struct cor_choice){.kind = AGENT_LAYER__POST, .what = values->event},
                       error));
    for (uint32_t p = 0; p < design->events[values->event].parameter_count; p++)
        if (!cor_value_equal(values->arguments[p], begun->arguments[p]))
            COR_TRY(agent_layer__add_value(&test->choices,
                                           (struct cor_choice){.kind = AGENT_LAYER__GIVE, .what = p},
                                           values->arguments[p], error));
    for (uint32_t f = 0; f < design->field_count; f++)
        if (!cor_value_equal(values->beliefs[f], begun->beliefs[f]))
            COR_TRY(agent_layer__add_value(&test->choices,
                                           (struct cor_choice){.kind = AGENT_LAYER__BELIEVE, .what = f},
                                           values->beliefs[f], error));
    if (test->choices.count + trace->turn_count > COR_TURNS_MOST)
        return cor_fail(error, COR_STATUS_INPUT, bench->experiment->head.path, "a lower limit of steps",
                        "a case takes %u turns otherwise than in its first interleaving, and a test has %u "
                        "choices at most",
                        trace->turn_count, COR_TURNS_MOST);
    for (uint32_t t = 0; t < trace->turn_count; t++)
        COR_TRY(add_choice(&test->choices,
                           (struct cor_choice){.kind = AGENT_LAYER__TURN,
                                               .at = trace->turns[t].at,
                                               .what = trace->turns[t].to},
                           error));
    test->sequence = (uint32_t)(test->sequence % bench->cases.count);
    test->at = test->choices.count;
    return run(bench, test, NULL, it, error);
}

static void close_bench(void *self) {
    COR_FREED struct bench *bench = self;
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

static enum cor_status tell_trace(struct cor_bytes *story, const struct cor_design *design,
                                  const struct cor_trace *trace, struct cor_error *error) {
    COR_FREED char *text = cor_trace_print(design, trace);
    COR_TRY(cor_made(text, error));
    cor_bytes_print(story, "%s", text);
    return COR_OK;
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
    const struct cor_design_event *event = &design->events[bench->values.event];
    cor_bytes_print(story, "event %s, %s\n", event->name, bench->values.valid ? "valid" : "invalid");
    for (uint32_t p = 0; p < event->parameter_count; p++)
        tell_value(story, design, event->parameters[p].name, event->parameters[p].domain,
                   bench->values.arguments[p]);
    for (uint32_t f = 0; f < design->field_count; f++)
        tell_value(story, design, design->fields[f].full_name, design->fields[f].domain,
                   bench->values.beliefs[f]);
    if (telling->form == AGENT_LAYER__TRACES && bench->first.event_count > 0) {
        COR_TRY(tell_trace(story, design, &bench->first, error));
        /* "turn 5 goes to intention 2", where the first interleaving would go on otherwise. */
        const uint32_t count = bench->trace.turn_count < bench->trace.turn_capacity
                                   ? bench->trace.turn_count
                                   : (uint32_t)bench->trace.turn_capacity;
        for (uint32_t t = 0; t < count; t++)
            cor_bytes_print(story, "%s turn %u goes to intention %u", t == 0 ? "the same, but" : ",",
                            bench->trace.turns[t].at, bench->trace.turns[t].to);
        cor_bytes_print(story, "%s:\n", count == 0 ? "the same again" : "");
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
            COR_FREED char *text = failure_text(design, finding);
            COR_TRY(cor_made(text, error));
            cor_bytes_print(story, "%s: %s, %s\n", decided ? "found" : "not decided by one case", text,
                            cor_term_word(COR_FAMILY_SEVERITY, (int)finding->severity));
            ++*(decided ? &telling->shown : &telling->open);
        }
    if (telling->shown + telling->open == 0)
        cor_bytes_print(story, telling->has_fault ? "found: nothing of the fault\n" : "found: nothing\n");
    return COR_OK;
}

/* ---- test files: a case of a unit, what is not as in the unit's first case a line, with all that it takes
 * to run it again. An experiment with one arm (corridor/subject_file.h), and beside its members
 *   "agent_test": {"unit": "PT(Accept)", "case": 21, "expected": "race_over_belief desk.Weight", ..}
 *   "schedule": [["post", "Pair"], ["give", "Second", 50], ["believe", "desk.Weight", 58], ["turn", 5, 2]] */

#define CASES_MOST 0xFFFFFFFF
#define REPETITIONS_MOST 1000000

static const char *const kinds[] = {[AGENT_LAYER__POST] = "post",
                                    [AGENT_LAYER__GIVE] = "give",
                                    [AGENT_LAYER__BELIEVE] = "believe",
                                    [AGENT_LAYER__TURN] = "turn",
                                    NULL};
static const char *const forms[] = {[AGENT_LAYER__POST] = "[\"post\", event]",
                                    [AGENT_LAYER__GIVE] = "[\"give\", parameter, value]",
                                    [AGENT_LAYER__BELIEVE] = "[\"believe\", \"set.Field\", value]",
                                    [AGENT_LAYER__TURN] = "[\"turn\", number, intention]"};

/* ---- a choice a line */

struct choice_reader {
    struct cor_design *design;
    const struct cor_unit_cases *cases; /* of the unit */
    struct cor_choices *choices;
    const struct cor_case_entry *entry; /* that is posted; NULL: not yet */
    uint64_t index;                     /* of the case: one of the user's own may have any values */
};

static enum cor_status read_value(const struct cor_json *json, struct choice_reader *reader,
                                  struct cor_choice choice, struct cor_error *error) {
    const struct cor_json first = cor_json_at(json, 1), second = cor_json_at(json, 2);
    const uint32_t fields = reader->design->field_count;
    const struct cor_design_event *event = &reader->design->events[reader->entry->event];
    const char *name;
    struct cor_value value;
    char place[COR_PLACE_BYTES];
    COR_TRY(agent_layer__read_text(&first, &name, place, error));
    if (choice.kind == AGENT_LAYER__BELIEVE)
        COR_TRY(cor_design_look_up_field(reader->design, name, place, &choice.what, error));
    else
        COR_TRY(cor_json_find_name(
            &first,
            COR_RECORD_NAMES(event->parameters, event->parameter_count, struct cor_design_parameter, name),
            name, &choice.what, error, "event %s has no parameter \"%.80s\"", event->name, name));
    const uint32_t slot = choice.kind == AGENT_LAYER__BELIEVE ? choice.what : fields + choice.what;
    COR_TRY(agent_layer__read_value(&second, reader->design,
                                    choice.kind == AGENT_LAYER__BELIEVE
                                        ? reader->design->fields[choice.what].domain
                                        : event->parameters[choice.what].domain,
                                    &value, error));
    for (size_t c = 0; c < reader->choices->count; c++)
        if (reader->choices->items[c].kind == choice.kind && reader->choices->items[c].what == choice.what)
            return cor_json_fail(json, error, "leave one of them out", "\"%s\" has a value already", name);
    for (uint32_t v = 0; v < reader->entry->variable_count; v++) {
        const struct cor_unit_variable *variable =
            &reader->cases->variables[reader->entry->first_variable + v];
        if (variable->slot == slot && !cor_unit_case_is_own(reader->cases, reader->index) &&
            agent_layer__class_of(reader->cases, variable, value) == COR_NONE) {
            /* Which values there are: "classes: (-inf, 0), 0, (0, 50]". */
            COR_FINISHED(cor_bytes) struct cor_bytes known = {0};
            for (uint32_t c = 0; c < variable->class_count; c++) {
                char text[256];
                cor_unit_class_text(reader->cases, variable,
                                    &reader->cases->classes[variable->first_class + c], text, sizeof text);
                cor_bytes_print(&known, "%s%s", c == 0 ? "classes: " : ", ", text);
            }
            return cor_json_fail(&second, error, cor_bytes_text(&known),
                                 "lies in no class of \"%s\" in this unit", name);
        }
    }
    return agent_layer__add_value(reader->choices, choice, value, error);
}

/* The event that an entry of the unit posts. */
static const char *entry_name(const void *of, size_t entry) {
    const struct choice_reader *reader = of;
    return reader->design->events[reader->cases->entries[entry].event].name;
}

static enum cor_status read_choice(const struct cor_json *json, struct choice_reader *reader,
                                   struct cor_error *error) {
    struct cor_choices *choices = reader->choices;
    struct cor_choice choice = {0};
    const char *name;
    int kind;
    COR_TRY(cor_json_expect_array(json, 2, 3, error));
    const struct cor_json first = cor_json_at(json, 0), second = cor_json_at(json, 1);
    COR_TRY(cor_json_one_of(&first, kinds, "choice", &kind, error));
    choice.kind = (uint16_t)kind;
    if (cor_json_size(json) != (kind == AGENT_LAYER__POST ? 2 : 3))
        return cor_json_fail(json, error, forms[kind], "such a choice has another form");
    if ((kind == AGENT_LAYER__POST) != !reader->entry)
        return cor_json_fail(json, error, "the first choice, and no other, is the event that is posted",
                             kind == AGENT_LAYER__POST ? "a case posts one event" : "nothing is posted yet");
    if (kind == AGENT_LAYER__GIVE || kind == AGENT_LAYER__BELIEVE) {
        if (choices->count > 0 && choices->items[choices->count - 1].kind == AGENT_LAYER__TURN)
            return cor_json_fail(json, error, "turns come behind all values", "is too late");
        return read_value(json, reader, choice, error);
    }
    if (kind == AGENT_LAYER__POST) {
        COR_TRY(cor_json_string(&second, &name, error));
        uint32_t entry;
        COR_TRY(cor_json_find_name(&second, COR_SAID_NAMES(entry_name, reader, reader->cases->entry_count),
                                   name, &entry, error, "no case of the unit posts \"%.80s\"", name));
        reader->entry = &reader->cases->entries[entry];
        choice.what = reader->entry->event;
    } else {
        const struct cor_json turn = cor_json_at(json, 1), intention = cor_json_at(json, 2);
        const struct cor_choice *last = choices->count > 0 ? &choices->items[choices->count - 1] : NULL;
        int64_t at, to;
        COR_TRY(cor_json_integer(&turn, 1, UINT32_MAX, &at, error));
        COR_TRY(cor_json_integer(&intention, 0, COR_INTENTIONS_MOST - 1, &to, error));
        choice.at = (uint64_t)at;
        choice.what = (uint32_t)to;
        COR_TRY(last && last->at >= choice.at
                    ? cor_json_fail(&turn, error, "turns stand in their order, each once",
                                    "turn %" PRIu64 " does not come behind turn %" PRIu64, choice.at,
                                    last->at)
                    : COR_OK);
    }
    choices->items[choices->count++] = choice;
    return COR_OK;
}

/* A value as a design writes it. */
static char *value_text(const struct cor_design *design, uint32_t domain, struct cor_value value) {
    struct cor_json_writer *writer;
    char *text, *end;
    if (cor_json_writer_create(&writer, NULL) != COR_OK)
        return NULL;
    cor_json_open_array(writer, NULL);
    cor_design_put_value(writer, NULL, design, domain, value);
    cor_json_close(writer);
    if (cor_json_text_take(writer, 0, &text, NULL) != COR_OK)
        return NULL;
    if ((end = strrchr(text, ']'))) /* without what is around it */
        *end = '\0';
    memmove(text, text + 1, strlen(text));
    return text;
}

static char *choice_line(const struct cor_subject_test *test, const struct cor_choice *choice) {
    const struct cor_agent_experiment *experiment = (const void *)test->experiment;
    const struct cor_design *design = experiment->file->design;
    const struct cor_design_event *event = &design->events[test->choices.items[0].what];
    const bool is_give = choice->kind == AGENT_LAYER__GIVE;
    struct cor_bytes line = {0};
    cor_bytes_print(&line, "[\"%s\", ", kinds[choice->kind]);
    if (choice->kind == AGENT_LAYER__POST)
        cor_json_print_string(&line, event->name);
    else if (choice->kind == AGENT_LAYER__TURN)
        cor_bytes_print(&line, "%" PRIu64 ", %" PRIu32, choice->at, choice->what);
    else {
        COR_FREED char *value = value_text(
            design, is_give ? event->parameters[choice->what].domain : design->fields[choice->what].domain,
            agent_layer__value_of(&test->choices, choice));
        cor_json_print_string(&line, is_give ? event->parameters[choice->what].name
                                             : design->fields[choice->what].full_name);
        cor_bytes_print(&line, ", %s", value ? value : "");
        line.status = value ? line.status : COR_STATUS_MEMORY;
    }
    cor_bytes_print(&line, "]");
    return cor_bytes_text_take(&line, NULL);
}

/* ---- what a failure hangs on: the design with its seed, the agent with its fault */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text ? text : "", text ? strlen(text) : 0);
}

/* What the file of faults says of one, as text; of operators the name says it all. */
static enum cor_status find_fault(const struct cor_agent_experiment *experiment, const char *name,
                                  char **text, struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_json faults;
    *text = NULL;
    if (!experiment->faults.text || !name)
        return COR_OK;
    COR_TRY(cor_json_parse(experiment->faults.text, "faults", &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = cor_json_need(&root, "faults", &faults, error);
    for (size_t f = 0; status == COR_OK && f < cor_json_size(&faults) && !*text; f++) {
        const struct cor_json fault = cor_json_at(&faults, f);
        struct cor_json member;
        const char *own;
        if (cor_json_find(&fault, "name", &member) && cor_json_string(&member, &own, NULL) == COR_OK &&
            strcmp(own, name) == 0)
            status = cor_made(*text = cor_json_text(&fault), error);
    }
    return status;
}

enum cor_status agent_layer__marks(const struct cor_agent_experiment *experiment, uint32_t arm,
                                   struct cor_agent_marks *marks, struct cor_error *error) {
    const struct cor_agent_arm *it = &experiment->arms[arm];
    const struct cor_design *design = experiment->file->design;
    COR_FREED char *fault = NULL;
    if (it->way == COR_AUT_INTERPRETER)
        COR_TRY(find_fault(experiment, it->fault, &fault, error));
    marks->design =
        cor_hash_word(hash_text(COR_HASH_SEED, experiment->file->text), experiment->settings.seed);
    /* A module is its bytes, wherever they lie. */
    marks->agent = hash_text(COR_HASH_SEED, it->way == COR_AUT_PROGRAM ? it->agent : NULL);
    marks->agent = hash_text(hash_text(hash_text(marks->agent, it->files.digest), it->fault), fault);
    for (uint32_t p = 0; p < design->plan_count && it->unbuilt; p++)
        marks->agent = cor_hash_word(marks->agent, it->unbuilt[p]);
    return COR_OK;
}

/* ---- a test */

struct reading {
    const char *unit, *expected;
    uint64_t index, choices;
    uint32_t repetition;
    struct cor_agent_marks marks;
    struct cor_json expected_at, unit_at, case_at;
};

static const struct cor_field fields[] = {
    {"unit", COR_REQUIRED, COR_STRING_FIELD(struct reading, unit), COR_PLACE_AT(struct reading, unit_at)},
    {"case", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, index, 0, CASES_MOST),
     COR_PLACE_AT(struct reading, case_at)},
    {"repetition", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, repetition, 0, REPETITIONS_MOST)},
    {"expected", COR_REQUIRED, COR_STRING_FIELD(struct reading, expected),
     COR_PLACE_AT(struct reading, expected_at)},
    {"choices", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, choices, 0, CASES_MOST)},
    {"design", COR_OPTIONAL, COR_SEED_FIELD(struct reading, marks.design)},
    {"agent", COR_OPTIONAL, COR_SEED_FIELD(struct reading, marks.agent)},
    {0}};

/* "plan_failed Accept": a check of one case, and a part of the design of which such a check can be. */
static enum cor_status check_expected(const struct reading *reading, const struct cor_design *design,
                                      struct cor_error *error) {
    static const enum cor_design_name names[] = {[COR_SUBJECT_PLAN] = COR_NAME_PLAN,
                                                 [COR_SUBJECT_EVENT] = COR_NAME_EVENT,
                                                 [COR_SUBJECT_MESSAGE] = COR_NAME_MESSAGE,
                                                 [COR_SUBJECT_ACTION] = COR_NAME_ACTION,
                                                 [COR_SUBJECT_BELIEF] = COR_NAME_BELIEF};
    const char *text = reading->expected, *blank = strchr(text, ' '), *about = blank ? blank + 1 : NULL;
    char word[64], place[COR_PLACE_BYTES], remedy[1024];
    uint32_t index;
    if (strcmp(text, COR_NO_FAILURE) == 0)
        return COR_OK;
    snprintf(word, sizeof word, "%.*s", (int)(blank && blank - text < 63 ? blank - text : 63), text);
    const int check = cor_term_number(COR_FAMILY_AUT_CHECK, word);
    cor_known_names(word, cor_term_words(COR_FAMILY_AUT_CHECK), remedy, sizeof remedy);
    if (check == 0)
        return cor_json_fail(
            &reading->expected_at, error, remedy,
            "\"%.80s\" is no check, as in \"plan_failed Accept\", and not \"" COR_NO_FAILURE "\"", word);
    if (cor_aut_check_takes(check))
        return cor_json_fail(&reading->expected_at, error, "corridor agent test finds it",
                             "%s is about %s of a unit: no single one shows it", word,
                             cor_aut_check_takes(check));
    /* Some are about the unit, or the agent. */
    const bool is_of_unit = check == COR_AUT_CHECK_CYCLE_ENDLESS || check == COR_AUT_CHECK_RING_NOT_MEANT ||
                            (check >= COR_AUT_CHECK_AGENT_CRASHED && check <= COR_AUT_CHECK_AGENT_GARBLED);
    if (is_of_unit && about)
        return cor_json_fail(&reading->expected_at, error, word, "%s is not about a part: \"%.80s\"", word,
                             about);
    if (!is_of_unit && !about)
        return cor_json_fail(&reading->expected_at, error, "as in \"plan_failed Accept\"",
                             "it is not said what %s is about", word);
    if (!about)
        return COR_OK;
    cor_json_place(&reading->expected_at, place, sizeof place);
    const enum cor_finding_subject subject = cor_finding_subject((enum cor_aut_check)check);
    return subject == COR_SUBJECT_FIELD
               ? cor_design_look_up_field(design, about, place, &index, error)
               : cor_design_look_up(design, names[subject], about, place, &index, error);
}

/* Of a design that was changed since a unit may have fewer cases: then there is no verdict. */
static enum cor_status check_case(const struct reading *reading,
                                  const struct cor_agent_experiment *experiment, uint64_t count,
                                  struct cor_error *error) {
    struct cor_agent_marks now;
    if (reading->index < count)
        return COR_OK;
    COR_TRY(agent_layer__marks(experiment, 0, &now, error));
    return cor_subject_changed(reading->marks.design, now.design)
               ? COR_OK
               : cor_json_fail(&reading->case_at, error, "the number of one of them",
                               "unit %s has %" PRIu64 " cases, counted from 0", reading->unit, count);
}

static enum cor_status agent_layer__test_read(const char *text, const char *path,
                                              const struct cor_layer_options *options,
                                              struct cor_subject_test *test, struct cor_error *error) {
    static const struct cor_layer_options none;
    struct reading reading = {0};
    COR_FINISHED(cor_subject_file) struct cor_subject_file file = {0};
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_agent_experiment *experiment = NULL;
    char place[COR_PLACE_BYTES];
    uint32_t unit;
    enum cor_status status = COR_OK;
    *test = (struct cor_subject_test){0};
    COR_TRY_OUT(cor_subject_file_read(text, path, COR_KIND_AGENT_TEST, &file, error));
    COR_TRY_OUT(cor_json_fields(&file.own, fields, &reading, error));
    COR_TRY_OUT(cor_json_parse(file.experiment, path, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(agent_layer__experiment_read(path, &root, options ? options : &none, &experiment, error));
    COR_TRY_OUT(cor_subject_file_check_arms(&file, &experiment->head, error));
    if (options)
        COR_TRY_OUT(agent_layer__look_at_isolation(experiment, options, &test->warnings, error));
    cor_json_place(&reading.unit_at, place, sizeof place);
    COR_TRY_OUT(cor_design_file_unit(experiment->file, reading.unit, place, &unit, error));
    COR_TRY_OUT(check_expected(&reading, experiment->file->design, error));
    test->suite = agent_layer__suite_of(experiment, unit, reading.repetition);
    if (test->suite == COR_NONE && reading.repetition > 0)
        COR_TRY_OUT(cor_json_fail(&file.own, error, "a lower \"repetition\", and leave \"units\" out",
                                  "unit %s is not executed so often", reading.unit));
    if (test->suite == COR_NONE)
        COR_TRY_OUT(cor_json_fail(&reading.unit_at, error, "leave \"units\" out",
                                  "unit %s is none of those that the experiment runs", reading.unit));
    COR_TRY_OUT(cor_made(experiment->expected = cor_strdup(reading.expected), error));
    experiment->marks = reading.marks;
    const struct cor_json schedule = file.schedule;
    struct cor_unit_cases cases;
    struct choice_reader reader = {.design = experiment->file->design,
                                   .cases = &cases,
                                   .choices = &test->choices,
                                   .index = reading.index};
    COR_TRY_OUT(cor_json_expect_array(&schedule, 0, COR_TURNS_MOST, error));
    COR_TRY_OUT(COR_RESERVE(&test->choices.items, &test->choices.capacity, cor_json_size(&schedule), error));
    COR_TRY_OUT(cor_unit_cases_init(&cases, experiment->file, unit, &experiment->settings, error));
    status = check_case(&reading, experiment, cases.count, error);
    reader.index %= cases.count;
    for (size_t c = 0; c < cor_json_size(&schedule) && status == COR_OK; c++) {
        const struct cor_json item = cor_json_at(&schedule, c);
        status = read_choice(&item, &reader, error);
    }
    cor_unit_cases_fini(&cases);
    COR_TRY_OUT(status);
    test->experiment = &experiment->head;
    test->sequence = (uint32_t)reading.index;
    test->expected = experiment->expected;
    test->at = reading.choices;
out:
    if (status != COR_OK) {
        cor_choices_fini(&test->choices);
        cor_agent_experiment_destroy(experiment);
    }
    return status;
}

static void put(const struct cor_subject_test *test, struct cor_json_writer *writer) {
    const struct cor_agent_experiment *experiment = (const void *)test->experiment;
    const uint32_t repetition = test->suite / experiment->chosen.count;
    struct cor_agent_marks marks;
    cor_json_put_string(writer, "unit",
                        experiment->unit_names[agent_layer__unit_of(experiment, test->suite)]);
    cor_json_put_integer(writer, "case", test->sequence);
    if (repetition > 0)
        cor_json_put_integer(writer, "repetition", repetition);
    cor_json_put_string(writer, "expected", test->expected);
    cor_json_put_integer(writer, "choices", (int64_t)test->choices.count);
    if (agent_layer__marks(experiment, test->arm, &marks, NULL) != COR_OK)
        return; /* they are for people */
    cor_json_put_word(writer, "design", marks.design);
    cor_json_put_word(writer, "agent", marks.agent);
}

static enum cor_status agent_layer__test_write(const struct cor_subject_test *test, char **text,
                                               struct cor_error *error) {
    /* One case is run, once, of whichever unit. */
    static const char *const left_out[] = {"units", "repeat", "stop", "name", "description", NULL};
    static const struct cor_subject_file_form form = {COR_KIND_AGENT_TEST, left_out, put, choice_line};
    return cor_subject_file_text(&form, test, text, error);
}

const struct cor_subject agent_layer__subject = {
    .test = "case",
    .choice = "choice",
    .is_unordered = true,
    .measured = COR_NO_KIND,
    .lesser = COR_NO_KIND,
    .open = open_bench,
    .close = close_bench,
    .make = make,
    .run = run,
    .text = choice_line,
    .find = find,
    .shrink = shrink,
    .read = agent_layer__test_read,
    .write = agent_layer__test_write,
    .why_otherwise = why_otherwise,
};
