/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Guests by what they say: the conversation with a program is held in this process, its lines are those of
 * the text (cor_lines_init, _start, _say, _hear and _spoke are replaced by the linker; a process that is
 * started all the same ends the fuzzer). Whatever is said to it, the next line answers; "+" before a line: it
 * was there already with the one before. Behind the last line it is gone, late or floods, as the byte there
 * says. What it said is a verdict: nothing is refused. */
#include "algorithms/host/algorithm.h"
#include "algorithms/host/describe.h"
#include "algorithms/host/tests/tasks.h"
#include "fuzz_readers.h"

#include <corridor/aut_session.h>
#include <corridor/bytes.h>
#include <corridor/cell.h>
#include <corridor/cluster.h>
#include <corridor/design_file.h>
#include <corridor/efsm.h>
#include <corridor/lines.h>
#include <corridor/process_program.h>
#include <corridor/system.h>
#include <corridor/world_program.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND "guest ;" /* for sh, which is never asked */

static char nothing[] = "", *said = nothing; /* what it has not said yet */

/* Where the lines are not replaced, what is read is not the text. */
enum cor_status __wrap_cor_cell_start(struct cor_cell *cell, const struct cor_cell_definition *definition,
                                      struct cor_error *error);
enum cor_status __wrap_cor_cell_start(struct cor_cell *cell, const struct cor_cell_definition *definition,
                                      struct cor_error *error) {
    (void)cell, (void)definition, (void)error;
    fprintf(stderr, "a guest was started, whose lines are to be those of the text\n");
    abort();
}

/* Nothing comes through a buffer. */
enum cor_status __real_cor_lines_init(struct cor_lines *lines, const struct cor_lines_definition *definition,
                                      struct cor_error *error);
enum cor_status __wrap_cor_lines_init(struct cor_lines *lines, const struct cor_lines_definition *definition,
                                      struct cor_error *error);
enum cor_status __wrap_cor_lines_init(struct cor_lines *lines, const struct cor_lines_definition *definition,
                                      struct cor_error *error) {
    struct cor_lines_definition small = *definition;
    small.line_most = 1;
    return __real_cor_lines_init(lines, &small, error);
}

enum cor_status __wrap_cor_lines_start(struct cor_lines *lines, struct cor_error *error);
enum cor_status __wrap_cor_lines_start(struct cor_lines *lines, struct cor_error *error) {
    (void)error;
    lines->is_replayed = true;
    lines->more = false;
    lines->death = COR_DEATH_ENDED;
    lines->last_words[0] = '\0';
    return COR_OK;
}

enum cor_turn __wrap_cor_lines_say(struct cor_lines *lines, const char *text, double deadline);
enum cor_turn __wrap_cor_lines_say(struct cor_lines *lines, const char *text, double deadline) {
    (void)lines, (void)text, (void)deadline;
    return COR_TURN_LINE;
}

enum cor_turn __wrap_cor_lines_hear(struct cor_lines *lines, double deadline, const char **line);
enum cor_turn __wrap_cor_lines_hear(struct cor_lines *lines, double deadline, const char **line) {
    static const enum cor_turn ends[] = {COR_TURN_CLOSED, COR_TURN_LATE, COR_TURN_FLOOD};
    static const enum cor_death deaths[] = {COR_DEATH_EXIT, COR_DEATH_SIGNAL, COR_DEATH_MEMORY,
                                            COR_DEATH_CPU_TIME};
    char *end = strchr(said, '\n');
    (void)deadline;
    if (!end) {
        const unsigned how = (unsigned char)*said;
        lines->more = how & 128;
        lines->death = deaths[how / 4 % 4];
        lines->code = (int)(how / 16 % 8);
        snprintf(lines->last_words, sizeof lines->last_words, "%s", said);
        return ends[how % 3];
    }
    *end = '\0';
    *line = said + (*said == '+');
    said = end + 1;
    lines->more = *said == '+';
    return COR_TURN_LINE;
}

bool __wrap_cor_lines_spoke(struct cor_lines *lines);
bool __wrap_cor_lines_spoke(struct cor_lines *lines) {
    (void)lines;
    return *said == '+';
}

enum cor_status guests__algorithm(char *text, size_t size, struct cor_error *error) {
    static struct test_task task; /* big */
    struct cor_registry *registry = NULL;
    const struct cor_algorithm *guest;
    struct cor_session *session = NULL;
    struct cor_outcome outcome;
    enum cor_status status;
    (void)size;
    said = text;
    cor_outcome_init(&outcome);
    COR_TRY_OUT(cor_registry_create(NULL, &registry, error));
    COR_TRY_OUT(cor_registry_command(registry, COMMAND, &guest, error));
    if (cor_algorithm_parameter_count(guest) > TEST_PARAMETERS_MAX)
        goto out;
    struct cor_session_definition definition = cor_default_session(guest);
    COR_TRY_OUT(cor_session_create(&definition, &session, error));
    test_make(&task, guest, 7, 3, 1);
    for (int i = 0; i < 2; i++)
        COR_TRY_OUT(cor_session_reorganize(session, &task.task, &task.name, &outcome, error));
out:
    cor_session_destroy(session);
    cor_outcome_fini(&outcome);
    cor_registry_destroy(registry);
    return status;
}

const char *guests__source(const char *name, char **text) {
    if (!*text) {
        char *path = cor_format(TEST_SOURCE_DIR "/%s", name);
        *text = path ? cor_file_text(path) : NULL;
        free(path);
        if (!*text)
            abort();
    }
    return *text;
}

/* Several intentions, a relation, values of all types. */
static const char desk[] =
    "{\"format\":\"agent-unit/1\",\"agent\":\"Desk\",\"types\":{\"Size\":[\"small\",\"large\"]},\"beliefs\":["
    "{\"name\":\"desk\",\"fields\":{\"Weight\":\"int\",\"Share\":\"float\",\"Size\":\"Size\",\"Note\":"
    "\"string\"}},"
    "{\"name\":\"shelf\",\"key\":[\"Book\"],\"relation\":true,\"fields\":{\"Book\":\"int\",\"Copies\":"
    "\"int\"}}],"
    "\"events\":[{\"name\":\"Pair\",\"kind\":\"message_in\",\"params\":[{\"name\":\"Book\",\"type\":\"int\"}]"
    "},"
    "{\"name\":\"Weigh\",\"kind\":\"internal\",\"params\":[{\"name\":\"Kilos\",\"type\":\"int\"},"
    "{\"name\":\"Far\",\"type\":\"bool\"}]},{\"name\":\"Tidy\",\"kind\":\"internal\"}],"
    "\"messages_out\":[{\"name\":\"Receipt\"}],\"actions\":[{\"name\":\"Stamp\"}],\"entry\":[\"Pair\"],"
    "\"plans\":["
    "{\"name\":\"Accept\",\"trigger\":\"Pair\",\"posts\":[\"Tidy\",\"Weigh\"],\"sends\":[\"Receipt\"],"
    "\"body\":["
    "{\"post\":\"Tidy\",\"wait\":false},{\"parallel\":[[{\"post\":\"Weigh\",\"args\":{\"Kilos\":1,\"Far\":"
    "true}}],"
    "[{\"post\":\"Weigh\",\"args\":{\"Kilos\":2,\"Far\":false}}]]},{\"send\":\"Receipt\"}]},"
    "{\"name\":\"Put\",\"trigger\":\"Weigh\",\"writes\":[\"desk\",\"shelf\"],\"does\":[\"Stamp\"]},"
    "{\"name\":\"Clear\",\"trigger\":\"Tidy\",\"writes\":[\"desk\"]}]}";

enum cor_status guests__agent(char *text, size_t size, struct cor_error *error) {
    static struct cor_design_file *file; /* made anew where it got words of the text */
    static uint32_t words;
    struct cor_aut_session *session = NULL;
    struct cor_value beliefs[16], argument = cor_integer(1);
    struct cor_trace trace;
    enum cor_status status;
    (void)size;
    said = text;
    cor_trace_init(&trace);
    if (!file || file->design->words.count != words) {
        cor_design_file_destroy(file);
        COR_TRY_OUT(cor_design_file_parse(desk, "desk", &file, error));
        words = file->design->words.count;
    }
    for (uint32_t i = 0; i < 16; i++) {
        const struct cor_design *design = file->design;
        const bool is_integer = i < design->field_count && design->fields[i].domain == COR_DOMAIN_INTEGER;
        beliefs[i] = is_integer ? cor_integer(1) : cor_null();
    }
    struct cor_aut_definition definition = cor_default_aut(file->design);
    definition.way = COR_AUT_PROGRAM;
    definition.agent = COMMAND;
    COR_TRY_OUT(cor_aut_open(&definition, &session, error));
    const struct cor_agent_case asked = {
        .arguments = &argument, .beliefs = beliefs, .seed = 3, .steps = 100, .rounds = 5};
    for (int i = 0; i < 3; i++)
        COR_TRY_OUT(cor_aut_run(session, &asked, &trace, error));
out:
    cor_aut_close(session);
    cor_trace_fini(&trace);
    return status;
}

enum cor_status guests__process(char *text, size_t size, struct cor_error *error) {
    static const struct cor_process_event life[] = {
        {.tick = 5, .kind = COR_PROCESS_EVENT_INPUT, .ordinal = 1},
        {.tick = 9, .kind = COR_PROCESS_EVENT_DELIVER, .process = 1},
        {.tick = 9, .kind = COR_PROCESS_EVENT_TIME_OUT, .what = 3},
        {.tick = 30, .kind = COR_PROCESS_EVENT_DISK},
        {.tick = 31, .kind = COR_PROCESS_EVENT_CRASH_TORN},
        {.tick = 40, .kind = COR_PROCESS_EVENT_RESTART},
        {.tick = 41, .kind = COR_PROCESS_EVENT_INPUT, .ordinal = 2},
        {.tick = 42, .kind = COR_PROCESS_EVENT_DISK_ERROR},
        {.tick = 43, .kind = COR_PROCESS_EVENT_DELIVER, .process = 1},
    };
    const struct cor_stream_name name = {.seed = 9, .suite = 1};
    struct cor_process_program *program = NULL;
    struct cor_cluster *cluster = NULL;
    enum cor_status status;
    bool happened;
    (void)size;
    said = text;
    COR_TRY_OUT(cor_process_open(&(struct cor_process_definition){.program = COMMAND, .answer_seconds = 60},
                                 &program, error));
    COR_TRY_OUT(cor_cluster_create(
        &(struct cor_cluster_definition){.program = program, .process_count = 2, .memory_bytes = 1 << 16},
        &cluster, error));
    COR_TRY_OUT(cor_cluster_reset(cluster, &name, error));
    for (size_t e = 0; e < sizeof life / sizeof *life; e++)
        COR_TRY_OUT(cor_cluster_happen(cluster, &life[e], &happened, error));
out:
    cor_cluster_destroy(cluster);
    cor_process_close(program);
    return status;
}

enum cor_status guests__system(char *text, size_t size, struct cor_error *error) {
    static char *model_text;
    static struct cor_efsm *model;
    static const struct cor_told_goal goals[] = {{"near", true, true, 0, 1}, {"far", true, false, 1, 1}};
    struct cor_system *system = NULL;
    struct cor_efsm_observation observation = {0};
    enum cor_system_trouble trouble;
    int64_t values[64] = {0};
    enum cor_status status;
    said = text;
    guests__source("experiments/library/efsm/inres_initiator.json", &model_text);
    if (!model)
        COR_TRY(cor_efsm_parse(model_text, "model", &model, error));
    struct cor_program_definition definition = cor_default_program();
    definition.model = model;
    definition.command = COMMAND;
    definition.quiet_seconds = size % 2;
    definition.told = goals;
    definition.told_count = 2;
    COR_TRY_OUT(cor_program_create(&definition, &system, error));
    for (int run = 0; run < 2; run++) {
        COR_TRY_OUT(system->kind->reset(system, &trouble, error));
        for (uint32_t i = 0; trouble == COR_SYSTEM_WELL && i < 5; i++)
            COR_TRY_OUT(system->kind->give(system, i, values, &observation, &trouble, error));
    }
out:
    cor_efsm_observation_fini(&observation);
    cor_system_close(system);
    return status;
}

/* All arguments are null: what is asked is not what is looked at. */
enum cor_status guests__world(char *text, size_t size, struct cor_error *error) {
    static const char *const names[] = {"A", "B"};
    struct cor_live_world *world = NULL;
    struct cor_world_view view;
    enum cor_system_trouble trouble;
    enum cor_status status;
    (void)size;
    said = text;
    struct cor_world_program_definition definition = cor_default_world_program();
    definition.command = COMMAND;
    definition.test_agents = names;
    definition.test_agent_count = 2;
    COR_TRY_OUT(cor_world_program_create(&definition, &world, error));
    for (int run = 0; run < 2; run++) {
        struct cor_world_command command = {0};
        COR_TRY_OUT(world->kind->reset(world, &view, &trouble, error));
        for (uint32_t i = 0; trouble == COR_SYSTEM_WELL && i < 4; i++) {
            command.action = i % world->declaration->action_count;
            COR_TRY_OUT(world->kind->act(world, i % 2, &command, &view, &trouble, error));
        }
    }
out:
    cor_live_world_close(world);
    return status;
}

/* The description of an algorithm, in which bytes are others: three of the text each, its place and what it
 * is; the first byte of the text says whether it is cut. What was read stands without the bytes. */
enum cor_status guests__description(char *text, size_t size, struct cor_error *error) {
    struct cor_registry *registry = NULL;
    const struct cor_algorithm *algorithm;
    struct host__description description = {0};
    const unsigned char *edits = (const unsigned char *)text;
    unsigned char *bytes = NULL;
    enum cor_status status;
    COR_TRY_OUT(cor_registry_create(NULL, &registry, error));
    COR_TRY_OUT(cor_registry_find(registry, size % 2 ? "spada" : "psopp", &algorithm, error));
    const size_t whole = host__description_write(algorithm, NULL, 0);
    const size_t length = size > 0 && edits[0] >= 128 ? whole * (edits[0] - 128u) / 128 : whole;
    bytes = malloc(length + 1);
    if (!bytes)
        abort();
    host__description_write(algorithm, bytes, length);
    for (size_t i = 1; i + 2 < size; i += 3)
        bytes[(edits[i] * 256u + edits[i + 1]) % (length + 1)] = edits[i + 2];
    status = host__description_read(bytes, length, "module", &description, error);
    free(bytes);
    bytes = NULL;
    if (status == COR_OK)
        status = host__algorithm_check(&description.algorithm, "module", error);
out:
    host__description_fini(&description);
    cor_registry_destroy(registry);
    return status;
}
