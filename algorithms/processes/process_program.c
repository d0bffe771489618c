/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module says what it is in a cell, so that whoever only has to know that runs none of its code, nor the
 * dynamic linker for it. It is loaded where its processes are called first: in another cell, or here. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cell.h>
#include <corridor/digest.h>
#include <corridor/guarantees.h>
#include <corridor/lines.h>
#include <corridor/loader.h>
#include <corridor/needs.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum cor_status module_open(const char *path, void **handle, struct cor_process *description,
                                   struct cor_error *error) COR_MUST_USE;

#define HELLO_MOST ((size_t)1 << 20) /* bytes of what it says */
#define CPU_SECONDS 10.              /* that its loading may take, and */
#define WALL_FACTOR 20.              /* seconds for each of these */
#define LOOK_SECONDS .05

/* ---- a description as bytes */

enum { ALARM, COMPLETED, INPUT, RULE, SAVE, MAIL }; /* functions that may be missing: bits */

static void put_maybe(struct cor_bytes *pen, const char *text) {
    cor_bytes_put_number(pen, text != NULL, 1);
    cor_bytes_put_text(pen, text);
}

static void put_names(struct cor_bytes *pen, const struct cor_process_name *names, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        cor_bytes_put_text(pen, names[n].name);
        put_maybe(pen, names[n].meaning);
    }
}

static size_t write_all(const struct cor_process *is, void *bytes, size_t capacity) {
    struct cor_bytes pen = cor_bytes_into(bytes, capacity);
    const uint32_t counts[] = {is->attribute_count, is->channel_count,    is->message_count, is->input_count,
                               is->fault_count,     is->leader_attribute, is->leader_value};
    cor_bytes_put_text(&pen, is->name);
    cor_bytes_put_text(&pen, is->version);
    put_maybe(&pen, is->meaning);
    cor_bytes_put_number(&pen, is->minor, 4);
    cor_bytes_put_number(&pen, is->state_size, 8);
    cor_bytes_put_number(&pen,
                         (uint64_t)(is->alarm != NULL) << ALARM |
                             (uint64_t)(is->completed != NULL) << COMPLETED |
                             (uint64_t)(is->input != NULL) << INPUT | (uint64_t)(is->rule != NULL) << RULE |
                             (uint64_t)(is->save != NULL) << SAVE | (uint64_t)(is->mail != NULL) << MAIL,
                         4);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        cor_bytes_put_number(&pen, counts[c], 4);
    for (uint32_t a = 0; a < is->attribute_count; a++) {
        const struct cor_process_attribute *attribute = &is->attributes[a];
        const uint32_t words = attribute->type == COR_PROCESS_WORD ? attribute->word_count : 0;
        cor_bytes_put_text(&pen, attribute->name);
        put_maybe(&pen, attribute->unit);
        put_maybe(&pen, attribute->meaning);
        cor_bytes_put_number(&pen, attribute->type, 4);
        cor_bytes_put_number(&pen, words, 4);
        for (uint32_t w = 0; w < words; w++)
            cor_bytes_put_text(&pen, attribute->words[w]);
    }
    put_names(&pen, is->channels, is->channel_count);
    put_names(&pen, is->faults, is->fault_count);
    cor_bytes_put_number(&pen, is->variable_count, 4);
    put_names(&pen, is->variables, is->variable_count);
    cor_bytes_put_number(&pen, is->alarm_count, 4);
    put_names(&pen, is->alarms, is->alarm_count);
    for (uint32_t m = 0; m < is->message_count; m++) {
        cor_bytes_put_text(&pen, is->messages[m].name);
        put_maybe(&pen, is->messages[m].meaning);
        cor_bytes_put_number(&pen, is->messages[m].ballot, 4);
    }
    for (uint32_t i = 0; i < is->input_count; i++) {
        cor_bytes_put_text(&pen, is->inputs[i].name);
        put_maybe(&pen, is->inputs[i].meaning);
        cor_bytes_put_number(&pen, is->inputs[i].weight, 4);
        cor_bytes_put_number(&pen, is->inputs[i].bytes, 4);
    }
    return pen.size;
}

/* What was read: texts are those of the bytes. */
struct processes__said {
    size_t size;
    unsigned char *bytes; /* owned */
    const char **words;   /* owned; of all attributes */
    struct cor_process_attribute attributes[COR_PROCESS_ATTRIBUTES_MAX];
    struct cor_process_name channels[COR_PROCESS_ATTRIBUTES_MAX], faults[COR_PROCESS_ATTRIBUTES_MAX];
    struct cor_process_name variables[COR_PROCESS_ATTRIBUTES_MAX], alarms[COR_PROCESS_ATTRIBUTES_MAX];
    struct cor_process_message messages[COR_PROCESS_ATTRIBUTES_MAX];
    struct cor_process_input inputs[COR_PROCESS_ATTRIBUTES_MAX];
};

/* NULL is allowed */
static void said_destroy(struct processes__said *said) {
    if (!said)
        return;
    free(said->bytes);
    free(said->words);
    free(said);
}

static uint32_t take_count(struct cor_bytes_reader *reader) {
    const uint64_t count = cor_bytes_take_number(reader, 4);
    reader->failed = reader->failed || count > COR_PROCESS_ATTRIBUTES_MAX;
    return reader->failed ? 0 : (uint32_t)count;
}

static const char *take_maybe(struct cor_bytes_reader *reader) {
    const bool is_there = cor_bytes_take_number(reader, 1) != 0;
    const char *text = cor_bytes_take_text(reader);
    return is_there ? text : NULL;
}

static void take_names(struct cor_bytes_reader *reader, struct cor_process_name *names, uint32_t count) {
    for (uint32_t n = 0; n < count; n++) {
        names[n].name = cor_bytes_take_text(reader);
        names[n].meaning = take_maybe(reader);
    }
}

/* Nobody calls a program that is loaded elsewhere. */
static void no_start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    (void)me, (void)host, (void)stored;
    COR_ASSERT(false && "a module that is loaded elsewhere");
}

static void no_receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                       const void *bytes, uint32_t size) {
    (void)from, (void)kind, (void)bytes, (void)size;
    no_start(me, host, NULL);
}

static void no_alarm(void *me, const struct cor_process_host *host, uint32_t which) {
    (void)which;
    no_start(me, host, NULL);
}

static void no_completion(void *me, const struct cor_process_host *host, uint64_t ticket, uint32_t status) {
    (void)ticket, (void)status;
    no_start(me, host, NULL);
}

static void no_input(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                     uint32_t size) {
    (void)which, (void)bytes, (void)size;
    no_start(me, host, NULL);
}

static void no_look(const void *me, union cor_process_value *values) {
    (void)me, (void)values;
    no_start(NULL, NULL, NULL);
}

static uint32_t no_domain(const struct cor_process_host *host, uint32_t variable) {
    (void)variable;
    no_start(NULL, host, NULL);
    return 0;
}

static uint32_t no_reads(const struct cor_process_host *host, uint32_t *processes) {
    (void)processes;
    no_start(NULL, host, NULL);
    return 0;
}

static uint32_t no_rule(const struct cor_process_host *host, const uint32_t *const *views, uint32_t *next) {
    (void)views, (void)next;
    no_start(NULL, host, NULL);
    return 0;
}

static void no_save(const void *me, uint32_t *values) {
    (void)me, (void)values;
    no_start(NULL, NULL, NULL);
}

static void no_restore(void *me, const struct cor_process_host *host, const uint32_t *values) {
    (void)values;
    no_start(me, host, NULL);
}

static uint32_t no_mail(const struct cor_process_host *host, uint32_t kind, uint32_t number, void *bytes) {
    (void)kind, (void)number, (void)bytes;
    no_start(NULL, host, NULL);
    return 0;
}

/* False: the bytes describe nothing. */
static bool read_all(struct processes__said *said, struct cor_process *is) {
    struct cor_bytes_reader reader = cor_bytes_reader(said->bytes, said->size);
    size_t words = 0;
    *is = (struct cor_process){COR_PROCESS, .start = no_start, .receive = no_receive, .observe = no_look};
    is->name = cor_bytes_take_text(&reader);
    is->version = cor_bytes_take_text(&reader);
    is->meaning = take_maybe(&reader);
    is->minor = (uint32_t)cor_bytes_take_number(&reader, 4);
    is->state_size = (size_t)cor_bytes_take_number(&reader, 8);
    const uint64_t functions = cor_bytes_take_number(&reader, 4);
    is->alarm = functions >> ALARM & 1 ? no_alarm : NULL;
    is->completed = functions >> COMPLETED & 1 ? no_completion : NULL;
    is->input = functions >> INPUT & 1 ? no_input : NULL;
    if (functions >> RULE & 1) {
        is->start = NULL;
        is->receive = NULL;
        is->observe = NULL;
        is->domain = no_domain;
        is->reads = no_reads;
        is->rule = no_rule;
    }
    if (functions >> SAVE & 1) {
        is->domain = no_domain;
        is->save = no_save;
        is->restore = no_restore;
        is->mail = functions >> MAIL & 1 ? no_mail : NULL;
    }
    is->attribute_count = take_count(&reader);
    is->channel_count = take_count(&reader);
    is->message_count = take_count(&reader);
    is->input_count = take_count(&reader);
    is->fault_count = take_count(&reader);
    is->leader_attribute = (uint32_t)cor_bytes_take_number(&reader, 4);
    is->leader_value = (uint32_t)cor_bytes_take_number(&reader, 4);
    for (uint32_t a = 0; a < is->attribute_count; a++) {
        struct cor_process_attribute *attribute = &said->attributes[a];
        attribute->name = cor_bytes_take_text(&reader);
        attribute->unit = take_maybe(&reader);
        attribute->meaning = take_maybe(&reader);
        attribute->type = (uint32_t)cor_bytes_take_number(&reader, 4);
        attribute->word_count = (uint32_t)cor_bytes_take_number(&reader, 4);
        attribute->words = attribute->word_count > 0 ? said->words + words : NULL;
        for (uint32_t w = 0; w < attribute->word_count && !reader.failed; w++)
            said->words[words++] = cor_bytes_take_text(&reader); /* each has a byte at least */
    }
    take_names(&reader, said->channels, is->channel_count);
    take_names(&reader, said->faults, is->fault_count);
    is->variable_count = take_count(&reader);
    take_names(&reader, said->variables, is->variable_count);
    is->alarm_count = take_count(&reader);
    take_names(&reader, said->alarms, is->alarm_count);
    for (uint32_t m = 0; m < is->message_count; m++) {
        said->messages[m].name = cor_bytes_take_text(&reader);
        said->messages[m].meaning = take_maybe(&reader);
        said->messages[m].ballot = (uint32_t)cor_bytes_take_number(&reader, 4);
    }
    for (uint32_t i = 0; i < is->input_count; i++) {
        said->inputs[i].name = cor_bytes_take_text(&reader);
        said->inputs[i].meaning = take_maybe(&reader);
        said->inputs[i].weight = (uint32_t)cor_bytes_take_number(&reader, 4);
        said->inputs[i].bytes = (uint32_t)cor_bytes_take_number(&reader, 4);
    }
    is->attributes = said->attributes;
    is->channels = said->channels;
    is->messages = said->messages;
    is->inputs = said->inputs;
    is->faults = said->faults;
    is->variables = said->variables;
    is->alarms = said->alarms;
    return !reader.failed && reader.at == reader.size;
}

/* ---- the cell in which it says that */

static enum cor_status refuse(const char *path, const char *through, const char *what,
                              struct cor_error *error) {
    return cor_fail(error, COR_STATUS_PLUGIN, path, "run it under a debugger",
                    "the module did not get through %s: %s", through, what);
}

struct life {
    const struct processes__question *question;
    struct processes__desk *desk;
};

static void live(void *argument) {
    const struct life *life = argument;
    struct processes__desk *desk = life->desk;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0)
        for (int file = 0; file <= 1; file++) /* what it prints is nobody's */
            dup2(nothing, file);
    desk->lacks_calls = !cor_forbid_calls();
    desk->error = COR_NO_ERROR;
    life->question->answer(life->question->argument, desk);
    desk->is_said = 1;
    cor_cell_ring(&desk->bell);
    _exit(0);
}

/* Waits for it; false: it was ended because it did not get on. */
static bool wait_for(const struct cor_cell *cell, struct processes__desk *desk, double wall_seconds) {
    const double end = cor_now() + wall_seconds;
    for (;;) {
        const uint32_t seen = atomic_load(&desk->bell);
        const bool is_over = cor_cell_is_over(cell);
        if (atomic_load(&desk->is_said) || is_over)
            return true;
        if (wall_seconds > 0 && cor_now() > end)
            return false;
        cor_cell_listen(&desk->bell, seen, LOOK_SECONDS);
    }
}

static enum cor_status ask(const struct processes__question *question, struct cor_cell *cell,
                           struct processes__desk *desk, struct cor_error *error) {
    COR_FINISHED(cor_needs) struct cor_needs needs = {0};
    struct life life = {question, desk};
    char words[COR_LAST_WORDS + 256];
    enum cor_status status = question->path ? cor_needs_of_module(&needs, question->path, error) : COR_OK;
    const struct cor_cell_definition cell_definition = {
        .life = live,
        .argument = &life,
        .place = &desk->place,
        .cpu_seconds = question->cpu_seconds,
        .walls = question->is_free ? 0 : COR_WALLS,
        .needs = (const char *const *)needs.paths,
        .is_full = question->is_full,
        .guest = question->name,
        .memory_bytes = question->memory_bytes > 0 ? cor_address_space(question->memory_bytes) : 0,
        .bell = &desk->bell};
    atomic_store(&desk->place, 1); /* odd: it may not idle for ever */
    if (status == COR_OK)
        status = cor_cell_start(cell, &cell_definition, error);
    const bool is_said =
        status == COR_OK && wait_for(cell, desk, question->wall_seconds) && atomic_load(&desk->is_said);
    if (is_said && desk->lacks_calls && question->is_full)
        status = cor_fail(error, COR_STATUS_INPUT, question->name, "see corridor doctor",
                          "the sandbox is incomplete here: system calls are not filtered");
    else if (is_said)
        status = question->take(question->argument, desk, error);
    else if (status == COR_OK) {
        cor_cell_end(cell, 0);
        cor_grave_text(cell->grave, words, sizeof words);
        status = refuse(question->name, question->through, words, error);
    }
    return status;
}

enum cor_status processes__ask_module(const struct processes__question *question, struct cor_error *error) {
    const size_t size = sizeof(struct processes__desk) + question->capacity;
    struct cor_cell cell;
    enum cor_status status = cor_cell_init(&cell, error);
    /* Memory that the cell shares with whoever asks. */
    struct processes__desk *desk =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (status == COR_OK && desk == MAP_FAILED)
        status = cor_fail_memory(error);
    if (status == COR_OK) {
        desk->capacity = question->capacity;
        status = ask(question, &cell, desk, error);
    }
    cor_cell_fini(&cell);
    if (desk != MAP_FAILED)
        munmap(desk, size);
    return status;
}

#define BEING_LOADED "being loaded"

struct asked {
    const struct cor_process_definition *definition;
    struct cor_process_program *program;
};

static void say_itself(void *argument, struct processes__desk *desk) {
    const struct asked *asked = argument;
    struct cor_process is;
    void *handle = NULL;
    desk->status = module_open(asked->definition->program, &handle, &is, &desk->error);
    if (desk->status == COR_OK)
        desk->size = write_all(&is, desk->bytes, HELLO_MOST);
}

static enum cor_status take_itself(void *argument, const struct processes__desk *desk,
                                   struct cor_error *error) {
    const struct asked *asked = argument;
    struct cor_process_program *program = asked->program;
    const char *path = asked->definition->program;
    if (desk->status != COR_OK) {
        struct cor_error said = desk->error;
        said.place[sizeof said.place - 1] = said.cause[sizeof said.cause - 1] =
            said.remedy[sizeof said.remedy - 1] = '\0';
        return cor_fail(error, desk->status == COR_STATUS_FILE ? COR_STATUS_FILE : COR_STATUS_PLUGIN,
                        said.place, said.remedy, "%s", said.cause);
    }
    struct processes__said *said = cor_calloc(1, sizeof *said);
    program->said = said;
    COR_TRY(cor_made(said, error));
    said->size = desk->size;
    if (said->size > HELLO_MOST)
        return cor_fail(error, COR_STATUS_PLUGIN, path, NULL, "what the module says of itself is too long");
    COR_TRY(cor_made(said->bytes = cor_calloc(said->size + 1, 1), error));
    COR_TRY(cor_made(said->words = cor_calloc(said->size + 1, sizeof *said->words), error));
    memcpy(said->bytes, desk->bytes, said->size);
    if (!read_all(said, &program->description))
        return refuse(path, BEING_LOADED, "it ruined what it says of itself", error);
    program->is_elsewhere = true;
    return COR_OK;
}

/* Asks a module, in a cell, what it is: the program is elsewhere then. */
static enum cor_status module_describe(const struct cor_process_definition *definition,
                                       struct cor_process_program *program, struct cor_error *error) {
    struct asked asked = {definition, program};
    return processes__ask_module(&(struct processes__question){.path = definition->program,
                                                               .name = definition->program,
                                                               .through = BEING_LOADED,
                                                               .capacity = HELLO_MOST,
                                                               .cpu_seconds = CPU_SECONDS,
                                                               .wall_seconds = WALL_FACTOR * CPU_SECONDS,
                                                               .memory_bytes = definition->memory_bytes
                                                                                   ? definition->memory_bytes
                                                                                   : COR_GUEST_MEMORY,
                                                               .is_full = definition->is_full,
                                                               .answer = say_itself,
                                                               .take = take_itself,
                                                               .argument = &asked},
                                 error);
}

/* Loads one that is elsewhere. */
static enum cor_status module_load(struct cor_process_program *program, struct cor_error *error) {
    const struct processes__said *said = program->said;
    struct cor_process here;
    COR_TRY(module_open(program->path, &program->handle, &here, error));
    COR_FREED unsigned char *bytes = cor_calloc(said->size + 1, 1);
    COR_TRY(cor_made(bytes, error));
    const bool is_same =
        write_all(&here, bytes, said->size) == said->size && memcmp(bytes, said->bytes, said->size) == 0;
    if (!is_same)
        return cor_fail(error, COR_STATUS_PLUGIN, program->path, "leave it as it is while it is tested",
                        "the module says something else of itself than when it was opened");
    program->description.start = here.start;
    program->description.receive = here.receive;
    program->description.alarm = here.alarm;
    program->description.completed = here.completed;
    program->description.input = here.input;
    program->description.observe = here.observe;
    program->description.domain = here.domain;
    program->description.reads = here.reads;
    program->description.rule = here.rule;
    program->description.save = here.save;
    program->description.restore = here.restore;
    program->description.mail = here.mail;
    program->is_elsewhere = false;
    return COR_OK;
}

/* ---- the programs there are: built in and modules */

#define STATE_MOST ((size_t)1 << 30)

static enum cor_status unusable(const char *origin, const char *remedy, struct cor_error *error,
                                const char *what, const char *which) {
    return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy, "the program cannot be used: %s%s%s", what,
                    which ? " " : "", which ? which : "");
}

static bool is_word(const char *text) {
    return text && text[0] && cor_is_printable(text) && !strpbrk(text, " \t\r\n\"'");
}

/* One of the lists: items of `size` bytes that begin with a name. */
static enum cor_status check_list(const char *origin, const char *what, const void *list, uint32_t count,
                                  size_t size, struct cor_error *error) {
    const char *rule = "names are words, each another one";
    const char *names[COR_PROCESS_ATTRIBUTES_MAX];
    char said[64];
    if (count > COR_PROCESS_ATTRIBUTES_MAX || (count > 0 && !list)) {
        snprintf(said, sizeof said, "0 to %u, in a list", COR_PROCESS_ATTRIBUTES_MAX);
        return unusable(origin, said, error, count > COR_PROCESS_ATTRIBUTES_MAX ? "too many" : "no list of",
                        what);
    }
    for (uint32_t i = 0; i < count; i++) {
        memcpy(&names[i], (const unsigned char *)list + i * size, sizeof names[i]);
        if (!is_word(names[i]))
            return unusable(origin, rule, error, "no usable name in its list of", what);
        for (uint32_t before = 0; before < i; before++)
            if (strcmp(names[before], names[i]) == 0)
                return unusable(origin, rule, error, "a name comes twice in its list of", what);
    }
    return COR_OK;
}

static enum cor_status check_attributes(const struct cor_process *program, const char *origin,
                                        struct cor_error *error) {
    for (uint32_t a = 0; a < program->attribute_count; a++) {
        const struct cor_process_attribute *attribute = &program->attributes[a];
        if (attribute->type > COR_PROCESS_SET)
            return unusable(origin, "see enum cor_process_attribute_type", error, "no such type of attribute",
                            attribute->name);
        if (attribute->type != COR_PROCESS_WORD)
            continue;
        if (attribute->word_count == 0 || !attribute->words)
            return unusable(origin, "say them in `words`", error, "no words of attribute", attribute->name);
        for (uint32_t w = 0; w < attribute->word_count; w++)
            for (uint32_t before = 0; before <= w; before++)
                if (!is_word(attribute->words[w]) ||
                    (before < w && strcmp(attribute->words[before], attribute->words[w]) == 0))
                    return unusable(origin, "words are words, each another one", error,
                                    "unusable words of attribute", attribute->name);
    }
    return COR_OK;
}

/* A program without messages. */
static enum cor_status check_rules(const struct cor_process *program, const char *origin,
                                   struct cor_error *error) {
    const char *see = "see <corridor/process.h>: a program has rules, or messages";
    if (!program->domain || !program->reads)
        return unusable(origin, see, error, "it lacks a function:", program->domain ? "reads" : "domain");
    if (program->receive || program->message_count > 0 || program->input_count > 0 ||
        program->channel_count > 0 || program->attribute_count > 0)
        return unusable(origin, see, error,
                        "it has a rule, and messages, inputs, channels or attributes beside it", NULL);
    return check_list(origin, "variables", program->variables, program->variable_count,
                      sizeof *program->variables, error);
}

static enum cor_status check_program(const void *copy, const char *origin, struct cor_error *error) {
    const struct cor_process *program = copy;
    const char *see = "see <corridor/process.h>";
    if (!is_word(program->name) || !program->version || !cor_is_printable(program->version))
        return unusable(origin, "say its name, in a word, and its version", error,
                        "its name or version is missing or not printable", NULL);
    if (program->save && !program->rule) {
        if (!program->domain || !program->restore)
            return unusable(origin, see, error,
                            "it lacks a function:", program->domain ? "restore" : "domain");
        COR_TRY(check_list(origin, "variables", program->variables, program->variable_count,
                           sizeof *program->variables, error));
    }
    if (program->rule)
        COR_TRY(check_rules(program, origin, error));
    else if (!program->start || !program->receive || !program->observe)
        return unusable(origin, see, error, "it lacks a function:",
                        !program->start     ? "start"
                        : !program->receive ? "receive"
                                            : "observe");
    if (program->state_size > STATE_MOST)
        return unusable(origin, "state_size is in bytes", error, "its state is larger than 1 GiB", NULL);
    COR_TRY(check_list(origin, "attributes", program->attributes, program->attribute_count,
                       sizeof *program->attributes, error));
    COR_TRY(check_list(origin, "channels", program->channels, program->channel_count,
                       sizeof *program->channels, error));
    COR_TRY(check_list(origin, "messages", program->messages, program->message_count,
                       sizeof *program->messages, error));
    COR_TRY(
        check_list(origin, "inputs", program->inputs, program->input_count, sizeof *program->inputs, error));
    COR_TRY(
        check_list(origin, "faults", program->faults, program->fault_count, sizeof *program->faults, error));
    COR_TRY(
        check_list(origin, "alarms", program->alarms, program->alarm_count, sizeof *program->alarms, error));
    if (program->alarm_count > COR_PROCESS_ALARMS_MAX)
        return unusable(origin, "a process has 8", error, "too many alarms", NULL);
    COR_TRY(check_attributes(program, origin, error));
    for (uint32_t f = 0; f < program->fault_count; f++)
        if (strcmp(program->faults[f].name, "none") == 0)
            return unusable(origin, "\"none\" is taken", error, "a fault is called none", NULL);
    for (uint32_t i = 0; i < program->input_count; i++)
        if (program->inputs[i].bytes > PROCESSES__INPUT_BYTES)
            return unusable(origin, "at most 4096", error, "too many bytes come with input",
                            program->inputs[i].name);
    if (program->input_count > 0 && !program->input)
        return unusable(origin, see, error, "it has inputs, but no function input", NULL);
    if (program->leader_attribute > program->attribute_count)
        return unusable(origin, "attribute_count: none", error, "leader_attribute is no attribute", NULL);
    return COR_OK;
}

static const struct cor_module_kind program_kind = {
    .symbol = COR_PROCESS_SYMBOL,
    .what = "a distributed program",
    .first_fields = "COR_PROCESS",
    .header = "<corridor/process.h>",
    .magic = COR_PROCESS_MAGIC,
    .major = COR_PROCESS_MAJOR,
    .minor = COR_PROCESS_MINOR,
    .size = sizeof(struct cor_process),
    .size_least = offsetof(struct cor_process, observe) + sizeof(void (*)(void)), /* of version 1.0 */
    .check = check_program,
};
_Static_assert(offsetof(struct cor_process, magic) == 0 && offsetof(struct cor_process, struct_size) == 12,
               "the order of the words that the loader reads");

/* The built-in programs; each is a library named in CMakeLists.txt. */
#define COR_BUILTINS(X) X(two_phase)

#define DECLARE(name) extern const struct cor_process cor_process_##name;
COR_BUILTINS(DECLARE)
#undef DECLARE

const struct cor_process *const *cor_process_builtins(void) {
    static const struct cor_process *const builtins[] = {
#define LIST(name) &cor_process_##name,
        COR_BUILTINS(LIST)
#undef LIST
            NULL};
    return builtins;
}

const struct cor_process *cor_process_builtin(const char *name) {
    const struct cor_process *const *builtins = cor_process_builtins();
    while (*builtins && strcmp((*builtins)->name, name) != 0)
        builtins++;
    return *builtins;
}

/* Of the process, as built-in programs are: a life in a cell is a fork of it. */
static struct embedded {
    struct cor_process description;
    char digest[COR_DIGEST_TEXT]; /* empty: not known */
    void (*interrupt)(void);
} embedded[COR_PROCESSES_EMBEDDED_MOST];
static uint32_t embedded_count;

static const struct embedded *find_embedded(const char *name) {
    for (uint32_t i = 0; i < embedded_count; i++)
        if (strcmp(embedded[i].description.name, name) == 0)
            return &embedded[i];
    return NULL;
}

enum cor_status cor_process_embed(const struct cor_process *description, const char *digest,
                                  void (*interrupt)(void), struct cor_error *error) {
    struct embedded made = {.digest = "", .interrupt = interrupt};
    if (digest && !cor_is_digest(digest))
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", "64 hexadecimal digits, or none",
                        "the digest of the program is \"%s\"", digest);
    COR_TRY(cor_module_copy(&program_kind, description, "embedded", &made.description, error));
    if (cor_process_way_of(made.description.name) != COR_PROCESS_BUILT_IN ||
        cor_process_builtin(made.description.name))
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", "give it another name",
                        "the program's name \"%s\" is taken, or no word", made.description.name);
    if (embedded_count == COR_PROCESSES_EMBEDDED_MOST)
        return cor_fail(error, COR_STATUS_PLUGIN, "embedded", NULL, "more than %d programs",
                        COR_PROCESSES_EMBEDDED_MOST);
    snprintf(made.digest, sizeof made.digest, "%s", digest ? digest : "");
    embedded[embedded_count++] = made;
    return COR_OK;
}

static enum cor_status open_embedded(const char *name, struct cor_process_program *program,
                                     struct cor_error *error) {
    const struct embedded *found = find_embedded(name);
    COR_ASSERT(found);
    memcpy(program->digest, found->digest, sizeof found->digest);
    program->interrupt = found->interrupt;
    return cor_module_copy(&program_kind, &found->description, "embedded", &program->description, error);
}

static enum cor_status open_builtin(const char *name, struct cor_process_program *program,
                                    struct cor_error *error) {
    const struct cor_process *builtin = cor_process_builtin(name);
    if (builtin)
        return cor_module_copy(&program_kind, builtin, "built-in", &program->description, error);
    const struct cor_process *const *builtins = cor_process_builtins();
    const char *names[16] = {0};
    for (size_t i = 0; builtins[i] && i + 1 < sizeof names / sizeof *names; i++)
        names[i] = builtins[i]->name;
    char known[256];
    cor_known_names(name, names, known, sizeof known);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "no distributed program \"%s\" is built in", name);
}

enum cor_process_way cor_process_way_of(const char *program) {
    const size_t length = strlen(program);
    if (length > 3 && strcmp(program + length - 3, ".so") == 0)
        return COR_PROCESS_MODULE;
    if (strpbrk(program, " /"))
        return COR_PROCESS_COMMAND;
    return find_embedded(program) ? COR_PROCESS_EMBEDDED : COR_PROCESS_BUILT_IN;
}

/* A name alone is a file here: the loader would look for it among libraries. */
static enum cor_status module_open(const char *path, void **handle, struct cor_process *description,
                                   struct cor_error *error) {
    COR_FREED char *here = cor_format("%s%s", strchr(path, '/') ? "" : "./", path);
    const size_t known = processes__objects_loaded();
    enum cor_status status = cor_made(here, error);
    if (status == COR_OK)
        status = cor_module_open(&program_kind, here, handle, description, error);
    if (status == COR_OK)
        processes__catch_ways_out(known);
    return status;
}

enum cor_status cor_process_open(const struct cor_process_definition *definition,
                                 struct cor_process_program **result, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct cor_process_program *program = cor_calloc(1, sizeof *program);
    *result = program;
    COR_TRY(cor_made(program, error));
    switch (cor_process_way_of(definition->program)) {
    case COR_PROCESS_MODULE:
        COR_TRY_OUT(cor_trust_check(&definition->trust, definition->program, error));
        COR_TRY_OUT(cor_file_digest(definition->program, program->digest, error));
        COR_TRY_OUT(cor_made(program->path = cor_strdup(definition->program), error));
        if (definition->is_free) {
            COR_TRY_OUT(module_open(program->path, &program->handle, &program->description, error));
            break;
        }
        COR_TRY_OUT(module_describe(definition, program, error));
        COR_TRY_OUT(check_program(&program->description, definition->program, error));
        break;
    case COR_PROCESS_COMMAND:
        COR_TRY_OUT(processes__command_open(definition, program, error));
        COR_TRY_OUT(check_program(&program->description, definition->program, error));
        break;
    case COR_PROCESS_EMBEDDED:
        COR_TRY_OUT(open_embedded(definition->program, program, error));
        break;
    case COR_PROCESS_BUILT_IN:
        COR_TRY_OUT(open_builtin(definition->program, program, error));
    }
out:
    if (status != COR_OK) {
        cor_process_close(program);
        *result = NULL;
    }
    return status;
}

enum cor_status cor_process_load(struct cor_process_program *program, struct cor_error *error) {
    return program->is_elsewhere ? module_load(program, error) : COR_OK;
}

enum cor_status cor_process_adopt(const struct cor_process *description, struct cor_process_program **program,
                                  struct cor_error *error) {
    COR_TRY(cor_made(*program = cor_calloc(1, sizeof **program), error));
    enum cor_status status =
        cor_module_copy(&program_kind, description, description->name, &(*program)->description, error);
    if (status != COR_OK) {
        cor_process_close(*program);
        *program = NULL;
    }
    return status;
}

void cor_process_close(struct cor_process_program *program) {
    if (!program)
        return;
    processes__command_close(program->command);
    said_destroy(program->said);
    free(program->path);
    cor_module_close(program->handle);
    free(program);
}

const struct cor_process *cor_process_description(const struct cor_process_program *program) {
    return &program->description;
}

const char *cor_process_digest(const struct cor_process_program *program) {
    return program->digest[0] ? program->digest : NULL;
}
