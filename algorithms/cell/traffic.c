/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/traffic.h>

#include <corridor/array.h>
#include <corridor/cell.h>
#include <corridor/lines.h>

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char head[] = "corridor traffic 1";

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
    else if (!(*traffic)->file || fprintf((*traffic)->file, "%s\n", head) < 0 ||
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
        if (line == 1 && strcmp(text, head) != 0)
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
