/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/conversation.h>
#include <corridor/lines.h>
#include <corridor/traffic.h>

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    COR_TRY(cor_made(*traffic = cor_calloc(1, sizeof **traffic), error));
    return cor_made((*traffic)->path = cor_strdup(path), error);
}

void cor_traffic_close(struct cor_traffic *traffic) {
    if (!traffic)
        return;
    if (traffic->file)
        fclose(traffic->file); /* each line was flushed */
    for (size_t i = 0; i < traffic->count; i++)
        free(traffic->conversations[i].events);
    COR_FREE(traffic->conversations, traffic->text, traffic->path, traffic);
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
    COR_FREED char *text = NULL;
    COR_TRY(cor_json_text_take(writer, 0, &text, error));
    cor_bytes_put(&talk->request, text, strlen(text));
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
    /* Its own words, in quotes that end; no character is cut. */
    const size_t length = cor_text_fit(talk->line, 100);
    snprintf(talk->what, sizeof talk->what, "\"%.*s%s\": %.140s", (int)length, talk->line,
             talk->line[length] != '\0' ? ".." : "", said->cause);
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
