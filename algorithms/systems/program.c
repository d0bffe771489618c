/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system under test that is any program (docs/efsm.md): requests and answers are lines of JSON, by the
 * mechanism of agents and algorithms that are programs, lines.h. What it says wrong is trouble with it; what
 * it says well is judged elsewhere. */
#include <corridor/array.h>
#include <corridor/json.h>
#include <corridor/lines.h>
#include <corridor/system.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MOST ((size_t)1 << 16) /* bytes of a line */
#define PROTOCOL 1

struct program {
    struct cor_system system;
    const struct cor_efsm *model;
    double answer_seconds, quiet_seconds;
    struct cor_lines lines;
    int64_t id; /* of the request that was sent last */
};

struct cor_program_definition cor_default_program(void) {
    return (struct cor_program_definition){.answer_seconds = 10};
}

/* The process is of no use any more; why, for people. */
static void give_up(struct program *program, enum cor_system_trouble trouble, const char *words) {
    cor_lines_end(&program->lines, trouble == COR_SYSTEM_DIED ? COR_PARTING_SECONDS : 0);
    snprintf(program->system.words, sizeof program->system.words, "%s", words);
    for (char *at = program->system.words; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
}

static enum cor_system_trouble garbled(struct program *program, const char *line,
                                       const struct cor_error *why) {
    char words[sizeof program->system.words];
    snprintf(words, sizeof words, "it said \"%.120s\": %.300s", line, why->cause);
    give_up(program, COR_SYSTEM_GARBLED, words);
    return COR_SYSTEM_GARBLED;
}

/* An exchange came to nothing. */
static enum cor_system_trouble silenced(struct program *program, enum cor_turn turn) {
    char words[sizeof program->system.words];
    const bool half = cor_lines_pending(&program->lines);
    enum cor_system_trouble trouble = turn == COR_TURN_LATE    ? COR_SYSTEM_HUNG
                                      : turn == COR_TURN_FLOOD ? COR_SYSTEM_GARBLED
                                                               : COR_SYSTEM_DIED;
    if (turn == COR_TURN_CLOSED)
        cor_lines_end(&program->lines, COR_PARTING_SECONDS);
    const enum cor_death death = cor_lines_death(&program->lines);
    if (turn == COR_TURN_CLOSED && death == COR_DEATH_ENDED)
        trouble = COR_SYSTEM_GARBLED;
    if (turn == COR_TURN_LATE)
        snprintf(words, sizeof words, half ? "half a line, and no more in %g s" : "no answer in %g s",
                 program->answer_seconds);
    else if (turn == COR_TURN_FLOOD)
        snprintf(words, sizeof words, "a line of more than %zu bytes", LINE_MOST);
    else if (trouble == COR_SYSTEM_GARBLED)
        snprintf(words, sizeof words, "it closed its output, or its input, and lived on");
    else
        snprintf(words, sizeof words, "%s%.400s", half ? "half a line; " : "", program->lines.last_words);
    give_up(program, trouble, words);
    return trouble;
}

/* What was written, as a line; the end of the writer. */
static enum cor_status line_of(struct cor_json_writer *writer, char **line, struct cor_error *error) {
    char *text;
    *line = NULL;
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    *line = cor_format("%s\n", text);
    free(text);
    return cor_made(*line, error);
}

/* The answer to the last request: an object with its id and none but these keys. */
static enum cor_status check_answer(const struct program *program, const struct cor_json *answer,
                                    const char *const *keys, struct cor_error *said) {
    struct cor_json id;
    int64_t number = 0;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(cor_json_need(answer, "id", &id, said));
    COR_TRY(cor_json_integer(&id, INT64_MIN, INT64_MAX, &number, said));
    if (number == program->id)
        return COR_OK;
    return cor_json_fail(&id, said, NULL, "it answers %lld, but asked was %lld", (long long)number,
                         (long long)program->id);
}

/* What an answer means; what is wrong with it is said in `said`. */
typedef enum cor_status understand_answer(struct program *program, const struct cor_json *answer,
                                          struct cor_efsm_observation *observation, struct cor_error *said);

static enum cor_status understand_hello(struct program *program, const struct cor_json *answer,
                                        struct cor_efsm_observation *observation, struct cor_error *said) {
    static const char *const keys[] = {"id", "protocol", "name", "version", NULL};
    struct cor_json member;
    const char *text;
    int64_t protocol = 0;
    (void)observation;
    COR_TRY(check_answer(program, answer, keys, said));
    COR_TRY(cor_json_need(answer, "protocol", &member, said));
    COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &protocol, said));
    if (protocol != PROTOCOL)
        return cor_json_fail(&member, said, NULL, "it speaks protocol %lld, asked for was %d",
                             (long long)protocol, PROTOCOL);
    COR_TRY(cor_json_need(answer, "name", &member, said));
    COR_TRY(cor_json_string(&member, &text, said));
    return cor_json_find(answer, "version", &member) ? cor_json_string(&member, &text, said) : COR_OK;
}

static enum cor_status understand_ready(struct program *program, const struct cor_json *answer,
                                        struct cor_efsm_observation *observation, struct cor_error *said) {
    static const char *const keys[] = {"id", "ready", NULL};
    struct cor_json member;
    bool ready = false;
    (void)observation;
    COR_TRY(check_answer(program, answer, keys, said));
    COR_TRY(cor_json_need(answer, "ready", &member, said));
    COR_TRY(cor_json_bool(&member, &ready, said));
    return ready ? COR_OK : cor_json_fail(&member, said, NULL, "a reset is answered by \"ready\": true");
}

/* ["DT", [1, 0]]. A label that the model has not is an observation as any other. */
static enum cor_status understand_output(const struct program *program, const struct cor_json *output,
                                         struct cor_efsm_observation *observation, struct cor_error *said) {
    const char *name;
    uint32_t label = 0;
    COR_TRY(cor_json_expect_array(output, 2, 2, said));
    const struct cor_json first = cor_json_at(output, 0), arguments = cor_json_at(output, 1);
    COR_TRY(cor_json_string(&first, &name, said));
    while (label < program->model->output_count && strcmp(program->model->output_names[label], name) != 0)
        label++;
    const bool known = label < program->model->output_count;
    COR_TRY(cor_json_expect_array(&arguments, 0, COR_EFSM_VARIABLES_MAX, said));
    const bool fits = known && cor_json_size(&arguments) == program->model->outputs[label].parameter_count;
    if (known && !fits)
        return cor_json_fail(&arguments, said, NULL, "output \"%s\" has %u arguments, not %zu", name,
                             program->model->outputs[label].parameter_count, cor_json_size(&arguments));
    COR_TRY(cor_efsm_observation_label(observation, known ? label : COR_NONE, said));
    for (size_t a = 0; a < cor_json_size(&arguments); a++) {
        const struct cor_json argument = cor_json_at(&arguments, a);
        int64_t value = 0;
        COR_TRY(cor_json_integer(&argument, INT64_MIN, INT64_MAX, &value, said));
        if (known)
            COR_TRY(cor_efsm_observation_argument(observation, value, said));
    }
    return COR_OK;
}

static enum cor_status understand_outputs(struct program *program, const struct cor_json *answer,
                                          struct cor_efsm_observation *observation, struct cor_error *said) {
    static const char *const keys[] = {"id", "out", "quiet", NULL};
    struct cor_json outputs, quiet;
    bool is_quiet = false;
    COR_TRY(check_answer(program, answer, keys, said));
    const bool speaks = cor_json_find(answer, "out", &outputs);
    if (speaks == cor_json_find(answer, "quiet", &quiet))
        return cor_json_fail(answer, said, NULL, "an input is answered by either \"out\" or \"quiet\"");
    if (!speaks) {
        COR_TRY(cor_json_bool(&quiet, &is_quiet, said));
        return is_quiet ? COR_OK : cor_json_fail(&quiet, said, NULL, "\"quiet\" can only be true");
    }
    COR_TRY(cor_json_expect_array(&outputs, 0, COR_EFSM_VARIABLES_MAX, said));
    for (size_t o = 0; o < cor_json_size(&outputs); o++) {
        const struct cor_json output = cor_json_at(&outputs, o);
        COR_TRY(understand_output(program, &output, observation, said));
    }
    return COR_OK;
}

/* The line, understood or not. */
static enum cor_status take_line(struct program *program, const char *line, understand_answer *understand,
                                 struct cor_efsm_observation *observation, enum cor_system_trouble *trouble,
                                 struct cor_error *error) {
    struct cor_json_document *document = NULL;
    struct cor_error said = COR_NO_ERROR;
    const bool more = cor_lines_pending(&program->lines);
    enum cor_status status = cor_json_parse(line, "the system", &document, &said);
    if (status == COR_OK) {
        const struct cor_json answer = cor_json_root(document);
        status = understand(program, &answer, observation, &said);
        cor_json_destroy(document);
    }
    if (status == COR_STATUS_MEMORY)
        return cor_fail_memory(error);
    if (status == COR_OK && more)
        status = cor_fail(&said, COR_STATUS_INPUT, NULL, NULL, "more follows it, which nobody has asked for");
    *trouble = status == COR_OK ? COR_SYSTEM_WELL : garbled(program, line, &said);
    return COR_OK;
}

/* Asks, and understands the answer. `quiet_seconds` > 0: silence so long is an answer. */
static enum cor_status ask(struct program *program, struct cor_json_writer *writer_take, double quiet_seconds,
                           understand_answer *understand, struct cor_efsm_observation *observation,
                           enum cor_system_trouble *trouble, struct cor_error *error) {
    char *request;
    const char *line;
    COR_TRY(line_of(writer_take, &request, error));
    const double deadline = cor_now() + program->answer_seconds;
    enum cor_turn turn = cor_lines_say(&program->lines, request, deadline);
    free(request);
    if (turn == COR_TURN_LINE)
        turn =
            cor_lines_hear(&program->lines, quiet_seconds > 0 ? cor_now() + quiet_seconds : deadline, &line);
    if (turn == COR_TURN_LATE && quiet_seconds > 0 && cor_lines_pending(&program->lines))
        turn = cor_lines_hear(&program->lines, deadline, &line); /* it has begun to speak */
    if (turn == COR_TURN_LINE)
        return take_line(program, line, understand, observation, trouble, error);
    COR_ASSERT(turn != COR_TURN_TROUBLE); /* nothing is recorded */
    *trouble = COR_SYSTEM_WELL;
    if (turn == COR_TURN_LATE && quiet_seconds > 0 && !cor_lines_pending(&program->lines))
        program->system.timeouts++;
    else
        *trouble = silenced(program, turn);
    return COR_OK;
}

static enum cor_status begin_request(struct program *program, struct cor_json_writer **writer,
                                     struct cor_error *error) {
    COR_TRY(cor_json_writer_create(writer, error));
    cor_json_open_object(*writer, NULL);
    cor_json_put_integer(*writer, "id", ++program->id);
    return COR_OK;
}

/* A process, greeted. */
static enum cor_status start(struct program *program, enum cor_system_trouble *trouble,
                             struct cor_error *error) {
    struct cor_json_writer *writer;
    program->id = 0;
    COR_TRY(cor_lines_start(&program->lines, error));
    COR_TRY(begin_request(program, &writer, error));
    cor_json_open_object(writer, "hello");
    cor_json_put_integer(writer, "protocol", PROTOCOL);
    cor_json_put_string(writer, "model", program->model->name);
    cor_json_close(writer);
    cor_json_close(writer);
    return ask(program, writer, 0, understand_hello, NULL, trouble, error);
}

static enum cor_status reset(struct cor_system *system, enum cor_system_trouble *trouble,
                             struct cor_error *error) {
    struct program *program = (struct program *)system;
    struct cor_json_writer *writer;
    *trouble = COR_SYSTEM_WELL;
    if (!cor_lines_started(&program->lines))
        COR_TRY(start(program, trouble, error));
    if (*trouble != COR_SYSTEM_WELL)
        return COR_OK;
    COR_TRY(begin_request(program, &writer, error));
    cor_json_put_bool(writer, "reset", true);
    cor_json_close(writer);
    return ask(program, writer, 0, understand_ready, NULL, trouble, error);
}

static enum cor_status give(struct cor_system *system, uint32_t label, const int64_t *values,
                            struct cor_efsm_observation *observation, enum cor_system_trouble *trouble,
                            struct cor_error *error) {
    struct program *program = (struct program *)system;
    const struct cor_efsm_label *input = &program->model->inputs[label];
    struct cor_json_writer *writer;
    cor_efsm_observation_clear(observation);
    COR_ASSERT(cor_lines_started(&program->lines)); /* it was reset, and well since */
    COR_TRY(begin_request(program, &writer, error));
    cor_json_put_string(writer, "in", input->name);
    cor_json_open_array(writer, "args");
    for (uint32_t p = 0; p < input->parameter_count; p++)
        cor_json_put_integer(writer, NULL, values[input->parameters[p]]);
    cor_json_close(writer);
    cor_json_close(writer);
    return ask(program, writer, program->quiet_seconds, understand_outputs, observation, trouble, error);
}

/* Bye, and a moment to go by itself. */
static void close_program(struct cor_system *system) {
    struct program *program = (struct program *)system;
    char bye[64];
    if (cor_lines_started(&program->lines)) {
        snprintf(bye, sizeof bye, "{\"id\":%lld,\"bye\":true}\n", (long long)++program->id);
        const enum cor_turn turn = cor_lines_say(&program->lines, bye, cor_now() + COR_PARTING_SECONDS);
        cor_lines_end(&program->lines, turn == COR_TURN_LINE ? COR_PARTING_SECONDS : 0);
    }
    cor_lines_fini(&program->lines);
    free(program);
}

static const struct cor_system_kind kind = {reset, give, close_program};

enum cor_status cor_program_create(const struct cor_program_definition *definition,
                                   struct cor_system **system, struct cor_error *error) {
    struct program *made = cor_calloc(1, sizeof *made);
    *system = NULL;
    COR_TRY(cor_made(made, error));
    made->system.kind = &kind;
    made->model = definition->model;
    made->answer_seconds = definition->answer_seconds;
    made->quiet_seconds = definition->quiet_seconds;
    const struct cor_lines_definition talk = {.command = definition->command, .line_most = LINE_MOST};
    enum cor_status status = cor_lines_init(&made->lines, &talk, error);
    if (status == COR_OK)
        status = cor_lines_check(&made->lines, error);
    if (status != COR_OK)
        close_program(&made->system);
    else
        *system = &made->system;
    return status;
}
