/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wing and Gong's search (1993) with Lowe's memory (2017), made as events come: after each event all pairs of
 * a state and the open calls that took effect in it, as far as they matter. A call takes effect as late as
 * it can: when it returns, or when another one that returns needs it. What only reads takes no effect; of
 * each open read it is kept what it can have seen. A call that will never return is a supply: calls alike are
 * counted, and who used less of it, and saw no less, can do all that the other can. One key at a time, as
 * objects are linearizable if each is (Herlihy and Wing 1990; Horn and Kroening 2015).
 *
 * A call that overwrites (write, put, delete) may hide: it may have taken effect just before the last call
 * that overwrote, if it was open then, and nobody can tell. So of a register with n open writes there are
 * n states, and not each set of writes with each of its members last. Who was open then is told by numbers:
 * each call of a key has the next one, and a configuration has that at which it was last overwritten. */
#include "calls.h"

#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

/* Lists of a configuration, each of pairs but the first, in ascending order. */
enum {
    STATE,
    DONE, /* (open call, what it returns): took effect, and has not returned */
    SEEN, /* (open read, a value that it can return) */
    USED, /* (kind of calls that never return, how many of them took effect) */
    LISTS
};

/* Put together before it is kept: a configuration as it is kept is LISTS counts of words, when it was last
 * overwritten, then the words. */
enum { LAST = LISTS, HEAD };
struct made {
    struct history__words of[LISTS]; /* owned */
    uint32_t last;
};

/* As it is kept. */
struct kept {
    const uint32_t *of[LISTS];
    uint32_t counts[LISTS];
    uint32_t last; /* open calls of a lower number can have hidden, and open reads can have seen them */
};

/* Configurations, none of which another one stands for. */
struct set {
    struct history__words words;
    struct entry {
        size_t at;     /* in words */
        uint32_t next; /* 1 + entry of the same state, as far as the hash tells */
        bool is_gone;
        bool is_over; /* came by a call that overwrites */
    } * entries;      /* owned */
    uint32_t *heads;  /* owned; 1 + entry, by hash */
    size_t entry_capacity;
    uint32_t count, head_count;
};

/* An object: one key. */
struct cell {
    uint32_t key;
    enum cor_possible possible;
    uint32_t *words; /* owned; configurations, one behind the other; the first state where it is NULL */
    size_t word_count, word_capacity;
    uint32_t *open; /* owned; open calls, in their order */
    size_t open_count, open_capacity;
    uint32_t calls;    /* that were made */
    uint32_t mutators; /* that are open, or will never return, and change a state without overwriting it */
    struct cor_pool supply_kinds; /* operation, argument, process where it counts */
    uint32_t *supply;             /* owned; [kind] calls that will never return */
    size_t supply_capacity;
    struct lost {
        uint32_t number, kind;
    } * lost; /* owned; calls that overwrite and will never return, in their order */
    size_t lost_count, lost_capacity;
    uint64_t steps; /* of this stretch: since no call was open */
    struct history__zones zones;
    uint64_t zone_steps;     /* of this stretch */
    uint32_t oldest, newest; /* of all open calls; they are linked */
};

struct cor_linear {
    enum cor_object object;
    struct cor_call_values *values; /* borrowed */
    uint64_t steps_most, steps;     /* of a stretch: allowed; of any so far */
    uint64_t all;                   /* of all stretches */
    uint64_t events;
    bool only_zones;      /* no value is written twice: nothing else is needed */
    struct cor_pool keys; /* number: of its cell */
    struct cell *cells;   /* owned, and each */
    size_t cell_capacity;
    struct slot {
        struct cor_call call; /* of a free one the key is the next free one */
        uint32_t cell;
        uint32_t number;         /* among the calls of its key */
        uint32_t before, behind; /* other open calls of its key */
        uint64_t called;         /* event */
    } * slots;                   /* owned; open calls */
    size_t slot_capacity;
    uint32_t slot_count, first_free;
    struct set reached, left; /* while an event is looked at */
    struct made made;
    struct history__words next; /* state */
};

#define NONE UINT32_MAX

/* Is the state behind it the same whatever was before; and the value that is there then. */
static bool overwrites(uint32_t operation) {
    return operation == HISTORY__WRITE || operation == HISTORY__PUT || operation == HISTORY__DELETE;
}

static uint32_t written(uint32_t operation, uint32_t argument) {
    return operation == HISTORY__DELETE ? COR_CALL_NIL : argument;
}

/* ---- sets */

static struct kept kept_at(const uint32_t *words) {
    struct kept kept;
    const uint32_t *at = words + HEAD;
    kept.last = words[LAST];
    for (int l = 0; l < LISTS; l++) {
        kept.of[l] = at;
        kept.counts[l] = words[l];
        at += words[l];
    }
    return kept;
}

static size_t size_of(const uint32_t *words) {
    return HEAD + (size_t)words[STATE] + words[DONE] + words[SEEN] + words[USED];
}

static void clear(struct set *set) {
    if (set->count > 0)
        memset(set->heads, 0, set->head_count * sizeof *set->heads);
    set->words.count = set->count = 0;
}

static void free_set(struct set *set) {
    free(set->words.words);
    free(set->entries);
    free(set->heads);
}

/* Of the state, and what took effect and cannot have hidden. */
static uint64_t hash_of(const struct cor_linear *linear, const struct kept *kept) {
    uint64_t hash = cor_hash_bytes(0, kept->of[STATE], kept->counts[STATE] * sizeof(uint32_t));
    for (uint32_t p = 0; p < kept->counts[DONE]; p += 2)
        if (!overwrites(linear->slots[kept->of[DONE][p]].call.operation))
            hash = cor_hash_bytes(hash, kept->of[DONE] + p, 2 * sizeof(uint32_t));
    return hash;
}

/* Where b took one that writes the value, `a` need not have: can it still take it, so that the read sees it?
 */
static bool can_show(const struct cor_linear *linear, const struct cell *cell, const struct kept *a,
                     const struct kept *b, uint32_t value) {
    uint32_t at = 0;
    for (uint32_t p = 0; p < b->counts[DONE]; p += 2) {
        const struct cor_call *call = &linear->slots[b->of[DONE][p]].call;
        while (at < a->counts[DONE] && a->of[DONE][at] < b->of[DONE][p])
            at += 2;
        if ((at == a->counts[DONE] || a->of[DONE][at] != b->of[DONE][p]) && overwrites(call->operation) &&
            written(call->operation, call->argument) == value)
            return true;
    }
    at = 0;
    for (uint32_t u = 0; u < b->counts[USED]; u += 2) {
        uint32_t kind[3];
        memcpy(kind, cor_pool_item(&cell->supply_kinds, b->of[USED][u]), sizeof kind);
        while (at < a->counts[USED] && a->of[USED][at] < b->of[USED][u])
            at += 2;
        const bool is_used = at < a->counts[USED] && a->of[USED][at] == b->of[USED][u];
        if (overwrites(kind[0]) && written(kind[0], kind[1]) == value &&
            (is_used ? a->of[USED][at + 1] : 0) < b->of[USED][u + 1])
            return true;
    }
    return false;
}

/* Of two of the same state: can `a` do all that `b` can? What b took that overwrites can have hidden in a, or
 * was taken there, too; all else took effect in both; its reads saw at least what those of b saw, or can
 * still; it used at most what b used. */
static bool stands_for(const struct cor_linear *linear, const struct cell *cell, const struct kept *a,
                       const struct kept *b) {
    uint32_t at = 0;
    if (a->last < b->last)
        return false;
    for (uint32_t p = 0; p < b->counts[DONE]; p += 2) {
        const struct slot *slot = &linear->slots[b->of[DONE][p]];
        if (at < a->counts[DONE] && memcmp(a->of[DONE] + at, b->of[DONE] + p, 2 * sizeof(uint32_t)) == 0)
            at += 2;
        else if (!overwrites(slot->call.operation)) /* what does was called before b->last */
            return false;
    }
    if (at < a->counts[DONE])
        return false;
    at = 0;
    for (uint32_t u = 0; u < a->counts[USED]; u += 2) {
        while (at < b->counts[USED] && b->of[USED][at] != a->of[USED][u])
            at += 2;
        if (at == b->counts[USED] || b->of[USED][at + 1] < a->of[USED][u + 1])
            return false;
    }
    at = 0;
    for (uint32_t s = 0; s < b->counts[SEEN]; s += 2) {
        const uint32_t *pair = b->of[SEEN] + s;
        while (at < a->counts[SEEN] &&
               (a->of[SEEN][at] < pair[0] || (a->of[SEEN][at] == pair[0] && a->of[SEEN][at + 1] < pair[1])))
            at += 2;
        if ((at == a->counts[SEEN] || memcmp(a->of[SEEN] + at, pair, 2 * sizeof *pair) != 0) &&
            (linear->slots[pair[0]].number >= a->last || !can_show(linear, cell, a, b, pair[1])))
            return false;
    }
    return true;
}

static enum cor_status grow_heads(const struct cor_linear *linear, struct set *set, struct cor_error *error) {
    const uint32_t count = set->head_count > 0 ? 2 * set->head_count : 8;
    uint32_t *heads = cor_calloc(count, sizeof *heads);
    COR_TRY(cor_made(heads, error));
    free(set->heads);
    set->heads = heads;
    set->head_count = count;
    for (uint32_t e = 0; e < set->count; e++) {
        const struct kept kept = kept_at(set->words.words + set->entries[e].at);
        uint32_t *head = &heads[hash_of(linear, &kept) & (count - 1)];
        set->entries[e].next = *head;
        *head = e + 1;
    }
    return COR_OK;
}

/* Counts what was looked at, by its size; false: it is more than is allowed, and nothing is decided. */
static bool afford(struct cor_linear *linear, struct cell *cell, size_t words) {
    cell->steps += 1 + words / 16;
    linear->all += 1 + words / 16;
    if (cell->steps > linear->steps)
        linear->steps = cell->steps;
    if (cell->steps > linear->steps_most && cell->possible == COR_POSSIBLE)
        cell->possible = COR_NOT_DECIDED;
    return cell->possible == COR_POSSIBLE;
}

/* Adds a configuration of these lists, unless one that is there stands for it; those for which it stands are
 * gone. */
static enum cor_status add(struct cor_linear *linear, struct cell *cell, struct set *set,
                           const struct kept *added, struct cor_error *error) {
    if (set->count >= set->head_count)
        COR_TRY(grow_heads(linear, set, error));
    size_t size = HEAD;
    for (int l = 0; l < LISTS; l++)
        size += added->counts[l];
    uint32_t *head = &set->heads[hash_of(linear, added) & (set->head_count - 1)];
    for (uint32_t e = *head; e != 0 && afford(linear, cell, size); e = set->entries[e - 1].next) {
        if (set->entries[e - 1].is_gone)
            continue;
        const struct kept other = kept_at(set->words.words + set->entries[e - 1].at);
        if (other.counts[STATE] != added->counts[STATE] ||
            (other.counts[STATE] > 0 &&
             memcmp(other.of[STATE], added->of[STATE], other.counts[STATE] * sizeof(uint32_t)) != 0))
            continue;
        if (stands_for(linear, cell, &other, added))
            return COR_OK;
        set->entries[e - 1].is_gone = stands_for(linear, cell, added, &other);
    }
    COR_TRY(COR_RESERVE(&set->words.words, &set->words.capacity, set->words.count + size, error));
    COR_TRY(COR_RESERVE(&set->entries, &set->entry_capacity, set->count + 1, error));
    set->entries[set->count] = (struct entry){set->words.count, *head, false, false};
    *head = ++set->count;
    uint32_t *to = set->words.words + set->words.count;
    memcpy(to, added->counts, LISTS * sizeof *to);
    to[LAST] = added->last;
    to += HEAD;
    for (int l = 0; l < LISTS; l++) {
        if (added->counts[l] > 0)
            memcpy(to, added->of[l], added->counts[l] * sizeof *to);
        to += added->counts[l];
    }
    set->words.count += size;
    return COR_OK;
}

static enum cor_status add_made(struct cor_linear *linear, struct cell *cell, struct set *set,
                                struct cor_error *error) {
    struct kept kept = {.last = linear->made.last};
    for (int l = 0; l < LISTS; l++) {
        kept.of[l] = linear->made.of[l].words;
        kept.counts[l] = (uint32_t)linear->made.of[l].count;
    }
    return add(linear, cell, set, &kept, error);
}

/* ---- configurations */

static enum cor_status take_list(struct made *made, int list, const struct kept *from,
                                 struct cor_error *error) {
    struct history__words *to = &made->of[list];
    COR_TRY(COR_RESERVE(&to->words, &to->capacity, from->counts[list], error));
    if (from->counts[list] > 0)
        memcpy(to->words, from->of[list], from->counts[list] * sizeof *to->words);
    to->count = from->counts[list];
    return COR_OK;
}

/* The same without pairs of that call. */
static enum cor_status take_without(struct made *made, int list, const struct kept *from, uint32_t open,
                                    struct cor_error *error) {
    size_t count = 0;
    COR_TRY(take_list(made, list, from, error));
    struct history__words *to = &made->of[list];
    for (size_t p = 0; p < to->count; p += 2)
        if (to->words[p] != open) {
            to->words[count] = to->words[p];
            to->words[count + 1] = to->words[p + 1];
            count += 2;
        }
    to->count = count;
    return COR_OK;
}

/* Puts a pair in its place, once. */
static enum cor_status put_pair(struct history__words *list, uint32_t first, uint32_t second,
                                struct cor_error *error) {
    size_t at = 0;
    COR_TRY(COR_RESERVE(&list->words, &list->capacity, list->count + 2, error));
    while (at < list->count &&
           (list->words[at] < first || (list->words[at] == first && list->words[at + 1] < second)))
        at += 2;
    if (at < list->count && list->words[at] == first && list->words[at + 1] == second)
        return COR_OK;
    memmove(list->words + at + 2, list->words + at, (list->count - at) * sizeof *list->words);
    list->words[at] = first;
    list->words[at + 1] = second;
    list->count += 2;
    return COR_OK;
}

/* One more of a kind is used. */
static enum cor_status use(struct history__words *used, uint32_t kind, struct cor_error *error) {
    for (size_t p = 0; p < used->count; p += 2)
        if (used->words[p] == kind) {
            used->words[p + 1]++;
            return COR_OK;
        }
    return put_pair(used, kind, 1, error);
}

/* What is kept of the call; *value: of the pair; false: none is. */
static bool find_pair(const struct kept *kept, int list, uint32_t open, uint32_t *value) {
    for (uint32_t p = 0; p < kept->counts[list]; p += 2)
        if (kept->of[list][p] == open) {
            *value = kept->of[list][p + 1];
            return true;
        }
    return false;
}

/* ---- life */

enum cor_status cor_linear_create(enum cor_object object, struct cor_call_values *values, uint64_t steps_most,
                                  struct cor_linear **linear, struct cor_error *error) {
    *linear = cor_calloc(1, sizeof **linear);
    COR_TRY(cor_made(*linear, error));
    **linear = (struct cor_linear){.object = object,
                                   .values = values,
                                   .steps_most = steps_most,
                                   .keys = {.size = sizeof(uint32_t)},
                                   .first_free = NONE};
    return COR_OK;
}

void cor_linear_restart(struct cor_linear *linear) {
    for (uint32_t c = 0; c < linear->keys.count; c++) {
        struct cell *cell = &linear->cells[c];
        free(cell->words);
        free(cell->open);
        free(cell->supply);
        free(cell->lost);
        history__zones_free(&cell->zones);
        cor_pool_fini(&cell->supply_kinds);
    }
    cor_pool_fini(&linear->keys);
    linear->slot_count = 0;
    linear->first_free = NONE;
    linear->steps = linear->all = linear->events = 0;
}

void cor_linear_destroy(struct cor_linear *linear) {
    if (!linear)
        return;
    cor_linear_restart(linear);
    free(linear->cells);
    free(linear->slots);
    free_set(&linear->reached);
    free_set(&linear->left);
    for (int l = 0; l < LISTS; l++)
        free(linear->made.of[l].words);
    free(linear->next.words);
    free(linear);
}

uint64_t cor_linear_steps(const struct cor_linear *linear) {
    return linear->steps;
}

uint64_t cor_linear_memory(const struct cor_linear *linear) {
    uint64_t bytes = linear->slot_capacity * sizeof *linear->slots +
                     linear->cell_capacity * sizeof *linear->cells + cor_pool_memory(&linear->keys);
    const struct set *const sets[] = {&linear->reached, &linear->left};
    for (int s = 0; s < 2; s++)
        bytes += sets[s]->words.capacity * sizeof(uint32_t) + sets[s]->head_count * sizeof(uint32_t) +
                 sets[s]->entry_capacity * sizeof *sets[s]->entries;
    for (uint32_t c = 0; c < linear->keys.count; c++) {
        const struct cell *cell = &linear->cells[c];
        bytes += (cell->word_capacity + cell->open_capacity + cell->supply_capacity) * sizeof(uint32_t) +
                 cell->lost_capacity * sizeof *cell->lost + cor_pool_memory(&cell->supply_kinds) +
                 history__zones_memory(&cell->zones);
    }
    return bytes;
}

/* ---- events */

/* What is left after the event is what there is. */
static enum cor_status keep_left(struct cor_linear *linear, struct cell *cell, struct cor_error *error) {
    const struct set *left = &linear->left;
    cell->word_count = 0;
    if (cell->possible != COR_POSSIBLE)
        return COR_OK;
    COR_TRY(COR_RESERVE(&cell->words, &cell->word_capacity, left->words.count, error));
    for (uint32_t e = 0; e < left->count; e++) {
        const uint32_t *words = left->words.words + left->entries[e].at;
        if (left->entries[e].is_gone)
            continue;
        memcpy(cell->words + cell->word_count, words, size_of(words) * sizeof *words);
        cell->word_count += size_of(words);
    }
    if (cell->word_count == 0)
        cell->possible = COR_IMPOSSIBLE;
    return COR_OK;
}

static enum cor_status cell_of(struct cor_linear *linear, uint32_t key, uint32_t *index,
                               struct cor_error *error) {
    const uint32_t count = linear->keys.count;
    COR_TRY(COR_RESERVE(&linear->cells, &linear->cell_capacity, (size_t)count + 1, error));
    COR_TRY(cor_pool_add(&linear->keys, &key, sizeof key, index, error));
    if (*index < count)
        return COR_OK;
    struct cell *cell = &linear->cells[*index];
    *cell = (struct cell){.key = key,
                          .possible = linear->only_zones ? COR_NOT_DECIDED : COR_POSSIBLE,
                          .zones = {.is_given_up = linear->object > COR_OBJECT_MAP},
                          .oldest = NONE,
                          .newest = NONE};
    COR_TRY(COR_RESERVE(&cell->words, &cell->word_capacity, HEAD + 2, error));
    memset(cell->words, 0, HEAD * sizeof *cell->words);
    cell->words[STATE] = history__first_state(linear->object, cell->words + HEAD);
    cell->word_count = HEAD + cell->words[STATE];
    return COR_OK;
}

/* What an open read sees in this state is put to what it saw. */
static enum cor_status see(struct cor_linear *linear, uint32_t open, const uint32_t *state, size_t count,
                           struct cor_error *error) {
    uint32_t result;
    COR_TRY(history__apply(linear->object, linear->values, &linear->slots[open].call, state, count,
                           &linear->next, &result, error));
    return put_pair(&linear->made.of[SEEN], open, result, error);
}

enum cor_status cor_linear_call(struct cor_linear *linear, const struct cor_call *call, uint32_t *open,
                                struct cor_error *error) {
    uint32_t index;
    COR_TRY(cell_of(linear, call->key, &index, error));
    struct cell *cell = &linear->cells[index];
    COR_TRY(COR_RESERVE(&cell->open, &cell->open_capacity, cell->open_count + 1, error));
    COR_TRY(COR_RESERVE(&linear->slots, &linear->slot_capacity, (size_t)linear->slot_count + 1, error));
    if (linear->first_free == NONE) {
        *open = linear->slot_count++;
    } else {
        *open = linear->first_free;
        linear->first_free = linear->slots[*open].call.key;
    }
    linear->slots[*open] = (struct slot){*call, index, cell->calls, cell->newest, NONE, ++linear->events};
    if (cell->oldest == NONE) {
        cell->oldest = *open;
        cell->zone_steps = 0;
    } else {
        linear->slots[cell->newest].behind = *open;
    }
    cell->newest = *open;
    COR_TRY(history__zones_call(&cell->zones, call, linear->events, error));
    if (cell->calls == NONE)
        cell->possible = cell->possible == COR_POSSIBLE ? COR_NOT_DECIDED : cell->possible;
    if (cell->possible != COR_POSSIBLE)
        return COR_OK; /* nothing can be said of it any more */
    if (cell->open_count == 0)
        cell->steps = 0;
    cell->calls++;
    cell->open[cell->open_count++] = *open;
    cell->mutators += !overwrites(call->operation) && !history__only_reads(call->operation);
    if (!history__only_reads(call->operation))
        return COR_OK;
    clear(&linear->left);
    for (size_t w = 0; w < cell->word_count; w += size_of(cell->words + w)) {
        const struct kept kept = kept_at(cell->words + w);
        if (!afford(linear, cell, size_of(cell->words + w)))
            break;
        for (int l = 0; l < LISTS; l++)
            COR_TRY(take_list(&linear->made, l, &kept, error));
        linear->made.last = kept.last;
        COR_TRY(see(linear, *open, kept.of[STATE], kept.counts[STATE], error));
        COR_TRY(add_made(linear, cell, &linear->left, error));
    }
    return keep_left(linear, cell, error);
}

/* The place among the open calls of the first one of that number or a later one. */
static size_t open_from(const struct cor_linear *linear, const struct cell *cell, uint32_t number) {
    size_t at = 0, to = cell->open_count;
    while (at < to) {
        const size_t middle = at + (to - at) / 2;
        if (linear->slots[cell->open[middle]].number < number)
            at = middle + 1;
        else
            to = middle;
    }
    return at;
}

static size_t lost_from(const struct cell *cell, uint32_t number) {
    size_t at = 0, to = cell->lost_count;
    while (at < to) {
        const size_t middle = at + (to - at) / 2;
        if (cell->lost[middle].number < number)
            at = middle + 1;
        else
            to = middle;
    }
    return at;
}

static struct cell *close_call(struct cor_linear *linear, uint32_t open) {
    struct slot *slot = &linear->slots[open];
    struct cell *cell = &linear->cells[slot->cell];
    const size_t at = open_from(linear, cell, slot->number);
    if (cell->possible == COR_POSSIBLE && at < cell->open_count && cell->open[at] == open) {
        memmove(cell->open + at, cell->open + at + 1, (--cell->open_count - at) * sizeof *cell->open);
        cell->mutators -= !overwrites(slot->call.operation) && !history__only_reads(slot->call.operation);
    }
    *(slot->before == NONE ? &cell->oldest : &linear->slots[slot->before].behind) = slot->behind;
    *(slot->behind == NONE ? &cell->newest : &linear->slots[slot->behind].before) = slot->before;
    slot->call.key = linear->first_free;
    linear->first_free = open;
    return cell;
}

/* By either of both ways; *possible: behind an end. */
static void decide(struct cor_linear *linear, struct cell *cell, enum cor_possible *possible) {
    linear->all += cell->zones.steps;
    cell->zone_steps += cell->zones.steps;
    cell->zones.steps = 0;
    if (cell->zone_steps > linear->steps)
        linear->steps = cell->zone_steps;
    cell->zones.is_given_up = cell->zones.is_given_up || cell->zone_steps > linear->steps_most;
    *possible = cell->possible != COR_NOT_DECIDED || cell->zones.is_given_up ? cell->possible
                : cell->zones.is_impossible                                  ? COR_IMPOSSIBLE
                                                                             : COR_POSSIBLE;
}

/* As late as it may be: the number of the first call that tells it from later ones. */
static uint32_t latest(const struct cor_linear *linear, const struct cell *cell, uint32_t last) {
    const size_t at = open_from(linear, cell, last), lost = lost_from(cell, last);
    const uint32_t number = at < cell->open_count ? linear->slots[cell->open[at]].number : cell->calls;
    return lost < cell->lost_count && cell->lost[lost].number < number ? cell->lost[lost].number : number;
}

/* From a configuration that was reached, another one in which one call more took effect: an open one, or one
 * of those that never return. */
static enum cor_status step(struct cor_linear *linear, struct cell *cell, uint32_t entry,
                            const struct cor_call *call, uint32_t open, uint32_t kind,
                            struct cor_error *error) {
    struct made *made = &linear->made;
    const struct kept kept = kept_at(linear->reached.words.words + linear->reached.entries[entry].at);
    uint32_t result;
    if (!afford(linear, cell,
                cell->open_count + size_of(linear->reached.words.words + linear->reached.entries[entry].at)))
        return COR_OK;
    COR_TRY(history__apply(linear->object, linear->values, call, kept.of[STATE], kept.counts[STATE],
                           &made->of[STATE], &result, error));
    const struct history__words *state = &made->of[STATE];
    if (open == NONE && !overwrites(call->operation) && state->count == kept.counts[STATE] &&
        (state->count == 0 || memcmp(state->words, kept.of[STATE], state->count * sizeof(uint32_t)) == 0))
        return COR_OK; /* it changes nothing, and nobody waits for it */
    for (int l = DONE; l < LISTS; l++)
        COR_TRY(take_list(made, l, &kept, error));
    made->last = overwrites(call->operation) ? cell->calls : kept.last;
    COR_TRY(open == NONE ? use(&made->of[USED], kind, error)
                         : put_pair(&made->of[DONE], open, result, error));
    for (size_t o = 0; o < cell->open_count; o++)
        if (history__only_reads(linear->slots[cell->open[o]].call.operation))
            COR_TRY(see(linear, cell->open[o], state->words, state->count, error));
    const uint32_t count = linear->reached.count;
    COR_TRY(add_made(linear, cell, &linear->reached, error));
    if (linear->reached.count > count)
        linear->reached.entries[count].is_over = overwrites(call->operation);
    return COR_OK;
}

/* What returns, and what. */
struct returning {
    uint32_t open, operation, result;
};

/* May that one take effect next? One that overwrites need not come where its value is of no use: it can come
 * later; nor behind another one, which can hide. */
static bool may_help(const struct cell *cell, const struct returning *returning, bool is_over, uint32_t open,
                     uint32_t operation, uint32_t argument) {
    if (!overwrites(operation))
        return true;
    return !is_over &&
           (cell->mutators > 0 || open == returning->open ||
            (history__only_reads(returning->operation) &&
             history__accepts(returning->operation, written(operation, argument), returning->result)));
}

static enum cor_status steps_from(struct cor_linear *linear, struct cell *cell, uint32_t entry,
                                  const struct returning *returning, struct cor_error *error) {
    const bool is_over = linear->reached.entries[entry].is_over;
    for (size_t o = 0; o < cell->open_count && cell->possible == COR_POSSIBLE; o++) {
        const struct kept kept = kept_at(linear->reached.words.words + linear->reached.entries[entry].at);
        const uint32_t open = cell->open[o];
        const struct cor_call *call = &linear->slots[open].call;
        uint32_t value;
        if (!history__only_reads(call->operation) &&
            may_help(cell, returning, is_over, open, call->operation, call->argument) &&
            !find_pair(&kept, DONE, open, &value))
            COR_TRY(step(linear, cell, entry, call, open, NONE, error));
    }
    if (overwrites(returning->operation) && (cell->open_count == 1 || cell->mutators == 0))
        return COR_OK; /* what is overwritten at once, and seen by nobody, need not come */
    if (!afford(linear, cell, cell->open_count + cell->supply_kinds.count))
        return COR_OK; /* most are passed over, and this takes time, too */
    for (uint32_t k = 0; k < cell->supply_kinds.count && cell->possible == COR_POSSIBLE; k++) {
        const struct kept kept = kept_at(linear->reached.words.words + linear->reached.entries[entry].at);
        uint32_t used = 0, kind[3];
        memcpy(kind, cor_pool_item(&cell->supply_kinds, k), sizeof kind);
        if (!may_help(cell, returning, is_over, NONE, kind[0], kind[1]))
            continue;
        (void)find_pair(&kept, USED, k, &used);
        const struct cor_call call = {.operation = kind[0], .argument = kind[1], .process = kind[2]};
        if (used < cell->supply[k])
            COR_TRY(step(linear, cell, entry, &call, NONE, k, error));
    }
    return COR_OK;
}

/* Leaves the configuration, without what it says of the call, which has ended. Then one took effect that had
 * hidden, or is counted among its kind now: `hidden`, an open one; or of `kind`; NONE: none. Reads that were
 * open then can have seen `value`; NONE: what they saw is known. */
static enum cor_status leave(struct cor_linear *linear, struct cell *cell, const struct kept *kept,
                             uint32_t open, uint32_t hidden, uint32_t kind, uint32_t value,
                             struct cor_error *error) {
    struct made *made = &linear->made;
    COR_TRY(take_list(made, STATE, kept, error));
    COR_TRY(take_without(made, DONE, kept, open, error));
    COR_TRY(take_without(made, SEEN, kept, open, error));
    COR_TRY(take_list(made, USED, kept, error));
    made->last = latest(linear, cell, kept->last);
    if (hidden != NONE && hidden != open)
        COR_TRY(put_pair(&made->of[DONE], hidden, COR_CALL_NIL, error));
    if (kind != NONE)
        COR_TRY(use(&made->of[USED], kind, error));
    for (size_t o = 0; value != NONE && o < open_from(linear, cell, kept->last); o++) {
        const struct cor_call *read = &linear->slots[cell->open[o]].call;
        if (cell->open[o] != open && history__only_reads(read->operation))
            COR_TRY(put_pair(&made->of[SEEN], cell->open[o], value, error));
    }
    return add_made(linear, cell, &linear->left, error);
}

/* Leaves a configuration if the call can have returned so in it. *is_settled: nothing else can come of it. */
static enum cor_status leave_if(struct cor_linear *linear, struct cell *cell, const struct kept *kept,
                                const struct returning *returning, bool *is_settled,
                                struct cor_error *error) {
    const uint32_t open = returning->open, operation = returning->operation;
    const bool could_hide = linear->slots[open].number < kept->last;
    uint32_t value;
    *is_settled = true;
    if (!history__only_reads(operation)) {
        const uint32_t argument = linear->slots[open].call.argument;
        if (find_pair(kept, DONE, open, &value))
            return history__accepts(operation, value, returning->result)
                       ? leave(linear, cell, kept, open, NONE, NONE, NONE, error)
                       : COR_OK;
        *is_settled = false;
        return could_hide && overwrites(operation)
                   ? leave(linear, cell, kept, open, open, NONE, written(operation, argument), error)
                   : COR_OK;
    }
    for (uint32_t p = 0; p < kept->counts[SEEN]; p += 2)
        if (kept->of[SEEN][p] == open &&
            history__accepts(operation, kept->of[SEEN][p + 1], returning->result))
            return leave(linear, cell, kept, open, NONE, NONE, NONE, error);
    *is_settled = false;
    for (size_t o = 0; could_hide && o < cell->open_count; o++) {
        const struct slot *slot = &linear->slots[cell->open[o]];
        const uint32_t held = written(slot->call.operation, slot->call.argument);
        if (slot->number < kept->last && overwrites(slot->call.operation) &&
            history__accepts(operation, held, returning->result) &&
            !find_pair(kept, DONE, cell->open[o], &value))
            COR_TRY(leave(linear, cell, kept, open, cell->open[o], NONE, held, error));
    }
    for (uint32_t k = 0; could_hide && k < cell->supply_kinds.count; k++) {
        uint32_t kind[3], used = 0, later = 0;
        memcpy(kind, cor_pool_item(&cell->supply_kinds, k), sizeof kind);
        const uint32_t held = written(kind[0], kind[1]);
        if (!overwrites(kind[0]) || !history__accepts(operation, held, returning->result))
            continue;
        (void)find_pair(kept, USED, k, &used);
        for (size_t l = lost_from(cell, kept->last); l < cell->lost_count; l++)
            later += cell->lost[l].kind == k;
        if (used + later < cell->supply[k])
            COR_TRY(leave(linear, cell, kept, open, NONE, k, held, error));
    }
    return COR_OK;
}

enum cor_status cor_linear_return(struct cor_linear *linear, uint32_t open, uint32_t result,
                                  enum cor_possible *possible, struct cor_error *error) {
    struct cell *cell = &linear->cells[linear->slots[open].cell];
    const struct returning returning = {open, linear->slots[open].call.operation, result};
    bool is_settled;
    clear(&linear->reached);
    clear(&linear->left);
    for (size_t w = 0; w < cell->word_count; w += size_of(cell->words + w)) {
        const struct kept kept = kept_at(cell->words + w);
        if (!afford(linear, cell, size_of(cell->words + w)))
            break;
        COR_TRY(leave_if(linear, cell, &kept, &returning, &is_settled, error));
        if (!is_settled)
            COR_TRY(add(linear, cell, &linear->reached, &kept, error));
    }
    const uint32_t before = linear->reached.count;
    for (uint32_t e = 0; e < linear->reached.count && cell->possible == COR_POSSIBLE; e++) {
        const struct kept kept = kept_at(linear->reached.words.words + linear->reached.entries[e].at);
        if (linear->reached.entries[e].is_gone)
            continue;
        is_settled = false;
        if (e >= before)
            COR_TRY(leave_if(linear, cell, &kept, &returning, &is_settled, error));
        if (!is_settled)
            COR_TRY(steps_from(linear, cell, e, &returning, error));
    }
    const struct slot slot = linear->slots[open];
    (void)close_call(linear, open);
    COR_TRY(keep_left(linear, cell, error));
    const uint64_t now = ++linear->events;
    COR_TRY(history__zones_return(&cell->zones, &slot.call, result, slot.called, now,
                                  cell->oldest == NONE ? now : linear->slots[cell->oldest].called, error));
    decide(linear, cell, possible);
    return COR_OK;
}

enum cor_status cor_linear_failed(struct cor_linear *linear, uint32_t open, enum cor_possible *possible,
                                  struct cor_error *error) {
    struct cell *cell = close_call(linear, open);
    uint32_t value;
    clear(&linear->left);
    for (size_t w = 0; w < cell->word_count; w += size_of(cell->words + w)) {
        const struct kept kept = kept_at(cell->words + w);
        if (!find_pair(&kept, DONE, open, &value))
            COR_TRY(leave(linear, cell, &kept, open, NONE, NONE, NONE, error));
    }
    COR_TRY(keep_left(linear, cell, error));
    ++linear->events;
    COR_TRY(history__zones_failed(&cell->zones, &linear->slots[open].call, error));
    decide(linear, cell, possible);
    return COR_OK;
}

enum cor_status cor_linear_lost(struct cor_linear *linear, uint32_t open, struct cor_error *error) {
    const struct cor_call call = linear->slots[open].call;
    const uint32_t number = linear->slots[open].number;
    struct cell *cell = close_call(linear, open);
    const uint32_t item[3] = {call.operation, call.argument,
                              linear->object == COR_OBJECT_LOCK ? call.process : 0};
    uint32_t kind = NONE;
    if (cell->possible != COR_POSSIBLE)
        return COR_OK;
    if (!history__only_reads(call.operation)) {
        const uint32_t kinds = cell->supply_kinds.count;
        cell->supply_kinds.size = sizeof item;
        COR_TRY(COR_RESERVE(&cell->supply, &cell->supply_capacity, (size_t)kinds + 1, error));
        COR_TRY(cor_pool_add(&cell->supply_kinds, item, sizeof item, &kind, error));
        cell->supply[kind] = kind < kinds ? cell->supply[kind] + 1 : 1;
        cell->mutators += !overwrites(call.operation);
    }
    if (overwrites(call.operation)) {
        const size_t at = lost_from(cell, number);
        COR_TRY(COR_RESERVE(&cell->lost, &cell->lost_capacity, cell->lost_count + 1, error));
        memmove(cell->lost + at + 1, cell->lost + at, (cell->lost_count++ - at) * sizeof *cell->lost);
        cell->lost[at] = (struct lost){number, kind};
    }
    bool is_told = false; /* any configuration has something to say of it */
    for (size_t w = 0; w < cell->word_count && !is_told; w += size_of(cell->words + w)) {
        const struct kept kept = kept_at(cell->words + w);
        uint32_t value;
        is_told = find_pair(&kept, DONE, open, &value) || find_pair(&kept, SEEN, open, &value);
    }
    if (!is_told)
        return COR_OK;
    clear(&linear->left);
    for (size_t w = 0; w < cell->word_count; w += size_of(cell->words + w)) {
        const struct kept kept = kept_at(cell->words + w);
        uint32_t value;
        const bool is_done = kind != NONE && find_pair(&kept, DONE, open, &value);
        COR_TRY(leave(linear, cell, &kept, open, NONE, is_done ? kind : NONE, NONE, error));
    }
    return keep_left(linear, cell, error);
}

/* ---- a whole history */

/* Is nothing called but what reads and what writes, and no value written twice to a key? */
static enum cor_status look_at_values(const struct cor_history *history, bool *are_unique,
                                      struct cor_error *error) {
    struct cor_pool pairs = {.size = 2 * sizeof(uint32_t)};
    enum cor_status status = COR_OK;
    *are_unique = history->object <= COR_OBJECT_MAP;
    for (size_t c = 0; c < history->count && *are_unique && status == COR_OK; c++) {
        const struct cor_call *call = &history->calls[c];
        const uint32_t pair[2] = {call->key, call->argument}, count = pairs.count;
        uint32_t number;
        if (history__only_reads(call->operation))
            continue;
        status = cor_pool_add(&pairs, pair, sizeof pair, &number, error);
        *are_unique = number == count && call->argument != HISTORY__NO_WORD &&
                      (call->operation == HISTORY__WRITE || call->operation == HISTORY__PUT);
    }
    cor_pool_fini(&pairs);
    return status;
}

enum cor_status cor_history_linearizable(struct cor_history *history, const bool *relaxed,
                                         uint64_t steps_most, struct cor_history_verdict *verdict,
                                         struct cor_error *error) {
    struct cor_linear *linear = NULL;
    struct history__event *events = NULL;
    enum cor_status status = COR_OK;
    uint32_t *open = cor_calloc(history->count, sizeof *open); /* [call] */
    *verdict = (struct cor_history_verdict){.possible = COR_POSSIBLE};
    COR_TRY_OUT(cor_made(open, error));
    COR_TRY_OUT(history__events(history, &events, error));
    COR_TRY_OUT(cor_linear_create(history->object, &history->values, steps_most, &linear, error));
    COR_TRY_OUT(look_at_values(history, &linear->only_zones, error));
    for (uint64_t e = 0; e < history->events && verdict->possible != COR_IMPOSSIBLE; e++) {
        const size_t c = events[e].call;
        const struct cor_call *call = &history->calls[c];
        const bool is_unknown = call->end == COR_CALL_UNKNOWN || (relaxed && relaxed[c]);
        enum cor_possible possible = COR_POSSIBLE;
        if (is_unknown && (events[e].is_end || history__only_reads(call->operation)))
            continue;
        if (!events[e].is_end) {
            COR_TRY_OUT(cor_linear_call(linear, call, &open[c], error));
            if (is_unknown)
                COR_TRY_OUT(cor_linear_lost(linear, open[c], error));
        } else if (call->end == COR_CALL_FAILED) {
            COR_TRY_OUT(cor_linear_failed(linear, open[c], &possible, error));
        } else {
            COR_TRY_OUT(cor_linear_return(linear, open[c], call->result, &possible, error));
        }
        if (possible == COR_IMPOSSIBLE || (possible == COR_NOT_DECIDED && verdict->possible == COR_POSSIBLE))
            *verdict = (struct cor_history_verdict){.possible = possible, .call = c};
    }
    verdict->steps = cor_linear_steps(linear);
    verdict->all = linear->all;
out:
    cor_linear_destroy(linear);
    free(events);
    free(open);
    return status;
}
