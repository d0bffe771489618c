/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mail.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct cor__letter) % 8 == 0, "payloads are 8-byte aligned");

enum cor_status cor__mail_init(struct cor__mail *mail, const struct cor_mail_schedule *schedule,
                               struct cor__arena *arena, struct cor_error *error) {
    *mail = (struct cor__mail){.schedule = *schedule, .arena = arena, .bag_count = 2};
    if (schedule->mode == COR_MAIL_DELAYED)
        mail->bag_count = schedule->delay_max + 1;
    mail->bags = cor_calloc(mail->bag_count, sizeof *mail->bags);
    return mail->bags ? COR_OK : cor_fail_memory(error);
}

void cor__mail_fini(struct cor__mail *mail) {
    for (uint32_t i = 0; mail->bags && i < mail->bag_count; i++)
        free(mail->bags[i].words);
    free(mail->bags);
    free(mail->order);
    *mail = (struct cor__mail){0};
}

void cor__mail_reset(struct cor__mail *mail, const struct cor_stream_name *name, uint32_t agent_count) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_SCHEDULE;
    own.entity = 0;
    mail->rng = cor_rng_named(&own);
    for (uint32_t i = 0; i < mail->bag_count; i++)
        mail->bags[i].used = mail->bags[i].count = 0;
    mail->agent_count = agent_count;
    mail->round = mail->under_way = mail->sent = mail->lost = 0;
}

/* Rounds until a message sent now is due; 0 = it is lost. */
static uint32_t delay(struct cor__mail *mail) {
    switch (mail->schedule.mode) {
    case COR_MAIL_IN_ORDER:
    case COR_MAIL_SHUFFLED:
        return 1;
    case COR_MAIL_DELAYED:
        return 1 + cor_rng_below(&mail->rng, mail->schedule.delay_max);
    case COR_MAIL_LOSSY:
        return cor_rng_unit(&mail->rng) < mail->schedule.loss_ratio ? 0 : 1;
    }
    return 1;
}

static int grow(struct cor__bag *bag, size_t needed) {
    return COR_RESERVE(&bag->words, &bag->capacity, needed, NULL) == COR_OK;
}

/* Payloads are small and a multiple of 8 as a rule; a loop of words beats a call of memcpy. */
static void copy_payload(uint64_t *to, const void *payload, uint32_t size) {
    const unsigned char *from = payload;
    for (; size >= 8; size -= 8, from += 8)
        memcpy(to++, from, 8);
    if (size > 0) {
        *to = 0;
        memcpy(to, from, size);
    }
}

enum cor__posted cor__mail_post(struct cor__mail *mail, const struct cor__letter *letter,
                                const void *payload) {
    if (letter->to >= mail->agent_count)
        return COR__POST_NOBODY;
    size_t words = cor__letter_words(letter->size);
    if (!cor__arena_charge(mail->arena, words * 8))
        return COR__POST_LIMIT;
    uint32_t rounds = delay(mail);
    mail->sent++;
    if (rounds == 0) {
        mail->arena->elsewhere -= words * 8;
        mail->lost++;
        return COR__POSTED;
    }
    struct cor__bag *bag = &mail->bags[(mail->round + rounds) % mail->bag_count];
    if (bag->capacity - bag->used < words && !grow(bag, bag->used + words))
        return COR__POST_MEMORY;
    memcpy(bag->words + bag->used, letter, sizeof *letter);
    copy_payload(bag->words + bag->used + sizeof *letter / 8, payload, letter->size);
    bag->used += words;
    bag->count++;
    mail->under_way++;
    return COR__POSTED;
}

struct cor__bag *cor__mail_due(struct cor__mail *mail) {
    return &mail->bags[mail->round % mail->bag_count];
}

enum cor_status cor__mail_shuffle(struct cor__mail *mail, const struct cor__bag *bag,
                                  struct cor_error *error) {
    enum cor_status status = COR_RESERVE(&mail->order, &mail->order_capacity, bag->count, error);
    if (status != COR_OK)
        return status;
    size_t at = 0;
    for (uint32_t i = 0; i < bag->count; i++) {
        const struct cor__letter *letter = (const void *)(bag->words + at);
        mail->order[i] = at;
        at += cor__letter_words(letter->size);
    }
    for (uint32_t left = bag->count; left > 1; left--) {
        uint32_t other = cor_rng_below(&mail->rng, left);
        size_t held = mail->order[left - 1];
        mail->order[left - 1] = mail->order[other];
        mail->order[other] = held;
    }
    return COR_OK;
}

void cor__mail_empty(struct cor__mail *mail, struct cor__bag *bag) {
    mail->under_way -= bag->count;
    mail->arena->elsewhere -= bag->used * 8;
    bag->used = bag->count = 0;
}
