/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A position: blocks as regions of one pool. A split cuts a region in two where it lies; a join appends the
 * smaller block to the larger one, or moves both to the end of the pool; a full pool is compacted. So an
 * operator costs as much as the two blocks it touches, and nothing is allocated. */
#include "psopp.h"

#include <math.h>
#include <string.h>

bool psopp__position_create(struct psopp_position *position, struct psopp_space *space) {
    const struct cor_host *host = space->host;
    size_t slots = (size_t)space->nowhere + 1, agents = space->agent_count;
    *position = (struct psopp_position){.space = space};
    position->blocks = host->alloc(host, slots * sizeof *position->blocks);
    position->live = host->alloc(host, slots * sizeof *position->live);
    position->splittable = host->alloc(host, slots * sizeof *position->splittable);
    position->splittable_place = host->alloc(host, slots * sizeof *position->splittable_place);
    position->label = host->alloc(host, agents * sizeof *position->label);
    position->times = host->alloc(host, agents * sizeof *position->times);
    position->size_count = host->alloc(host, (agents + 1) * sizeof *position->size_count);
    position->sizes_present = host->alloc(host, (agents / 64 + 1) * sizeof *position->sizes_present);
    position->pool.members = host->alloc(host, 2 * agents * sizeof *position->pool.members);
    position->pool.capacity = 2 * space->agent_count;
    return position->blocks && position->live && position->splittable && position->splittable_place &&
           position->label && position->times && position->size_count && position->sizes_present &&
           position->pool.members;
}

bool psopp__position_weigh(struct psopp_position *position) {
    const struct psopp_space *space = position->space;
    const uint32_t slots = space->nowhere + 1;
    void *memory = space->host->alloc(space->host, cor_objective_bytes(space->task->objective, slots, slots));
    position->stale = space->host->alloc(space->host, slots * sizeof *position->stale);
    if (!memory || !position->stale)
        return false;
    cor_objective_begin(&position->work, space->task, slots, slots, memory);
    return true;
}

double psopp__position_objective(struct psopp_position *position) {
    for (uint32_t i = 0; i < position->live_count; i++) {
        const uint32_t slot = position->live[i];
        if (!position->stale[slot])
            continue;
        cor_objective_measure(&position->work, slot, psopp__position_members(position, slot),
                              position->blocks[slot].size);
        position->stale[slot] = false;
    }
    const double value = cor_objective_total(&position->work, position->live, position->live_count);
    return isnan(value) ? (double)INFINITY : value;
}

/* Adds to a sum; what rounding loses goes to `low` (Knuth's TwoSum). */
static void total_add(struct psopp_total *total, double term) {
    double high = total->high + term;
    double part = high - total->high;
    double lost = (total->high - (high - part)) + (term - part);
    total->high = high;
    total->low += lost;
}

/* (sum / size)^2: what a block adds to the total. The same for the same block whenever it is asked for. */
static double square_of(const struct psopp_block *block) {
    double mean = (double)block->sum / block->size;
    return mean * mean;
}

/* The block counts from now on: by its size, and by its square in the total. Every change of a block's size
 * or sum lies between a block_out and a block_in. */
static void block_in(struct psopp_position *position, uint32_t slot) {
    const struct psopp_block *block = &position->blocks[slot];
    position->size_count[block->size]++;
    position->sizes_present[block->size / 64] |= UINT64_C(1) << (block->size % 64);
    position->splittable_place[slot] = UINT32_MAX;
    if (block->size >= 2 * position->space->size_min) {
        position->splittable_place[slot] = position->splittable_count;
        position->splittable[position->splittable_count++] = slot;
    }
    total_add(&position->total, square_of(block));
    if (position->stale)
        position->stale[slot] = true;
}

static void block_out(struct psopp_position *position, uint32_t slot) {
    const struct psopp_block *block = &position->blocks[slot];
    uint64_t was_last = --position->size_count[block->size] == 0;
    position->sizes_present[block->size / 64] &= ~(was_last << (block->size % 64));
    uint32_t place = position->splittable_place[slot];
    if (place != UINT32_MAX) {
        uint32_t last = position->splittable[--position->splittable_count];
        position->splittable[place] = last;
        position->splittable_place[last] = place;
    }
    total_add(&position->total, -square_of(block));
}

static uint32_t slot_take(struct psopp_position *position) {
    uint32_t slot = position->live[position->live_count];
    position->blocks[slot].live_place = position->live_count++;
    return slot;
}

static void slot_free(struct psopp_position *position, uint32_t slot) {
    uint32_t place = position->blocks[slot].live_place;
    uint32_t last = position->live[--position->live_count];
    position->live[place] = last;
    position->blocks[last].live_place = place;
    position->live[position->live_count] = slot;
    position->blocks[slot].size = 0;
}

/* Sums up the members of the block, and labels them with it. */
static void settle(struct psopp_position *position, uint32_t slot) {
    const struct psopp_agent *agents = position->space->agents;
    struct psopp_block *block = &position->blocks[slot];
    const uint32_t *members = psopp__position_members(position, slot);
    int64_t sum = 0;
    uint64_t print = 0;
    for (uint32_t i = 0, size = block->size; i < size; i++) {
        sum += agents[members[i]].value;
        print += agents[members[i]].print;
        position->label[members[i]] = slot;
    }
    block->sum = sum;
    block->print = print;
}

/* An agent becomes a member of one block more. */
static void enter(struct psopp_position *position, uint32_t agent) {
    position->member_count++;
    position->double_count += position->times[agent]++ > 0;
}

/* An agent is a member of one block less. */
static void leave(struct psopp_position *position, uint32_t agent) {
    position->member_count--;
    position->double_count -= --position->times[agent] > 0;
}

/* Moves all blocks to the front of the spare pool and swaps the pools. Afterwards `room` members fit behind
 * them. */
static bool compact(struct psopp_position *position, uint32_t room) {
    struct psopp_space *space = position->space;
    struct psopp_pool *spare = &space->spare;
    uint64_t needed = (uint64_t)position->member_count + room;
    if (needed > spare->capacity) { /* only faults add members */
        size_t old_bytes = spare->capacity * sizeof *spare->members,
               bytes = 2 * needed * sizeof *spare->members;
        uint32_t *members = space->host->resize(space->host, spare->members, old_bytes, bytes);
        if (!members || 2 * needed > UINT32_MAX) {
            position->out_of_memory = true;
            return false;
        }
        *spare = (struct psopp_pool){members, (uint32_t)(2 * needed)};
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < position->live_count; i++) {
        struct psopp_block *block = &position->blocks[position->live[i]];
        memcpy(spare->members + used, position->pool.members + block->offset,
               block->size * sizeof *spare->members);
        block->offset = used;
        block->capacity = block->size;
        used += block->size;
    }
    struct psopp_pool old = position->pool;
    position->pool = *spare;
    *spare = old;
    position->pool_used = used;
    return true;
}

/* Makes sure that `count` members fit behind the regions. */
static bool reserve(struct psopp_position *position, uint32_t count) {
    return position->pool_used + (uint64_t)count <= position->pool.capacity || compact(position, count);
}

/* Moves the block to the end of the pool, with room for `capacity` members; reserved before. */
static void move_to_end(struct psopp_position *position, uint32_t slot, uint32_t capacity) {
    struct psopp_block *block = &position->blocks[slot];
    memcpy(position->pool.members + position->pool_used, position->pool.members + block->offset,
           block->size * sizeof *position->pool.members);
    block->offset = position->pool_used;
    block->capacity = capacity;
    position->pool_used += capacity;
}

/* Makes room for one member more: as long as the pool allows, for a few, for a block that grows once grows
 * again. */
static bool grow(struct psopp_position *position, uint32_t slot) {
    uint32_t wanted = position->blocks[slot].size + 1;
    if (wanted <= position->blocks[slot].capacity)
        return true;
    if (!reserve(position, wanted))
        return false;
    uint32_t left = position->pool.capacity - position->pool_used - wanted;
    move_to_end(position, slot, wanted + (left < 3 ? left : 3));
    return true;
}

void psopp__position_load(struct psopp_position *position, uint32_t block_count, const uint32_t *block_start,
                          const uint32_t *members) {
    const struct psopp_space *space = position->space;
    for (uint32_t slot = 0; slot <= space->nowhere; slot++) {
        position->live[slot] = slot;
        position->blocks[slot].size = 0;
    }
    memset(position->size_count, 0, ((size_t)space->agent_count + 1) * sizeof *position->size_count);
    memset(position->sizes_present, 0, (space->agent_count / 64 + 1) * sizeof *position->sizes_present);
    position->live_count = position->splittable_count = 0;
    position->total = (struct psopp_total){0, 0};
    position->corrupted = false;
    position->double_count = 0;
    for (uint32_t a = 0; a < space->agent_count; a++)
        position->times[a] = 1;
    memcpy(position->pool.members, members, space->agent_count * sizeof *members);
    position->pool_used = position->member_count = space->agent_count;
    for (uint32_t b = 0; b < block_count; b++) {
        uint32_t slot = slot_take(position);
        struct psopp_block *block = &position->blocks[slot];
        block->offset = block_start[b];
        block->size = block->capacity = block_start[b + 1] - block_start[b];
        settle(position, slot);
        block_in(position, slot);
    }
}

void psopp__position_copy(struct psopp_position *copy, const struct psopp_position *position) {
    const struct psopp_space *space = position->space;
    if (copy->pool.capacity < position->pool_used) { /* `position` has outgrown it by a fault */
        size_t old_bytes = copy->pool.capacity * sizeof *copy->pool.members;
        size_t bytes = position->pool.capacity * sizeof *copy->pool.members;
        uint32_t *members = space->host->resize(space->host, copy->pool.members, old_bytes, bytes);
        if (!members) {
            copy->out_of_memory = true;
            return;
        }
        copy->pool = (struct psopp_pool){members, position->pool.capacity};
    }
    for (uint32_t i = 0; i < position->live_count; i++)
        copy->blocks[position->live[i]] = position->blocks[position->live[i]];
    memcpy(copy->live, position->live, position->live_count * sizeof *copy->live);
    memcpy(copy->pool.members, position->pool.members, position->pool_used * sizeof *copy->pool.members);
    copy->live_count = position->live_count;
    copy->pool_used = position->pool_used;
    copy->member_count = position->member_count;
    copy->total = position->total;
    copy->corrupted = position->corrupted;
    memcpy(copy->label, position->label, space->agent_count * sizeof *copy->label);
}

struct psopp_pair psopp__position_split(struct psopp_position *position, uint32_t slot, uint32_t count) {
    block_out(position, slot);
    uint32_t fresh = slot_take(position);
    struct psopp_block *old = &position->blocks[slot], *new = &position->blocks[fresh];
    uint32_t rest = old->size - count;
    bool front_is_new = count < rest; /* the smaller part gets the new slot: fewer labels to write */
    new->offset = old->offset + (front_is_new ? 0 : count);
    new->size = front_is_new ? count : rest;
    new->capacity = front_is_new ? count : old->capacity - count;
    old->offset += front_is_new ? count : 0;
    old->size -= new->size;
    old->capacity -= new->capacity;
    settle(position, fresh);
    old->sum -= new->sum;
    old->print -= new->print;
    block_in(position, slot);
    block_in(position, fresh);
    return (struct psopp_pair){front_is_new ? fresh : slot, front_is_new ? slot : fresh, count, rest};
}

/* Appends the members of `small` that are not in `large`. */
static void append_missing(struct psopp_position *position, struct psopp_block *large,
                           const struct psopp_block *small) {
    struct psopp_space *space = position->space;
    uint64_t round = psopp__space_round(space);
    uint32_t *to = position->pool.members + large->offset;
    const uint32_t *from = position->pool.members + small->offset;
    for (uint32_t i = 0; i < large->size; i++)
        space->mark[to[i]] = round;
    for (uint32_t i = 0; i < small->size; i++) {
        if (space->mark[from[i]] == round) {
            leave(position, from[i]);
        } else {
            to[large->size++] = from[i];
            large->sum += space->agents[from[i]].value;
            large->print += space->agents[from[i]].print;
        }
    }
}

uint32_t psopp__position_join(struct psopp_position *position, uint32_t one, uint32_t other) {
    bool one_is_large = position->blocks[one].size >= position->blocks[other].size;
    uint32_t large_slot = one_is_large ? one : other, small_slot = one_is_large ? other : one;
    struct psopp_block *large = &position->blocks[large_slot], *small = &position->blocks[small_slot];
    uint32_t size = large->size + small->size;
    if (large->capacity < size) {
        if (!reserve(position, size))
            return large_slot;
        move_to_end(position, large_slot, size);
    }
    block_out(position, large_slot);
    block_out(position, small_slot);
    const uint32_t *from = position->pool.members + small->offset;
    for (uint32_t i = 0; i < small->size; i++)
        position->label[from[i]] = large_slot;
    if (position->double_count > 0) { /* corrupted */
        append_missing(position, large, small);
    } else {
        memcpy(position->pool.members + large->offset + large->size, from, small->size * sizeof *from);
        large->size = size;
        large->sum += small->sum;
        large->print += small->print;
    }
    slot_free(position, small_slot);
    block_in(position, large_slot);
    return large_slot;
}

/* Adds an agent to a block that has room and is out of the indexes. */
static void push(struct psopp_position *position, uint32_t slot, uint32_t agent) {
    struct psopp_block *block = &position->blocks[slot];
    position->label[agent] = slot;
    if (position->times[agent] > 0 && psopp__position_holds(position, slot, agent))
        return;
    position->pool.members[block->offset + block->size++] = agent;
    block->sum += position->space->agents[agent].value;
    block->print += position->space->agents[agent].print;
    enter(position, agent);
}

/* Takes the last member out of a block that is out of the indexes. Its label is then for the caller to set.
 */
static uint32_t pop(struct psopp_position *position, uint32_t slot) {
    struct psopp_block *block = &position->blocks[slot];
    uint32_t agent = position->pool.members[block->offset + --block->size];
    block->sum -= position->space->agents[agent].value;
    block->print -= position->space->agents[agent].print;
    leave(position, agent);
    return agent;
}

/* The last members of two blocks change places; sizes stay. Only where nobody is in several blocks. */
static void swap_last(struct psopp_position *position, uint32_t one, uint32_t other) {
    const struct psopp_agent *agents = position->space->agents;
    struct psopp_block *first = &position->blocks[one], *second = &position->blocks[other];
    uint32_t *from_one = &position->pool.members[first->offset + first->size - 1], gone = *from_one;
    uint32_t *from_other = &position->pool.members[second->offset + second->size - 1], come = *from_other;
    *from_one = come;
    *from_other = gone;
    position->label[come] = one;
    position->label[gone] = other;
    total_add(&position->total, -square_of(first));
    total_add(&position->total, -square_of(second));
    first->sum += agents[come].value - agents[gone].value;
    second->sum += agents[gone].value - agents[come].value;
    first->print += agents[come].print - agents[gone].print;
    second->print += agents[gone].print - agents[come].print;
    total_add(&position->total, square_of(first));
    total_add(&position->total, square_of(second));
    if (position->stale)
        position->stale[one] = position->stale[other] = true;
}

void psopp__position_exchange(struct psopp_position *position, uint32_t one, uint32_t one_count,
                              uint32_t other, uint32_t other_count) {
    if (one_count == 1 && other_count == 1 && position->double_count == 0) {
        swap_last(position, one, other);
        return;
    }
    uint32_t from_one[PSOPP_EXCHANGE_MAX], from_other[PSOPP_EXCHANGE_MAX];
    block_out(position, one);
    block_out(position, other);
    for (uint32_t i = 0; i < one_count; i++)
        from_one[i] = pop(position, one);
    for (uint32_t i = 0; i < other_count; i++)
        from_other[i] = pop(position, other);
    for (uint32_t i = 0; i < other_count && grow(position, one); i++)
        push(position, one, from_other[i]);
    for (uint32_t i = 0; i < one_count && grow(position, other); i++)
        push(position, other, from_one[i]);
    block_in(position, one);
    block_in(position, other);
}

/* Labels an agent that has left the block of its label: with another block that holds it, or `nowhere`. */
static void label_again(struct psopp_position *position, uint32_t agent) {
    position->label[agent] = position->space->nowhere;
    for (uint32_t i = 0; i < position->live_count && position->times[agent] > 0; i++)
        if (psopp__position_holds(position, position->live[i], agent)) {
            position->label[agent] = position->live[i];
            return;
        }
}

void psopp__position_insert(struct psopp_position *position, uint32_t slot, uint32_t agent) {
    if (psopp__position_holds(position, slot, agent) || !grow(position, slot))
        return;
    block_out(position, slot);
    push(position, slot, agent);
    block_in(position, slot);
}

void psopp__position_remove(struct psopp_position *position, uint32_t slot, uint32_t place) {
    uint32_t *members = psopp__position_members(position, slot);
    uint32_t agent = members[place];
    block_out(position, slot);
    members[place] = members[position->blocks[slot].size - 1];
    members[position->blocks[slot].size - 1] = agent;
    (void)pop(position, slot);
    if (position->blocks[slot].size > 0)
        block_in(position, slot);
    else
        slot_free(position, slot);
    if (position->label[agent] == slot)
        label_again(position, agent);
}

void psopp__position_drop(struct psopp_position *position, uint32_t slot) {
    const uint32_t *members = psopp__position_members(position, slot), size = position->blocks[slot].size;
    block_out(position, slot);
    slot_free(position, slot);
    for (uint32_t i = 0; i < size; i++) {
        leave(position, members[i]);
        if (position->label[members[i]] == slot)
            label_again(position, members[i]);
    }
}

void psopp__position_repeat(struct psopp_position *position, uint32_t slot) {
    uint32_t size = position->blocks[slot].size;
    if (!reserve(position, size))
        return;
    uint32_t fresh = slot_take(position);
    struct psopp_block *copy = &position->blocks[fresh];
    uint32_t place = copy->live_place;
    *copy = position->blocks[slot];
    copy->live_place = place;
    move_to_end(position, fresh, size);
    for (uint32_t i = 0; i < size; i++)
        enter(position, psopp__position_members(position, fresh)[i]);
    block_in(position, fresh);
}

uint32_t psopp__position_smallest(const struct psopp_position *position) {
    const uint64_t *word = position->sizes_present;
    while (*word == 0)
        word++;
    return (uint32_t)(word - position->sizes_present) * 64 + (uint32_t)__builtin_ctzll(*word);
}

static uint32_t smallest_sum(const struct psopp_position *position) {
    const uint32_t smallest = psopp__position_smallest(position);
    if (position->size_count[smallest] > 1)
        return 2 * smallest;
    const uint64_t *word = &position->sizes_present[smallest / 64];
    uint64_t rest = *word & (*word - 1);
    while (rest == 0)
        rest = *++word;
    return smallest + (uint32_t)(word - position->sizes_present) * 64 + (uint32_t)__builtin_ctzll(rest);
}

bool psopp__position_holds(const struct psopp_position *position, uint32_t slot, uint32_t agent) {
    const uint32_t *members = psopp__position_members(position, slot);
    for (uint32_t i = 0; i < position->blocks[slot].size; i++)
        if (members[i] == agent)
            return true;
    return false;
}

bool psopp__can_join(const struct psopp_position *position) {
    return position->live_count > position->space->count_min && position->live_count >= 2 &&
           smallest_sum(position) <= position->space->size_max;
}
