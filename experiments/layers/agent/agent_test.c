/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Test files: a case of a unit, what is not as in the unit's first case a line, with all that it takes to run
 * it again. An experiment with one arm (corridor/subject_file.h), and beside its members
 *   "agent_test": {"unit": "PT(Accept)", "case": 21, "expected": "race_over_belief desk.Weight", ..}
 *   "schedule": [["post", "Pair"], ["give", "Second", 50], ["believe", "desk.Weight", 58], ["turn", 5, 2]] */
#include "internal.h"

#include <corridor/agent_layer.h>
#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/fields.h>
#include <corridor/hash.h>
#include <corridor/subject_file.h>
#include <corridor/turns.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static enum cor_status read_post(const struct cor_json *json, const char *name, struct choice_reader *reader,
                                 struct cor_choice *choice, struct cor_error *error) {
    const char *names[65] = {0};
    char remedy[1024];
    for (uint32_t e = 0; e < reader->cases->entry_count; e++) {
        const struct cor_case_entry *entry = &reader->cases->entries[e];
        if (strcmp(reader->design->events[entry->event].name, name) == 0)
            reader->entry = entry;
        if (e < 64)
            names[e] = reader->design->events[entry->event].name;
    }
    cor_known_names(name, names, remedy, sizeof remedy);
    if (!reader->entry)
        return cor_json_fail(json, error, remedy, "no case of the unit posts \"%.80s\"", name);
    choice->what = reader->entry->event;
    return COR_OK;
}

/* Which values there are: "classes: (-inf, 0), 0, (0, 50]". */
static enum cor_status refuse_value(const struct cor_json *json, const struct cor_unit_cases *cases,
                                    const struct cor_unit_variable *variable, const char *name,
                                    struct cor_error *error) {
    struct cor_bytes known = {0};
    for (uint32_t c = 0; c < variable->class_count; c++) {
        char text[256];
        cor_unit_class_text(cases, variable, &cases->classes[variable->first_class + c], text, sizeof text);
        cor_bytes_print(&known, "%s%s", c == 0 ? "classes: " : ", ", text);
    }
    const enum cor_status status =
        cor_json_fail(json, error, cor_bytes_text(&known), "lies in no class of \"%s\" in this unit", name);
    cor_bytes_fini(&known);
    return status;
}

static enum cor_status read_value(const struct cor_json *json, struct choice_reader *reader,
                                  struct cor_choice choice, struct cor_error *error) {
    const struct cor_json first = cor_json_at(json, 1), second = cor_json_at(json, 2);
    const uint32_t fields = reader->design->field_count;
    const struct cor_design_event *event = &reader->design->events[reader->entry->event];
    const char *name, *names[65] = {0};
    struct cor_value value;
    char place[COR_PLACE_BYTES], remedy[1024];
    COR_TRY(agent_layer__read_text(&first, &name, place, error));
    if (choice.kind == AGENT_LAYER__BELIEVE)
        COR_TRY(cor_design_look_up_field(reader->design, name, place, &choice.what, error));
    else {
        while (choice.what < event->parameter_count && strcmp(event->parameters[choice.what].name, name) != 0)
            choice.what++;
        for (uint32_t p = 0; p < event->parameter_count && p < 64; p++)
            names[p] = event->parameters[p].name;
        cor_known_names(name, names, remedy, sizeof remedy);
        if (choice.what == event->parameter_count)
            return cor_json_fail(&first, error, remedy, "event %s has no parameter \"%.80s\"", event->name,
                                 name);
    }
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
            agent_layer__class_of(reader->cases, variable, value) == COR_NONE)
            return refuse_value(&second, reader->cases, variable, name, error);
    }
    return agent_layer__add_value(reader->choices, choice, value, error);
}

static enum cor_status read_turn(const struct cor_json *json, const struct cor_choices *choices,
                                 struct cor_choice *choice, struct cor_error *error) {
    const struct cor_json first = cor_json_at(json, 1), second = cor_json_at(json, 2);
    const struct cor_choice *last = choices->count > 0 ? &choices->items[choices->count - 1] : NULL;
    int64_t at, to;
    COR_TRY(cor_json_integer(&first, 1, UINT32_MAX, &at, error));
    COR_TRY(cor_json_integer(&second, 0, COR_INTENTIONS_MOST - 1, &to, error));
    choice->at = (uint64_t)at;
    choice->what = (uint32_t)to;
    return last && last->at >= choice->at
               ? cor_json_fail(&first, error, "turns stand in their order, each once",
                               "turn %" PRIu64 " does not come behind turn %" PRIu64, choice->at, last->at)
               : COR_OK;
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
        COR_TRY(read_post(&second, name, reader, &choice, error));
    } else
        COR_TRY(read_turn(json, choices, &choice, error));
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
        char *value = value_text(
            design, is_give ? event->parameters[choice->what].domain : design->fields[choice->what].domain,
            agent_layer__value_of(&test->choices, choice));
        cor_json_print_string(&line, is_give ? event->parameters[choice->what].name
                                             : design->fields[choice->what].full_name);
        cor_bytes_print(&line, ", %s", value ? value : "");
        line.status = value ? line.status : COR_STATUS_MEMORY;
        free(value);
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
    struct cor_json_document *document = NULL;
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
    cor_json_destroy(document);
    return status;
}

enum cor_status agent_layer__marks(const struct cor_agent_experiment *experiment, uint32_t arm,
                                   struct cor_agent_marks *marks, struct cor_error *error) {
    const struct cor_agent_arm *it = &experiment->arms[arm];
    const struct cor_design *design = experiment->file->design;
    char *fault = NULL;
    if (it->way == COR_AUT_INTERPRETER)
        COR_TRY(find_fault(experiment, it->fault, &fault, error));
    marks->design =
        cor_hash_word(hash_text(COR_HASH_SEED, experiment->file->text), experiment->settings.seed);
    /* A module is its bytes, wherever they lie. */
    marks->agent = hash_text(COR_HASH_SEED, it->way == COR_AUT_PROGRAM ? it->agent : NULL);
    marks->agent = hash_text(hash_text(hash_text(marks->agent, it->files.digest), it->fault), fault);
    for (uint32_t p = 0; p < design->plan_count && it->unbuilt; p++)
        marks->agent = cor_hash_word(marks->agent, it->unbuilt[p]);
    free(fault);
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

static enum cor_status read_unit(const struct cor_json *json, void *into, struct cor_error *error) {
    ((struct reading *)into)->unit_at = *json;
    return cor_json_string(json, &((struct reading *)into)->unit, error);
}

static enum cor_status read_case(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *reading = into;
    int64_t index;
    reading->case_at = *json;
    COR_TRY(cor_json_integer(json, 0, CASES_MOST, &index, error));
    reading->index = (uint64_t)index;
    return COR_OK;
}

static enum cor_status read_expected(const struct cor_json *json, void *into, struct cor_error *error) {
    ((struct reading *)into)->expected_at = *json;
    return cor_json_string(json, &((struct reading *)into)->expected, error);
}

static enum cor_status read_design_mark(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_word(json, &((struct reading *)into)->marks.design, error);
}

static enum cor_status read_agent_mark(const struct cor_json *json, void *into, struct cor_error *error) {
    return cor_json_word(json, &((struct reading *)into)->marks.agent, error);
}

static const struct cor_field fields[] = {
    {"unit", COR_REQUIRED, COR_READ_FIELD(read_unit)},
    {"case", COR_REQUIRED, COR_READ_FIELD(read_case)},
    {"repetition", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, repetition, 0, REPETITIONS_MOST)},
    {"expected", COR_REQUIRED, COR_READ_FIELD(read_expected)},
    {"choices", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, choices, 0, CASES_MOST)},
    {"design", COR_OPTIONAL, COR_READ_FIELD(read_design_mark)},
    {"agent", COR_OPTIONAL, COR_READ_FIELD(read_agent_mark)},
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

static enum cor_status read_schedule(const struct cor_json *json,
                                     const struct cor_agent_experiment *experiment,
                                     const struct reading *reading, uint32_t unit,
                                     struct cor_choices *choices, struct cor_error *error) {
    struct cor_unit_cases cases;
    struct choice_reader reader = {
        .design = experiment->file->design, .cases = &cases, .choices = choices, .index = reading->index};
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_expect_array(json, 0, COR_TURNS_MOST, error));
    COR_TRY(COR_RESERVE(&choices->items, &choices->capacity, cor_json_size(json), error));
    COR_TRY(cor_unit_cases_init(&cases, experiment->file, unit, &experiment->settings, error));
    status = check_case(reading, experiment, cases.count, error);
    reader.index %= cases.count;
    for (size_t c = 0; c < cor_json_size(json) && status == COR_OK; c++) {
        const struct cor_json item = cor_json_at(json, c);
        status = read_choice(&item, &reader, error);
    }
    cor_unit_cases_fini(&cases);
    return status;
}

enum cor_status agent_layer__test_read(const char *text, const char *path,
                                       const struct cor_layer_options *options, struct cor_subject_test *test,
                                       struct cor_error *error) {
    static const struct cor_layer_options none;
    struct reading reading = {0};
    struct cor_subject_file file = {0};
    struct cor_json_document *document = NULL;
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
    COR_TRY_OUT(read_schedule(&schedule, experiment, &reading, unit, &test->choices, error));
    test->experiment = &experiment->head;
    test->sequence = (uint32_t)reading.index;
    test->expected = experiment->expected;
    test->at = reading.choices;
out:
    cor_json_destroy(document);
    cor_subject_file_fini(&file);
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

enum cor_status agent_layer__test_write(const struct cor_subject_test *test, char **text,
                                        struct cor_error *error) {
    /* One case is run, once, of whichever unit. */
    static const char *const left_out[] = {"units", "repeat", "stop", "name", "description", NULL};
    static const struct cor_subject_file_form form = {COR_KIND_AGENT_TEST, left_out, put, choice_line};
    return cor_subject_file_text(&form, test, text, error);
}
