/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz_readers READER [libFuzzer's options]: a reader of texts is given whatever bytes. It reads them or says
 * why not, at a place, and nothing else is looked at but what the sanitizers say. Names of modules and
 * programs are left out: what these do is not what is asked here. fuzz_readers alone lists the readers. */
#define _GNU_SOURCE /* memfd_create */
#include "fuzz_readers.h"
#include "algorithms/systems/internal.h"
#include "combine_command.h"
#include "experiments/layers/system/internal.h"
#include "judge_states.h"

#include <corridor/agent_fault.h>
#include <corridor/agent_layer.h>
#include <corridor/child.h>
#include <corridor/corridor.h>
#include <corridor/design_file.h>
#include <corridor/efsm.h>
#include <corridor/efsm_layer.h>
#include <corridor/estimation_layer.h>
#include <corridor/experiment.h>
#include <corridor/expression.h>
#include <corridor/failure_class.h>
#include <corridor/fit.h>
#include <corridor/hosts.h>
#include <corridor/influence.h>
#include <corridor/inquiries.h>
#include <corridor/interaction.h>
#include <corridor/layer.h>
#include <corridor/mail_record.h>
#include <corridor/process_layer.h>
#include <corridor/property.h>
#include <corridor/question.h>
#include <corridor/rooms.h>
#include <corridor/search_layer.h>
#include <corridor/subject.h>
#include <corridor/suite.h>
#include <corridor/system_layer.h>
#include <corridor/temporal.h>
#include <corridor/test.h>
#include <corridor/traffic.h>
#include <corridor/where.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char *const names[] = {"A", "b", "speed", "state", "moved > 3", NULL};

static enum cor_status read_json(char *text, size_t size, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    (void)size;
    COR_TRY(cor_json_parse(text, "input", &document, error));
    cor_json_destroy(document);
    return COR_OK;
}

static enum cor_status read_expression(char *text, size_t size, struct cor_error *error) {
    struct cor_expression expression = {0};
    const enum cor_status status =
        cor_expression_parse(text, names, size % 2 == 0, "input", &expression, error);
    cor_expression_fini(&expression);
    return status;
}

static enum cor_status read_where(char *text, size_t size, struct cor_error *error) {
    static const char *const words[] = {"on", "off", NULL};
    static const struct cor_where_column columns[] = {{"arm", COR_VALUE_TYPE_STRING, NULL},
                                                      {"masked_pct", COR_VALUE_TYPE_REAL, NULL},
                                                      {"cases", COR_VALUE_TYPE_INTEGER, NULL},
                                                      {"failed", COR_VALUE_TYPE_BOOLEAN, NULL},
                                                      {"state", COR_VALUE_TYPE_ENUMERATION, words}};
    struct cor_where *where = NULL;
    (void)size;
    COR_TRY(cor_where_create(text, columns, sizeof columns / sizeof *columns, &where, error));
    (void)cor_where_holds(where);
    cor_where_destroy(where);
    return COR_OK;
}

static enum cor_status read_temporal(char *text, size_t size, struct cor_error *error) {
    struct cor_temporal *formula = NULL;
    (void)size;
    COR_TRY(cor_temporal_parse(text, names, "input", &formula, error));
    cor_temporal_destroy(formula);
    return COR_OK;
}

static enum cor_status read_corridor(char *text, size_t size, struct cor_error *error) {
    struct cor_corridor *corridor = NULL;
    (void)size;
    COR_TRY(cor_corridor_parse(text, "input", &corridor, error));
    cor_corridor_destroy(corridor);
    return COR_OK;
}

/* A property, or what would be measured in one. */
static enum cor_status read_property(char *text, size_t size, struct cor_error *error) {
    struct cor_property *property = NULL;
    struct cor_error is_none = COR_NO_ERROR;
    (void)size;
    if (cor_property_parse(text, "input", &property, &is_none) != COR_OK)
        COR_TRY(cor_measure_parse(text, "input", &property, error));
    cor_property_destroy(property);
    return COR_OK;
}

/* The first byte says how; the text follows. */
static enum cor_status read_series(char *text, size_t size, struct cor_error *error) {
    static const char *const times[] = {"t", NULL}, *const where[] = {"s=a", NULL};
    const unsigned way = size > 0 ? (unsigned char)*text : 0;
    const struct cor_series_def def = {.columns = (const char *const[]){"x", way & 64 ? "y" : NULL, NULL},
                                       .time_columns = way & 1 ? times : NULL,
                                       .series_column = way & 2 ? "s" : NULL,
                                       .where = way & 4 ? where : NULL,
                                       .split_gaps = way & 8,
                                       .comment = way & 16 ? "#" : NULL,
                                       .every = way & 32 && way & 1 ? INT64_C(600000000) : 0};
    struct cor_series *series = NULL;
    COR_TRY(
        cor_series_parse(size > 0 ? text + 1 : text, size > 0 ? size - 1 : 0, "input", &def, &series, error));
    struct cor_fit_def fit_def = cor_default_fit();
    struct cor_fit *fit = NULL;
    fit_def.levels.states = 3;
    const enum cor_status status = cor_fit_create(series, &fit_def, &fit, error);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
    return status;
}

/* A profile, or the influence of one. */
static enum cor_status read_profile(char *text, size_t size, struct cor_error *error) {
    static const char *const states[] = {"night", "low", "high"};
    static const double law[9] = {0.5, 0.5, 0.0, 0.25, 0.5, 0.25, 0.0, 0.5, 0.5};
    struct cor_json_document *document = NULL;
    struct cor_profile *profile = NULL, *sky = NULL;
    struct cor_influence *influence = NULL;
    COR_TRY(cor_json_parse(text, "input", &document, error));
    const struct cor_json root = cor_json_root(document);
    enum cor_status status = size % 2 ? cor_profile_from_json(&root, "p", &profile, error)
                                      : cor_profile_create("sky", 3, states, law, NULL, &sky, error);
    if (sky)
        status = cor_influence_from_json(&root, sky, &influence, error);
    cor_influence_destroy(influence);
    cor_profile_destroy(sky);
    cor_profile_destroy(profile);
    cor_json_destroy(document);
    return status;
}

static bool forks;

/* What is worked out in a child is worked out here (put in by the linker), but for pilots, which run. */
enum cor_status __real_cor_in_child(cor_child_body *body, void *argument, void *answer, size_t size,
                                    struct cor_error *error);
enum cor_status __wrap_cor_in_child(cor_child_body *body, void *argument, void *answer, size_t size,
                                    struct cor_error *error);
enum cor_status __wrap_cor_in_child(cor_child_body *body, void *argument, void *answer, size_t size,
                                    struct cor_error *error) {
    return forks ? __real_cor_in_child(body, argument, answer, size, error)
                 : body(argument, answer, size, error);
}

/* As a file that is only in memory. */
static const char *file_of(const char *text, size_t size) {
    static int file = -1;
    static char path[64];
    if (file < 0)
        file = memfd_create("input", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (ftruncate(file, 0) != 0 || pwrite(file, text, size, 0) != (ssize_t)size)
        abort();
    return path;
}

static enum cor_status read_combine(char *text, size_t size, struct cor_error *error) {
    struct cor_combine_file file = {0};
    const enum cor_status status = cor_combine_file_read(file_of(text, size), &file, error);
    cor_combine_file_fini(&file);
    return status;
}

static enum cor_status read_rows(char *text, size_t size, struct cor_error *error) {
    static const char model[] = "A: 1, 2, 3\nb: x, y | z, ~w\nC: \"\", -1.5\n";
    struct cor_combine_file file = {0};
    struct cor_combine_rows rows = {0};
    enum cor_status status = cor_combine_file_read(file_of(model, sizeof model - 1), &file, error);
    if (status == COR_OK)
        status = cor_combine_rows_read(file_of(text, size), file.model, size % 2, &rows, error);
    cor_combine_rows_fini(&rows);
    cor_combine_file_fini(&file);
    return status;
}

static enum cor_status read_efsm_model(char *text, size_t size, struct cor_error *error) {
    struct cor_efsm *model = NULL;
    (void)size;
    COR_TRY(cor_efsm_parse(text, "input", &model, error));
    cor_efsm_destroy(model);
    return COR_OK;
}

static enum cor_status read_level(char *text, size_t size, struct cor_error *error) {
    struct cor_rooms_level *level = NULL;
    char *notes = NULL;
    (void)size;
    COR_TRY(cor_rooms_level_parse(text, "input", &level, &notes, error));
    free(notes);
    cor_rooms_level_destroy(level);
    return COR_OK;
}

static enum cor_status read_design(char *text, size_t size, struct cor_error *error) {
    struct cor_design_file *file = NULL;
    (void)size;
    COR_TRY(cor_design_file_parse(text, "input", &file, error));
    cor_design_file_destroy(file);
    return COR_OK;
}

static enum cor_status read_trace(char *text, size_t size, struct cor_error *error) {
    struct judge_trace_verdict verdict = {0};
    const enum cor_status status =
        judge_trace("always (a implies eventually[0, 3] b)", file_of(text, size), &verdict, error);
    judge_trace_fini(&verdict);
    return status;
}

static enum cor_status read_hosts(char *text, size_t size, struct cor_error *error) {
    struct cor_hosts hosts = {0};
    const enum cor_status status = cor_hosts_read(size % 2 ? file_of(text, size) : text, &hosts, error);
    cor_hosts_fini(&hosts);
    return status;
}

static enum cor_status read_class(char *text, size_t size, struct cor_error *error) {
    struct cor_failure_class class = {0};
    (void)size;
    return cor_failure_class_parse(text, "input", &class, error);
}

static enum cor_status read_mail(char *text, size_t size, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_mail_record *record = NULL;
    (void)size;
    COR_TRY(cor_json_parse(text, "input", &document, error));
    const struct cor_json root = cor_json_root(document);
    const enum cor_status status = cor_mail_record_read(&root, &record, error);
    cor_mail_record_destroy(record);
    cor_json_destroy(document);
    return status;
}

static enum cor_status read_hello(char *text, size_t size, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct systems__declared declared = {0};
    (void)size;
    COR_TRY(cor_json_parse(text, "input", &document, error));
    const struct cor_json root = cor_json_root(document);
    const enum cor_status status = systems__read_declaration(&declared, &root, error);
    systems__declared_fini(&declared);
    cor_json_destroy(document);
    return status;
}

static bool names_a_program(const char *text) {
    static const char *const ends[] = {".py", ".so", ".sh", ".js", "bin/", "\\u00"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strstr(text, ends[i]))
            return true;
    return false;
}

static enum cor_status read_test_of(const struct cor_layer *layer, const char *text,
                                    struct cor_error *error) {
    struct cor_subject_test test = {0};
    if (names_a_program(text))
        return COR_OK;
    const enum cor_status status = layer->subject->read(text, "input.json", NULL, &test, error);
    cor_choices_fini(&test.choices);
    layer->destroy(test.experiment);
    return status;
}

static enum cor_status read_process_test(char *text, size_t size, struct cor_error *error) {
    (void)size;
    return read_test_of(&cor_process_layer, text, error);
}

static enum cor_status read_efsm_test(char *text, size_t size, struct cor_error *error) {
    (void)size;
    return read_test_of(&cor_efsm_layer, text, error);
}

static enum cor_status read_system_test(char *text, size_t size, struct cor_error *error) {
    (void)size;
    return read_test_of(&cor_system_layer, text, error);
}

static enum cor_status read_agent_test(char *text, size_t size, struct cor_error *error) {
    (void)size;
    return read_test_of(&cor_agent_layer, text, error);
}

static void check(bool holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "fuzz_readers: %s\n", what);
        abort();
    }
}

static enum cor_status take_test(const char *text, struct cor_test **test, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    char *warnings = NULL;
    COR_TRY(cor_json_parse(text, "input", &document, error));
    const enum cor_status status = cor_test_take("input", document, NULL, test, &warnings, error);
    free(warnings);
    return status;
}

/* A kept sequence: what was read is written, and the text read again and written is the same. */
static enum cor_status read_test(char *text, size_t size, struct cor_error *error) {
    struct cor_test *test = NULL, *again = NULL;
    char *once = NULL, *twice = NULL;
    (void)size;
    if (strchr(text, '/') || names_a_program(text))
        return COR_OK;
    COR_TRY(take_test(text, &test, error));
    check(cor_test_text(test, &once, error) == COR_OK, "what was read cannot be written");
    check(take_test(once, &again, error) == COR_OK, "what was written cannot be read");
    check(cor_test_hash(again) == cor_test_hash(test), "read again it is another test");
    check(cor_test_text(again, &twice, error) == COR_OK && strcmp(once, twice) == 0,
          "written again it is another text");
    free(once);
    free(twice);
    cor_test_destroy(again);
    cor_test_destroy(test);
    return COR_OK;
}

static enum cor_status read_question(char *text, size_t size, struct cor_error *error) {
    struct cor_asked *asked = NULL;
    COR_TRY(cor_asked_read(file_of(text, size), &asked, error));
    cor_asked_destroy(asked);
    return COR_OK;
}

/* A suite of the experiment that the invalid ones are of: partitionings, or a hierarchy. */
static enum cor_status read_suite_of(const char *path, struct cor_experiment **experiment, const char *text,
                                     size_t size, struct cor_error *error) {
    struct cor_suite *suite = NULL;
    if (!*experiment)
        check(cor_experiment_read(path, experiment, error) == COR_OK, error->cause);
    COR_TRY(cor_suite_read(*experiment, file_of(text, size), &suite, error));
    cor_suite_destroy(suite);
    return COR_OK;
}

#define INVALID TEST_SOURCE_DIR "/experiments/layers/interaction/tests/invalid/"
static enum cor_status read_suite(char *text, size_t size, struct cor_error *error) {
    static struct cor_experiment *partitionings, *hierarchy;
    return strstr(text, "parent")
               ? read_suite_of(INVALID "suites_tree/experiment.json", &hierarchy, text, size, error)
               : read_suite_of(INVALID "suites/experiment.json", &partitionings, text, size, error);
}

static enum cor_status read_inquiries(char *text, size_t size, struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_inquiries inquiries = {0};
    (void)size;
    COR_TRY(cor_json_parse(text, "input", &document, error));
    const struct cor_json root = cor_json_root(document);
    const enum cor_status status = cor_inquiries_read(&root, &inquiries, error);
    cor_inquiries_fini(&inquiries);
    cor_json_destroy(document);
    return status;
}

/* Faults of the agent that the invalid ones are of, which is made anew where it got words of the text. */
static enum cor_status read_agent_faults(char *text, size_t size, struct cor_error *error) {
    static const char design[] = "experiments/layers/agent/tests/invalid/valid.json";
    static struct cor_design_file *file;
    static char *made_of;
    static uint32_t words;
    struct cor_agent_faults faults = {0};
    struct cor_error none = COR_NO_ERROR;
    (void)size;
    if (!file || file->design->words.count != words) {
        cor_design_file_destroy(file);
        check(cor_design_file_parse(guests__source(design, &made_of), "design", &file, &none) == COR_OK,
              none.cause);
        words = file->design->words.count;
    }
    const enum cor_status status = cor_agent_faults_parse(&faults, text, "input", file->design, error);
    cor_agent_faults_fini(&faults);
    return status;
}

/* States of a hierarchy, or of what is only observed; likewise. */
static enum cor_status read_states(char *text, size_t size, struct cor_error *error) {
    static const char *const names_of[] = {"oracle/corridor/tests/invalid/valid.corridor",
                                           "oracle/corridor/tests/invalid/observed.corridor"};
    static struct cor_corridor *made[2];
    static char *made_of[2];
    static uint32_t words[2];
    const int which = strstr(text, "channels") != NULL;
    struct judge_states states = {0};
    struct cor_snapshot state;
    struct cor_error none = COR_NO_ERROR;
    enum cor_status status;
    if (!made[which] || made[which]->words.count != words[which]) {
        cor_corridor_destroy(made[which]);
        check(cor_corridor_parse(guests__source(names_of[which], &made_of[which]), "corridor", &made[which],
                                 &none) == COR_OK,
              none.cause);
        words[which] = made[which]->words.count;
    }
    COR_TRY_OUT(judge_states_read(file_of(text, size), &states, error));
    for (size_t i = 0; i < states.count; i++)
        COR_TRY_OUT(judge_states_at(&states, i, made[which], &state, error));
out:
    judge_states_fini(&states);
    return status;
}

static enum cor_status read_traffic(char *text, size_t size, struct cor_error *error) {
    struct cor_traffic *traffic = NULL;
    COR_TRY(cor_traffic_replay(file_of(text, size), &traffic, error));
    cor_traffic_close(traffic);
    return COR_OK;
}

static enum cor_status open_rooms(void *level, const struct system_layer__greeting *greeting,
                                  struct cor_live_world **world, struct cor_error *error) {
    const struct cor_rooms_definition definition = {.level = level,
                                                    .view = 3,
                                                    .test_agents = greeting->test_agents,
                                                    .test_agent_count = greeting->test_agent_count};
    return cor_rooms_create(&definition, world, error);
}

/* What is asked of a world of ours. */
static enum cor_status read_requests(char *text, size_t size, struct cor_error *error) {
    static const char rooms[] = "b1,d1\n|w,w,w,w,w\nw,f:a^a1,f:b^b1,f:d>e^d1,w\nw,f,f:g^k1,w,w\n";
    static struct cor_rooms_level *level;
    static FILE *nowhere;
    if (!level)
        check(cor_rooms_level_parse(rooms, "level", &level, NULL, error) == COR_OK, error->cause);
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    FILE *file = size > 0 ? fmemopen(text, size, "r") : NULL;
    if (!file)
        return COR_OK;
    const enum cor_status status = system_layer__serve(open_rooms, level, file, nowhere, error);
    fclose(file);
    return status;
}

static enum cor_status read_experiment(const struct cor_layer *layer, const char *text,
                                       struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_experiment_head *experiment = NULL;
    const struct cor_layer_options options = {0};
    char *notes = NULL, *warnings = NULL;
    if (names_a_program(text))
        return COR_OK;
    COR_TRY(cor_json_parse(text, "input.json", &document, error));
    const enum cor_status status =
        layer->read("input.json", document, &options, &experiment, &notes, &warnings, error);
    layer->destroy(experiment);
    free(notes);
    free(warnings);
    return status;
}

#define EXPERIMENT(layer)                                                                   \
    static enum cor_status read_##layer(char *text, size_t size, struct cor_error *error) { \
        (void)size;                                                                         \
        return read_experiment(&cor_##layer##_layer, text, error);                          \
    }
EXPERIMENT(interaction)
EXPERIMENT(agent)
EXPERIMENT(efsm)
EXPERIMENT(system)
EXPERIMENT(process)
EXPERIMENT(search)
EXPERIMENT(estimation)

static const struct {
    const char *name;
    read_text *read;
} readers[] = {{"json", read_json},
               {"expression", read_expression},
               {"where", read_where},
               {"temporal", read_temporal},
               {"corridor", read_corridor},
               {"property", read_property},
               {"series", read_series},
               {"profile", read_profile},
               {"combine", read_combine},
               {"rows", read_rows},
               {"efsm-model", read_efsm_model},
               {"level", read_level},
               {"design", read_design},
               {"trace", read_trace},
               {"hosts", read_hosts},
               {"class", read_class},
               {"mail", read_mail},
               {"hello", read_hello},
               {"process-test", read_process_test},
               {"efsm-test", read_efsm_test},
               {"system-test", read_system_test},
               {"agent-test", read_agent_test},
               {"interaction", read_interaction},
               {"agent", read_agent},
               {"efsm", read_efsm},
               {"system", read_system},
               {"process", read_process},
               {"search", read_search},
               {"estimation", read_estimation},
               {"test", read_test},
               {"question", read_question},
               {"suite", read_suite},
               {"inquiries", read_inquiries},
               {"agent-faults", read_agent_faults},
               {"states", read_states},
               {"traffic", read_traffic},
               {"world-requests", read_requests},
               {"guest-algorithm", guests__algorithm},
               {"guest-agent", guests__agent},
               {"guest-process", guests__process},
               {"guest-system", guests__system},
               {"guest-world", guests__world},
               {"guest-description", guests__description}};
static read_text *chosen;

int LLVMFuzzerInitialize(int *count, char ***words);
int LLVMFuzzerInitialize(int *count, char ***words) {
    for (size_t i = 0; *count > 1 && i < sizeof readers / sizeof *readers; i++)
        if (strcmp(readers[i].name, (*words)[1]) == 0)
            chosen = readers[i].read;
    if (!chosen) {
        for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
            puts(readers[i].name);
        exit(2);
    }
    forks = chosen == read_estimation;                                      /* a pilot runs there */
    memmove(*words + 1, *words + 2, (size_t)(*count - 1) * sizeof **words); /* the end, NULL, too */
    --*count;
    setenv("PATH", "/nonexistent", 1);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct cor_error error = COR_NO_ERROR;
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (chosen(text, size, &error) != COR_OK && error.cause[0] == '\0') {
        fprintf(stderr, "fuzz_readers: refused without a word\n");
        abort();
    }
    free(text);
    return 0;
}
