/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A system that is a program, spoken to by lines; and one that says what another one said: a test on line,
 * again without it. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/guarantees.h>
#include <corridor/json.h>
#include <corridor/system.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    struct cor_system system;
    const struct cor_recorded_answer *answers;
    size_t count, next;
};

/* The next answer, if it is one to such a question. */
static const struct cor_recorded_answer *answer(struct recording *recording, bool is_reset,
                                                enum cor_system_trouble *trouble) {
    const struct cor_recorded_answer *it =
        recording->next < recording->count ? &recording->answers[recording->next++] : NULL;
    if (!it || it->is_reset != is_reset) {
        *trouble = COR_SYSTEM_DIED;
        snprintf(recording->system.words, sizeof recording->system.words,
                 it ? "the record has %s here" : "the record ends here", is_reset ? "an input" : "a reset");
        return NULL;
    }
    *trouble = it->trouble;
    recording->system.timeouts += it->timeout;
    return it;
}

static enum cor_status reset(struct cor_system *system, enum cor_system_trouble *trouble,
                             struct cor_error *error) {
    (void)error;
    (void)answer((struct recording *)system, true, trouble);
    return COR_OK;
}

static enum cor_status give(struct cor_system *system, uint32_t label, const int64_t *values,
                            struct cor_efsm_observation *observation, enum cor_system_trouble *trouble,
                            struct cor_error *error) {
    const struct cor_recorded_answer *it = answer((struct recording *)system, false, trouble);
    (void)label;
    (void)values;
    cor_efsm_observation_clear(observation);
    system->told_count = it ? it->told_count : 0;
    for (uint32_t t = 0; t < system->told_count; t++)
        system->told[t] = it->told[t];
    for (uint32_t o = 0; it && o < it->observation.label_count; o++)
        COR_TRY(cor_efsm_observation_label(observation, it->observation.labels[o], error));
    for (uint32_t a = 0; it && a < it->observation.argument_count; a++)
        COR_TRY(cor_efsm_observation_argument(observation, it->observation.arguments[a], error));
    return COR_OK;
}

static void close_recording(struct cor_system *system) {
    free(system);
}

static const struct cor_system_kind kind = {reset, give, close_recording};

enum cor_status cor_recording_create(const struct cor_recorded_answer *answers, size_t count,
                                     struct cor_system **system, struct cor_error *error) {
    struct recording *made = cor_calloc(1, sizeof *made);
    *system = NULL;
    COR_TRY(cor_made(made, error));
    *made = (struct recording){.system.kind = &kind, .answers = answers, .count = count};
    *system = &made->system;
    return COR_OK;
}

/* ---- A system under test that is any program (docs/look-up/efsm.md): a conversation, as with agents and
 * algorithms that are programs. What it says wrong is trouble with it; what it says well is judged elsewhere
 */

#define LINE_MOST ((size_t)1 << 16) /* bytes of a line */

struct program {
    struct cor_system system;
    const struct cor_efsm *model;
    double quiet_seconds;
    struct cor_conversation talk;
    const struct cor_told_goal *told; /* borrowed */
    uint32_t told_count;
    bool asked[COR_TOLD_GOALS_MAX]; /* which of these goals are asked for */
};

struct cor_program_definition cor_default_program(void) {
    return (struct cor_program_definition){.answer_seconds = COR_SYSTEM_ANSWER_SECONDS,
                                           .memory_bytes = COR_GUEST_MEMORY};
}

enum cor_system_trouble cor_exchange_trouble(const struct cor_conversation *talk, char *words, size_t size) {
    cor_last_words_shorten(talk->exchange != COR_EXCHANGE_HALF && talk->what[0] ? talk->what : talk->words,
                           words, size);
    size_t length = strlen(words);
    while (length > 0 && words[length - 1] == '\n')
        words[--length] = '\0';
    for (char *at = words; *at; at++)
        if (*at < ' ' || *at > '~')
            *at = *at == '\n' ? ' ' : '?';
    if (talk->exchange == COR_EXCHANGE_LATE)
        return COR_SYSTEM_HUNG;
    const bool has_died =
        talk->exchange == COR_EXCHANGE_HALF
            ? cor_lines_death(&talk->lines) != COR_DEATH_ENDED
            : talk->exchange >= COR_EXCHANGE_EXITED && talk->exchange <= COR_EXCHANGE_MEMORY;
    return has_died ? COR_SYSTEM_DIED : COR_SYSTEM_GARBLED;
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
    (void)program;
    (void)observation;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(cor_json_need(answer, "protocol", &member, said));
    COR_TRY(cor_json_integer(&member, 0, INT64_MAX, &protocol, said));
    if (protocol != SYSTEMS__PROTOCOL)
        return cor_json_fail(&member, said, NULL, "it speaks protocol %lld, asked for was %d",
                             (long long)protocol, SYSTEMS__PROTOCOL);
    COR_TRY(cor_json_need(answer, "name", &member, said));
    COR_TRY(cor_json_string(&member, &text, said));
    return cor_json_find(answer, "version", &member) ? cor_json_string(&member, &text, said) : COR_OK;
}

static enum cor_status understand_ready(struct program *program, const struct cor_json *answer,
                                        struct cor_efsm_observation *observation, struct cor_error *said) {
    static const char *const keys[] = {"id", "ready", NULL};
    struct cor_json member;
    bool ready = false;
    (void)program;
    (void)observation;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(cor_json_need(answer, "ready", &member, said));
    COR_TRY(cor_json_bool(&member, &ready, said));
    return ready ? COR_OK : cor_json_fail(&member, said, NULL, "a reset is answered by \"ready\": true");
}

/* An argument of an output that the model does not have: a number, a word, true or false. */
static enum cor_status expect_plain(const struct cor_json *argument, struct cor_error *said) {
    bool truth;
    double real;
    const char *word;
    if (cor_json_string(argument, &word, NULL) == COR_OK || cor_json_bool(argument, &truth, NULL) == COR_OK)
        return COR_OK;
    return cor_json_real(argument, -DBL_MAX, DBL_MAX, &real, said);
}

/* "add": ["t5"], or "drop", of what an answer says of goals; one that it named before is named twice. */
static enum cor_status understand_list(struct program *program, const struct cor_json *goals, bool adds,
                                       struct cor_error *said) {
    const char *const verb = adds ? "add" : "drop";
    struct cor_system *system = &program->system;
    struct cor_json list;
    const char *names[COR_TOLD_GOALS_MAX + 1] = {0}, *name;
    uint32_t indices[COR_TOLD_GOALS_MAX], count = 0;
    int found;
    if (!cor_json_find(goals, verb, &list))
        return COR_OK;
    for (uint32_t g = 0; g < program->told_count; g++)
        if (adds ? program->told[g].may_add : program->told[g].may_drop) {
            indices[count] = g;
            names[count++] = program->told[g].name;
        }
    COR_TRY(cor_json_expect_array(&list, 1, COR_TOLD_GOALS_MAX, said));
    COR_JSON_CHILDREN(item, &list) {
        COR_TRY(cor_json_string(&item, &name, said));
        if (count == 0)
            return cor_json_fail(&item, said, NULL, "no goal is the system's to %s", verb);
        COR_TRY(cor_json_one_of(&item, names, adds ? "goal to add" : "goal to drop", &found, said));
        const uint32_t goal = indices[found];
        for (uint32_t t = 0; t < system->told_count; t++)
            if (system->told[t].goal == goal)
                return cor_json_fail(&item, said, NULL, "the goal \"%s\" is named twice", name);
        if (program->asked[goal] == adds)
            return cor_json_fail(&item, said, NULL, "the goal \"%s\" is %s", name,
                                 adds ? "asked for already" : "not asked for");
        system->told[system->told_count++] = (struct cor_goal_word){goal, adds};
    }
    return COR_OK;
}

/* "goals": {"add": ["t5"], "drop": ["t8"]}: what is asked for from the next input on. */
static enum cor_status understand_goals(struct program *program, const struct cor_json *answer,
                                        struct cor_error *said) {
    static const char *const keys[] = {"add", "drop", NULL};
    const struct cor_system *system = &program->system;
    struct cor_json goals;
    if (!cor_json_find(answer, "goals", &goals))
        return COR_OK;
    COR_TRY(cor_json_expect_object(&goals, keys, said));
    if (cor_json_size(&goals) == 0)
        return cor_json_fail(&goals, said, NULL, "\"goals\" has \"add\", \"drop\" or both");
    COR_TRY(understand_list(program, &goals, true, said));
    COR_TRY(understand_list(program, &goals, false, said));
    for (uint32_t t = 0; t < system->told_count; t++)
        program->asked[system->told[t].goal] = system->told[t].adds;
    return COR_OK;
}

static enum cor_status understand_outputs(struct program *program, const struct cor_json *answer,
                                          struct cor_efsm_observation *observation, struct cor_error *said) {
    static const char *const keys[] = {"id", "out", "quiet", "goals", NULL};
    struct cor_json outputs, quiet;
    bool is_quiet = false;
    COR_TRY(cor_json_expect_object(answer, keys, said));
    COR_TRY(understand_goals(program, answer, said));
    const bool speaks = cor_json_find(answer, "out", &outputs);
    if (speaks == cor_json_find(answer, "quiet", &quiet))
        return cor_json_fail(answer, said, NULL, "an input is answered by either \"out\" or \"quiet\"");
    if (!speaks) {
        COR_TRY(cor_json_bool(&quiet, &is_quiet, said));
        return is_quiet ? COR_OK : cor_json_fail(&quiet, said, NULL, "\"quiet\" can only be true");
    }
    COR_TRY(cor_json_expect_array(&outputs, 0, COR_EFSM_VARIABLES_MAX, said));
    COR_JSON_CHILDREN(output, &outputs) {
        /* ["DT", [1, 0]]. A label that the model has not is an observation as any other. */
        const char *name;
        uint32_t label = 0;
        COR_TRY(cor_json_expect_array(&output, 2, 2, said));
        const struct cor_json first = cor_json_at(&output, 0), arguments = cor_json_at(&output, 1);
        COR_TRY(cor_json_string(&first, &name, said));
        while (label < program->model->output_count && strcmp(program->model->output_names[label], name) != 0)
            label++;
        const bool known = label < program->model->output_count;
        COR_TRY(cor_json_expect_array(&arguments, 0, COR_EFSM_VARIABLES_MAX, said));
        const bool fits =
            known && cor_json_size(&arguments) == program->model->outputs[label].parameter_count;
        if (known && !fits)
            return cor_json_fail(&arguments, said, NULL, "output \"%s\" has %u arguments, not %zu", name,
                                 program->model->outputs[label].parameter_count, cor_json_size(&arguments));
        COR_TRY(cor_efsm_observation_label(observation, known ? label : COR_NONE, said));
        COR_JSON_CHILDREN(argument, &arguments) {
            int64_t value = 0;
            const uint32_t v = known ? program->model->outputs[label].parameters[argument.index] : 0;
            if (known)
                COR_TRY(cor_efsm_read_value(&argument, &program->model->variables[v], &value, said));
            else
                COR_TRY(expect_plain(&argument, said));
            if (known)
                COR_TRY(cor_efsm_observation_argument(observation, value, said));
        }
    }
    return COR_OK;
}

/* Asks, and understands the answer. `quiet_seconds` > 0: silence so long is an answer. */
static enum cor_status ask(struct program *program, double quiet_seconds, understand_answer *understand,
                           struct cor_efsm_observation *observation, enum cor_system_trouble *trouble,
                           struct cor_error *error) {
    struct cor_conversation *talk = &program->talk;
    struct cor_error said = COR_NO_ERROR;
    COR_TRY(cor_conversation_ask(talk, quiet_seconds, error));
    if (talk->exchange == COR_EXCHANGE_WELL) {
        const struct cor_json answer = cor_json_root(talk->answer);
        const enum cor_status status = understand(program, &answer, observation, &said);
        if (status != COR_OK)
            COR_TRY(cor_conversation_garble(talk, status, &said, error));
        cor_conversation_expect_silence(talk);
    }
    const bool is_quiet = talk->exchange == COR_EXCHANGE_QUIET;
    program->system.timeouts += is_quiet;
    *trouble = is_quiet || talk->exchange == COR_EXCHANGE_WELL
                   ? COR_SYSTEM_WELL
                   : cor_exchange_trouble(talk, program->system.words, sizeof program->system.words);
    return COR_OK;
}

static enum cor_status reset_program(struct cor_system *system, enum cor_system_trouble *trouble,
                                     struct cor_error *error) {
    struct program *program = (struct program *)system;
    *trouble = COR_SYSTEM_WELL;
    if (!cor_lines_started(&program->talk.lines)) {
        /* A process, greeted. */
        struct cor_json_writer *writer;
        COR_TRY(cor_conversation_start(&program->talk, error));
        COR_TRY(cor_json_writer_create(&writer, error));
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "protocol", SYSTEMS__PROTOCOL);
        cor_json_put_string(writer, "model", program->model->name);
        /* The goals that it may add, or drop, by name; nothing where there are none. */
        if (program->told_count != 0) {
            cor_json_open_object(writer, "goals");
            for (int adds = 1; adds >= 0; adds--) {
                cor_json_open_array(writer, adds ? "add" : "drop");
                for (uint32_t g = 0; g < program->told_count; g++)
                    if (adds ? program->told[g].may_add : program->told[g].may_drop)
                        cor_json_put_string(writer, NULL, program->told[g].name);
                cor_json_close(writer);
            }
            cor_json_close(writer);
        }
        cor_json_close(writer);
        (void)cor_conversation_begin(&program->talk, "hello");
        COR_TRY(cor_conversation_put_take(&program->talk, writer, error));
        COR_TRY(ask(program, 0, understand_hello, NULL, trouble, error));
    }
    if (*trouble != COR_SYSTEM_WELL)
        return COR_OK;
    cor_conversation_again(&program->talk);
    cor_bytes_print(cor_conversation_begin(&program->talk, "reset"), "true");
    return ask(program, 0, understand_ready, NULL, trouble, error);
}

static enum cor_status give_program(struct cor_system *system, uint32_t label, const int64_t *values,
                                    struct cor_efsm_observation *observation,
                                    enum cor_system_trouble *trouble, struct cor_error *error) {
    struct program *program = (struct program *)system;
    const struct cor_efsm_label *input = &program->model->inputs[label];
    struct cor_json_writer *writer;
    cor_efsm_observation_clear(observation);
    system->told_count = 0;
    COR_ASSERT(cor_lines_started(&program->talk.lines)); /* it was reset, and well since */
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_put_string(writer, NULL, input->name);
    struct cor_bytes *request = cor_conversation_begin(&program->talk, "in");
    COR_TRY(cor_conversation_put_take(&program->talk, writer, error));
    cor_bytes_print(request, ",\"args\":[");
    for (uint32_t p = 0; p < input->parameter_count; p++) {
        cor_bytes_print(request, p > 0 ? "," : "");
        cor_efsm_print_value(&program->model->variables[input->parameters[p]], values[input->parameters[p]],
                             request);
    }
    cor_bytes_print(request, "]");
    return ask(program, program->quiet_seconds, understand_outputs, observation, trouble, error);
}

static void close_program(struct cor_system *system) {
    COR_FREED struct program *program = (struct program *)system;
    cor_conversation_part(&program->talk);
    cor_conversation_fini(&program->talk);
}

static const struct cor_system_kind kind_program = {reset_program, give_program, close_program};

enum cor_status cor_program_create(const struct cor_program_definition *definition,
                                   struct cor_system **system, struct cor_error *error) {
    struct program *made = cor_calloc(1, sizeof *made);
    *system = NULL;
    COR_TRY(cor_made(made, error));
    made->system.kind = &kind_program;
    made->model = definition->model;
    made->quiet_seconds = definition->quiet_seconds;
    made->told = definition->told;
    made->told_count = definition->told_count;
    for (uint32_t g = 0; g < made->told_count; g++)
        made->asked[g] = !made->told[g].may_add;
    const struct cor_lines_definition lines =
        cor_lines_guest(definition->command, LINE_MOST, definition->is_free, definition->is_full,
                        cor_address_space(definition->memory_bytes), definition->traffic);
    enum cor_status status = cor_conversation_init(&made->talk, &lines, definition->answer_seconds, error);
    if (status == COR_OK)
        status = cor_lines_check(&made->talk.lines, error);
    if (status != COR_OK)
        close_program(&made->system);
    else
        *system = &made->system;
    return status;
}
