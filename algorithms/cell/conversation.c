/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* MAP_ANONYMOUS */

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/child.h>
#include <corridor/conversation.h>
#include <corridor/kinds.h>
#include <corridor/lines.h>
#include <corridor/traffic.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char traffic_head[] = "corridor traffic 1";

/* Of a file that is replayed, and of one of its lines: four of the longest that a program may say. */
#define FILE_MOST ((size_t)1 << 30)
#define LINE_MOST ((size_t)1 << 26)

struct conversation {
    const char *command, *digest;
    struct cor_traffic_event *events; /* owned */
    size_t count, capacity;
    size_t line;
};

struct cor_traffic {
    char *path; /* owned */
    FILE *file; /* owned; of a record */
    char *text; /* owned; of a replay: the file, cut into words */
    struct conversation *conversations;
    size_t count, capacity;
    uint32_t started; /* processes */
};

static enum cor_status create(const char *path, struct cor_traffic **traffic, struct cor_error *error) {
    *traffic = cor_calloc(1, sizeof **traffic);
    COR_TRY(cor_made(*traffic, error));
    return cor_made((*traffic)->path = cor_strdup(path), error);
}

void cor_traffic_close(struct cor_traffic *traffic) {
    if (!traffic)
        return;
    if (traffic->file)
        fclose(traffic->file); /* each line was flushed */
    for (size_t i = 0; i < traffic->count; i++)
        free(traffic->conversations[i].events);
    free(traffic->conversations);
    free(traffic->text);
    free(traffic->path);
    free(traffic);
}

static enum cor_status cannot_write(const struct cor_traffic *traffic, struct cor_error *error) {
    return cor_fail_errno(error, COR_STATUS_FILE, traffic->path, NULL, "cannot write the traffic");
}

enum cor_status cor_traffic_record(const char *path, bool replace, struct cor_traffic **traffic,
                                   struct cor_error *error) {
    enum cor_status status;
    COR_TRY_OUT(create(path, traffic, error));
    (*traffic)->file = fopen(path, replace ? "we" : "wxe");
    if (!(*traffic)->file && errno == EEXIST)
        status = cor_fail(error, COR_STATUS_EXISTS, path, "name another file, or replace it with --force",
                          "is there already");
    else if (!(*traffic)->file || fprintf((*traffic)->file, "%s\n", traffic_head) < 0 ||
             fflush((*traffic)->file) != 0)
        status = cannot_write(*traffic, error);
out:
    if (status != COR_OK) {
        cor_traffic_close(*traffic);
        *traffic = NULL;
    }
    return status;
}

static enum cor_status read_file(struct cor_traffic *traffic, struct cor_error *error) {
    struct stat there;
    if (stat(traffic->path, &there) == 0 && !S_ISREG(there.st_mode))
        return cor_fail(error, COR_STATUS_FILE, traffic->path, NULL, "not a regular file");
    FILE *file = fopen(traffic->path, "rbe");
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, traffic->path, NULL, "cannot open");
    enum cor_status status = COR_OK;
    size_t used = 0, capacity = 0, got = 1;
    while (status == COR_OK && got > 0) {
        status = COR_RESERVE(&traffic->text, &capacity, used + ((size_t)1 << 16), error);
        got = status == COR_OK ? fread(traffic->text + used, 1, capacity - used - 1, file) : 0;
        used += got;
        if (used > FILE_MOST)
            status = cor_fail(error, COR_STATUS_INPUT, traffic->path, "record a smaller campaign",
                              "is longer than %zu MB", FILE_MOST >> 20);
    }
    if (status == COR_OK && ferror(file))
        status = cor_fail_errno(error, COR_STATUS_FILE, traffic->path, NULL, "cannot read");
    if (status == COR_OK)
        traffic->text[used] = '\0';
    fclose(file);
    return status;
}

static enum cor_status fail_at(const struct cor_traffic *traffic, size_t line, const char *what,
                               struct cor_error *error) {
    char place[512];
    snprintf(place, sizeof place, "%s:%zu", traffic->path, line);
    return cor_fail(error, COR_STATUS_INPUT, place, "such files are written by --record-traffic", "%s", what);
}

/* Last words are of many lines, which stand in one. */
static void unescape(char *text) {
    char *to = text;
    for (; *text; text++)
        *to++ = *text != '\\' ? *text : *++text == 'n' ? '\n' : *text;
    *to = '\0';
}

static enum cor_status add_line(struct cor_traffic *traffic, char *text, size_t line,
                                struct cor_error *error) {
    struct cor_traffic_event event = {.line = line};
    uint32_t number = 0;
    char kind[3] = "";
    int used = 0;
    if (sscanf(text, "%" SCNu32 " %2[=<>!+]%n", &number, kind, &used) != 2 || text[used] != ' ')
        return fail_at(traffic, line, "is no line of traffic", error);
    text += used + 1;
    if (kind[0] == '=') {
        char *command = strchr(text, ' ');
        if (!command)
            return fail_at(traffic, line, "names no command", error);
        *command++ = '\0';
        unescape(command);
        if (number != traffic->count)
            return fail_at(traffic, line, "processes are not numbered in the order of their start", error);
        COR_TRY(COR_RESERVE(&traffic->conversations, &traffic->capacity, traffic->count + 1, error));
        traffic->conversations[traffic->count++] =
            (struct conversation){.command = command, .digest = text, .line = line};
        return COR_OK;
    }
    struct conversation *conversation = number < traffic->count ? &traffic->conversations[number] : NULL;
    if (!conversation)
        return fail_at(traffic, line, "is of a process that was not started", error);
    event.kind = kind[0];
    event.more = kind[1] == '+';
    if (event.kind == '!') {
        int half = 0, more = 0;
        const bool is_told = sscanf(text, "%d %d %d%n", &event.turn, &half, &event.death, &used) == 3;
        if (is_told && sscanf(text + used, ":%d%n", &event.code, &more) == 1)
            used += more;
        if (!is_told || text[used] != ' ' || event.turn < COR_TURN_LINE + (half == 0) ||
            event.turn >= COR_TURN_TROUBLE || event.death < COR_DEATH_UNKNOWN ||
            event.death > COR_DEATH_MEMORY)
            return fail_at(traffic, line, "does not say what happened", error);
        event.more = half != 0;
        text += used + 1;
        unescape(text);
    }
    event.text = text;
    COR_TRY(COR_RESERVE(&conversation->events, &conversation->capacity, conversation->count + 1, error));
    conversation->events[conversation->count++] = event;
    return COR_OK;
}

static enum cor_status cut(struct cor_traffic *traffic, struct cor_error *error) {
    size_t line = 1;
    char *next = traffic->text;
    for (char *text = next; *text; text = next, line++) {
        size_t length = strcspn(text, "\n");
        if (length > LINE_MOST)
            return fail_at(traffic, line, "is longer than any line of a program", error);
        if (text[length] != '\n')
            return fail_at(traffic, line, "is half a line", error);
        text[length] = '\0';
        next = text + length + 1;
        if (line == 1 && strcmp(text, traffic_head) != 0)
            return fail_at(traffic, line, "is no traffic of this version", error);
        if (line > 1)
            COR_TRY(add_line(traffic, text, line, error));
    }
    return line > 1 ? COR_OK : fail_at(traffic, 1, "is no traffic: the file is empty", error);
}

enum cor_status cor_traffic_replay(const char *path, struct cor_traffic **traffic, struct cor_error *error) {
    enum cor_status status;
    COR_TRY_OUT(create(path, traffic, error));
    COR_TRY_OUT(read_file(*traffic, error));
    COR_TRY_OUT(cut(*traffic, error));
out:
    if (status != COR_OK) {
        cor_traffic_close(*traffic);
        *traffic = NULL;
    }
    return status;
}

enum cor_status cor_traffic_open(const char *record, const char *replay, bool replace,
                                 struct cor_traffic **traffic, struct cor_error *error) {
    *traffic = NULL;
    if (record)
        return cor_traffic_record(record, replace, traffic, error);
    return replay ? cor_traffic_replay(replay, traffic, error) : COR_OK;
}

bool cor_traffic_replays(const struct cor_traffic *traffic) {
    return traffic && !traffic->file;
}

const char *cor_traffic_digest(const struct cor_traffic *traffic, const char *command) {
    for (size_t i = 0; i < traffic->count; i++)
        if (strcmp(traffic->conversations[i].command, command) == 0)
            return traffic->conversations[i].digest;
    return NULL;
}

static void put_escaped(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '\n' || *text == '\\')
            fputc('\\', file);
        fputc(*text == '\n' ? 'n' : *text, file);
    }
}

enum cor_status cor_traffic_start(struct cor_traffic *traffic, const char *command, const char *digest,
                                  uint32_t *number, struct cor_error *error) {
    *number = traffic->started++;
    if (traffic->file) {
        fprintf(traffic->file, "%" PRIu32 " = %s ", *number, digest);
        put_escaped(traffic->file, command);
        fputc('\n', traffic->file);
        return fflush(traffic->file) == 0 && !ferror(traffic->file) ? COR_OK : cannot_write(traffic, error);
    }
    if (*number < traffic->count && strcmp(traffic->conversations[*number].command, command) == 0)
        return COR_OK;
    char what[512];
    bool is_over = *number >= traffic->count;
    snprintf(what, sizeof what,
             is_over ? "the record ends, but %.400s is to be started" : "not %.400s was started", command);
    return fail_at(traffic, is_over ? 0 : traffic->conversations[*number].line, what, error);
}

enum cor_status cor_traffic_write(struct cor_traffic *traffic, uint32_t number,
                                  const struct cor_traffic_event *event, struct cor_error *error) {
    FILE *file = traffic->file;
    fprintf(file, "%" PRIu32 " %c%s ", number, event->kind, event->kind == '<' && event->more ? "+" : "");
    if (event->kind == '!') {
        fprintf(file, "%d %d %d", event->turn, event->more, event->death);
        fprintf(file, event->code != 0 ? ":%d " : " ", event->code);
        put_escaped(file, event->text);
    } else {
        fwrite(event->text, 1, strcspn(event->text, "\n"), file);
    }
    fputc('\n', file);
    return fflush(file) == 0 && !ferror(file) ? COR_OK : cannot_write(traffic, error);
}

const struct cor_traffic_event *cor_traffic_event(const struct cor_traffic *traffic, uint32_t number,
                                                  size_t index) {
    COR_ASSERT(number < traffic->count);
    const struct conversation *conversation = &traffic->conversations[number];
    return index < conversation->count ? &conversation->events[index] : NULL;
}

enum cor_status cor_traffic_differs(const struct cor_traffic *traffic, const struct cor_traffic_event *event,
                                    const char *said, struct cor_error *error) {
    char place[512];
    int length = (int)strcspn(said, "\n");
    if (!event)
        return cor_fail(error, COR_STATUS_INPUT, traffic->path, "record it again with the program",
                        "the record of this process ends where %.*s is said", length < 300 ? length : 300,
                        said);
    snprintf(place, sizeof place, "%s:%zu", traffic->path, event->line);
    size_t same = 0;
    while (event->text[same] && event->text[same] == said[same])
        same++;
    size_t from = same > 30 ? same - 30 : 0;
    return cor_fail(error, COR_STATUS_INPUT, place, "record it again with the program",
                    "the record has ..%.60s, but ..%.*s is said", event->text + from,
                    length - (int)from < 60 ? length - (int)from : 60, said + from);
}

/* ---- conversation */

#define LAST_WORDS 200 /* bytes of what is told of the end of a process */

enum cor_status cor_conversation_init(struct cor_conversation *talk,
                                      const struct cor_lines_definition *definition, double answer_seconds,
                                      struct cor_error *error) {
    *talk = (struct cor_conversation){.answer_seconds = answer_seconds};
    return cor_lines_init(&talk->lines, definition, error);
}

void cor_conversation_fini(struct cor_conversation *talk) {
    cor_lines_fini(&talk->lines);
    cor_json_destroy(talk->answer);
    cor_bytes_fini(&talk->request);
    talk->answer = NULL;
}

enum cor_status cor_conversation_start(struct cor_conversation *talk, struct cor_error *error) {
    const enum cor_status status = cor_lines_start(&talk->lines, error);
    talk->id = 0;
    talk->has_asked = false;
    talk->exchange = status == COR_OK ? COR_EXCHANGE_WELL : COR_EXCHANGE_TROUBLE;
    return status;
}

void cor_conversation_part(struct cor_conversation *talk) {
    if (!cor_lines_started(&talk->lines))
        return;
    cor_bytes_print(cor_conversation_begin(talk, "bye"), "true}\n");
    const enum cor_turn turn =
        talk->request.status != COR_OK
            ? COR_TURN_TROUBLE
            : cor_lines_say(&talk->lines, cor_bytes_text(&talk->request), cor_now() + COR_PARTING_SECONDS);
    cor_lines_end(&talk->lines, turn == COR_TURN_LINE ? COR_PARTING_SECONDS : 0);
}

void cor_conversation_again(struct cor_conversation *talk) {
    if (talk->id == 0)
        return;
    talk->id = 1;
    cor_lines_forget(&talk->lines);
}

struct cor_bytes *cor_conversation_begin(struct cor_conversation *talk, const char *called) {
    cor_bytes_clear(&talk->request);
    talk->has_asked = talk->id > 0;
    cor_bytes_print(&talk->request, "{\"id\":%" PRIu64 ",\"%s\":", ++talk->id, called);
    return &talk->request;
}

enum cor_status cor_conversation_put_take(struct cor_conversation *talk, struct cor_json_writer *writer,
                                          struct cor_error *error) {
    char *text;
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    cor_bytes_put(&talk->request, text, strlen(text));
    free(text);
    return COR_OK;
}

static enum cor_status give_up(struct cor_conversation *talk, enum cor_status status,
                               const struct cor_error *wrong, struct cor_error *error) {
    talk->exchange = COR_EXCHANGE_TROUBLE;
    cor_lines_end(&talk->lines, 0);
    return status == COR_STATUS_MEMORY
               ? cor_fail_memory(error)
               : cor_fail(error, status, wrong->place, wrong->remedy, "%s", wrong->cause);
}

static enum cor_exchange exchange_of(enum cor_turn turn, bool half, enum cor_death death) {
    if (turn != COR_TURN_CLOSED)
        return turn == COR_TURN_LATE ? COR_EXCHANGE_LATE : COR_EXCHANGE_FLOOD;
    static const enum cor_exchange of_death[] = {
        [COR_DEATH_UNKNOWN] = COR_EXCHANGE_CRASHED, [COR_DEATH_EXIT] = COR_EXCHANGE_EXITED,
        [COR_DEATH_SIGNAL] = COR_EXCHANGE_CRASHED,  [COR_DEATH_CPU_TIME] = COR_EXCHANGE_CPU_TIME,
        [COR_DEATH_ENDED] = COR_EXCHANGE_CLOSED,    [COR_DEATH_MEMORY] = COR_EXCHANGE_MEMORY};
    const bool is_own = death == COR_DEATH_EXIT || death == COR_DEATH_ENDED;
    return half && is_own ? COR_EXCHANGE_HALF : of_death[death];
}

/* That the answer to this request may take: to begin takes as long as it takes. */
static double seconds_of(const struct cor_conversation *talk) {
    const bool begins = talk->lines.asked.is_greeted && talk->id == 1;
    return begins ? fmax(talk->answer_seconds, COR_BEGIN_SECONDS) : talk->answer_seconds;
}

/* Why there is no line. */
static enum cor_status lose(struct cor_conversation *talk, enum cor_turn turn, struct cor_error *error) {
    const bool half = cor_lines_pending(&talk->lines);
    char last[LAST_WORDS];
    if (turn == COR_TURN_TROUBLE)
        return give_up(talk, talk->lines.trouble, &talk->lines.wrong, error);
    cor_lines_end(&talk->lines, turn == COR_TURN_CLOSED ? COR_PARTING_SECONDS : 0);
    talk->exchange = exchange_of(turn, half, cor_lines_death(&talk->lines));
    talk->what[0] = '\0';
    if (talk->exchange == COR_EXCHANGE_LATE)
        snprintf(talk->what, sizeof talk->what,
                 half ? "half a line, and no more in %g s" : "no answer in %g s", seconds_of(talk));
    else if (talk->exchange == COR_EXCHANGE_FLOOD)
        snprintf(talk->what, sizeof talk->what, "a line of more than %zu bytes", talk->lines.capacity);
    else if (talk->exchange == COR_EXCHANGE_HALF)
        snprintf(talk->what, sizeof talk->what, "half a line, and no more");
    else if (talk->exchange == COR_EXCHANGE_CLOSED)
        snprintf(talk->what, sizeof talk->what, "it closed its output, or its input, and lived on");
    cor_last_words_shorten(talk->lines.last_words, last, sizeof last);
    snprintf(talk->words, sizeof talk->words, "%.300s%s%s", talk->what, talk->what[0] ? "; " : "", last);
    return COR_OK;
}

static void note_garbled(struct cor_conversation *talk) {
    talk->exchange = COR_EXCHANGE_GARBLED;
    snprintf(talk->words, sizeof talk->words, "%s", talk->what);
    cor_lines_end(&talk->lines, 0);
}

static void note_going_on(struct cor_conversation *talk) {
    snprintf(talk->what, sizeof talk->what, "it goes on speaking after its answer");
    note_garbled(talk);
}

enum cor_status cor_conversation_say(struct cor_conversation *talk, struct cor_error *error) {
    cor_bytes_put(&talk->request, "}\n", 2);
    if (talk->request.status != COR_OK)
        return give_up(talk, COR_STATUS_MEMORY, NULL, error);
    talk->exchange = COR_EXCHANGE_WELL;
    talk->answered = 0;
    if (talk->id > 1 && cor_lines_spoke(&talk->lines)) {
        note_going_on(talk);
        return COR_OK;
    }
    talk->deadline = cor_now() + seconds_of(talk);
    const enum cor_turn turn = cor_lines_say(&talk->lines, cor_bytes_text(&talk->request), talk->deadline);
    return turn == COR_TURN_LINE ? COR_OK : lose(talk, turn, error);
}

enum cor_status cor_conversation_hear(struct cor_conversation *talk, double quiet_seconds,
                                      struct cor_error *error) {
    struct cor_lines *lines = &talk->lines;
    const bool may_be_quiet = quiet_seconds > 0;
    if (talk->exchange != COR_EXCHANGE_WELL)
        return COR_OK;
    enum cor_turn turn =
        cor_lines_hear(lines, may_be_quiet ? cor_now() + quiet_seconds : talk->deadline, &talk->line);
    if (turn == COR_TURN_LATE && may_be_quiet && !cor_lines_pending(lines)) {
        talk->exchange = COR_EXCHANGE_QUIET;
        turn = cor_lines_note_quiet(lines);
    } else if (turn == COR_TURN_LATE && may_be_quiet && !lines->is_replayed) {
        turn = cor_lines_hear(lines, talk->deadline, &talk->line); /* it has begun to speak */
    }
    return turn == COR_TURN_LINE ? COR_OK : lose(talk, turn, error);
}

static enum cor_status read_line(struct cor_conversation *talk, struct cor_error *said) {
    struct cor_json id;
    COR_TRY(cor_json_parse(talk->line, "answer", &talk->answer, said));
    const struct cor_json root = cor_json_root(talk->answer);
    COR_TRY(cor_json_expect_object(&root, NULL, said));
    COR_TRY(cor_json_need(&root, "id", &id, said));
    COR_TRY(cor_json_integer(&id, INT64_MIN, INT64_MAX, &talk->answered, said));
    if (talk->answered == (int64_t)talk->id)
        return COR_OK;
    return cor_json_fail(&id, said, NULL, "it answers %" PRId64 ", but asked was %" PRIu64, talk->answered,
                         talk->id);
}

enum cor_status cor_conversation_read(struct cor_conversation *talk, struct cor_error *error) {
    struct cor_error said = COR_NO_ERROR;
    if (talk->exchange != COR_EXCHANGE_WELL)
        return COR_OK;
    cor_json_destroy(talk->answer);
    talk->answer = NULL;
    const enum cor_status status = read_line(talk, &said);
    if (status == COR_OK || !(talk->answered > 0 && talk->answered < (int64_t)talk->id))
        return status == COR_OK ? COR_OK : cor_conversation_garble(talk, status, &said, error);
    note_going_on(talk); /* the same words, however late it comes */
    return COR_OK;
}

void cor_conversation_expect_silence(struct cor_conversation *talk) {
    if (talk->exchange == COR_EXCHANGE_WELL && cor_lines_pending(&talk->lines))
        note_going_on(talk);
}

enum cor_status cor_conversation_ask(struct cor_conversation *talk, double quiet_seconds,
                                     struct cor_error *error) {
    COR_TRY(cor_conversation_say(talk, error));
    COR_TRY(cor_conversation_hear(talk, quiet_seconds, error));
    return cor_conversation_read(talk, error);
}

enum cor_status cor_conversation_garble(struct cor_conversation *talk, enum cor_status status,
                                        const struct cor_error *said, struct cor_error *error) {
    if (status == COR_STATUS_MEMORY)
        return give_up(talk, status, said, error);
    snprintf(talk->what, sizeof talk->what, "%.100s: %.140s", talk->line, said->cause);
    note_garbled(talk);
    return COR_OK;
}

enum cor_status cor_conversation_refuse(const struct cor_conversation *talk, const char *remedy,
                                        struct cor_error *error) {
    const enum cor_exchange exchange = talk->exchange;
    const bool is_garbled = exchange == COR_EXCHANGE_GARBLED;
    return cor_fail(error, COR_STATUS_PLUGIN, talk->lines.command, remedy, "the program%s: %s",
                    is_garbled                       ? "'s first line will not do"
                    : exchange == COR_EXCHANGE_LATE  ? " said nothing in time"
                    : exchange == COR_EXCHANGE_FLOOD ? " said a line without an end"
                                                     : " ended without an answer",
                    is_garbled ? talk->what : talk->lines.last_words);
}

/* ---- lines */

/* In the program's process. */
static _Noreturn void live(void *argument) {
    const struct cor_lines *lines = argument;
    if (lines->asked.life)
        lines->asked.life(lines->asked.argument);
    else if (lines->asked.is_path)
        execl(lines->command, lines->command, (char *)NULL);
    else
        execl("/bin/sh", "sh", "-c", lines->script, (char *)NULL);
    _exit(127);
}

/* What sh is told: it gives its place to a command, unless that is more than words. The path of a program is
 * one word, whatever stands in it. */
static char *script_of(const char *command) {
    struct stat file;
    bool is_program = access(command, X_OK) == 0 && stat(command, &file) == 0 && S_ISREG(file.st_mode);
    if (!is_program)
        return cor_format("%s%s", strpbrk(command, "=;&|<>()$`\n") ? "" : "exec ", command);
    char *word = cor_shell_quoted(command), *script = word ? cor_format("exec %s", word) : NULL;
    free(word);
    return script;
}

struct cor_lines_definition cor_lines_guest(const char *command, size_t line_most, bool is_free, bool is_full,
                                            uint64_t memory_bytes, struct cor_traffic *traffic) {
    return (struct cor_lines_definition){.command = command,
                                         .line_most = line_most,
                                         .is_greeted = true,
                                         .is_walled = !is_free,
                                         .is_full = is_full && !is_free,
                                         .memory_bytes = is_free ? 0 : memory_bytes,
                                         .traffic = traffic};
}

enum cor_status cor_lines_init(struct cor_lines *lines, const struct cor_lines_definition *definition,
                               struct cor_error *error) {
    *lines = (struct cor_lines){.asked = *definition};
    COR_TRY(cor_cell_init(&lines->cell, error));
    COR_TRY(COR_RESERVE(&lines->heard, &lines->capacity, definition->line_most, error));
    COR_TRY(cor_made(lines->command = cor_strdup(definition->command), error));
    COR_TRY(cor_made(lines->script = script_of(definition->command), error));
    COR_TRY(cor_made(lines->digest = cor_strdup(definition->digest ? definition->digest : "-"), error));
    if (definition->is_walled && !definition->life && !cor_traffic_replays(definition->traffic)) {
        COR_TRY(cor_needs_of_program(&lines->needs, definition->command, definition->is_path, error));
        lines->withheld = cor_needs_withheld((const char *const *)lines->needs.paths);
    }
    if (lines->asked.cpu_seconds <= 0)
        return COR_OK;
    void *shared =
        mmap(NULL, sizeof *lines->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return cor_fail_memory(error);
    lines->shared = shared;
    lines->shared->place = definition->may_not_idle;
    return COR_OK;
}

void cor_lines_fini(struct cor_lines *lines) {
    cor_cell_fini(&lines->cell);
    if (lines->shared)
        munmap(lines->shared, sizeof *lines->shared);
    cor_needs_fini(&lines->needs);
    cor_needs_free(lines->withheld);
    lines->withheld = NULL;
    free(lines->command);
    free(lines->script);
    free(lines->digest);
    free(lines->heard);
    lines->shared = NULL;
    lines->command = lines->script = lines->digest = lines->heard = NULL;
}

enum cor_status cor_refuse_not_executable(const char *path, struct cor_error *error) {
    const char *reader, *what = cor_what_file(path, &reader);
    if (what)
        return cor_fail(error, COR_STATUS_PLUGIN, path, reader, "is %s, not a program", what);
    char *word = cor_shell_quoted(path), remedy[512];
    COR_TRY(cor_made(word, error));
    snprintf(remedy, sizeof remedy, "chmod +x %.200s, or name the interpreter as a command: %s %.200s", word,
             strlen(path) > 3 && strcmp(path + strlen(path) - 3, ".py") == 0 ? "python3" : "sh", word);
    free(word);
    return cor_fail(error, COR_STATUS_PLUGIN, path, remedy,
                    "\"%s\" cannot be executed: it has no permission for that", path);
}

static bool is_executable(const char *path) {
    struct stat file;
    return access(path, X_OK) == 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

enum cor_status cor_lines_check(const struct cor_lines *lines, struct cor_error *error) {
    char word[512], remedy[600], found[4096];
    struct stat file;
    const char *command = lines->command + strspn(lines->command, " ");
    /* A name without a folder is looked for on PATH, even where a file of that name is here. */
    const bool is_path = lines->asked.is_path || strchr(command, '/');
    if (cor_traffic_replays(lines->asked.traffic) || (is_path && is_executable(lines->command)))
        return COR_OK;
    if (!lines->asked.is_path && strpbrk(command, "=;&|<>()$`\n"))
        return COR_OK;
    const size_t length = lines->asked.is_path ? strlen(command) : strcspn(command, " \t");
    if (length == 0 || length >= sizeof word)
        return COR_OK;
    snprintf(word, sizeof word, "%.*s", (int)length, command);
    if (!lines->asked.is_path && strpbrk(word, "'\"\\~*?[{#!"))
        return COR_OK;
    const bool is_there = stat(word, &file) == 0;
    if (strchr(word, '/')) {
        if (!is_there) {
            snprintf(remedy, sizeof remedy, "\"%s\" is where the program should be", word);
            return cor_fail_errno(error, COR_STATUS_FILE, word, remedy, "cannot open");
        }
        return S_ISREG(file.st_mode) && access(word, X_OK) != 0 ? cor_refuse_not_executable(word, error)
                                                                : COR_OK;
    }
    if (cor_find_on_path(word, found, sizeof found))
        return COR_OK;
    snprintf(remedy, sizeof remedy, is_there ? "write ./%s" : "install it, or write its path", word);
    return cor_fail(error, COR_STATUS_PLUGIN, lines->command, remedy, "there is no program \"%s\" on PATH",
                    word);
}

/* Where the word is with the second request (say_line), the first one being the greeting. */
static uint32_t begun_at(const struct cor_lines *lines) {
    return lines->shared && lines->asked.is_greeted ? atomic_load(&lines->shared->place) + 4 : 0;
}

enum cor_status cor_lines_start(struct cor_lines *lines, struct cor_error *error) {
    lines->start = lines->end = 0;
    lines->more = lines->is_deaf = false;
    lines->lost = COR_TURN_LINE;
    if (lines->asked.traffic)
        COR_TRY(
            cor_traffic_start(lines->asked.traffic, lines->command, lines->digest, &lines->number, error));
    if (cor_traffic_replays(lines->asked.traffic)) {
        lines->is_replayed = true;
        lines->event = 0;
        lines->death = COR_DEATH_ENDED;
        snprintf(lines->last_words, sizeof lines->last_words, "its process was ended");
        return COR_OK;
    }
    const struct cor_cell_definition definition = {.life = live,
                                                   .argument = lines,
                                                   .place = lines->shared ? &lines->shared->place : NULL,
                                                   .cpu_seconds = lines->asked.cpu_seconds,
                                                   .begun = begun_at(lines),
                                                   .walls = lines->asked.is_walled ? COR_WALLS : 0,
                                                   .needs = (const char *const *)lines->needs.paths,
                                                   .withheld = (const char *const *)lines->withheld,
                                                   .is_program = true,
                                                   .is_full = lines->asked.is_full,
                                                   .guest = lines->command,
                                                   .memory_bytes = lines->asked.memory_bytes};
    return cor_cell_start(&lines->cell, &definition, error);
}

bool cor_lines_started(const struct cor_lines *lines) {
    return lines->cell.keeper != 0 || lines->is_replayed;
}

/* Ours, not the program's. */
static enum cor_turn note_trouble(struct cor_lines *lines, enum cor_status status) {
    lines->trouble = status;
    return COR_TURN_TROUBLE;
}

/* The event is written down, if it is to be. */
static enum cor_turn note(struct cor_lines *lines, struct cor_traffic_event event, enum cor_turn turn) {
    if (!lines->asked.traffic)
        return turn;
    lines->wrong = COR_NO_ERROR;
    enum cor_status status = cor_traffic_write(lines->asked.traffic, lines->number, &event, &lines->wrong);
    return status == COR_OK ? turn : note_trouble(lines, status);
}

static enum cor_turn differ(struct cor_lines *lines, const struct cor_traffic_event *event,
                            const char *said) {
    lines->wrong = COR_NO_ERROR;
    return note_trouble(lines, cor_traffic_differs(lines->asked.traffic, event, said, &lines->wrong));
}

static enum cor_turn replay_saying(struct cor_lines *lines, const char *text) {
    const struct cor_traffic_event *event =
        cor_traffic_event(lines->asked.traffic, lines->number, lines->event++);
    size_t size = strcspn(text, "\n");
    bool same = event && event->kind == '>' && strncmp(event->text, text, size) == 0 && !event->text[size];
    return same ? COR_TURN_LINE : differ(lines, event, text);
}

static enum cor_turn replay_hearing(struct cor_lines *lines, const char **line) {
    const struct cor_traffic_event *event =
        cor_traffic_event(lines->asked.traffic, lines->number, lines->event++);
    if (!event || event->kind == '>')
        return differ(lines, event, "an answer");
    lines->more = event->more;
    *line = event->text;
    if (event->kind == '<')
        return COR_TURN_LINE;
    lines->death = (enum cor_death)event->death;
    lines->code = event->code;
    snprintf(lines->last_words, sizeof lines->last_words, "%s", event->text);
    return (enum cor_turn)event->turn;
}

/* Reads what there is. */
static enum cor_turn hear(struct cor_lines *lines) {
    if (lines->start > 0) {
        memmove(lines->heard, lines->heard + lines->start, lines->end - lines->start);
        lines->end -= lines->start;
        lines->start = 0;
    }
    if (lines->end == lines->capacity)
        return COR_TURN_FLOOD;
    ssize_t got = cor_cell_read(&lines->cell, lines->heard + lines->end, lines->capacity - lines->end);
    if (got < 0)
        return COR_TURN_CLOSED;
    lines->end += (size_t)got;
    return COR_TURN_LINE;
}

static enum cor_turn hear_line(struct cor_lines *lines, double deadline, const char **line) {
    size_t looked = lines->start;
    for (;;) {
        char *end = memchr(lines->heard + looked, '\n', lines->end - looked);
        if (end) {
            *end = '\0';
            *line = lines->heard + lines->start;
            lines->start = (size_t)(end - lines->heard) + 1;
            return COR_TURN_LINE;
        }
        size_t seen = lines->end - lines->start;
        double left = deadline - cor_now();
        /* A look, however late it is here: the program may have answered in time. */
        int sight = cor_cell_wait(&lines->cell, 0, fmax(left, 0));
        if (sight == 0)
            return COR_TURN_LATE;
        enum cor_turn turn = sight & COR_SIGHT_READABLE ? hear(lines) : COR_TURN_CLOSED;
        if (turn != COR_TURN_LINE)
            return turn;
        looked = lines->start + seen;
    }
}

/* Nobody takes any more of what is said. What the program had said before is still to be heard. */
static enum cor_turn note_deaf(struct cor_lines *lines) {
    lines->is_deaf = true;
    return COR_TURN_LINE;
}

static enum cor_turn say_line(struct cor_lines *lines, const char *text, double deadline) {
    size_t size = strlen(text), sent = 0;
    if (lines->shared) /* by two: an even place may idle */
        atomic_fetch_add_explicit(&lines->shared->place, 2, memory_order_relaxed);
    lines->is_deaf = false;
    while (sent < size) {
        ssize_t wrote = cor_cell_write(&lines->cell, text + sent, size - sent);
        if (wrote < 0)
            return note_deaf(lines);
        sent += (size_t)wrote;
        double left = deadline - cor_now();
        int sight = wrote > 0 ? COR_SIGHT_WRITABLE : cor_cell_wait(&lines->cell, 1, fmax(left, 0));
        if (sight == 0)
            return COR_TURN_LATE;
        enum cor_turn turn = sight & COR_SIGHT_READABLE ? hear(lines)
                             : sight == COR_SIGHT_DEAD  ? COR_TURN_CLOSED
                                                        : COR_TURN_LINE;
        if (turn != COR_TURN_LINE)
            return turn == COR_TURN_CLOSED ? note_deaf(lines) : turn;
    }
    return COR_TURN_LINE;
}

enum cor_turn cor_lines_say(struct cor_lines *lines, const char *text, double deadline) {
    if (lines->is_replayed)
        return replay_saying(lines, text);
    enum cor_turn turn = note(lines, (struct cor_traffic_event){.kind = '>', .text = text}, COR_TURN_LINE);
    if (turn == COR_TURN_LINE)
        turn = say_line(lines, text, deadline);
    lines->lost = turn;
    lines->more = lines->end > lines->start;
    return turn;
}

enum cor_turn cor_lines_hear(struct cor_lines *lines, double deadline, const char **line) {
    if (lines->is_replayed)
        return replay_hearing(lines, line);
    if (lines->is_deaf)
        deadline = fmin(deadline, cor_now() + COR_PARTING_SECONDS);
    enum cor_turn turn = hear_line(lines, deadline, line);
    if (turn == COR_TURN_LATE && lines->is_deaf)
        turn = COR_TURN_CLOSED;
    lines->lost = turn;
    lines->more = lines->end > lines->start;
    if (turn != COR_TURN_LINE)
        return turn;
    return note(lines, (struct cor_traffic_event){.kind = '<', .text = *line, .more = lines->more}, turn);
}

enum cor_turn cor_lines_note_quiet(struct cor_lines *lines) {
    const struct cor_traffic_event silence = {.kind = '!', .turn = (int)lines->lost, .text = "quiet"};
    lines->lost = COR_TURN_LINE;
    return lines->is_replayed ? COR_TURN_LINE : note(lines, silence, COR_TURN_LINE);
}

bool cor_lines_pending(const struct cor_lines *lines) {
    return lines->more;
}

bool cor_lines_spoke(struct cor_lines *lines) {
    const struct cor_traffic_event spoke = {
        .kind = '!', .turn = COR_TURN_LINE, .more = true, .text = "spoke"};
    if (lines->is_replayed) {
        const struct cor_traffic_event *event =
            cor_traffic_event(lines->asked.traffic, lines->number, lines->event);
        const bool is_so = event && event->kind == '!' && event->turn == COR_TURN_LINE;
        lines->event += is_so;
        return is_so;
    }
    if (lines->end == lines->start && (cor_cell_wait(&lines->cell, 0, 0) & COR_SIGHT_READABLE) != 0)
        (void)hear(lines); /* what has closed is seen when it is asked */
    if (lines->end == lines->start)
        return false;
    (void)note(lines, spoke, COR_TURN_LINE); /* trouble with it shows at the next line */
    return true;
}

void cor_lines_forget(struct cor_lines *lines) {
    struct cor_cell *cell = &lines->cell;
    if (cell->keeper == 0)
        return;
    const uint32_t before = atomic_load(&cell->grave->forgotten);
    if (send(cell->control, "", 1, MSG_NOSIGNAL) != 1) /* it is over with it */
        return;
    while (atomic_load(&cell->grave->forgotten) == before && !cor_cell_is_over(cell))
        cor_cell_listen(&cell->grave->forgotten, before, 0.05);
}

/* A shell in between says by its exit code that a signal ended the program. */
static enum cor_death death_of(const struct cor_lines *lines) {
    const struct cor_grave *grave = lines->cell.grave;
    bool by_signal = !lines->asked.is_path && grave->death == COR_DEATH_EXIT && grave->code > 128;
    return by_signal ? COR_DEATH_SIGNAL : grave->death;
}

void cor_lines_end(struct cor_lines *lines, double seconds) {
    bool is_lost = lines->lost != COR_TURN_LINE && lines->lost != COR_TURN_TROUBLE;
    if (!cor_lines_started(lines))
        return;
    if (lines->is_replayed) {
        lines->is_replayed = false;
        return;
    }
    cor_cell_end(&lines->cell, seconds);
    cor_grave_text(lines->cell.grave, lines->last_words, sizeof lines->last_words);
    lines->death = death_of(lines);
    lines->code = lines->cell.grave->code;
    lines->start = lines->end = 0;
    if (is_lost) /* trouble with it shows at the next line */
        (void)note(lines,
                   (struct cor_traffic_event){.kind = '!',
                                              .turn = (int)lines->lost,
                                              .more = lines->more,
                                              .death = (int)lines->death,
                                              .code = lines->code,
                                              .text = lines->last_words},
                   lines->lost);
    lines->lost = COR_TURN_LINE;
}

enum cor_death cor_lines_death(const struct cor_lines *lines) {
    return lines->death;
}

bool cor_lines_were_killed(const struct cor_lines *lines) {
    return cor_death_is_of_others(lines->death, lines->code > 128 ? lines->code - 128 : lines->code);
}

void cor_last_words_shorten(const char *words, char *text, size_t size) {
    static const char said[] = "it last said: ";
    const char *begin = strstr(words, said);
    const size_t head = begin ? (size_t)(begin - words) + sizeof said - 1 : 0, length = strlen(words);
    if (length < size || head + 2 >= size)
        snprintf(text, size, "%s", words);
    else
        snprintf(text, size, "%.*s..%s", (int)head, words, words + length - (size - 3 - head));
}

void cor_grave_text(const struct cor_grave *grave, char *text, size_t size) {
    char how[128] = "", ended[COR_ENDED_SIZE];
    if (grave->death == COR_DEATH_EXIT)
        snprintf(how, sizeof how, "its process ended by itself with exit code %d", grave->code);
    else if (grave->death == COR_DEATH_SIGNAL)
        snprintf(how, sizeof how, "its process was %s", cor_ended_by(grave->code, ended));
    else if (grave->death == COR_DEATH_MEMORY)
        snprintf(how, sizeof how, "its process ended when its memory was used up");
    else if (grave->death == COR_DEATH_CPU_TIME)
        snprintf(how, sizeof how, "its process did not get on, and was ended");
    else if (grave->death == COR_DEATH_ENDED)
        snprintf(how, sizeof how, "its process was ended");
    else
        snprintf(how, sizeof how, "its process disappeared");
    int words = (int)(grave->size < COR_LAST_WORDS ? grave->size : COR_LAST_WORDS);
    while (words > 0 && strchr(" \t\r\n", grave->words[words - 1]))
        words--;
    snprintf(text, size, "%s%s%.*s", how, words > 0 ? "; it last said: " : "", words, grave->words);
}
