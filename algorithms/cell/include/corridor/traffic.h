/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was said to programs and by them, in a file, and the file in their place. A line of the file begins
 * with the number of a process:
 *
 *     corridor traffic 1
 *     3 = SHA-256 or - COMMAND         it was started
 *     3 > LINE                         we said
 *     3 < LINE                         it said; <+ if more of it was there already
 *     3 ! TURN HALF DEATH WORDS        instead of a line: enum cor_turn, whether half a line was there, enum
 *                                      cor_death, with its code as in 2:11 if it has one; words "quiet" where
 *                                      silence was the answer; with the turn of a line: it spoke before it
 *                                      was asked
 *
 * Processes are found again by their order, so one process of ours records, and one replays. */
#ifndef CORRIDOR_TRAFFIC_H
#define CORRIDOR_TRAFFIC_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cor_traffic;

/* Records into a new file. COR_STATUS_EXISTS if there is one, unless it is to be replaced. */
enum cor_status cor_traffic_record(const char *path, bool replace, struct cor_traffic **traffic,
                                   struct cor_error *error) COR_MUST_USE;

/* Replays a file. COR_STATUS_INPUT, with the line, if it is none. */
enum cor_status cor_traffic_replay(const char *path, struct cor_traffic **traffic,
                                   struct cor_error *error) COR_MUST_USE;

/* Records into the one file, or replays the other: *traffic is NULL where both are. */
enum cor_status cor_traffic_open(const char *record, const char *replay, bool replace,
                                 struct cor_traffic **traffic, struct cor_error *error) COR_MUST_USE;

void cor_traffic_close(struct cor_traffic *traffic); /* NULL is allowed */

bool cor_traffic_replays(const struct cor_traffic *traffic); /* NULL: no */

/* The SHA-256 of a program that is in the file, "-": it was not known; NULL: it is not in there. */
const char *cor_traffic_digest(const struct cor_traffic *traffic, const char *command);

/* The other functions are those of conversation.c. */

/* What can happen in a conversation. */
struct cor_traffic_event {
    char kind; /* '>', '<', '!' */
    bool more; /* '<': more was there already; '!': half a line was */
    int turn, death, code;
    const char *text; /* a line without its end; last words */
    size_t line;      /* of the file */
};

/* A process is started: its number. */
enum cor_status cor_traffic_start(struct cor_traffic *traffic, const char *command, const char *digest,
                                  uint32_t *number, struct cor_error *error) COR_MUST_USE;

/* Writes an event. */
enum cor_status cor_traffic_write(struct cor_traffic *traffic, uint32_t number,
                                  const struct cor_traffic_event *event,
                                  struct cor_error *error) COR_MUST_USE;

/* Event `index` of a process; NULL behind the last. */
const struct cor_traffic_event *cor_traffic_event(const struct cor_traffic *traffic, uint32_t number,
                                                  size_t index);

/* COR_STATUS_INPUT: what is said, or asked for, is not what the file has at this place. `event` may be NULL.
 */
enum cor_status cor_traffic_differs(const struct cor_traffic *traffic, const struct cor_traffic_event *event,
                                    const char *said, struct cor_error *error) COR_MUST_USE;

#endif
