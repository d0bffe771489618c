/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A conversation with a program in a cell, in lines of JSON: request and answer, whatever they are about. It
 * owns the process and its traffic (lines.h), the number of the request, which an answer has to give back,
 * the line that is written, and the line that was heard, as text and as JSON. It knows that one line is one
 * answer, what is no answer, and why there was none, as a word for the program and as a sentence for people.
 * Whoever talks owns the rest: what a request says, how an answer is understood, and what it makes of a
 * failure.
 *
 * What the program does wrong is `exchange`; then its process has been ended, and the next request wants a
 * fresh one. A status other than COR_OK is trouble of ours. */
#ifndef CORRIDOR_CONVERSATION_H
#define CORRIDOR_CONVERSATION_H

#include <corridor/bytes.h>
#include <corridor/json.h>
#include <corridor/lines.h>

/* How the last exchange came out. */
enum cor_exchange {
    COR_EXCHANGE_WELL,     /* so far */
    COR_EXCHANGE_QUIET,    /* it was silent for so long that this is its answer */
    COR_EXCHANGE_TROUBLE,  /* ours, which the status says */
    COR_EXCHANGE_LATE,     /* no line in time */
    COR_EXCHANGE_FLOOD,    /* a line without an end */
    COR_EXCHANGE_HALF,     /* half a line, and its output ended */
    COR_EXCHANGE_CLOSED,   /* it closed its output, or its input, and lived on */
    COR_EXCHANGE_EXITED,   /* it ended by itself; */
    COR_EXCHANGE_CRASHED,  /* by a signal; */
    COR_EXCHANGE_CPU_TIME, /* by the limit of CPU time; */
    COR_EXCHANGE_MEMORY,   /* when its memory was used up */
    COR_EXCHANGE_GARBLED   /* a line that is no answer, or more than one */
};

/* The caller's, made by cor_conversation_init and ended by cor_conversation_fini. */
struct cor_conversation {
    struct cor_lines lines;
    double answer_seconds;    /* that an answer may take, but the greeting; the caller may change them */
    uint64_t id;              /* of the request that was begun last, from 1 in every process, the greeting */
    bool has_asked;           /* this process was asked for more than the greeting */
    int64_t answered;         /* the id that the line heard last gives back; 0: none */
    struct cor_bytes request; /* the line that is written */
    struct cor_json_document *answer; /* owned; what was read last, until the next is; NULL: nothing */
    const char *line;                 /* heard last, until the next is */
    double deadline;                  /* of cor_now(), for the answer */
    enum cor_exchange exchange;
    char what[320];  /* what it did instead of answering; "" where all there is to say is how it ended */
    char words[512]; /* the same, and how its process ended, with what it said last */
};

/* Nobody to talk to yet. On failure, too, it wants cor_conversation_fini. */
enum cor_status cor_conversation_init(struct cor_conversation *talk,
                                      const struct cor_lines_definition *definition, double answer_seconds,
                                      struct cor_error *error) COR_MUST_USE;

/* Ends the process, if there is one, and frees all. */
void cor_conversation_fini(struct cor_conversation *talk);

/* Starts a process; there must be none. */
enum cor_status cor_conversation_start(struct cor_conversation *talk, struct cor_error *error) COR_MUST_USE;

/* Says bye and gives it a moment to go by itself. Nothing happens without a process. */
void cor_conversation_part(struct cor_conversation *talk);

/* What comes is asked as of a process that was greeted and nothing else: requests are counted on from the
 * greeting, 2 is next, and what it said to standard error before is forgotten. So neither they, nor what is
 * told of answers to them, hang on what the process was asked before, which another worker may have asked
 * another one. Nothing happens before the greeting. */
void cor_conversation_again(struct cor_conversation *talk);

/* Begins the next request: {"id":7,"CALLED": - the caller puts the value behind it, and further members. */
struct cor_bytes *cor_conversation_begin(struct cor_conversation *talk, const char *called);

/* Puts what was written into the request; the end of the writer. */
enum cor_status cor_conversation_put_take(struct cor_conversation *talk, struct cor_json_writer *writer,
                                          struct cor_error *error) COR_MUST_USE;

/* Ends the request and says it; hears a line, where silence for `quiet_seconds` is an answer if they are > 0;
 * reads it: an object with the id that was asked. cor_conversation_ask is all three.
 * cor_conversation_expect_silence, when the answer is understood: nothing follows it. None of them does
 * anything where the exchange has failed. */
enum cor_status cor_conversation_say(struct cor_conversation *talk, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_conversation_hear(struct cor_conversation *talk, double quiet_seconds,
                                      struct cor_error *error) COR_MUST_USE;
enum cor_status cor_conversation_read(struct cor_conversation *talk, struct cor_error *error) COR_MUST_USE;
enum cor_status cor_conversation_ask(struct cor_conversation *talk, double quiet_seconds,
                                     struct cor_error *error) COR_MUST_USE;
void cor_conversation_expect_silence(struct cor_conversation *talk);

/* The line that was heard is no answer, as `said` says: the exchange is garbled. A `status` of memory is
 * trouble of ours. */
enum cor_status cor_conversation_garble(struct cor_conversation *talk, enum cor_status status,
                                        const struct cor_error *said, struct cor_error *error) COR_MUST_USE;

/* COR_STATUS_PLUGIN: the exchange was the greeting, and failed. `remedy` says how to greet. */
enum cor_status cor_conversation_refuse(const struct cor_conversation *talk, const char *remedy,
                                        struct cor_error *error) COR_MUST_USE;

#endif
