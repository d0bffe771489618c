/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mail that goes in rounds: by what is drawn, or by what a recorded schedule says. */
#include "mail.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct host__letter) % 8 == 0, "payloads are 8-byte aligned");

enum cor_status host__mail_init(struct host__mail *mail, const struct cor_mail_schedule *schedule,
                                struct host__arena *arena, struct cor_error *error) {
    *mail = (struct host__mail){.schedule = *schedule, .arena = arena, .bag_count = 2};
    if (schedule->mode == COR_MAIL_DELAYED)
        mail->bag_count = schedule->delay_max + 1;
    mail->bags = cor_calloc(mail->bag_count, sizeof *mail->bags);
    return cor_made(mail->bags, error);
}

void host__mail_fini(struct host__mail *mail) {
    for (uint32_t i = 0; mail->bags && i < mail->bag_count; i++) {
        free(mail->bags[i].words);
        free(mail->bags[i].numbers);
    }
    host__queue_fini(&mail->queue);
    free(mail->bags);
    free(mail->order);
    free(mail->order_log);
    free(mail->rank);
    free(mail->sorted);
    *mail = (struct host__mail){0};
}

/* The bag that is read `rounds` rounds from now; rounds < bag_count. */
static struct host__bag *bag_in(struct host__mail *mail, uint32_t rounds) {
    COR_ASSERT(rounds < mail->bag_count);
    uint32_t at = mail->bag_now + rounds;
    return &mail->bags[at < mail->bag_count ? at : at - mail->bag_count];
}

/* Is anything still said of that deed? */
static int is_said(const struct host__mail *mail, enum cor_mail_deed deed) {
    return mail->is_planned && mail->said[deed].next < mail->said[deed].end;
}

/* Mail of which nothing need be drawn or looked up goes straight to the bag of the next round. */
static void point_next(struct host__mail *mail) {
    enum cor_mail mode = mail->mode;
    int drawn = mode == COR_MAIL_DELAYED || mode == COR_MAIL_LOSSY || mode == COR_MAIL_DUPLICATED ||
                mail->queue.scheduler || mail->watch || is_said(mail, COR_MAIL_DEED_LOST) ||
                is_said(mail, COR_MAIL_DEED_TRAVELS);
    mail->next = drawn ? NULL : bag_in(mail, 1);
}

enum cor_status host__mail_reset(struct host__mail *mail, const struct host__mail_plan *plan,
                                 struct cor_mail_record *log, const struct cor_stream_name *name,
                                 uint32_t agent_count, struct cor_error *error) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_SCHEDULE;
    own.entity = 0;
    mail->rng = cor_rng_named(&own);
    mail->is_planned = plan->mode != 0;
    mail->mode = mail->is_planned ? plan->mode : mail->schedule.mode;
    mail->log = plan->is_logged ? log : NULL;
    log->count = 0;
    if (mail->is_planned) {
        /* Where the entries of each deed are, and room for the longest way. */
        uint64_t longest = 1;
        memset(mail->said, 0, sizeof mail->said);
        for (size_t i = 0; i < plan->count; i++) {
            const struct cor_mail_entry *entry = &plan->entries[i];
            struct host__said *said = &mail->said[entry->deed];
            said->next = said->next ? said->next : entry;
            said->end = entry + 1;
            if (entry->deed == COR_MAIL_DEED_TRAVELS && entry->value > longest &&
                entry->value <= HOST__DELAY_MOST)
                longest = entry->value;
        }
        if (longest >= mail->bag_count) {
            struct host__bag *bags = cor_calloc(longest + 1, sizeof *bags);
            COR_TRY(cor_made(bags, error));
            memcpy(bags, mail->bags, mail->bag_count * sizeof *bags);
            free(mail->bags);
            mail->bags = bags;
            mail->bag_count = (uint32_t)longest + 1;
        }
    }
    for (uint32_t i = 0; i < mail->bag_count; i++)
        mail->bags[i].used = mail->bags[i].count = 0;
    mail->agent_count = agent_count;
    mail->bag_now = 0;
    mail->round = mail->under_way = mail->sent = mail->lost = mail->repeated = 0;
    mail->due = mail->turns = 0;
    host__queue_begin(mail, name);
    point_next(mail);
    return COR_OK;
}

enum cor_status host__mail_conclude(struct host__mail *mail, struct cor_error *error) {
    struct host__queue *queue = &mail->queue;
    if (!mail->log || !queue->scheduler)
        return COR_OK;
    /* What was not delivered any more comes behind, whatever its number. */
    size_t count = queue->delivered;
    COR_TRY(COR_RESERVE(&mail->order_log, &mail->order_log_capacity,
                        count + queue->ready.count + queue->waiting.count, error));
    for (struct host__heap *heap = &queue->ready; heap; heap = heap == &queue->ready ? &queue->waiting : NULL)
        for (size_t i = 0; i < heap->count; i++)
            mail->order_log[count++] = heap->letters[i].number;
    return host__mail_log_order(mail->log, COR_MAIL_DEED_WAITS, 0, mail->order_log, count, error);
}

/* Rounds that the message which is posted now takes; 0: it is lost. */
static uint32_t planned_rounds(struct host__mail *mail) {
    const struct cor_mail_entry *travels = host__mail_said(mail, COR_MAIL_DEED_TRAVELS, mail->sent);
    if (host__mail_said(mail, COR_MAIL_DEED_LOST, mail->sent))
        return 0;
    return travels && travels->value > 0 && travels->value <= HOST__DELAY_MOST ? (uint32_t)travels->value : 1;
}

static uint32_t drawn_rounds(struct host__mail *mail) {
    if (mail->mode == COR_MAIL_DELAYED)
        return 1 + cor_rng_below(&mail->rng, mail->schedule.delay_max);
    if (mail->mode == COR_MAIL_DUPLICATED)
        return 1;
    double u = cor_rng_unit(&mail->rng);
    return u < mail->schedule.loss_ratio ? 0 : 1;
}

/* Whether the message with that number comes twice. */
static int repeats(struct host__mail *mail, uint64_t number) {
    if (mail->mode != COR_MAIL_DUPLICATED)
        return 0;
    if (mail->is_planned)
        return host__mail_said(mail, COR_MAIL_DEED_TWICE, number) != NULL;
    double u = cor_rng_unit(&mail->rng);
    return u < mail->schedule.duplicate_ratio;
}

/* Which message the letters are that were put into the bag just now. */
static bool number_letters(struct host__bag *bag, uint32_t before, uint64_t number) {
    if (COR_RESERVE(&bag->numbers, &bag->number_capacity, bag->count, NULL) != COR_OK)
        return false;
    for (uint32_t i = before; i < bag->count; i++)
        bag->numbers[i] = (uint32_t)number;
    return true;
}

static enum cor_status log_way(struct host__mail *mail, uint64_t number, uint32_t rounds, int twice) {
    enum cor_status status = COR_OK;
    if (mail->log && rounds == 0)
        status = host__mail_log(mail->log, COR_MAIL_DEED_LOST, number, 0, NULL);
    else if (mail->log && rounds > 1)
        status = host__mail_log(mail->log, COR_MAIL_DEED_TRAVELS, number, rounds, NULL);
    if (mail->log && twice && status == COR_OK)
        status = host__mail_log(mail->log, COR_MAIL_DEED_TWICE, number, 0, NULL);
    return status;
}

enum host__posted host__mail_post_drawn(struct host__mail *mail, const struct host__letter *letter,
                                        const void *payload) {
    struct host__watch *watch = mail->watch;
    if (watch && watch->course && !host__watch_sent(watch, letter, payload))
        return HOST__POST_MEMORY;
    if (watch && host__watch_holds(watch)) { /* whoever gets it has it from the course that is held */
        mail->sent++;
        return HOST__POSTED;
    }
    if (mail->queue.scheduler)
        return host__queue_post(mail, letter, payload);
    uint64_t number = mail->sent;
    uint32_t rounds = mail->is_planned ? planned_rounds(mail) : drawn_rounds(mail);
    struct host__bag *bag = rounds > 0 ? bag_in(mail, rounds) : NULL;
    const uint32_t before = bag ? bag->count : 0;
    enum host__posted posted = host__mail_put(mail, bag, letter, payload);
    mail->sent += posted != HOST__POST_LIMIT;
    int twice = posted == HOST__POSTED && repeats(mail, number);
    mail->repeated += twice != 0;
    if (twice)
        posted = host__mail_put(mail, bag, letter, payload);
    if (watch && bag && posted == HOST__POSTED && !number_letters(bag, before, number))
        return HOST__POST_MEMORY;
    return log_way(mail, number, rounds, twice) == COR_OK ? posted : HOST__POST_MEMORY;
}

void host__mail_turn(struct host__mail *mail) {
    mail->round++;
    mail->bag_now = mail->bag_now + 1 < mail->bag_count ? mail->bag_now + 1 : 0;
    point_next(mail);
}

int host__bag_grow(struct host__bag *bag, size_t words) {
    return COR_RESERVE(&bag->words, &bag->capacity, bag->used + words, NULL) == COR_OK;
}

struct host__bag *host__mail_due(struct host__mail *mail) {
    return &mail->bags[mail->bag_now];
}

/* mail->rank is the order of `count` letters or turns, of which there were `base` before. */
static enum cor_status rank(struct host__mail *mail, enum cor_mail_deed deed, uint64_t base, uint32_t count,
                            struct cor_error *error) {
    COR_TRY(COR_RESERVE(&mail->rank, &mail->rank_capacity, count, error));
    if (mail->is_planned) {
        /* mail->rank becomes the order that is said of `count` numbers from `base` on: who has a place comes
         * when so many are before it, the others as they are. */
        struct host__heap *placed = &mail->queue.waiting;
        uint32_t left = 0;
        COR_TRY(COR_RESERVE(&mail->sorted, &mail->sorted_capacity, count, error));
        for (uint32_t i = 0; i < count; i++) {
            const struct cor_mail_entry *entry = host__mail_said(mail, deed, base + i);
            if (entry)
                COR_TRY(host__heap_push(placed, &(struct host__pending){.key = entry->value, .number = i},
                                        error));
            else
                mail->sorted[left++] = i;
        }
        for (uint32_t i = 0, taken = 0; i < count; i++) {
            bool is_placed = placed->count > 0 && (placed->letters[0].key <= i || taken == left);
            mail->rank[i] = is_placed ? host__heap_pop(placed).number : mail->sorted[taken++];
        }
    } else {
        /* mail->rank as the schedule draws it: a uniform permutation. */
        for (uint32_t i = 0; i < count; i++)
            mail->rank[i] = i;
        for (uint32_t left = count; left > 1; left--) {
            uint32_t other = cor_rng_below(&mail->rng, left);
            uint64_t held = mail->rank[left - 1];
            mail->rank[left - 1] = mail->rank[other];
            mail->rank[other] = held;
        }
    }
    return mail->log ? host__mail_log_order(mail->log, deed, base, mail->rank, count, error) : COR_OK;
}

enum cor_status host__mail_arrange(struct host__mail *mail, const struct host__bag *bag,
                                   struct cor_error *error) {
    COR_TRY(COR_RESERVE(&mail->order, &mail->order_capacity, bag->count, error));
    size_t at = 0;
    for (uint32_t i = 0; i < bag->count; i++) {
        const struct host__letter *letter = (const void *)(bag->words + at);
        mail->order[i] = at;
        at += host__letter_words(letter->size);
    }
    if (!mail->is_planned && !mail->log && !mail->watch) {
        /* The same permutation as by ranks, without the way over them. */
        for (uint32_t left = bag->count; left > 1; left--) {
            uint32_t other = cor_rng_below(&mail->rng, left);
            size_t held = mail->order[left - 1];
            mail->order[left - 1] = mail->order[other];
            mail->order[other] = held;
        }
        return COR_OK;
    }
    COR_TRY(rank(mail, COR_MAIL_DEED_PLACE, mail->due, bag->count, error));
    COR_TRY(COR_RESERVE(&mail->sorted, &mail->sorted_capacity, bag->count, error));
    for (uint32_t i = 0; i < bag->count; i++)
        mail->sorted[i] = mail->order[mail->rank[i]];
    for (uint32_t i = 0; i < bag->count; i++)
        mail->order[i] = mail->sorted[i];
    return COR_OK;
}

enum cor_status host__mail_arrange_turns(struct host__mail *mail, uint32_t *agents, uint32_t count,
                                         struct cor_error *error) {
    uint64_t before = mail->turns;
    mail->turns += count;
    if (mail->mode != COR_MAIL_SHUFFLED || count == 0)
        return COR_OK;
    if (!mail->is_planned && !mail->log) {
        cor_rng_shuffle(&mail->rng, agents, count);
        return COR_OK;
    }
    COR_TRY(rank(mail, COR_MAIL_DEED_TURN, before, count, error));
    COR_TRY(COR_RESERVE(&mail->sorted, &mail->sorted_capacity, count, error));
    for (uint32_t i = 0; i < count; i++)
        mail->sorted[i] = agents[mail->rank[i]];
    for (uint32_t i = 0; i < count; i++)
        agents[i] = (uint32_t)mail->sorted[i];
    return COR_OK;
}

void host__mail_empty(struct host__mail *mail, struct host__bag *bag) {
    mail->under_way -= bag->count;
    mail->due += bag->count;
    mail->arena->charged -= bag->used * 8;
    bag->used = bag->count = 0;
}
