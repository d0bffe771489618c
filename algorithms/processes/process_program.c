/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The programs there are: built in and modules. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/digest.h>
#include <corridor/loader.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static enum cor_status check_program(const void *copy, const char *origin, struct cor_error *error) {
    const struct cor_process *program = copy;
    const char *see = "see <corridor/process.h>";
    if (!is_word(program->name) || !program->version || !cor_is_printable(program->version))
        return unusable(origin, "say its name, in a word, and its version", error,
                        "its name or version is missing or not printable", NULL);
    if (!program->start || !program->receive || !program->observe)
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
enum cor_status processes__module_open(const char *path, void **handle, struct cor_process *description,
                                       struct cor_error *error) {
    char *here = cor_format("%s%s", strchr(path, '/') ? "" : "./", path);
    const size_t known = processes__objects_loaded();
    enum cor_status status = cor_made(here, error);
    if (status == COR_OK)
        status = cor_module_open(&program_kind, here, handle, description, error);
    if (status == COR_OK)
        processes__catch_ways_out(known);
    free(here);
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
            COR_TRY_OUT(
                processes__module_open(program->path, &program->handle, &program->description, error));
            break;
        }
        COR_TRY_OUT(processes__module_describe(definition, program, error));
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
    return program->is_elsewhere ? processes__module_load(program, error) : COR_OK;
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
    processes__said_destroy(program->said);
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
