/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Experiments, read and written out; and what files of experiments, models and suites have in common. */
#include "internal.h"
#include "loop.h"
#include "text.h"

#include <corridor/array.h>
#include <corridor/json_names.h>
#include <corridor/origins.h>
#include <corridor/property.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum cor_status replace_algorithm(struct cor_json_document **document, struct cor_registry *registry,
                                         const char *what, struct cor_error *error) COR_MUST_USE;

#define NAME_MAX_BYTES 63

enum cor_status interaction__check_name(const struct cor_json *json, const char *name, const char *what,
                                        struct cor_error *error) {
    return cor_json_check_name(json, name, NAME_MAX_BYTES, COR_NO_NAMES, what, error);
}

enum cor_status interaction__read_name(const struct cor_json *json, const char *what, char **copy,
                                       struct cor_error *error) {
    const char *name;
    COR_TRY(cor_json_string(json, &name, error));
    COR_TRY(interaction__check_name(json, name, what, error));
    *copy = cor_strdup(name);
    return cor_made(*copy, error);
}

enum cor_status interaction__repeat_at(const struct cor_json *json, const struct cor_error *said,
                                       struct cor_error *error) {
    char place[512];
    cor_json_place(json, place, sizeof place);
    return cor_fail(error, said->status, place, said->remedy, "%s", said->cause);
}

enum cor_status interaction__repeat_of(const struct cor_json *json, const char *name,
                                       const struct cor_error *said, struct cor_error *error) {
    char place[512];
    if (strstr(said->cause, name))
        return interaction__repeat_at(json, said, error);
    cor_json_place(json, place, sizeof place);
    return cor_fail(error, said->status, place, said->remedy, "%s: %s", name, said->cause);
}

enum cor_status interaction__read_named(const struct cor_json *json, struct cor_json_document **document,
                                        struct cor_error *error) {
    const char *file;
    *document = NULL;
    COR_TRY(cor_json_string(json, &file, error));
    if (file[0] == '\0')
        return cor_json_fail(json, error, "the path of a file, from the folder of this one on",
                             "names no file");
    char *path = cor_json_beside(json, file);
    struct cor_error said = COR_NO_ERROR;
    enum cor_status status = path ? cor_json_read(path, document, &said) : cor_fail_memory(&said);
    free(path);
    if (status == COR_OK)
        return cor_json_record_named(*document, json, error);
    char remedy[600] = COR_JSON_NAMED_IN;
    cor_json_place(json, remedy + strlen(remedy), sizeof remedy - strlen(remedy));
    return cor_fail(error, status, said.place,
                    status == COR_STATUS_INPUT || status == COR_STATUS_FILE ? remedy : said.remedy, "%s",
                    said.cause);
}

enum cor_status interaction__write_new(const char *path, const char *text, struct cor_error *error) {
    FILE *file = fopen(path, "wx");
    if (!file)
        return errno == EEXIST
                   ? cor_fail(error, COR_STATUS_EXISTS, path, "write it into a new folder", "exists already")
                   : cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    bool failed = fputs(text, file) == EOF || fputc('\n', file) == EOF;
    if (fclose(file) == 0 && !failed)
        return COR_OK;
    enum cor_status status = cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    remove(path);
    return status;
}

/* ---- how execution is written: stepwise, or continuous with its clocks and durations */

#define TICKS_MAX 1000000000

/* A number, or [least, most], from 1. */
static enum cor_status read_span(const struct cor_json *json, int64_t highest, const char *remedy,
                                 const char *cause, int64_t *low, int64_t *high, struct cor_error *error) {
    struct cor_json least = *json, most = *json;
    if (!cor_json_is_array(json) && !cor_json_is_integer(json))
        return cor_json_fail(json, error, remedy, "%s", cause);
    if (cor_json_is_array(json)) {
        COR_TRY(cor_json_expect_array(json, 2, 2, error));
        least = cor_json_at(json, 0);
        most = cor_json_at(json, 1);
    }
    COR_TRY(cor_json_integer(&least, 1, highest, low, error));
    return cor_json_integer(&most, *low, highest, high, error);
}

static enum cor_status read_agent_clock(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_clocks *clocks = into;
    int64_t low, high;
    COR_TRY(read_span(json, TICKS_MAX, "a number of ticks, or [least, most]", "is no period of a clock", &low,
                      &high, error));
    clocks->agent_least = (uint64_t)low;
    clocks->agent_most = (uint64_t)high;
    return COR_OK;
}

static const struct cor_field continuous_fields[] = {
    {"case", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_clocks, case_ticks, 1, TICKS_MAX)},
    {"agent_clock", COR_OPTIONAL, COR_READ_FIELD(read_agent_clock)},
    {"monitor_clock", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, monitor_ticks, 1, TICKS_MAX)},
    {"unit", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, unit_ticks, 0, TICKS_MAX)},
    {"message", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, message_ticks, 0, TICKS_MAX)},
    {"move", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_clocks, move_ticks, 0, TICKS_MAX)},
    {0}};

/* Refuses a clock that ticks too often in a case. */
static enum cor_status check_pace(const struct cor_json *json, const char *key, uint64_t ticks,
                                  uint64_t case_ticks, struct cor_error *error) {
    enum { OFTEN = 1000 };
    const uint64_t least = (case_ticks + OFTEN - 1) / OFTEN;
    struct cor_json at = *json;
    char remedy[64];
    if (ticks >= least)
        return COR_OK;
    snprintf(remedy, sizeof remedy, "at least %llu, or a shorter \"case\"", (unsigned long long)least);
    cor_json_find(json, key, &at);
    return cor_json_fail(&at, error, remedy,
                         "a clock of %llu ticks goes more than %d times in a case of %llu",
                         (unsigned long long)ticks, OFTEN, (unsigned long long)case_ticks);
}

enum cor_status interaction__clocks_read(const struct cor_json *json, struct cor_clocks *clocks,
                                         struct cor_error *error) {
    static const char remedy[] = "\"stepwise\", or {\"continuous\": {\"case\": ticks, ..}}";
    static const char *const keys[] = {"continuous", NULL};
    struct cor_json child;
    const char *word;
    *clocks = (struct cor_clocks){0};
    if (cor_json_is_string(json)) {
        COR_TRY(cor_json_string(json, &word, error));
        return strcmp(word, "stepwise") == 0
                   ? COR_OK
                   : cor_json_fail(json, error, remedy, "unknown execution \"%s\"", word);
    }
    if (!cor_json_is_object(json))
        return cor_json_fail(json, error, remedy, "says no way of execution");
    COR_TRY(cor_json_expect_object(json, keys, error));
    COR_TRY(cor_json_need(json, "continuous", &child, error));
    COR_TRY(cor_json_fields(&child, continuous_fields, clocks, error));
    if (clocks->agent_most == 0)
        clocks->agent_least = clocks->agent_most = clocks->case_ticks;
    if (clocks->monitor_ticks == 0)
        clocks->monitor_ticks = clocks->case_ticks;
    COR_TRY(check_pace(&child, "agent_clock", clocks->agent_least, clocks->case_ticks, error));
    return check_pace(&child, "monitor_clock", clocks->monitor_ticks, clocks->case_ticks, error);
}

void interaction__clocks_put(struct cor_json_writer *writer, const struct cor_clocks *clocks) {
    if (clocks->case_ticks == 0)
        return;
    cor_json_open_object(writer, "execution");
    cor_json_open_object(writer, "continuous");
    cor_json_put_fields(writer, continuous_fields, clocks);
    cor_json_open_array(writer, "agent_clock");
    cor_json_put_integer(writer, NULL, (int64_t)clocks->agent_least);
    cor_json_put_integer(writer, NULL, (int64_t)clocks->agent_most);
    cor_json_close(writer);
    cor_json_close(writer);
    cor_json_close(writer);
}

/* ---- an experiment: numbers of the plan, branching, arms, contrasts, catalogs, and the text with everything
 * inlined */

#define ARMS_MAX 1000
#define SUITES_MAX 1000000
#define SEQUENCES_MAX 65535
#define CASES_MAX 10000000
#define CONTINUATIONS_MAX 1000
#define CONTRASTS_MAX 1000

static enum cor_status read_name(const struct cor_json *json, void *into, struct cor_error *error) {
    return interaction__read_name(json, "an experiment", &((struct cor_experiment *)into)->name, error);
}

static enum cor_status read_cases(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_experiment *experiment = into;
    int64_t low, high;
    COR_TRY(read_span(json, CASES_MAX, "a number of test cases, or [least, most]",
                      "is no length of a sequence", &low, &high, error));
    experiment->case_min = (uint32_t)low;
    experiment->case_max = (uint32_t)high;
    return COR_OK;
}

/* "back": a number of cases, or several in ascending order. */
static enum cor_status read_back(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_branching *branching = into;
    bool several = cor_json_is_array(json);
    if (several)
        COR_TRY(cor_json_expect_array(json, 1, COR_BACK_COUNT_MAX, error));
    branching->back_count = several ? (uint32_t)cor_json_size(json) : 1;
    for (uint32_t i = 0; i < branching->back_count; i++) {
        const struct cor_json item = several ? cor_json_at(json, i) : *json;
        COR_TRY(cor_json_count(&item, 1, CASES_MAX, &branching->back[i], error));
        if (i > 0 && branching->back[i] <= branching->back[i - 1])
            return cor_json_fail(&item, error, "write them in ascending order",
                                 "is not above the one before");
    }
    return COR_OK;
}

static const struct cor_field branching_fields[] = {
    {"continuations", COR_REQUIRED,
     COR_INTEGER_FIELD(struct cor_branching, continuations, 1, CONTINUATIONS_MAX)},
    {"back", COR_OPTIONAL, COR_READ_FIELD(read_back)},
    {"cases", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_branching, cases, 1, CASES_MAX)},
    {0}};

static enum cor_status read_branching(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_experiment *experiment = into;
    struct cor_branching *branching = &experiment->branching;
    *branching = (struct cor_branching){.back_count = 1, .back = {1}, .cases = CASES_MAX};
    COR_TRY(cor_json_fields(json, branching_fields, branching, error));
    uint64_t most =
        experiment->sequence_count * (1 + (uint64_t)branching->continuations * branching->back_count);
    if (most <= SEQUENCES_MAX)
        return COR_OK;
    return cor_json_fail(json, error, "ask for fewer continuations, or for fewer sequences",
                         "a suite could come to %llu sequences, more than %u", (unsigned long long)most,
                         SEQUENCES_MAX);
}

/* What is kept of the JSON has parents, which must outlive it. */
static enum cor_status read_model(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_experiment *experiment = into;
    experiment->model_json = *json;
    return cor_model_read(&experiment->model_json, &experiment->model, error);
}

static enum cor_status read_corridor(const struct cor_json *json, void *into, struct cor_error *error) {
    return interaction__text_read(json, &((struct cor_experiment *)into)->text_corridor, error);
}

static enum cor_status read_execution(const struct cor_json *json, void *into, struct cor_error *error) {
    return interaction__clocks_read(json, &((struct cor_experiment *)into)->clocks, error);
}

static enum cor_status read_presets(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_experiment *experiment = into;
    experiment->presets_json = *json;
    return interaction__presets_check(&experiment->presets_json, error);
}

const char *cor_experiment_constraint(const struct cor_experiment *experiment, uint32_t code,
                                      const char **says) {
    const struct interaction__text *text = experiment->text_corridor;
    *says = NULL;
    if (!text || code >= interaction__text_count(text))
        return NULL;
    *says = interaction__text_sentence(text, code);
    return interaction__text_name(text, code);
}

void cor_experiment_name_constraints(const struct cor_experiment *experiment, struct cor_error *error) {
    const char *says, *name;
    for (uint32_t c = 0; (name = cor_experiment_constraint(experiment, c, &says)) != NULL; c++)
        cor_property_name_constraints((const char *const[]){name, NULL}, error);
}

int cor_experiment_arm(const struct cor_experiment *experiment, const char *name) {
    for (uint32_t i = 0; i < experiment->arm_count; i++)
        if (experiment->arms[i].name && strcmp(experiment->arms[i].name, name) == 0)
            return (int)i;
    return -1;
}

static enum cor_status read_arms(const struct cor_json *json, void *into, struct cor_error *error) {
    struct cor_experiment *experiment = into;
    const struct cor_json *presets = experiment->presets_json.value ? &experiment->presets_json : NULL;
    experiment->arms_json = *json;
    COR_TRY(cor_json_expect_array(json, 1, ARMS_MAX, error));
    size_t count = cor_json_size(json);
    COR_TRY(cor_made(experiment->arms = cor_calloc(count, sizeof *experiment->arms), error));
    for (size_t i = 0; i < count; i++) {
        struct cor_arm *arm = &experiment->arms[experiment->arm_count++];
        const struct cor_json item = cor_json_at(&experiment->arms_json, i);
        COR_TRY(interaction__arm_read(experiment, &item, presets, arm, error));
        if (cor_experiment_arm(experiment, arm->name) != (int)i)
            return cor_json_fail(&arm->json, error, "give each arm a name of its own",
                                 "two arms are called \"%s\"", arm->name);
    }
    return COR_OK;
}

/* A contrast: which arms are to be compared. Running takes no notice of them; the text of the experiment
 * carries them into the result file, where `analysis` reads them. Names live as long as the document. */
struct contrast {
    const struct cor_experiment *experiment;
    const char *name, *arm[2];
};

static enum cor_status read_between(const struct cor_json *json, void *into, struct cor_error *error) {
    struct contrast *contrast = into;
    COR_TRY(cor_json_expect_array(json, 2, 2, error));
    COR_JSON_CHILDREN(arm, json) {
        COR_TRY(cor_json_string(&arm, &contrast->arm[arm.index], error));
        uint32_t found;
        COR_TRY(cor_json_find_name(&arm,
                                   COR_RECORD_NAMES(contrast->experiment->arms,
                                                    contrast->experiment->arm_count, struct cor_arm, name),
                                   contrast->arm[arm.index], &found, error, "there is no arm \"%s\"",
                                   contrast->arm[arm.index]));
    }
    if (strcmp(contrast->arm[0], contrast->arm[1]) == 0)
        return cor_json_fail(json, error, "name two different arms", "compares \"%s\" with itself",
                             contrast->arm[0]);
    return COR_OK;
}

static enum cor_status read_contrast_name(const struct cor_json *json, void *into, struct cor_error *error) {
    struct contrast *contrast = into;
    COR_TRY(cor_json_string(json, &contrast->name, error));
    return interaction__check_name(json, contrast->name, "a contrast", error);
}

static const struct cor_field contrast_fields[] = {{"name", COR_REQUIRED, COR_READ_FIELD(read_contrast_name)},
                                                   {"between", COR_REQUIRED, COR_READ_FIELD(read_between)},
                                                   {0}};

static enum cor_status check_contrasts(const struct cor_json *json, void *into, struct cor_error *error) {
    COR_TRY(cor_json_expect_array(json, 1, CONTRASTS_MAX, error));
    size_t count = cor_json_size(json);
    COR_FREED struct contrast *contrasts = cor_calloc(count, sizeof *contrasts);
    COR_TRY(cor_made(contrasts, error));
    for (size_t i = 0; i < count; i++) {
        const struct cor_json one = cor_json_at(json, i);
        contrasts[i].experiment = into;
        COR_TRY(cor_json_fields(&one, contrast_fields, &contrasts[i], error));
        /* The same two arms under one name would count twice. */
        const struct contrast *mine = &contrasts[i];
        for (size_t j = 0; j < i; j++) {
            const struct contrast *other = &contrasts[j];
            bool straight =
                strcmp(other->arm[0], mine->arm[0]) == 0 && strcmp(other->arm[1], mine->arm[1]) == 0;
            bool turned =
                strcmp(other->arm[0], mine->arm[1]) == 0 && strcmp(other->arm[1], mine->arm[0]) == 0;
            if (strcmp(other->name, mine->name) == 0 && (straight || turned))
                COR_TRY(cor_json_fail(&one, error, "contrasts may share a name, but not also their arms",
                                      "\"%s\" compares \"%s\" with \"%s\" a second time", mine->name,
                                      mine->arm[0], mine->arm[1]));
        }
    }
    return COR_OK;
}

enum cor_status interaction__experiment_make_catalogs(struct cor_experiment *experiment,
                                                      struct cor_error *error) {
    size_t capacity = 0;
    experiment->algorithms = cor_calloc(experiment->arm_count, sizeof *experiment->algorithms);
    COR_TRY(cor_made(experiment->algorithms, error));
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        struct cor_arm *arm = &experiment->arms[a];
        uint32_t count = arm->parameter_count = cor_parameter_laws_size(arm->laws);
        COR_TRY(cor_made(arm->parameter_codes = cor_calloc(count, sizeof *arm->parameter_codes), error));
        for (uint32_t i = 0; i < count; i++) {
            const char *name = cor_parameter_laws_name(arm->laws, i);
            int code = -1;
            for (uint32_t j = 0; j < experiment->parameter_count && code == -1; j++)
                if (strcmp(experiment->parameter_names[j], name) == 0)
                    code = (int)j;
            if (code < 0) {
                COR_TRY(COR_RESERVE(&experiment->parameter_names, &capacity, experiment->parameter_count + 1,
                                    error));
                code = (int)experiment->parameter_count;
                if (!(experiment->parameter_names[code] = cor_strdup(name)))
                    return cor_fail_memory(error);
                experiment->parameter_count++;
            }
            arm->parameter_codes[i] = (uint16_t)code;
        }
        uint32_t known = 0;
        while (known < experiment->algorithm_count && experiment->algorithms[known] != arm->algorithm)
            known++;
        if (known == experiment->algorithm_count)
            experiment->algorithms[experiment->algorithm_count++] = arm->algorithm;
    }
    for (uint32_t a = 0; a < experiment->arm_count; a++) {
        /* Codes of white-box counters run through the algorithms in their order of appearance. */
        uint32_t first = 0;
        for (uint32_t i = 0; i < experiment->algorithm_count; i++) {
            if (experiment->algorithms[i] == experiment->arms[a].algorithm)
                experiment->arms[a].first_counter_code = (uint16_t)first;
            first += cor_algorithm_counter_count(experiment->algorithms[i]);
        }
    }
    return COR_OK;
}

static void put_model(struct cor_json_writer *writer, const struct cor_test_model *model) {
    cor_json_open_object(writer, "model");
    COR_JSON_CHILDREN(child, &model->root) {
        if (strcmp(child.key, "environments") == 0) {
            /* The model's environments with the profiles they name in place of file names. */
            cor_json_open_object(writer, "environments");
            for (uint32_t j = 0; j < model->perceived_count; j++) {
                const struct cor_environment *environment = &model->environments[j];
                if (environment->is_random) {
                    cor_json_put_value(writer, environment->name, &environment->json);
                    continue;
                }
                cor_json_open_object(writer, environment->name);
                COR_JSON_CHILDREN(said, &environment->json) {
                    if (strcmp(said.key, "profile") == 0)
                        cor_json_put_value(writer, "profile", &environment->profile_json);
                    else
                        cor_json_put_value(writer, said.key, &said);
                }
                cor_json_close(writer);
            }
            cor_json_close(writer);
        } else {
            cor_json_put_value(writer, child.key, &child);
        }
    }
    cor_json_close(writer);
}

static const char *const modes[] = {"independent", "paired", NULL};

/* "repeats": of which paper the experiment repeats the evaluation; whose claims the tables then judge. */
static enum cor_status check_repeats(const struct cor_json *json, void *into, struct cor_error *error) {
    const char *paper;
    const struct cor_experiment *experiment = into;
    COR_TRY(cor_json_string(json, &paper, error));
    if (strcmp(paper, "003") != 0)
        return cor_json_fail(json, error, "\"003\", or leave it out", "no claims of a paper \"%s\" are known",
                             paper);
    /* Its profiles have 3 to 25 states, another number in each suite: what is found on one profile that is
     * given, or always as small, is no repetition. */
    for (uint32_t i = 0; i < experiment->model->environment_count; i++) {
        const struct cor_environment *environment = &experiment->model->environments[i];
        struct cor_json states;
        if (!environment->is_random || !cor_json_find(&environment->law, "states", &states) ||
            cor_json_is_number(&states))
            return cor_json_fail(json, error, "leave it out, or draw profiles and their number of states",
                                 "the profiles of paper 003 are drawn for each suite, with 3 to 25 states; "
                                 "\"%s\" is not",
                                 environment->name);
    }
    return COR_OK;
}

/* In the order in which they are read: arms are over the model, contrasts over arms. */
static const struct cor_field experiment_fields[] = {
    {"corridor_experiment", COR_REQUIRED, COR_VERSION_FIELD},
    {"name", COR_REQUIRED, COR_READ_FIELD(read_name)},
    {"description", COR_OPTIONAL, COR_SAID_STRING_FIELD},
    {"seed", COR_REQUIRED, COR_SEED_FIELD(struct cor_experiment, seed)},
    {"mode", COR_OPTIONAL, COR_ONE_OF_FIELD(struct cor_experiment, paired, modes, 0, "mode")},
    {"suites", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_experiment, suite_count, 0, SUITES_MAX)},
    {"sequences", COR_REQUIRED, COR_INTEGER_FIELD(struct cor_experiment, sequence_count, 1, SEQUENCES_MAX)},
    {"cases", COR_REQUIRED, COR_READ_FIELD(read_cases)},
    {"given", COR_OPTIONAL, COR_INTEGER_FIELD(struct cor_experiment, given, 0, SUITES_MAX - 1)},
    {"branching", COR_OPTIONAL, COR_READ_FIELD(read_branching)},
    {"execution", COR_OPTIONAL, COR_READ_FIELD(read_execution)},
    {"model", COR_REQUIRED, COR_READ_FIELD(read_model)},
    {"corridor", COR_OPTIONAL, COR_READ_FIELD(read_corridor)},
    {"mocks", COR_OPTIONAL, COR_READ_FIELD(interaction__mocks_read)},
    {"mechanisms", COR_OPTIONAL, COR_SAID_ARRAY_FIELD(0, COR_MANY),
     COR_PLACE_AT(struct cor_experiment, mechanisms_json)},
    {"presets", COR_OPTIONAL, COR_READ_FIELD(read_presets)},
    {"arms", COR_REQUIRED, COR_READ_FIELD(read_arms)},
    {"contrasts", COR_OPTIONAL, COR_READ_FIELD(check_contrasts)},
    {"stabilize", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"repeats", COR_OPTIONAL, COR_READ_FIELD(check_repeats)},
    {"stop", COR_OPTIONAL, COR_KNOWN_FIELD},
    {"properties", COR_OPTIONAL, COR_KNOWN_FIELD},
    {0}};

static enum cor_status read_all(struct cor_experiment *experiment,
                                const struct cor_experiment_options *options, struct cor_error *error) {
    const struct cor_isolation_definition isolation = {0};
    COR_TRY(cor_registry_create(options ? &options->isolation : &isolation, &experiment->registry, error));
    if (options && options->agents_most > 0)
        experiment->agents_most = options->agents_most;
    if (options && options->cases_most > 0)
        experiment->cases_most = options->cases_most;
    if (options && options->budget_most > 0)
        experiment->budget_most = options->budget_most;
    if (options && options->traffic)
        cor_registry_use_traffic(experiment->registry, options->traffic);
    if (options && options->algorithm)
        COR_TRY(replace_algorithm(&experiment->document, experiment->registry, options->algorithm, error));
    experiment->root = cor_json_root(experiment->document);
    COR_TRY(cor_json_expect_kind(&experiment->root, COR_KIND_EXPERIMENT, error));
    COR_TRY(cor_json_fields(&experiment->root, experiment_fields, experiment, error));
    struct cor_json invariant; /* what is to hold is said there or as a text */
    if (!experiment->text_corridor)
        COR_TRY(cor_json_need(&experiment->model->root, "invariant", &invariant, error));
    else
        COR_TRY(interaction__text_check_experiment(experiment->text_corridor, experiment, true, error));
    COR_TRY(interaction__monitors_check(experiment, error));
    COR_TRY(interaction__components_note(experiment, error));
    COR_TRY(interaction__experiment_make_catalogs(experiment, error));
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(child, &experiment->root) {
        if (strcmp(child.key, "model") == 0)
            put_model(writer, experiment->model);
        else if (strcmp(child.key, "corridor") == 0)
            interaction__text_put(experiment->text_corridor, writer, "corridor");
        else if (strcmp(child.key, "mocks") == 0) {
            cor_json_open_object(writer, "mocks");
            for (uint32_t m = 0; m < experiment->mock_count; m++)
                if (experiment->mocks[m]->name)
                    cor_json_put_text(writer, experiment->mocks[m]->name, experiment->mocks[m]->text);
            cor_json_close(writer);
        } else
            cor_json_put_value(writer, child.key, &child);
    }
    cor_json_close(writer);
    return cor_json_text_take(writer, -1, &experiment->text, error);
}

enum cor_status cor_experiment_write(const struct cor_experiment *experiment, const char *path,
                                     struct cor_error *error) {
    return interaction__write_new(path, experiment->text, error);
}

enum cor_status cor_experiment_read(const char *path, struct cor_experiment **experiment,
                                    struct cor_error *error) {
    struct cor_json_document *document;
    *experiment = NULL;
    COR_TRY(cor_json_read(path, &document, error));
    return cor_experiment_take(path, document, NULL, experiment, error);
}

enum cor_status interaction__experiment_begin(const char *path, struct cor_json_document *document,
                                              struct cor_experiment **experiment, struct cor_error *error) {
    struct cor_experiment *made = *experiment = cor_calloc(1, sizeof *made);
    if (!made) {
        cor_json_destroy(document);
        return cor_fail_memory(error);
    }
    made->document = document;
    made->given = -1;
    made->agents_most = made->cases_most = UINT32_MAX;
    made->budget_most = UINT64_MAX;
    made->path = cor_strdup(path);
    made->watch = cor_calloc(1, sizeof(const struct cor_watch *));
    return interaction__experiment_end(experiment, cor_made(made->path && made->watch ? made : NULL, error));
}

void cor_experiment_watch(const struct cor_experiment *experiment, const struct cor_watch *watch) {
    *experiment->watch = watch;
}

enum cor_status interaction__experiment_end(struct cor_experiment **experiment, enum cor_status status) {
    if (status != COR_OK) {
        cor_experiment_destroy(*experiment);
        *experiment = NULL;
    }
    return status;
}

enum cor_status cor_experiment_take(const char *path, struct cor_json_document *document,
                                    const struct cor_experiment_options *options,
                                    struct cor_experiment **experiment, struct cor_error *error) {
    COR_TRY(interaction__experiment_begin(path, document, experiment, error));
    return interaction__experiment_end(experiment, read_all(*experiment, options, error));
}

void cor_experiment_destroy(struct cor_experiment *experiment) {
    if (!experiment)
        return;
    for (uint32_t a = 0; a < experiment->arm_count; a++)
        interaction__arm_fini(&experiment->arms[a], experiment->model->environment_count);
    for (uint32_t i = 0; i < experiment->parameter_count; i++)
        free(experiment->parameter_names[i]);
    COR_FREE(experiment->parameter_names, experiment->algorithms, experiment->arms);
    for (uint32_t i = 0; i < experiment->mock_count; i++) {
        struct cor_mock *mock = experiment->mocks[i];
        if (mock) {
            cor_profile_destroy(mock->profile);
            COR_FREE(mock->shift, mock->name, mock->text, mock);
        }
    }
    free(experiment->mocks);
    interaction__text_destroy(experiment->text_corridor);
    cor_model_destroy(experiment->model);
    cor_registry_destroy(experiment->registry);
    cor_json_destroy(experiment->document);
    COR_FREE(experiment->watch, experiment->text, experiment->name, experiment->path, experiment);
}

/* ---- an experiment as it is in its file, but with another algorithm: what the result file keeps is what was
 * run */

struct replacement {
    const char *arm; /* NULL: all */
    size_t arm_size;
    const char *algorithm;
};

static bool put_arm(struct cor_json_writer *writer, const struct cor_json *arm,
                    const struct replacement *replacement) {
    struct cor_json json;
    struct cor_error said = COR_NO_ERROR;
    const char *own;
    const bool meant =
        cor_json_is_object(arm) &&
        (!replacement->arm ||
         (cor_json_find(arm, "name", &json) && cor_json_string(&json, &own, &said) == COR_OK &&
          strlen(own) == replacement->arm_size && memcmp(own, replacement->arm, replacement->arm_size) == 0));
    if (!meant) {
        cor_json_put_value(writer, NULL, arm);
        return false;
    }
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(child, arm) {
        if (strcmp(child.key, "algorithm") != 0)
            cor_json_put_value(writer, child.key, &child);
    }
    cor_json_put_string(writer, "algorithm", replacement->algorithm);
    cor_json_close(writer);
    return true;
}

static enum cor_status rewrite(const struct cor_json *root, const struct replacement *replacement,
                               char **text, struct cor_error *error) {
    struct cor_json_writer *writer;
    struct cor_json arms;
    bool replaced = false;
    *text = NULL;
    COR_TRY(cor_json_need(root, "arms", &arms, error));
    COR_TRY(cor_json_expect_array(&arms, 1, SIZE_MAX, error));
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    COR_JSON_CHILDREN(child, root) {
        if (strcmp(child.key, "arms") != 0) {
            cor_json_put_value(writer, child.key, &child);
            continue;
        }
        cor_json_open_array(writer, child.key);
        COR_JSON_CHILDREN(arm, &child)
            replaced = put_arm(writer, &arm, replacement) || replaced;
        cor_json_close(writer);
    }
    cor_json_close(writer);
    COR_TRY(cor_json_text_take(writer, 0, text, error));
    if (replaced)
        return COR_OK;
    const char **names = cor_calloc(cor_json_size(&arms) + 1, sizeof *names);
    size_t count = 0;
    COR_TRY(cor_made(names, error));
    for (size_t i = 0; i < cor_json_size(&arms); i++) {
        struct cor_json arm = cor_json_at(&arms, i), json;
        struct cor_error said = COR_NO_ERROR;
        if (cor_json_find(&arm, "name", &json) && cor_json_string(&json, &names[count], &said) == COR_OK)
            count++;
    }
    char known[1024], *wanted = cor_format("%.*s", (int)replacement->arm_size, replacement->arm);
    cor_known_names(wanted ? wanted : "", names, known, sizeof known);
    COR_FREE(names, wanted);
    return cor_fail(error, COR_STATUS_INPUT, "--algorithm", known,
                    "there is no arm \"%.*s\" to give another algorithm", (int)replacement->arm_size,
                    replacement->arm);
}

/* The document with another algorithm: "ARM=ALGORITHM", or "ALGORITHM" in all arms, by name or path. On
 * failure it stays as it was. */
static enum cor_status replace_algorithm(struct cor_json_document **document, struct cor_registry *registry,
                                         const char *what, struct cor_error *error) {
    /* "ARM=ALGORITHM", or "ALGORITHM" in all arms. The name of an arm has no slash. */
    const size_t size = strcspn(what, "=/");
    const struct replacement replacement = what[size] == '='
                                               ? (struct replacement){what, size, what + size + 1}
                                               : (struct replacement){NULL, 0, what};
    struct cor_json root = cor_json_root(*document);
    struct cor_json_document *made = NULL;
    char *text = NULL;
    const struct cor_algorithm *found;
    struct cor_error said = COR_NO_ERROR;
    /* A name is looked for at once: the file has not the place that would be told. */
    if (!strchr(replacement.algorithm, '/') &&
        cor_registry_find(registry, replacement.algorithm, &found, &said) != COR_OK)
        return cor_fail(error, COR_STATUS_INPUT, "--algorithm", said.remedy, "%s", said.cause);
    enum cor_status status = cor_json_expect_object(&root, NULL, error);
    if (status == COR_OK)
        status = rewrite(&root, &replacement, &text, error);
    if (status == COR_OK)
        status = cor_json_parse(text, cor_json_name(*document), &made, error);
    free(text);
    COR_TRY(status);
    if (cor_json_recorder(*document))
        status = cor_json_record(made, cor_json_recorder(*document), error);
    cor_json_destroy(*document);
    *document = made;
    return status;
}
