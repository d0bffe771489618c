/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Mail that goes in rounds: by what is drawn, or by what a recorded schedule says. */
#include "local.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

static enum cor_status mail_log(struct cor_mail_record *log, enum cor_mail_deed deed, uint64_t of,
                                uint64_t value, struct cor_error *error) COR_MUST_USE;
static struct host__pending heap_pop(struct host__heap *heap);
static enum cor_status heap_push(struct host__heap *heap, const struct host__pending *letter,
                                 struct cor_error *error) COR_MUST_USE;
static enum host__posted queue_post(struct host__mail *mail, const struct host__letter *letter,
                                    const void *payload);
static void queue_fini(struct host__queue *queue);
static void queue_begin(struct host__mail *mail, const struct cor_stream_name *name);
static const struct cor_mail_entry *mail_said(struct host__mail *mail, enum cor_mail_deed deed, uint64_t of);

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
        COR_FREE(mail->bags[i].words, mail->bags[i].numbers);
    }
    queue_fini(&mail->queue);
    COR_FREE(mail->bags, mail->order, mail->order_log, mail->rank, mail->sorted);
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
    queue_begin(mail, name);
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
    const struct cor_mail_entry *travels = mail_said(mail, COR_MAIL_DEED_TRAVELS, mail->sent);
    if (mail_said(mail, COR_MAIL_DEED_LOST, mail->sent))
        return 0;
    return travels && travels->value > 0 && travels->value <= HOST__DELAY_MOST ? (uint32_t)travels->value : 1;
}

static uint32_t drawn_rounds(struct host__mail *mail) {
    if (mail->mode == COR_MAIL_DELAYED)
        return 1 + cor_rng_below(&mail->rng, mail->schedule.delay_max);
    if (mail->mode != COR_MAIL_LOSSY)
        return 1; /* shuffled, which what is watched must not change */
    double u = cor_rng_unit(&mail->rng);
    return u < mail->schedule.loss_ratio ? 0 : 1;
}

/* Whether the message with that number comes twice. */
static int repeats(struct host__mail *mail, uint64_t number) {
    if (mail->mode != COR_MAIL_DUPLICATED)
        return 0;
    if (mail->is_planned)
        return mail_said(mail, COR_MAIL_DEED_TWICE, number) != NULL;
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
        return queue_post(mail, letter, payload);
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
    enum cor_status status = COR_OK;
    if (mail->log && rounds == 0)
        status = mail_log(mail->log, COR_MAIL_DEED_LOST, number, 0, NULL);
    else if (mail->log && rounds > 1)
        status = mail_log(mail->log, COR_MAIL_DEED_TRAVELS, number, rounds, NULL);
    if (mail->log && twice && status == COR_OK)
        status = mail_log(mail->log, COR_MAIL_DEED_TWICE, number, 0, NULL);
    return status == COR_OK ? posted : HOST__POST_MEMORY;
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
            const struct cor_mail_entry *entry = mail_said(mail, deed, base + i);
            if (entry)
                COR_TRY(heap_push(placed, &(struct host__pending){.key = entry->value, .number = i}, error));
            else
                mail->sorted[left++] = i;
        }
        for (uint32_t i = 0, taken = 0; i < count; i++) {
            bool is_placed = placed->count > 0 && (placed->letters[0].key <= i || taken == left);
            mail->rank[i] = is_placed ? heap_pop(placed).number : mail->sorted[taken++];
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

/* ---- mail that goes one by one: what is under way, and who is next */

#define SPARE_WORDS 1024 /* that may lie idle before letters are moved together */

/* Heaps. */

static int comes_before(const struct host__pending *one, const struct host__pending *other) {
    return one->key != other->key ? one->key < other->key : one->number < other->number;
}

/* Heaps, by key and number. */
static enum cor_status heap_push(struct host__heap *heap, const struct host__pending *letter,
                                 struct cor_error *error) {
    COR_TRY(COR_RESERVE(&heap->letters, &heap->capacity, heap->count + 1, error));
    size_t at = heap->count++;
    for (; at > 0 && comes_before(letter, &heap->letters[(at - 1) / 2]); at = (at - 1) / 2)
        heap->letters[at] = heap->letters[(at - 1) / 2];
    heap->letters[at] = *letter;
    return COR_OK;
}

static struct host__pending heap_pop(struct host__heap *heap) {
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
        struct host__pending letter = heap_pop(&queue->ready);
        queue->priority[letter.chain] = i;
        letter.key = UINT64_MAX - i;
        enum cor_status status = heap_push(&queue->ready, &letter, NULL);
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
    for (uint32_t size = 0; size <= bound; size++) {
        uint64_t b = times(choose(n, size), factorial(size));
        sum = sum > UINT64_MAX - b ? UINT64_MAX : sum + b;
    }
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
        /* The set of that number, ascending: those below m before those with m. */
        uint64_t rank = index / each;
        for (uint32_t left = size - 1; left > 0; left--) {
            queue->held[left - 1] = greatest(choose, left, rank);
            rank -= choose(queue->held[left - 1], left);
        }
        queue->held[size - 1] = newest;
        unrank_order(index % each, size, queue->held);
        queue->held_count = size;
        return;
    }
}

static void bounded_begin(struct host__mail *mail, const struct cor_stream_name *name) {
    uint64_t step = name->identity > 0 ? name->identity - 1 : 0;
    if (mail->schedule.index < 0) {
        /* Drawn among the first `messages`; who is drawn again waits but once. */
        mail->queue.held_count = mail->schedule.bound;
        for (uint32_t i = 0; i < mail->schedule.bound; i++)
            mail->queue.held[i] = cor_rng_below(&mail->rng, mail->schedule.messages);
    } else
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
        mail->is_planned ? mail_said(mail, COR_MAIL_DEED_WAITS, letter->number) : NULL;
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

static void queue_begin(struct host__mail *mail, const struct cor_stream_name *name) {
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

static void queue_fini(struct host__queue *queue) {
    COR_FREE(queue->ready.letters, queue->waiting.letters, queue->letters.words, queue->spare.words,
             queue->hand, queue->priority);
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

static enum host__posted queue_post(struct host__mail *mail, const struct host__letter *letter,
                                    const void *payload) {
    struct host__queue *queue = &mail->queue;
    struct host__pending pending = {.number = mail->sent, .words = host__letter_words(letter->size)};
    if (!host__arena_charge(mail->arena, pending.words * 8))
        return HOST__POST_LIMIT;
    mail->sent++;
    if (mail->is_planned && mail_said(mail, COR_MAIL_DEED_LOST, pending.number)) {
        mail->arena->charged -= pending.words * 8;
        mail->lost++;
        return mail->log && mail_log(mail->log, COR_MAIL_DEED_LOST, pending.number, 0, NULL) != COR_OK
                   ? HOST__POST_MEMORY
                   : HOST__POSTED;
    }
    if (make_room(queue, pending.words) != COR_OK || find_chain(mail, &pending.chain) != COR_OK)
        return HOST__POST_MEMORY;
    pending.at = queue->letters.used;
    host__bag_put(&queue->letters, letter, payload, pending.words);
    if (heap_push(queue->scheduler->file(mail, &pending), &pending, NULL) != COR_OK)
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
    struct host__pending letter = heap_pop(queue->scheduler->next(mail));
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

/* What is said of number `of`; NULL: nothing. Asked in ascending order. */
static const struct cor_mail_entry *mail_said(struct host__mail *mail, enum cor_mail_deed deed, uint64_t of) {
    struct host__said *said = &mail->said[deed];
    while (said->next < said->end && said->next->of < of)
        said->next++;
    return said->next < said->end && said->next->of == of ? said->next : NULL;
}

/* ---- agents that crash: who is down, and for how long. What they lose, mail and state, is lost in run.c */

static uint32_t identities(const struct host__local *session) {
    return session->base.identity ? session->base.identity_count : session->task.agent_count;
}

static bool is_at_work(const struct host__local *session) {
    return session->base.definition.agents.fault == COR_CRASH_FAULT_CRASHED;
}

enum cor_status host__crashes_reset(struct host__local *session) {
    struct host__crashes *crashes = &session->population.crashes;
    struct cor_stream_name own = session->name;
    own.purpose = COR_PURPOSE_CRASH_FAULT;
    own.entity = 0;
    crashes->rng = cor_rng_named(&own);
    crashes->down_count = crashes->back_count = 0;
    crashes->at_risk = crashes->crashed = 0;
    if (!is_at_work(session))
        return COR_OK;
    uint32_t count = identities(session);
    COR_TRY(COR_RESERVE(&crashes->down, &crashes->down_capacity, count, session->error));
    memset(crashes->down, 0, count * sizeof *crashes->down);
    return COR_OK;
}

void host__crashes_strike(struct host__local *session) {
    const uint32_t *identity = session->base.identity;
    uint32_t count = is_at_work(session) ? identities(session) : 0, agent = 0;
    session->population.crashes.back_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool is_there = !identity || (agent < session->task.agent_count && identity[agent] == i);
        /* One round of one identity, that of `agent`, or of nobody any more. */
        const struct cor_crash_definition *fault = &session->base.definition.agents;
        struct host__crashes *crashes = &session->population.crashes;
        if (crashes->down[i] > 0) {
            if (--crashes->down[i] == 0 && is_there)
                crashes->back[crashes->back_count++] = agent;
        } else {
            crashes->at_risk += is_there;
            if (cor_rng_unit(&crashes->rng) < fault->probability) {
                crashes->down[i] = fault->down_rounds;
                if (is_there) {
                    /* It asks for nothing any more. */
                    crashes->down_count++;
                    crashes->crashed++;
                    session->population.asking[agent / 64] &= ~(UINT64_C(1) << agent % 64);
                }
            }
        }
        agent += is_there;
    }
}

void host__crashes_end(struct host__local *session) {
    struct host__crashes *crashes = &session->population.crashes;
    crashes->back_count = 0;
    for (uint32_t i = 0; crashes->down_count > 0 && i < session->task.agent_count; i++)
        if (host__crashes_down(session, i))
            crashes->back[crashes->back_count++] = i;
}

/* ---- schedules of mail as data: a list of departures from sending order, which is kept in order */

enum cor_status cor_mail_record_create(enum cor_mail mode, struct cor_mail_record **record,
                                       struct cor_error *error) {
    COR_TRY(cor_made(*record = cor_calloc(1, sizeof **record), error));
    (*record)->mode = mode;
    return COR_OK;
}

void cor_mail_record_destroy(struct cor_mail_record *record) {
    if (!record)
        return;
    COR_FREE(record->entries, record);
}

enum cor_status cor_mail_record_copy(const struct cor_mail_record *record, struct cor_mail_record **copy,
                                     struct cor_error *error) {
    COR_TRY(cor_mail_record_create(record->mode, copy, error));
    enum cor_status status =
        COR_RESERVE(&(*copy)->entries, &(*copy)->capacity, record->count + (size_t)1, error);
    if (status != COR_OK) {
        cor_mail_record_destroy(*copy);
        *copy = NULL;
        return status;
    }
    if (record->count > 0)
        memcpy((*copy)->entries, record->entries, record->count * sizeof *record->entries);
    (*copy)->count = record->count;
    return COR_OK;
}

static int entry_order(const struct cor_mail_entry *one, const struct cor_mail_entry *other) {
    if (one->identity != other->identity)
        return one->identity < other->identity ? -1 : 1;
    if (one->deed != other->deed)
        return one->deed < other->deed ? -1 : 1;
    return one->of == other->of ? 0 : one->of < other->of ? -1 : 1;
}

bool cor_mail_record_equal(const struct cor_mail_record *one, const struct cor_mail_record *other) {
    if (one->mode != other->mode || one->count != other->count)
        return false;
    for (size_t i = 0; i < one->count; i++)
        if (entry_order(&one->entries[i], &other->entries[i]) != 0 ||
            one->entries[i].value != other->entries[i].value)
            return false;
    return true;
}

uint64_t cor_mail_record_hash(const struct cor_mail_record *record) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, (uint64_t)record->mode);
    hash = cor_hash_word(hash, record->count);
    for (size_t i = 0; i < record->count; i++) {
        hash = cor_hash_word(hash, record->entries[i].identity);
        hash = cor_hash_word(hash, (uint64_t)record->entries[i].deed);
        hash = cor_hash_word(hash, record->entries[i].of);
        hash = cor_hash_word(hash, record->entries[i].value);
    }
    return hash;
}

/* The first entry that does not come before `entry`. */
static size_t place_of(const struct cor_mail_record *record, const struct cor_mail_entry *entry) {
    size_t low = 0, high = record->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entry_order(&record->entries[middle], entry) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes room for `count` entries at `at`. */
static enum cor_status open_gap(struct cor_mail_record *record, size_t at, size_t count,
                                struct cor_error *error) {
    COR_TRY(COR_RESERVE(&record->entries, &record->capacity, record->count + count, error));
    if (record->count > at)
        memmove(record->entries + at + count, record->entries + at,
                (record->count - at) * sizeof *record->entries);
    record->count += count;
    return COR_OK;
}

enum cor_status cor_mail_record_put(struct cor_mail_record *record, const struct cor_mail_entry *entry,
                                    struct cor_error *error) {
    size_t at = place_of(record, entry);
    bool is_there = at < record->count && entry_order(&record->entries[at], entry) == 0;
    if (!is_there)
        COR_TRY(open_gap(record, at, 1, error));
    record->entries[at] = *entry;
    return COR_OK;
}

void cor_mail_record_drop(struct cor_mail_record *record, size_t first, size_t count) {
    COR_ASSERT(first <= record->count && count <= record->count - first);
    if (count > 0)
        memmove(record->entries + first, record->entries + first + count,
                (record->count - first - count) * sizeof *record->entries);
    record->count -= count;
}

const struct cor_mail_entry *cor_mail_record_of(const struct cor_mail_record *record, uint64_t identity,
                                                size_t *count) {
    size_t first = place_of(record, &(struct cor_mail_entry){.identity = identity});
    *count = 0;
    while (first + *count < record->count && record->entries[first + *count].identity == identity)
        ++*count;
    return record->entries + (*count > 0 ? first : 0);
}

static int compare_entries(const void *one, const void *other) {
    return entry_order(one, other);
}

enum cor_status host__mail_record_replace(struct cor_mail_record *record, uint64_t identity,
                                          struct cor_mail_record *log, struct cor_error *error) {
    size_t before, at = place_of(record, &(struct cor_mail_entry){.identity = identity});
    (void)cor_mail_record_of(record, identity, &before);
    cor_mail_record_drop(record, at, before);
    if (log->count == 0)
        return COR_OK;
    for (size_t i = 0; i < log->count; i++)
        log->entries[i].identity = identity;
    qsort(log->entries, log->count, sizeof *log->entries, compare_entries);
    /* A log from a cell can say anything. */
    struct cor_mail_entry *entries = log->entries;
    const size_t count = log->count;
    size_t left = 1;
    for (size_t i = 1; i < count; i++)
        if (entry_order(&entries[left - 1], &entries[i]) != 0)
            entries[left++] = entries[i];
    log->count = left;
    COR_TRY(open_gap(record, at, log->count, error));
    memcpy(record->entries + at, log->entries, log->count * sizeof *log->entries);
    return COR_OK;
}

/* mail.c: entries of the present reorganization, in no order. */
static enum cor_status mail_log(struct cor_mail_record *log, enum cor_mail_deed deed, uint64_t of,
                                uint64_t value, struct cor_error *error) {
    COR_TRY(COR_RESERVE(&log->entries, &log->capacity, log->count + 1, error));
    log->entries[log->count++] = (struct cor_mail_entry){.deed = deed, .of = of, .value = value};
    return COR_OK;
}

enum cor_status host__mail_log_order(struct cor_mail_record *log, enum cor_mail_deed deed, uint64_t base,
                                     const uint64_t *order, size_t count, struct cor_error *error) {
    enum cor_status status = COR_OK;
    COR_FREED size_t *scratch = cor_calloc(count, 2 * sizeof *scratch + 1);
    COR_TRY(cor_made(scratch, error));
    unsigned char *stays = (void *)(scratch + 2 * count);
    /* Of an order, a longest part that ascends, by patience sorting: [i] of `stays` says whether item i is of
     * it. `ends`: where the best ascending parts of each length end; `before`: what comes before i in its
     * part. */
    size_t *before = scratch + count;
    size_t longest = 0;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = longest;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (order[scratch[middle]] < order[i])
                low = middle + 1;
            else
                high = middle;
        }
        before[i] = low > 0 ? scratch[low - 1] : SIZE_MAX;
        scratch[low] = i;
        longest += low == longest;
    }
    memset(stays, 0, count);
    for (size_t i = longest > 0 ? scratch[longest - 1] : SIZE_MAX; i != SIZE_MAX; i = before[i])
        stays[i] = 1;
    for (size_t i = 0; i < count && status == COR_OK; i++)
        if (!stays[i])
            status = mail_log(log, deed, base + order[i], i, error);
    return status;
}
