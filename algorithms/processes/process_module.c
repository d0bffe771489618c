/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module says what it is in a cell, so that whoever only has to know that runs none of its code, nor the
 * dynamic linker for it. It is loaded where its processes are called first: in another cell, or here. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cell.h>
#include <corridor/guarantees.h>
#include <corridor/lines.h>
#include <corridor/needs.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HELLO_MOST ((size_t)1 << 20) /* bytes of what it says */
#define CPU_SECONDS 10.              /* that its loading may take, and */
#define WALL_FACTOR 20.              /* seconds for each of these */
#define LOOK_SECONDS .05

/* ---- a description as bytes */

enum { ALARM, COMPLETED, INPUT }; /* functions that may be missing: bits */

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
    cor_bytes_put_number(&pen, is->state_size, 8);
    cor_bytes_put_number(&pen,
                         (uint64_t)(is->alarm != NULL) << ALARM |
                             (uint64_t)(is->completed != NULL) << COMPLETED |
                             (uint64_t)(is->input != NULL) << INPUT,
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
    struct cor_process_message messages[COR_PROCESS_ATTRIBUTES_MAX];
    struct cor_process_input inputs[COR_PROCESS_ATTRIBUTES_MAX];
};

void processes__said_destroy(struct processes__said *said) {
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

/* False: the bytes describe nothing. */
static bool read_all(struct processes__said *said, struct cor_process *is) {
    struct cor_bytes_reader reader = cor_bytes_reader(said->bytes, said->size);
    size_t words = 0;
    *is = (struct cor_process){COR_PROCESS, .start = no_start, .receive = no_receive, .observe = no_look};
    is->name = cor_bytes_take_text(&reader);
    is->version = cor_bytes_take_text(&reader);
    is->meaning = take_maybe(&reader);
    is->state_size = (size_t)cor_bytes_take_number(&reader, 8);
    const uint64_t functions = cor_bytes_take_number(&reader, 4);
    is->alarm = functions >> ALARM & 1 ? no_alarm : NULL;
    is->completed = functions >> COMPLETED & 1 ? no_completion : NULL;
    is->input = functions >> INPUT & 1 ? no_input : NULL;
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
    return !reader.failed && reader.at == reader.size;
}

/* ---- the cell in which it says that */

/* In memory that the cell shares with whoever asks. */
struct desk {
    _Atomic uint32_t place, bell;
    _Atomic uint32_t is_said;
    uint32_t lacks_calls; /* a wall that the life was to put on itself */
    enum cor_status status;
    struct cor_error error;
    size_t size;
    unsigned char bytes[HELLO_MOST];
};

struct asked {
    const struct cor_process_definition *definition;
    struct desk *desk;
};

static void live(void *argument) {
    const struct asked *asked = argument;
    struct desk *desk = asked->desk;
    struct cor_process is;
    void *handle = NULL;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing >= 0)
        for (int file = 0; file <= 1; file++) /* what it prints is nobody's */
            dup2(nothing, file);
    desk->lacks_calls = !cor_forbid_calls();
    desk->error = COR_NO_ERROR;
    desk->status = processes__module_open(asked->definition->program, &handle, &is, &desk->error);
    if (desk->status == COR_OK)
        desk->size = write_all(&is, desk->bytes, sizeof desk->bytes);
    desk->is_said = 1;
    cor_cell_ring(&desk->bell);
}

static void be_born(void *argument) {
    live(argument);
    _exit(0);
}

/* Waits for it; false: it was ended because it did not get on. */
static bool wait_for(const struct cor_cell *cell, struct desk *desk) {
    const double end = cor_now() + WALL_FACTOR * CPU_SECONDS;
    for (;;) {
        const uint32_t seen = atomic_load(&desk->bell);
        const bool is_over = cor_cell_is_over(cell);
        if (atomic_load(&desk->is_said) || is_over)
            return true;
        if (cor_now() > end)
            return false;
        cor_cell_listen(&desk->bell, seen, LOOK_SECONDS);
    }
}

static enum cor_status refuse(const char *path, const char *what, struct cor_error *error) {
    return cor_fail(error, COR_STATUS_PLUGIN, path, "run it under a debugger",
                    "the module did not get through being loaded: %s", what);
}

static enum cor_status take_answer(const struct cor_process_definition *definition, const struct desk *desk,
                                   struct cor_process_program *program, struct cor_error *error) {
    const char *path = definition->program;
    if (desk->lacks_calls && definition->is_full)
        return cor_fail(error, COR_STATUS_INPUT, path, "see corridor doctor",
                        "the sandbox is incomplete here: system calls are not filtered");
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
    if (said->size > sizeof desk->bytes)
        return cor_fail(error, COR_STATUS_PLUGIN, path, NULL, "what the module says of itself is too long");
    COR_TRY(cor_made(said->bytes = cor_calloc(said->size + 1, 1), error));
    COR_TRY(cor_made(said->words = cor_calloc(said->size + 1, sizeof *said->words), error));
    memcpy(said->bytes, desk->bytes, said->size);
    if (!read_all(said, &program->description))
        return refuse(path, "it ruined what it says of itself", error);
    program->is_elsewhere = true;
    return COR_OK;
}

static enum cor_status ask(const struct cor_process_definition *definition, const struct asked *asked,
                           struct cor_cell *cell, struct cor_process_program *program,
                           struct cor_error *error) {
    struct cor_needs needs = {0};
    struct desk *desk = asked->desk;
    char words[COR_LAST_WORDS + 256];
    enum cor_status status = cor_needs_of_module(&needs, definition->program, error);
    const struct cor_cell_definition cell_definition = {
        .life = be_born,
        .argument = (void *)(uintptr_t)asked,
        .place = &desk->place,
        .cpu_seconds = CPU_SECONDS,
        .walls = COR_WALLS,
        .needs = (const char *const *)needs.paths,
        .is_full = definition->is_full,
        .guest = definition->program,
        .memory_bytes =
            cor_address_space(definition->memory_bytes ? definition->memory_bytes : COR_GUEST_MEMORY),
        .bell = &desk->bell};
    atomic_store(&desk->place, 1); /* odd: it may not idle for ever */
    if (status == COR_OK)
        status = cor_cell_start(cell, &cell_definition, error);
    if (status == COR_OK && wait_for(cell, desk) && atomic_load(&desk->is_said)) {
        status = take_answer(definition, desk, program, error);
    } else if (status == COR_OK) {
        cor_cell_end(cell, 0);
        cor_grave_text(cell->grave, words, sizeof words);
        status = refuse(definition->program, words, error);
    }
    cor_needs_fini(&needs);
    return status;
}

enum cor_status processes__module_describe(const struct cor_process_definition *definition,
                                           struct cor_process_program *program, struct cor_error *error) {
    struct cor_cell cell;
    enum cor_status status = cor_cell_init(&cell, error);
    void *desk = mmap(NULL, sizeof(struct desk), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (status == COR_OK && desk == MAP_FAILED)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        status = ask(definition, &(struct asked){definition, desk}, &cell, program, error);
    cor_cell_fini(&cell);
    if (desk != MAP_FAILED)
        munmap(desk, sizeof(struct desk));
    return status;
}

enum cor_status processes__module_load(struct cor_process_program *program, struct cor_error *error) {
    const struct processes__said *said = program->said;
    struct cor_process here;
    COR_TRY(processes__module_open(program->path, &program->handle, &here, error));
    unsigned char *bytes = cor_calloc(said->size + 1, 1);
    COR_TRY(cor_made(bytes, error));
    const bool is_same =
        write_all(&here, bytes, said->size) == said->size && memcmp(bytes, said->bytes, said->size) == 0;
    free(bytes);
    if (!is_same)
        return cor_fail(error, COR_STATUS_PLUGIN, program->path, "leave it as it is while it is tested",
                        "the module says something else of itself than when it was opened");
    program->description.start = here.start;
    program->description.receive = here.receive;
    program->description.alarm = here.alarm;
    program->description.completed = here.completed;
    program->description.input = here.input;
    program->description.observe = here.observe;
    program->is_elsewhere = false;
    return COR_OK;
}
