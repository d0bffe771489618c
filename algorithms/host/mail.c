/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "session.h"

#include <corridor/array.h>

#include <stdlib.h>

_Static_assert(sizeof(struct cor__letter) % 8 == 0, "payloads are 8-byte aligned");

enum cor_status cor__mail_init(struct cor__mail *mail, const struct cor_mail_schedule *schedule,
                               struct cor__arena *arena, struct cor_error *error) {
    *mail = (struct cor__mail){.schedule = *schedule, .arena = arena, .bag_count = 2};
    if (schedule->mode == COR_MAIL_DELAYED)
        mail->bag_count = schedule->delay_max + 1;
    mail->bags = cor_calloc(mail->bag_count, sizeof *mail->bags);
    return cor_made(mail->bags, error);
}

void cor__mail_fini(struct cor__mail *mail) {
    for (uint32_t i = 0; mail->bags && i < mail->bag_count; i++)
        free(mail->bags[i].words);
    free(mail->bags);
    free(mail->order);
    *mail = (struct cor__mail){0};
}

/* The bag that is read `rounds` rounds from now; rounds < bag_count. */
static struct cor__bag *bag_in(struct cor__mail *mail, uint32_t rounds) {
    COR_ASSERT(rounds < mail->bag_count);
    uint32_t at = mail->bag_now + rounds;
    return &mail->bags[at < mail->bag_count ? at : at - mail->bag_count];
}

struct cor__bag *cor__mail_draw(struct cor__mail *mail) {
    if (mail->schedule.mode == COR_MAIL_DELAYED)
        return bag_in(mail, 1 + cor_rng_below(&mail->rng, mail->schedule.delay_max));
    double u = cor_rng_unit(&mail->rng);
    return u < mail->schedule.loss_ratio ? NULL : bag_in(mail, 1);
}

/* Mail that need not be drawn for goes straight to the bag of the next round. */
static void point_next(struct cor__mail *mail) {
    int drawn = mail->schedule.mode == COR_MAIL_DELAYED || mail->schedule.mode == COR_MAIL_LOSSY;
    mail->next = drawn ? NULL : bag_in(mail, 1);
}

void cor__mail_reset(struct cor__mail *mail, const struct cor_stream_name *name, uint32_t agent_count) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_SCHEDULE;
    own.entity = 0;
    mail->rng = cor_rng_named(&own);
    for (uint32_t i = 0; i < mail->bag_count; i++)
        mail->bags[i].used = mail->bags[i].count = 0;
    mail->agent_count = agent_count;
    mail->bag_now = 0;
    mail->round = mail->under_way = mail->sent = mail->lost = 0;
    point_next(mail);
}

void cor__mail_turn(struct cor__mail *mail) {
    mail->round++;
    mail->bag_now = mail->bag_now + 1 < mail->bag_count ? mail->bag_now + 1 : 0;
    point_next(mail);
}

int cor__bag_grow(struct cor__bag *bag, size_t words) {
    return COR_RESERVE(&bag->words, &bag->capacity, bag->used + words, NULL) == COR_OK;
}

struct cor__bag *cor__mail_due(struct cor__mail *mail) {
    return &mail->bags[mail->bag_now];
}

enum cor_status cor__mail_shuffle(struct cor__mail *mail, const struct cor__bag *bag,
                                  struct cor_error *error) {
    COR_TRY(COR_RESERVE(&mail->order, &mail->order_capacity, bag->count, error));
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
