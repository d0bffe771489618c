/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program in a cell that is talked to in lines: a request is a line to its standard input, answers are
 * lines of its standard output. What the lines say is the affair of whoever talks. Everything has an end: a
 * wait has a deadline, a line a greatest length, an answer a limit of CPU time. */
#ifndef CORRIDOR_LINES_H
#define CORRIDOR_LINES_H

#include <corridor/cell.h>
#include <corridor/needs.h>
#include <corridor/traffic.h>

#include <stdbool.h>

#define COR_LINE_MOST                                                                            \
    ((size_t)16 << 20)         /* bytes of a line, its end included, unless it is said otherwise \
                                */
#define COR_PARTING_SECONDS 1. /* to end by itself after bye, or to die after closing its output */

/* How an exchange of lines can go on. */
enum cor_turn {
    COR_TURN_LINE,   /* there is a line */
    COR_TURN_LATE,   /* the time is over */
    COR_TURN_CLOSED, /* its output has ended, nobody reads its input, or it is dead */
    COR_TURN_FLOOD,  /* a line without an end */
    COR_TURN_TROUBLE /* ours, not the program's: the traffic cannot be recorded, or differs from its record */
};

/* What is to be talked to. Copied by cor_lines_init, texts too; `traffic` and `argument` stay the caller's.
 */
struct cor_lines_definition {
    const char *command; /* for sh; or the path of a program, if is_path */
    bool is_path;
    cor_life *life; /* NULL: it executes the command */
    void *argument;
    size_t line_most;            /* bytes of a line, its end included */
    double cpu_seconds;          /* of CPU time from one request to the next; 0: no limit */
    bool is_greeted;             /* the first request greets it, until when it has time to begin (cell.h) */
    bool may_not_idle;           /* where there is one: nor wait for seconds, until it is asked */
    bool is_walled;              /* it can do nothing but compute, and reads what needs.h says */
    bool is_full;                /* by all walls, else it is not started (cell.h) */
    uint64_t memory_bytes;       /* of its address space; 0: no limit */
    struct cor_traffic *traffic; /* borrowed; records, or replays in place of the program. NULL: neither */
    const char *digest;          /* SHA-256 of the program for the record; NULL: not known */
};

/* A command of somebody else, which is greeted first: within walls and a limit of memory, or, if it is free,
 * without either. */
struct cor_lines_definition cor_lines_guest(const char *command, size_t line_most, bool is_free, bool is_full,
                                            uint64_t memory_bytes, struct cor_traffic *traffic);

/* A program that is talked to, process after process. The caller's, made by cor_lines_init and ended by
 * cor_lines_fini. */
struct cor_lines {
    struct cor_cell cell;
    struct cor_lines_definition asked; /* but for its texts: */
    char *command, *script, *digest;   /* owned; as given, as sh is told it, and of the program */
    struct cor_needs needs;            /* of the program, if it is walled */
    char **withheld;                   /* owned; of these, as it was when the session began */
    struct cor_lines_shared {
        _Atomic uint32_t place; /* changes with each request */
    } * shared;                 /* owned, shared with the keeper; NULL: no limit of CPU time */
    char *heard;                /* owned; bytes read, those from `start` on not yet looked at */
    size_t start, end, capacity;
    uint32_t number;         /* of the process in the traffic */
    size_t event;            /* of the replay, that is next */
    bool is_replayed, more;  /* there is a process, which is but replayed; more of it was there */
    bool is_deaf;            /* it did not take all of the last line that was said to it */
    enum cor_turn lost;      /* how the last exchange failed; COR_TURN_LINE: it did not */
    enum cor_death death;    /* of the last process that ended; */
    int code;                /* its exit code or signal, as the grave has it */
    enum cor_status trouble; /* of COR_TURN_TROUBLE, with what is wrong */
    struct cor_error wrong;
    char last_words[COR_LAST_WORDS + 256]; /* what became of the last process that ended */
};

/* Nobody to talk to yet. On failure, too, it wants cor_lines_fini. */
enum cor_status cor_lines_init(struct cor_lines *lines, const struct cor_lines_definition *definition,
                               struct cor_error *error) COR_MUST_USE;

/* Ends the process, if there is one, and frees all. */
void cor_lines_fini(struct cor_lines *lines);

/* Can the program be started: is it there, and may it be executed? Else COR_STATUS_PLUGIN, said with what to
 * write instead. Shell commands and replays are not checked. Nothing is started. */
enum cor_status cor_lines_check(const struct cor_lines *lines, struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_PLUGIN, said of a file that may not be executed: chmod +x. */
enum cor_status cor_refuse_not_executable(const char *path, struct cor_error *error) COR_MUST_USE;

/* Starts a process; there must be none. */
enum cor_status cor_lines_start(struct cor_lines *lines, struct cor_error *error) COR_MUST_USE;

/* Is there a process? It may be dead without anybody having noticed. */
bool cor_lines_started(const struct cor_lines *lines);

/* Sends `text`, which ends with a newline, hearing meanwhile: neither side waits for the other for ever.
 * `deadline` is of cor_now(). */
enum cor_turn cor_lines_say(struct cor_lines *lines, const char *text, double deadline);

/* The next line, without its end; it stays until the next call. */
enum cor_turn cor_lines_hear(struct cor_lines *lines, double deadline, const char **line);

/* That the last line was late is no loss: silence is the answer. COR_TURN_LINE, or trouble. */
enum cor_turn cor_lines_note_quiet(struct cor_lines *lines);

/* Behind the line that was heard last: was there more already? Where none could be had: was there half a
 * line? */
bool cor_lines_pending(const struct cor_lines *lines);

/* Has it said something since, that nobody has asked for yet? Looks, without waiting. */
bool cor_lines_spoke(struct cor_lines *lines);

/* What it has said to standard error up to its last line is none of its last words. */
void cor_lines_forget(struct cor_lines *lines);

/* Gives it `seconds` to die by itself, then ends it; last_words and cor_lines_death say how it was. Nothing
 * happens without a process. */
void cor_lines_end(struct cor_lines *lines, double seconds);

/* How the last process ended: where a shell stood in between, its exit code says that a signal ended the
 * program. */
enum cor_death cor_lines_death(const struct cor_lines *lines);

/* Did the machine, or whoever else, end the last process: by a signal that nothing raises which a program
 * does wrong, or with its keeper? */
bool cor_lines_were_killed(const struct cor_lines *lines);

/* Last words in `text`, of `size` bytes: of long ones the beginning of what the process said is left out. */
void cor_last_words_shorten(const char *words, char *text, size_t size);

/* What became of a process, for people, into `text`: "its process was ended by signal 11 (Segmentation
 * fault)", and what it wrote last. */
void cor_grave_text(const struct cor_grave *grave, char *text, size_t size);

#endif
