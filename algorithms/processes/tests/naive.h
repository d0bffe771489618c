/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A cluster as simple as can be, written from cluster.h and process.h alone: one list of messages, copies of
 * everything, nothing kept up. The tests hold the real one against it. */
#ifndef CORRIDOR_ALGORITHMS_PROCESSES_TESTS_NAIVE_H
#define CORRIDOR_ALGORITHMS_PROCESSES_TESTS_NAIVE_H

#include <corridor/cluster.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

enum { NAIVE_PROCESSES = 100, NAIVE_ITEMS = 4000, NAIVE_FLIGHTS = 40000 };

struct naive_item { /* a message, a write, a cell */
    uint64_t sent, number, ticket;
    uint32_t from, to, kind, size; /* kind: of the message, or operation */
    unsigned char bytes[512];
};

struct naive_process {
    struct naive *naive;
    struct cor_process_host host;
    void *me;
    bool is_up, is_paused, is_absent;
    struct cor_rng rng;
    double clock, clock_at, speed;           /* thousandths; whole numbers below 2^53 */
    uint64_t alarms[COR_PROCESS_ALARMS_MAX]; /* by its clock */
    struct naive_item cells[COR_PROCESS_CELLS_MAX], cells_before[COR_PROCESS_CELLS_MAX];
    int cell_is[COR_PROCESS_CELLS_MAX], cell_was[COR_PROCESS_CELLS_MAX]; /* -1: it cannot be lost */
    struct naive_item *durable, *pending;
    size_t durable_count, pending_count;
    union cor_process_value values[4], values_before[4];
    struct cor_process_record records[NAIVE_ITEMS];
};

struct naive {
    const struct cor_process *program;
    uint32_t count, first_count, flight_most;
    bool is_fifo, cut_loses;
    uint64_t now, sent, lost, input_key;
    struct naive_process processes[NAIVE_PROCESSES];
    bool severed[NAIVE_PROCESSES][NAIVE_PROCESSES], parted[NAIVE_PROCESSES][NAIVE_PROCESSES], is_parted;
    bool cut[NAIVE_PROCESSES][NAIVE_PROCESSES];
    int64_t loses_up_to[NAIVE_PROCESSES][NAIVE_PROCESSES]; /* the last tick at which all is lost; -1: none */
    struct naive_item *flights;
    size_t flight_count;
    struct cor_told told[64];
    size_t told_count;
};

static struct naive_process *naive_of(const struct cor_process_host *host) {
    return host->data;
}

static void naive_remove(struct naive_item *items, size_t *count, size_t index) {
    memmove(items + index, items + index + 1, (*count - index - 1) * sizeof *items);
    --*count;
}

/* Clocks go by whole thousandths of ticks since they were set. */
static uint64_t naive_clock(const struct naive_process *p) {
    uint64_t thousandths = (p->naive->now - (uint64_t)p->clock_at) * (uint64_t)p->speed;
    return (uint64_t)p->clock + thousandths / 1000;
}

/* The first tick at which the clock shows so much: tried one by one. */
static uint64_t naive_due(const struct naive_process *p, uint32_t which) {
    uint64_t tick = (uint64_t)p->clock_at;
    while ((uint64_t)p->clock + (tick - (uint64_t)p->clock_at) * (uint64_t)p->speed / 1000 < p->alarms[which])
        tick++;
    return tick;
}

static uint64_t naive_now(const struct cor_process_host *host) {
    return naive_clock(naive_of(host));
}

static uint64_t naive_random(const struct cor_process_host *host) {
    return cor_rng_word(&naive_of(host)->rng);
}

static void naive_send(const struct cor_process_host *host, uint32_t to, uint32_t kind, const void *bytes,
                       uint32_t size) {
    struct naive *n = naive_of(host)->naive;
    size_t on_link = 0, oldest = 0;
    if ((n->cut_loses && n->cut[host->self][to]) || n->processes[to].is_absent ||
        (int64_t)n->now <= n->loses_up_to[host->self][to]) {
        n->sent++;
        n->lost++;
        return;
    }
    for (size_t i = n->flight_count; i-- > 0;)
        if (n->flights[i].from == host->self && n->flights[i].to == to) {
            on_link++;
            oldest = i;
        }
    if (on_link == n->flight_most)
        naive_remove(n->flights, &n->flight_count, oldest);
    struct naive_item *item = &n->flights[n->flight_count++];
    *item = (struct naive_item){
        .sent = n->now, .number = n->sent++, .from = host->self, .to = to, .kind = kind, .size = size};
    memcpy(item->bytes, bytes, size);
}

static void naive_set_alarm(const struct cor_process_host *host, uint32_t which, uint64_t ticks) {
    struct naive_process *p = naive_of(host);
    p->alarms[which] = ticks == COR_PROCESS_NEVER ? COR_PROCESS_NEVER : naive_clock(p) + ticks;
}

static void naive_cell(const struct cor_process_host *host, uint32_t which, const void *bytes,
                       uint32_t size) {
    struct naive_process *p = naive_of(host);
    p->cells_before[which] = p->cells[which];
    p->cell_was[which] = p->cell_is[which];
    p->cell_is[which] = 1;
    p->cells[which].size = size;
    memcpy(p->cells[which].bytes, bytes, size);
}

static void naive_write(const struct cor_process_host *host, uint64_t ticket, uint32_t operation,
                        const void *bytes, uint32_t size) {
    struct naive_process *p = naive_of(host);
    struct naive_item *item = &p->pending[p->pending_count++];
    *item = (struct naive_item){.ticket = ticket, .kind = operation, .size = size};
    memcpy(item->bytes, bytes, size);
}

static void *naive_alloc(const struct cor_process_host *host, size_t size) {
    (void)host;
    size_t *memory = calloc(1, size + 16);
    *memory = size;
    return memory + 2;
}

static void naive_release(const struct cor_process_host *host, void *memory) {
    (void)host;
    if (memory)
        free((size_t *)memory - 2);
}

static void *naive_resize(const struct cor_process_host *host, void *memory, size_t size) {
    void *result = naive_alloc(host, size);
    size_t before = memory ? ((size_t *)memory)[-2] : 0;
    if (memory)
        memcpy(result, memory, before < size ? before : size);
    naive_release(host, memory);
    return result;
}

static void naive_tell(const struct cor_process_host *host, uint32_t channel, uint64_t index,
                       uint64_t digest) {
    struct naive *n = naive_of(host)->naive;
    n->told[n->told_count++] = (struct cor_told){host->self, channel, index, digest};
}

static void naive_complain(const struct cor_process_host *host, const char *sentence) {
    (void)host;
    (void)sentence;
}

static void naive_forget(struct naive_process *p) {
    struct toy *toy = p->me;
    for (int b = 0; toy && b < TOY_BLOCKS; b++)
        naive_release(&p->host, toy->blocks[b]);
    free(p->me);
    p->me = NULL;
}

static void naive_start(struct naive_process *p) {
    struct cor_process_stored stored = {.cells = p->records};
    for (uint32_t c = 0; c < COR_PROCESS_CELLS_MAX; c++)
        if (p->cell_is[c])
            p->records[stored.cell_count++] =
                (struct cor_process_record){c, p->cells[c].size, p->cells[c].bytes};
    stored.writes = p->records + stored.cell_count;
    for (size_t w = 0; w < p->durable_count; w++)
        p->records[stored.cell_count + stored.write_count++] =
            (struct cor_process_record){p->durable[w].kind, p->durable[w].size, p->durable[w].bytes};
    p->is_up = true;
    p->me = calloc(1, p->naive->program->state_size);
    p->naive->program->start(p->me, &p->host, &stored);
    p->naive->program->observe(p->me, p->values);
}

static void naive_begin(struct naive *n, const struct cor_stream_name *name) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_AGENT;
    n->now = n->sent = n->lost = n->flight_count = n->told_count = 0;
    memset(n->cut, 0, sizeof n->cut);
    memset(n->severed, 0, sizeof n->severed);
    memset(n->parted, 0, sizeof n->parted);
    memset(n->loses_up_to, 0xff, sizeof n->loses_up_to);
    n->is_parted = false;
    own.entity = n->count <= 16 ? 16 : COR_PROCESSES_MAX;
    struct cor_rng rng = cor_rng_named(&own);
    n->input_key = cor_rng_word(&rng);
    for (uint32_t i = 0; i < n->count; i++) {
        struct naive_process *p = &n->processes[i];
        struct naive_item *durable = p->durable, *pending = p->pending;
        if (!durable) {
            durable = calloc(NAIVE_ITEMS, sizeof *durable);
            pending = calloc(NAIVE_ITEMS, sizeof *pending);
        }
        naive_forget(p);
        *p = (struct naive_process){.naive = n, .durable = durable, .pending = pending, .speed = 1000};
        own.entity = i;
        p->rng = cor_rng_named(&own);
        for (uint32_t c = 0; c < COR_PROCESS_CELLS_MAX; c++)
            p->cell_was[c] = -1;
        for (uint32_t a = 0; a < COR_PROCESS_ALARMS_MAX; a++)
            p->alarms[a] = COR_PROCESS_NEVER;
        p->host = (struct cor_process_host){.struct_size = sizeof p->host,
                                            .self = i,
                                            .count = n->count,
                                            .data = p,
                                            .now = naive_now,
                                            .random = naive_random,
                                            .send = naive_send,
                                            .set_alarm = naive_set_alarm,
                                            .cell = naive_cell,
                                            .write = naive_write,
                                            .alloc = naive_alloc,
                                            .resize = naive_resize,
                                            .release = naive_release,
                                            .tell = naive_tell,
                                            .complain = naive_complain};
    }
    for (uint32_t i = 0; i < n->count; i++)
        n->processes[i].is_absent = i >= n->first_count;
    for (uint32_t i = 0; i < n->first_count; i++)
        naive_start(&n->processes[i]);
}

static void naive_end(struct naive *n) {
    for (uint32_t i = 0; i < n->count; i++) {
        naive_forget(&n->processes[i]);
        free(n->processes[i].durable);
        free(n->processes[i].pending);
    }
    free(n->flights);
}

static void naive_store(struct naive_process *p, const struct naive_item *item, bool forgets) {
    if (forgets && (item->kind & COR_PROCESS_FORGETS))
        p->durable_count = 0;
    p->durable[p->durable_count++] = *item;
}

/* The message of an event, -1: there is none. */
static int naive_find(const struct naive *n, const struct cor_process_event *e, bool *is_first) {
    uint32_t ordinal = e->ordinal;
    *is_first = true;
    for (size_t i = 0; i < n->flight_count; i++) {
        const struct naive_item *item = &n->flights[i];
        if (item->from != e->peer || item->to != e->process)
            continue;
        if (item->kind == e->what && ordinal-- == 0)
            return (int)i;
        *is_first = false;
    }
    return -1;
}

static void naive_crash(struct naive_process *p, const struct cor_process_event *e) {
    for (uint32_t i = 0; i < e->ordinal && p->pending_count > 0; i++) {
        naive_store(p, &p->pending[0], true);
        naive_remove(p->pending, &p->pending_count, 0);
    }
    if (e->kind == COR_PROCESS_EVENT_CRASH_TORN) {
        p->pending[0].size /= 2;
        naive_store(p, &p->pending[0], false);
    }
    if (e->kind == COR_PROCESS_EVENT_CRASH_LOST) {
        p->cells[e->what] = p->cells_before[e->what];
        p->cell_is[e->what] = p->cell_was[e->what];
        p->cell_was[e->what] = -1;
    }
    p->pending_count = 0;
    p->is_up = p->is_paused = false;
    for (uint32_t a = 0; a < COR_PROCESS_ALARMS_MAX; a++)
        p->alarms[a] = COR_PROCESS_NEVER;
    naive_forget(p);
}

/* Who is apart from whom: pair by pair. false: nobody, or it is no partition. */
static bool naive_part(struct naive *n, const struct cor_process_event *e) {
    const int count = (int)n->count, majority = count / 2 + 1;
    bool parted[NAIVE_PROCESSES][NAIVE_PROCESSES] = {{false}}, any = false;
    int at[NAIVE_PROCESSES], free_places = count - 1;
    if (e->what >= COR_PARTITION_COUNT || (e->what == 0 && count > 16))
        return false;
    /* Places in the ring: each in turn gets the free one that its digit names, by the same swaps read as a
     * list from which elements are taken. */
    int left[NAIVE_PROCESSES];
    uint32_t number = e->ordinal;
    for (int i = 0; i < count; i++)
        left[i] = i;
    at[0] = 0;
    for (int place = 1; place < count; place++, free_places--) {
        const uint64_t drawn = cor_hash_word(e->ordinal, (uint64_t)place);
        const int digit = (int)((count > 16 ? drawn : number) % (uint32_t)free_places);
        number /= (uint32_t)free_places;
        at[left[1 + digit]] = place;
        left[1 + digit] = left[1]; /* the first free one takes its place, */
        for (int i = 1; i + 1 < 1 + free_places; i++)
            left[i] = left[i + 1]; /* and all move up */
    }
    for (int a = 0; a < count; a++) {
        if (e->what == 0 && !((e->ordinal >> 16 | e->ordinal) >> a & 1))
            return false;
        for (int b = 0; b < count; b++) {
            const int way = abs(at[a] - at[b]), distance = way < count - way ? way : count - way;
            const bool both = e->what == 0 && ((e->ordinal >> (16 + a) & e->ordinal >> (16 + b) & 1) ||
                                               (e->ordinal >> a & e->ordinal >> b & 1));
            const bool is_bridge = e->what == 4 && (at[a] == count - 1 || at[b] == count - 1);
            const bool lone_a = (uint32_t)a == e->ordinal, lone_b = (uint32_t)b == e->ordinal;
            parted[a][b] = e->what == 0   ? !both
                           : e->what == 1 ? 2 * distance > majority
                           : e->what == 2 ? lone_a != lone_b
                                          : (at[a] < count / 2) != (at[b] < count / 2) && !is_bridge;
            any |= parted[a][b];
        }
    }
    for (int a = count; a < 16 && e->what == 0; a++)
        if ((e->ordinal >> 16 | e->ordinal) >> a & 1)
            return false;
    if (any)
        memcpy(n->parted, parted, sizeof parted);
    return any;
}

/* What is under way on links that are cut. */
static void naive_cut(struct naive *n) {
    for (uint32_t from = 0; from < n->count; from++)
        for (uint32_t to = 0; to < n->count; to++)
            n->cut[from][to] = n->severed[from][to] || n->parted[from][to];
    for (size_t i = n->flight_count; n->cut_loses && i-- > 0;)
        if (n->cut[n->flights[i].from][n->flights[i].to]) {
            naive_remove(n->flights, &n->flight_count, i);
            n->lost++;
        }
}

/* Nothing is left of a process but its random numbers. */
static void naive_leave(struct naive *n, uint32_t number) {
    struct naive_process *p = &n->processes[number];
    const struct naive_process was = *p;
    naive_forget(p);
    *p = (struct naive_process){.naive = n,
                                .host = was.host,
                                .rng = was.rng,
                                .durable = was.durable,
                                .pending = was.pending,
                                .speed = 1000,
                                .is_absent = true};
    memcpy(p->values, was.values, sizeof p->values);
    for (uint32_t c = 0; c < COR_PROCESS_CELLS_MAX; c++)
        p->cell_was[c] = -1;
    for (uint32_t a = 0; a < COR_PROCESS_ALARMS_MAX; a++)
        p->alarms[a] = COR_PROCESS_NEVER;
    for (size_t i = n->flight_count; i-- > 0;)
        if (n->flights[i].to == number) {
            naive_remove(n->flights, &n->flight_count, i);
            n->lost++;
        }
}

static bool naive_happen(struct naive *n, const struct cor_process_event *e) {
    const struct cor_process *program = n->program;
    if (e->tick > n->now)
        n->now = e->tick;
    if (e->process >= n->count)
        return false;
    struct naive_process *p = &n->processes[e->process];
    bool acts = p->is_up && !p->is_paused, is_first, calls = false;
    struct naive_item item;
    int found;
    struct cor_told told[64];
    size_t told_count = n->told_count;
    memcpy(told, n->told, sizeof told);
    union cor_process_value before[4];
    memcpy(before, p->values, sizeof before);
    n->told_count = 0;
    switch (e->kind) {
    case COR_PROCESS_EVENT_DELIVER:
    case COR_PROCESS_EVENT_DUPLICATE:
    case COR_PROCESS_EVENT_LOSE:
        if (e->peer >= n->count)
            goto impossible;
        found = naive_find(n, e, &is_first);
        if (found < 0)
            goto impossible;
        item = n->flights[found];
        if (e->kind != COR_PROCESS_EVENT_LOSE &&
            (!acts || n->cut[e->peer][e->process] || (n->is_fifo && !is_first)))
            goto impossible;
        if (e->kind != COR_PROCESS_EVENT_DUPLICATE)
            naive_remove(n->flights, &n->flight_count, (size_t)found);
        if (e->kind != COR_PROCESS_EVENT_LOSE) {
            program->receive(p->me, &p->host, e->peer, item.kind, item.bytes, item.size);
            calls = true;
        }
        break;
    case COR_PROCESS_EVENT_LOSE_ALL:
        if (e->peer >= n->count)
            goto impossible;
        if (n->loses_up_to[e->peer][e->process] < (int64_t)(n->now + e->ordinal))
            n->loses_up_to[e->peer][e->process] = (int64_t)(n->now + e->ordinal);
        for (size_t i = n->flight_count; i-- > 0;)
            if (n->flights[i].from == e->peer && n->flights[i].to == e->process) {
                naive_remove(n->flights, &n->flight_count, i);
                n->lost++;
            }
        break;
    case COR_PROCESS_EVENT_TIME_OUT:
        if (!acts || e->what >= COR_PROCESS_ALARMS_MAX || p->alarms[e->what] == COR_PROCESS_NEVER)
            goto impossible;
        if (naive_due(p, e->what) > n->now)
            n->now = naive_due(p, e->what);
        p->alarms[e->what] = COR_PROCESS_NEVER;
        program->alarm(p->me, &p->host, e->what);
        calls = true;
        break;
    case COR_PROCESS_EVENT_DISK:
    case COR_PROCESS_EVENT_DISK_ERROR:
        if (!acts || p->pending_count == 0)
            goto impossible;
        item = p->pending[0];
        naive_remove(p->pending, &p->pending_count, 0);
        if (e->kind == COR_PROCESS_EVENT_DISK)
            naive_store(p, &item, true);
        program->completed(p->me, &p->host, item.ticket, e->kind == COR_PROCESS_EVENT_DISK_ERROR);
        calls = true;
        break;
    case COR_PROCESS_EVENT_INPUT:
        if (!acts || e->what >= program->input_count)
            goto impossible;
        uint64_t words[8], key = cor_hash_word(n->input_key, (uint64_t)e->what << 32 | e->ordinal);
        for (uint32_t w = 0; w < 8; w++)
            words[w] = cor_hash_word(key, w);
        program->input(p->me, &p->host, e->what, words, program->inputs[e->what].bytes);
        calls = true;
        break;
    case COR_PROCESS_EVENT_CRASH:
        if (!p->is_up)
            goto impossible;
        naive_crash(p, e);
        break;
    case COR_PROCESS_EVENT_CRASH_TORN:
        if (!p->is_up || p->pending_count <= e->ordinal)
            goto impossible;
        naive_crash(p, e);
        break;
    case COR_PROCESS_EVENT_CRASH_LOST:
        if (!p->is_up || e->what >= COR_PROCESS_CELLS_MAX || p->cell_was[e->what] < 0)
            goto impossible;
        naive_crash(p, e);
        break;
    case COR_PROCESS_EVENT_RESTART:
        if (p->is_up || p->is_absent)
            goto impossible;
        naive_start(p);
        break;
    case COR_PROCESS_EVENT_JOIN:
        if (!p->is_absent)
            goto impossible;
        p->is_absent = false;
        memset(p->values, 0, sizeof p->values);
        naive_start(p);
        break;
    case COR_PROCESS_EVENT_LEAVE: {
        uint32_t others = 0;
        for (uint32_t i = 0; i < n->count; i++)
            others += i != e->process && !n->processes[i].is_absent;
        if (p->is_absent || others == 0)
            goto impossible;
        naive_leave(n, e->process);
        break;
    }
    case COR_PROCESS_EVENT_PAUSE:
        if (!acts)
            goto impossible;
        p->is_paused = true;
        break;
    case COR_PROCESS_EVENT_RESUME:
        if (!p->is_paused)
            goto impossible;
        p->is_paused = false;
        break;
    case COR_PROCESS_EVENT_CUT:
    case COR_PROCESS_EVENT_HEAL:
        if (e->peer >= n->count || n->severed[e->peer][e->process] == (e->kind == COR_PROCESS_EVENT_CUT))
            goto impossible;
        n->severed[e->peer][e->process] = e->kind == COR_PROCESS_EVENT_CUT;
        naive_cut(n);
        break;
    case COR_PROCESS_EVENT_PART:
        if (n->is_parted || !naive_part(n, e))
            goto impossible;
        n->is_parted = true;
        naive_cut(n);
        break;
    case COR_PROCESS_EVENT_UNITE:
        if (!n->is_parted)
            goto impossible;
        n->is_parted = false;
        memset(n->parted, 0, sizeof n->parted);
        naive_cut(n);
        break;
    case COR_PROCESS_EVENT_JUMP:
        if (e->what > 1 || p->is_absent)
            goto impossible;
        p->clock = (double)naive_clock(p);
        p->clock_at = (double)n->now;
        p->clock += e->what == 0 ? (double)e->ordinal : -(double)e->ordinal;
        p->clock = p->clock < 0 ? 0 : p->clock;
        break;
    case COR_PROCESS_EVENT_DRIFT:
        if (p->is_absent || e->ordinal < 1 || e->ordinal > 1000000)
            goto impossible;
        p->clock = (double)naive_clock(p);
        p->clock_at = (double)n->now;
        p->speed = (double)e->ordinal;
        break;
    case COR_PROCESS_EVENT_TICK:
        break;
    default:
        goto impossible;
    }
    for (uint32_t i = 0; i < n->count; i++)
        memcpy(n->processes[i].values_before, n->processes[i].values, sizeof before);
    memcpy(p->values_before, before, sizeof before);
    if (calls)
        program->observe(p->me, p->values);
    return true;
impossible:
    memcpy(n->told, told, sizeof told);
    n->told_count = told_count;
    return false;
}

#endif
