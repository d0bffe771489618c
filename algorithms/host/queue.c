/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mail that goes one by one: what is under way, and who is next. */
#include "mail.h"

#include <corridor/array.h>

#include <stdlib.h>
#include <string.h>

#define SPARE_WORDS 1024 /* that may lie idle before letters are moved together */

/* Heaps. */

static int comes_before(const struct host__pending *one, const struct host__pending *other) {
    return one->key != other->key ? one->key < other->key : one->number < other->number;
}

enum cor_status host__heap_push(struct host__heap *heap, const struct host__pending *letter,
                                struct cor_error *error) {
    COR_TRY(COR_RESERVE(&heap->letters, &heap->capacity, heap->count + 1, error));
    size_t at = heap->count++;
    for (; at > 0 && comes_before(letter, &heap->letters[(at - 1) / 2]); at = (at - 1) / 2)
        heap->letters[at] = heap->letters[(at - 1) / 2];
    heap->letters[at] = *letter;
    return COR_OK;
}

struct host__pending host__heap_pop(struct host__heap *heap) {
    COR_ASSERT(heap->count > 0);
    struct host__pending *letters = heap->letters, first = letters[0], last = letters[--heap->count];
    size_t at = 0;
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && comes_before(&letters[child + 1], &letters[child]))
            child++;
        if (!comes_before(&letters[child], &last))
            break;
        letters[at] = letters[child];
        at = child;
    }
    letters[at] = last;
    return first;
}

/* PCT, by chains: K. Ozkan et al., "Randomized testing of distributed systems with probabilistic guarantees",
 * OOPSLA 2018. A message continues the chain of the message in whose handling it was sent, if that is the
 * first one sent there; else it begins a chain. The chain with the greatest priority is next; `depth` - 1
 * times, before deliveries that were drawn, the priority of who would be next falls below all others. */

#define INITIAL (UINT64_C(1) << 63) /* initial priorities are at least this */

static void pct_begin(struct host__mail *mail, const struct cor_stream_name *name) {
    (void)name;
    mail->queue.point_count = mail->schedule.depth - 1;
    for (uint32_t i = 0; i < mail->queue.point_count; i++)
        mail->queue.point[i] = cor_rng_below(&mail->rng, mail->schedule.messages);
}

static struct host__heap *pct_file(struct host__mail *mail, struct host__pending *letter) {
    letter->key = UINT64_MAX - mail->queue.priority[letter->chain];
    return &mail->queue.ready;
}

static struct host__heap *pct_next(struct host__mail *mail) {
    struct host__queue *queue = &mail->queue;
    for (uint32_t i = 0; i < queue->point_count; i++) {
        if (queue->point[i] != queue->delivered)
            continue;
        struct host__pending letter = host__heap_pop(&queue->ready);
        queue->priority[letter.chain] = i;
        letter.key = UINT64_MAX - i;
        enum cor_status status = host__heap_push(&queue->ready, &letter, NULL);
        COR_ASSERT(status == COR_OK); /* there was room before it was taken out */
    }
    return &queue->ready;
}

/* Bounded: in sending order, but for a few letters, which wait until nothing else moves and then come in an
 * order of their own. Which, is drawn, or counted: schedule 0 holds nobody; those that hold only letters
 * below m come before those that hold letter m; among these, those with fewer letters come first. */

/* a * b, or UINT64_MAX. */
static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t plus(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Sets of `size` of `n`, or UINT64_MAX. */
static uint64_t choose(uint64_t n, uint32_t size) {
    uint64_t sets = 1;
    for (uint32_t i = 1; i <= size; i++) {
        if (n < i)
            return 0;
        uint64_t next = times(sets, n - i + 1);
        if (next == UINT64_MAX)
            return next;
        sets = next / i;
    }
    return sets;
}

static uint64_t factorial(uint32_t n) {
    uint64_t product = 1;
    for (uint32_t i = 2; i <= n; i++)
        product *= i;
    return product;
}

/* Orders of at most `bound` of `n` letters, or UINT64_MAX. */
static uint64_t orders(uint64_t n, uint32_t bound) {
    uint64_t sum = 0;
    for (uint32_t size = 0; size <= bound; size++)
        sum = plus(sum, times(choose(n, size), factorial(size)));
    return sum;
}

/* The greatest n of which `count(n, size)` is at most `most`. */
static uint64_t greatest(uint64_t (*count)(uint64_t, uint32_t), uint32_t size, uint64_t most) {
    uint64_t low = 0, high = UINT32_MAX;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (count(middle, size) <= most)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Set number `rank` of `size` letters, ascending, into `set`: those below m before those with m. */
static void unrank_set(uint64_t rank, uint32_t size, uint64_t *set) {
    for (uint32_t left = size; left > 0; left--) {
        set[left - 1] = greatest(choose, left, rank);
        rank -= choose(set[left - 1], left);
    }
}

/* Permutation number `rank` of the set, in the order of a dictionary. */
static void unrank_order(uint64_t rank, uint32_t size, uint64_t *set) {
    for (uint32_t at = 0; at < size; at++) {
        uint64_t rest = factorial(size - at - 1);
        uint32_t taken = at + (uint32_t)(rank / rest);
        uint64_t held = set[taken];
        memmove(set + at + 1, set + at, (taken - at) * sizeof *set);
        set[at] = held;
        rank %= rest;
    }
}

/* Schedule number `index`. */
static void hold_counted(struct host__queue *queue, uint32_t bound, uint64_t index) {
    queue->held_count = 0;
    if (index == 0)
        return;
    uint64_t newest = greatest(orders, bound, index);
    index -= orders(newest, bound);
    for (uint32_t size = 1; size <= bound; size++) {
        uint64_t each = factorial(size), all = times(choose(newest, size - 1), each);
        if (index >= all) {
            index -= all;
            continue;
        }
        unrank_set(index / each, size - 1, queue->held);
        queue->held[size - 1] = newest;
        unrank_order(index % each, size, queue->held);
        queue->held_count = size;
        return;
    }
}

/* Drawn among the first `messages`; who is drawn again waits but once. */
static void hold_drawn(struct host__mail *mail) {
    mail->queue.held_count = mail->schedule.bound;
    for (uint32_t i = 0; i < mail->schedule.bound; i++)
        mail->queue.held[i] = cor_rng_below(&mail->rng, mail->schedule.messages);
}

static void bounded_begin(struct host__mail *mail, const struct cor_stream_name *name) {
    uint64_t step = name->identity > 0 ? name->identity - 1 : 0;
    if (mail->schedule.index < 0)
        hold_drawn(mail);
    else
        hold_counted(&mail->queue, mail->schedule.bound, (uint64_t)mail->schedule.index + step);
}

static struct host__heap *bounded_file(struct host__mail *mail, struct host__pending *letter) {
    struct host__queue *queue = &mail->queue;
    for (uint32_t i = 0; i < queue->held_count; i++) {
        if (queue->held[i] != letter->number)
            continue;
        letter->key = i;
        return &queue->waiting;
    }
    letter->key = 0;
    return &queue->ready;
}

static struct host__heap *bounded_next(struct host__mail *mail) {
    return mail->queue.ready.count > 0 ? &mail->queue.ready : &mail->queue.waiting;
}

/* Recorded: in sending order, but for letters that wait until so many others were delivered. */

static void recorded_begin(struct host__mail *mail, const struct cor_stream_name *name) {
    (void)mail;
    (void)name;
}

static struct host__heap *recorded_file(struct host__mail *mail, struct host__pending *letter) {
    const struct cor_mail_entry *entry =
        mail->is_planned ? host__mail_said(mail, COR_MAIL_DEED_WAITS, letter->number) : NULL;
    letter->key = entry ? entry->value : 0;
    return entry ? &mail->queue.waiting : &mail->queue.ready;
}

static struct host__heap *recorded_next(struct host__mail *mail) {
    struct host__queue *queue = &mail->queue;
    bool is_due = queue->waiting.count > 0 && queue->waiting.letters[0].key <= queue->delivered;
    return is_due || queue->ready.count == 0 ? &queue->waiting : &queue->ready;
}

static const struct host__scheduler pct = {pct_begin, pct_file, pct_next},
                                    bounded = {bounded_begin, bounded_file, bounded_next},
                                    recorded = {recorded_begin, recorded_file, recorded_next};

static const struct host__scheduler *scheduler_of(const struct host__mail *mail) {
    if (!cor_mail_is_one_by_one(mail->mode))
        return NULL;
    if (mail->is_planned || mail->mode == COR_MAIL_RECORDED)
        return &recorded;
    return mail->mode == COR_MAIL_PCT ? &pct : &bounded;
}

/* What is under way. */

void host__queue_begin(struct host__mail *mail, const struct cor_stream_name *name) {
    struct host__queue *queue = &mail->queue;
    queue->scheduler = scheduler_of(mail);
    queue->ready.count = queue->waiting.count = 0;
    queue->letters.used = queue->letters.count = 0;
    queue->live = 0;
    queue->delivered = 0;
    queue->chain_count = queue->chain_used = 0;
    queue->cause = HOST__NO_CHAIN;
    queue->point_count = queue->held_count = 0;
    if (queue->scheduler)
        queue->scheduler->begin(mail, name);
}

void host__queue_fini(struct host__queue *queue) {
    free(queue->ready.letters);
    free(queue->waiting.letters);
    free(queue->letters.words);
    free(queue->spare.words);
    free(queue->hand);
    free(queue->priority);
    *queue = (struct host__queue){0};
}

/* The chain of the letter that is posted now. */
static enum cor_status find_chain(struct host__mail *mail, uint32_t *chain) {
    struct host__queue *queue = &mail->queue;
    *chain = queue->cause;
    queue->cause = HOST__NO_CHAIN;
    if (*chain != HOST__NO_CHAIN)
        return COR_OK;
    *chain = queue->chain_used++;
    if (*chain < queue->chain_count)
        return COR_OK;
    COR_TRY(COR_RESERVE(&queue->priority, &queue->priority_capacity, (size_t)*chain + 1, NULL));
    queue->chain_count++;
    if (queue->scheduler == &pct) {
        uint64_t word = cor_rng_word(&mail->rng);
        queue->priority[*chain] = INITIAL | word;
    }
    return COR_OK;
}

/* Letters under way lie side by side again: those of a heap. */
static void move_together(struct host__queue *queue, struct host__heap *heap) {
    struct host__bag *to = &queue->spare;
    for (size_t i = 0; i < heap->count; i++) {
        struct host__pending *letter = &heap->letters[i];
        memcpy(to->words + to->used, queue->letters.words + letter->at, letter->words * 8);
        letter->at = to->used;
        to->used += letter->words;
    }
}

/* Room for `words` more; if most letters are delivered, the others are moved to the front. */
static enum cor_status make_room(struct host__queue *queue, size_t words) {
    struct host__bag *letters = &queue->letters;
    if (letters->capacity - letters->used >= words)
        return COR_OK;
    if (letters->used < 2 * queue->live + SPARE_WORDS)
        return COR_RESERVE(&letters->words, &letters->capacity, letters->used + words, NULL);
    COR_TRY(COR_RESERVE(&queue->spare.words, &queue->spare.capacity, letters->used + words, NULL));
    queue->spare.used = 0;
    move_together(queue, &queue->ready);
    move_together(queue, &queue->waiting);
    struct host__bag before = *letters;
    *letters = queue->spare;
    queue->spare = before;
    return COR_OK;
}

enum host__posted host__queue_post(struct host__mail *mail, const struct host__letter *letter,
                                   const void *payload) {
    struct host__queue *queue = &mail->queue;
    struct host__pending pending = {.number = mail->sent, .words = host__letter_words(letter->size)};
    if (!host__arena_charge(mail->arena, pending.words * 8))
        return HOST__POST_LIMIT;
    mail->sent++;
    if (mail->is_planned && host__mail_said(mail, COR_MAIL_DEED_LOST, pending.number)) {
        mail->arena->charged -= pending.words * 8;
        mail->lost++;
        return mail->log && host__mail_log(mail->log, COR_MAIL_DEED_LOST, pending.number, 0, NULL) != COR_OK
                   ? HOST__POST_MEMORY
                   : HOST__POSTED;
    }
    if (make_room(queue, pending.words) != COR_OK || find_chain(mail, &pending.chain) != COR_OK)
        return HOST__POST_MEMORY;
    pending.at = queue->letters.used;
    host__bag_put(&queue->letters, letter, payload, pending.words);
    if (host__heap_push(queue->scheduler->file(mail, &pending), &pending, NULL) != COR_OK)
        return HOST__POST_MEMORY;
    queue->live += pending.words;
    mail->under_way++;
    return HOST__POSTED;
}

void host__queue_rest(struct host__mail *mail) {
    COR_ASSERT(mail->under_way == 0);
    mail->queue.chain_used = 0;
}

enum cor_status host__queue_take(struct host__mail *mail, struct cor_error *error) {
    struct host__queue *queue = &mail->queue;
    struct host__pending letter = host__heap_pop(queue->scheduler->next(mail));
    mail->under_way--;
    mail->arena->charged -= letter.words * 8;
    queue->live -= letter.words;
    queue->cause = letter.chain;
    queue->number = letter.number;
    COR_TRY(COR_RESERVE(&queue->hand, &queue->hand_capacity, letter.words, error));
    memcpy(queue->hand, queue->letters.words + letter.at, letter.words * 8);
    if (mail->log) {
        COR_TRY(COR_RESERVE(&mail->order_log, &mail->order_log_capacity, queue->delivered + 1, error));
        mail->order_log[queue->delivered] = letter.number;
    }
    queue->delivered++;
    if (mail->under_way == 0)
        queue->letters.used = 0;
    return COR_OK;
}

const struct cor_mail_entry *host__mail_said(struct host__mail *mail, enum cor_mail_deed deed, uint64_t of) {
    struct host__said *said = &mail->said[deed];
    while (said->next < said->end && said->next->of < of)
        said->next++;
    return said->next < said->end && said->next->of == of ? said->next : NULL;
}
