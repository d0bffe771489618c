/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Apart from who talks, so that a text can take the place of a program: the linker replaces these functions
 * (fuzz_guests.c). */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include <corridor/child.h>
#include <corridor/lines.h>

#include <corridor/array.h>
#include <corridor/kinds.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

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
    COR_FREE(lines->command, lines->script, lines->digest, lines->heard);
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
    const struct cor_cell_definition definition = {
        .life = live,
        .argument = lines,
        .place = lines->shared ? &lines->shared->place : NULL,
        .cpu_seconds = lines->asked.cpu_seconds,
        /* where the word is with the second request (say_line), the first one being the greeting */
        .begun = lines->shared && lines->asked.is_greeted ? atomic_load(&lines->shared->place) + 4 : 0,
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
    if (lines->is_replayed) {
        const struct cor_traffic_event *event =
            cor_traffic_event(lines->asked.traffic, lines->number, lines->event++);
        size_t size = strcspn(text, "\n");
        bool same =
            event && event->kind == '>' && strncmp(event->text, text, size) == 0 && !event->text[size];
        return same ? COR_TURN_LINE : differ(lines, event, text);
    }
    enum cor_turn turn = note(lines, (struct cor_traffic_event){.kind = '>', .text = text}, COR_TURN_LINE);
    if (turn == COR_TURN_LINE)
        turn = say_line(lines, text, deadline);
    lines->lost = turn;
    lines->more = lines->end > lines->start;
    return turn;
}

enum cor_turn cor_lines_hear(struct cor_lines *lines, double deadline, const char **line) {
    if (lines->is_replayed) {
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
    /* A shell in between says by its exit code that a signal ended the program. */
    const struct cor_grave *grave = lines->cell.grave;
    bool by_signal = !lines->asked.is_path && grave->death == COR_DEATH_EXIT && grave->code > 128;
    lines->death = by_signal ? COR_DEATH_SIGNAL : grave->death;
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
