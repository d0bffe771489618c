/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Private to host: mail between agents. A message lies in the bag of the round it is due in: a flat buffer of
 * headers and payloads that is written once, read once, emptied, and kept for later rounds. */
#ifndef COR__MAIL_H
#define COR__MAIL_H

#include <corridor/host.h>

#include "arena.h"

#include <string.h>

#define COR__DELAY_MOST 65536u /* rounds */

/* A message in a bag; `size` bytes of payload follow, padded to 8. */
struct cor__letter {
    uint32_t to, from, kind, size;
};

struct cor__bag {
    uint64_t *words;       /* owned; headers and payloads, in units of 8 bytes */
    size_t capacity, used; /* words */
    uint32_t count;        /* letters */
};

struct cor__mail {
    struct cor_mail_schedule schedule;
    struct cor_rng rng;    /* COR_PURPOSE_SCHEDULE */
    struct cor__bag *bags; /* owned; used in turn, round by round */
    uint32_t bag_count;    /* longest delay + 1 */
    uint32_t bag_now;      /* the bag of this round */
    struct cor__bag *next; /* where all mail goes; NULL if each message's delay or loss is drawn */
    uint32_t agent_count;
    uint64_t round;
    uint64_t under_way, sent, lost; /* messages */
    size_t *order;                  /* owned; where the letters of a shuffled bag begin */
    size_t order_capacity;
    struct cor__arena *arena; /* borrowed; its limit counts mail under way too */
};

/* Room for the delays of `schedule`, which has been checked. */
enum cor_status cor__mail_init(struct cor__mail *mail, const struct cor_mail_schedule *schedule,
                               struct cor__arena *arena, struct cor_error *error) COR_MUST_USE;
void cor__mail_fini(struct cor__mail *mail);

/* No mail, round 0; the schedule's stream of reorganization `name` at its beginning. */
void cor__mail_reset(struct cor__mail *mail, const struct cor_stream_name *name, uint32_t agent_count);

enum cor__posted { COR__POSTED, COR__POST_NOBODY, COR__POST_LIMIT, COR__POST_MEMORY };

/* Growing, and what the schedule draws for one message: its bag, NULL if it is lost. Used by cor__mail_post.
 */
int cor__bag_grow(struct cor__bag *bag, size_t words);
struct cor__bag *cor__mail_draw(struct cor__mail *mail);

/* Words of a letter with its payload. */
static inline size_t cor__letter_words(uint32_t size) {
    return sizeof(struct cor__letter) / 8 + ((size_t)size + 7) / 8;
}

/* Payloads are small and mostly whole words: a loop beats a call of memcpy. */
static inline void cor__payload_copy(uint64_t *to, const void *payload, uint32_t size) {
    const unsigned char *from = payload;
    for (; size >= 8; size -= 8, from += 8)
        memcpy(to++, from, 8);
    if (size > 0) {
        *to = 0;
        memcpy(to, from, size);
    }
}

/* Accepts a message, which the schedule may then delay or lose. Inline: this is the hottest path of the room.
 */
static inline enum cor__posted cor__mail_post(struct cor__mail *mail, const struct cor__letter *letter,
                                              const void *payload) {
    if (letter->to >= mail->agent_count)
        return COR__POST_NOBODY;
    size_t words = cor__letter_words(letter->size);
    if (!cor__arena_charge(mail->arena, words * 8))
        return COR__POST_LIMIT;
    struct cor__bag *bag = mail->next ? mail->next : cor__mail_draw(mail);
    mail->sent++;
    if (!bag) {
        mail->arena->elsewhere -= words * 8;
        mail->lost++;
        return COR__POSTED;
    }
    if (bag->capacity - bag->used < words && !cor__bag_grow(bag, words))
        return COR__POST_MEMORY;
    memcpy(bag->words + bag->used, letter, sizeof *letter);
    cor__payload_copy(bag->words + bag->used + sizeof *letter / 8, payload, letter->size);
    bag->used += words;
    bag->count++;
    mail->under_way++;
    return COR__POSTED;
}

/* Begins the next round. */
void cor__mail_turn(struct cor__mail *mail);

/* The mail of this round, to be read before anything is posted into a bag again: that of the next lap. */
struct cor__bag *cor__mail_due(struct cor__mail *mail);

/* Draws the order in which a bag is read: mail->order[0 .. bag->count) are positions. */
enum cor_status cor__mail_shuffle(struct cor__mail *mail, const struct cor__bag *bag,
                                  struct cor_error *error) COR_MUST_USE;

/* Marks the bag as read. */
void cor__mail_empty(struct cor__mail *mail, struct cor__bag *bag);

#endif
