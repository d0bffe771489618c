/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory of a process. Places depend on nothing but the calls before: a pointer that a broken program
 * prints, compares or follows astray does the same in every run of this process. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, madvise */

#include "internal.h"

#include <corridor/array.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void arena_release(struct processes__arena *arena, void *memory);

enum {
    UNIT = 16,          /* bytes; blocks are so aligned */
    PAGE = 4096,        /* behind what is in use as much may have been written by mistake */
    GUARD = 65536,      /* bytes that are closed, before and behind */
    LARGE = 1 << 20,    /* from so many on pages are given back instead of overwritten */
    STEPS = 4,          /* classes in each doubling; below the second one they are of one unit each */
    OVERWRITTEN = 0xDB, /* as a pointer it leads nowhere */
};
#define LIVE 0x4556494Cu
#define DEAD 0x44414544u

/* Before each block. */
struct head {
    uint32_t state, size_class;
    uint64_t size; /* as asked for; of a dead one offset of the next in its class / UNIT */
};
_Static_assert(sizeof(struct head) == UNIT, "blocks are aligned");

/* The class of so many units, at least 1: what is left of their number, less one, by a shift that leaves less
 * than 2 STEPS of it, and the shift. Sizes cannot be guessed: without branches. */
static uint32_t class_of(size_t units) {
    const size_t less = units - 1;
    const uint32_t shift = 61 - (uint32_t)__builtin_clzll(less | STEPS);
    return STEPS * shift + (uint32_t)(less >> shift);
}

static size_t units_of(uint32_t size_class) {
    if (size_class < 2 * STEPS)
        return size_class + 1;
    return (size_t)(size_class % STEPS + STEPS + 1) << (size_class / STEPS - 1);
}

enum cor_status processes__arena_init(struct processes__arena *arena, size_t size, struct cor_error *error) {
    *arena = (struct processes__arena){.size = (size + PAGE - 1) / PAGE * PAGE};
    void *whole = mmap(NULL, arena->size + 2 * (size_t)GUARD, PROT_NONE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED)
        return cor_fail_memory(error);
    arena->memory = (unsigned char *)whole + GUARD;
    if (mprotect(arena->memory, arena->size, PROT_READ | PROT_WRITE) == 0)
        return COR_OK;
    processes__arena_fini(arena);
    return cor_fail_memory(error);
}

void processes__arena_fini(struct processes__arena *arena) {
    if (arena->memory)
        munmap(arena->memory - GUARD, arena->size + 2 * (size_t)GUARD);
    arena->memory = NULL;
}

void processes__arena_reset(struct processes__arena *arena) {
    size_t written = arena->used + PAGE < arena->size ? arena->used + PAGE : arena->size;
    size_t from = 0;
    if (arena->is_soiled || written > LARGE) {
        /* Of what is given back the beginning stays: it is needed again at once. */
        from = arena->is_soiled ? 0 : LARGE / 4;
        madvise(arena->memory + from, arena->size - from, MADV_DONTNEED);
        memset(arena->memory, 0, from);
    } else {
        memset(arena->memory, 0, written);
    }
    arena->used = 0;
    arena->is_soiled = false;
    memset(arena->free, 0, sizeof arena->free);
}

static struct head *head_of(const void *memory) {
    return (struct head *)((uintptr_t)memory - UNIT);
}

void *processes__arena_alloc(struct processes__arena *arena, size_t size) {
    if (size > arena->size)
        return NULL;
    uint32_t size_class = class_of(size > 0 ? (size + UNIT - 1) / UNIT : 1);
    size_t bytes = units_of(size_class) * UNIT;
    struct head *head;
    if (arena->free[size_class] > 0) {
        head = (struct head *)(void *)(arena->memory + (size_t)arena->free[size_class] * UNIT - UNIT);
        arena->free[size_class] = (uint32_t)head->size;
        memset(head + 1, 0, bytes);
    } else {
        if (bytes + UNIT > arena->size - arena->used)
            return NULL;
        head = (struct head *)(void *)(arena->memory + arena->used);
        arena->used += bytes + UNIT;
    }
    *head = (struct head){.state = LIVE, .size_class = size_class, .size = size};
    return head + 1;
}

/* Bytes of a block that is in use; SIZE_MAX: `memory` is none. */
static size_t arena_size_of(const struct processes__arena *arena, const void *memory) {
    uintptr_t at = (uintptr_t)memory, begin = (uintptr_t)arena->memory;
    if (at < begin + UNIT || at >= begin + arena->used || at % UNIT != 0)
        return SIZE_MAX;
    const struct head *head = head_of(memory);
    if (head->state != LIVE || head->size_class >= PROCESSES__SIZE_CLASSES)
        return SIZE_MAX;
    size_t bytes = units_of(head->size_class) * UNIT;
    return head->size <= bytes && bytes <= begin + arena->used - at ? (size_t)head->size : SIZE_MAX;
}

/* Of blocks in use. */
static void *arena_resize(struct processes__arena *arena, void *memory, size_t size) {
    struct head *head = head_of(memory);
    size_t before = (size_t)head->size;
    if (size <= units_of(head->size_class) * UNIT) { /* bytes of it that are not in use are 0 */
        if (size < before)
            memset((unsigned char *)memory + size, 0, before - size);
        head->size = size;
        return memory;
    }
    void *larger = processes__arena_alloc(arena, size);
    if (!larger)
        return NULL;
    memcpy(larger, memory, before);
    arena_release(arena, memory);
    return larger;
}

static void arena_release(struct processes__arena *arena, void *memory) {
    struct head *head = head_of(memory);
    memset(memory, OVERWRITTEN, units_of(head->size_class) * UNIT);
    head->state = DEAD;
    head->size = arena->free[head->size_class];
    arena->free[head->size_class] = (uint32_t)(((unsigned char *)memory - arena->memory) / UNIT);
}

/* ---- what the host does for a process: struct cor_process_host. A pointer that leads nowhere may be among
 * the arguments, so each function is ready to be left by a signal where it reads them; the run ends then */

#define FAR (UINT64_C(1) << 62) /* ticks: nothing is later */

static struct processes__member *member_of(const struct cor_process_host *host) {
    return host->data;
}

/* Each function begins and ends so. */
static struct processes__member *enter(const struct cor_process_host *host) {
    struct processes__member *member = member_of(host);
    struct cor_cluster *cluster = member->cluster;
    cluster->guard.in_host = 1;
    if (++cluster->host_calls > PROCESSES__CALLS_MOST) {
        cluster->host_calls = 0;
        cluster->guard.is_late = cluster->guard.is_certain = 1;
    }
    return member;
}

static void go_back(struct processes__member *member) {
    processes__guard_leave(&member->cluster->guard);
}

void processes__note(struct processes__member *member, enum cor_status status) {
    if (status != COR_OK && member->cluster->trouble == COR_OK)
        member->cluster->trouble = status;
}

void processes__end(struct processes__member *member, enum cor_process_end end, const char *format, ...) {
    struct cor_cluster *cluster = member->cluster;
    if (cluster->end != COR_PROCESS_END_NONE)
        return;
    cluster->end = end;
    cluster->overview.has_news = true;
    cluster->end_process = member->number;
    int written = snprintf(cluster->sentence, sizeof cluster->sentence, "in %s: ", cluster->verb);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(cluster->sentence + written, sizeof cluster->sentence - (size_t)written, format, arguments);
    va_end(arguments);
    cor_make_printable(cluster->sentence);
    for (char *at = cluster->sentence; (at = strpbrk(at, "\n\t"));)
        *at = ' '; /* a sentence is a line */
}

/* Its clock. */

uint64_t processes__clock(const struct processes__member *member, uint64_t tick) {
    uint64_t passed = tick - member->base;
    if (member->speed == 1000)
        return member->local_base + passed;
    return member->local_base + passed / 1000 * member->speed + passed % 1000 * member->speed / 1000;
}

/* The first tick at which its clock has come so far. */
static uint64_t tick_of(const struct processes__member *member, uint64_t local) {
    uint64_t left = local > member->local_base ? local - member->local_base : 0;
    if (member->speed != 1000)
        left =
            left / member->speed * 1000 + (left % member->speed * 1000 + member->speed - 1) / member->speed;
    return member->base + left < FAR ? member->base + left : FAR;
}

void processes__alarms_move(struct processes__member *member) {
    struct cor_cluster *cluster = member->cluster;
    for (uint32_t left = cluster->overview.alarms[member->number]; left; left &= left - 1) {
        uint32_t which = (uint32_t)__builtin_ctz(left);
        member->standing.due[which] = tick_of(member, member->due_local[which]);
    }
}

static uint64_t host_now(const struct cor_process_host *host) {
    struct processes__member *member = enter(host);
    uint64_t now = processes__clock(member, member->cluster->now);
    go_back(member);
    return now;
}

static uint64_t host_random(const struct cor_process_host *host) {
    struct processes__member *member = enter(host);
    uint64_t word = cor_rng_word(&member->rng);
    go_back(member);
    return word;
}

static void host_set_alarm(const struct cor_process_host *host, uint32_t which, uint64_t ticks) {
    struct processes__member *member = enter(host);
    struct cor_cluster *cluster = member->cluster;
    uint32_t *alarms = &cluster->overview.alarms[member->number];
    if (which >= COR_PROCESS_ALARMS_MAX) {
        processes__end(member, COR_PROCESS_END_ABSURD, "it set alarm %u; alarms are 0 to %u", which,
                       COR_PROCESS_ALARMS_MAX - 1);
    } else if (!cluster->program->alarm) {
        processes__end(member, COR_PROCESS_END_ABSURD, "it set alarm %u, but has no function alarm", which);
    } else if (ticks == COR_PROCESS_NEVER) {
        *alarms &= ~(1u << which);
        member->standing.due[which] = COR_PROCESS_NEVER;
        processes__mix(cluster, UINT64_C(1) << 56 | which);
    } else {
        *alarms |= 1u << which;
        member->due_local[which] = processes__clock(member, cluster->now) + (ticks < FAR ? ticks : FAR);
        member->standing.due[which] = tick_of(member, member->due_local[which]);
        processes__mix(cluster, UINT64_C(2) << 56 | which);
        processes__mix(cluster, member->standing.due[which]);
    }
    cor_set_put(&cluster->overview.with_alarm, member->number, *alarms != 0);
    go_back(member);
}

/* What goes out. */

static void host_send(const struct cor_process_host *host, uint32_t to, uint32_t kind, const void *bytes,
                      uint32_t size) {
    struct processes__member *member = enter(host);
    struct cor_cluster *cluster = member->cluster;
    if (to >= host->count) {
        processes__end(member, COR_PROCESS_END_ABSURD, "it sent to process %u; there are processes 0 to %u",
                       to, host->count - 1);
    } else if (kind >= cluster->program->message_count) {
        processes__end(member, COR_PROCESS_END_ABSURD,
                       "it sent a message of kind %u; the program says %u kinds", kind,
                       cluster->program->message_count);
    } else if (size > COR_PROCESS_MESSAGE_BYTES_MAX || (size > 0 && !bytes)) {
        processes__end(member, COR_PROCESS_END_ABSURD, "it sent %u bytes%s; a message has at most %u", size,
                       bytes ? "" : " at NULL", COR_PROCESS_MESSAGE_BYTES_MAX);
    } else {
        processes__mix(cluster, UINT64_C(3) << 56 | (uint64_t)to << 48 | (uint64_t)kind << 40 | size);
        cluster->digest = processes__hash(cluster->digest, bytes, size);
        processes__note(member, processes__network_send(&cluster->network, member->number, to, kind, bytes,
                                                        size, cluster->now, cluster->error));
    }
    go_back(member);
}

/* Keeps what was told; false: it is more than all processes may. */
static bool keep_told(struct processes__member *member, const struct cor_told *told) {
    struct cor_cluster *cluster = member->cluster;
    if (cluster->told_all == COR_PROCESS_TOLD_MAX) {
        processes__end(member, COR_PROCESS_END_ABSURD,
                       "it told more than all processes may in a run: %u times", COR_PROCESS_TOLD_MAX);
        return false;
    }
    cluster->told_all++;
    enum cor_status status =
        COR_RESERVE(&cluster->told, &cluster->told_capacity, cluster->told_count + 1, cluster->error);
    processes__note(member, status);
    cluster->overview.has_news = true;
    if (status == COR_OK)
        cluster->told[cluster->told_count++] = *told;
    if (told->kind == COR_TOLD_SAID) /* for people: what is executed is the same without it */
        return true;
    processes__mix(cluster, UINT64_C(4) << 56 | (uint64_t)told->kind << 48 | told->channel);
    processes__mix(cluster, told->index);
    processes__mix(cluster, told->digest);
    return true;
}

static bool is_channel(struct processes__member *member, uint32_t channel) {
    if (channel < member->cluster->program->channel_count)
        return true;
    processes__end(member, COR_PROCESS_END_ABSURD, "it told channel %u; the program says %u channels",
                   channel, member->cluster->program->channel_count);
    return false;
}

static void host_tell(const struct cor_process_host *host, uint32_t channel, uint64_t index,
                      uint64_t digest) {
    struct processes__member *member = enter(host);
    const struct cor_told told = {.process = member->number,
                                  .channel = channel,
                                  .index = index,
                                  .digest = digest,
                                  .texts = {PROCESSES__NO_TEXT, PROCESSES__NO_TEXT, PROCESSES__NO_TEXT}};
    if (is_channel(member, channel))
        (void)keep_told(member, &told);
    go_back(member);
}

/* Keeps its texts, too; the digest is of them. */
static void keep_texts(struct processes__member *member, struct cor_told *told, const char *const texts[3]) {
    struct cor_cluster *cluster = member->cluster;
    size_t bytes = 0;
    if (cluster->told_count == 0)
        cor_bytes_clear(&cluster->told_texts);
    for (int t = 0; t < 3; t++) {
        const size_t size = texts[t] ? strnlen(texts[t], COR_PROCESS_CALL_BYTES_MAX) + 1 : 0;
        told->texts[t] = size > 0 ? (uint32_t)cluster->told_texts.size : PROCESSES__NO_TEXT;
        told->digest = cor_hash_bytes(told->digest, texts[t] ? texts[t] : "", size);
        bytes += size;
        if (size == 0 || bytes > COR_PROCESS_CALL_BYTES_MAX)
            continue;
        cor_bytes_put(&cluster->told_texts, texts[t], size);
    }
    if (cluster->told_texts.status != COR_OK)
        processes__note(member, cor_fail_memory(cluster->error));
    if (bytes > COR_PROCESS_CALL_BYTES_MAX)
        processes__end(member, COR_PROCESS_END_ABSURD, "a call of it has more than %u bytes",
                       COR_PROCESS_CALL_BYTES_MAX);
    else if (cluster->told_texts.status == COR_OK)
        (void)keep_told(member, told);
}

static void host_call(const struct cor_process_host *host, uint32_t channel, uint64_t ticket,
                      const char *operation, const char *key, const char *value) {
    struct processes__member *member = enter(host);
    struct cor_told told = {
        .process = member->number, .channel = channel, .index = ticket, .kind = COR_TOLD_CALL};
    if (is_channel(member, channel) && operation)
        keep_texts(member, &told, (const char *const[]){operation, key, value});
    else if (!operation)
        processes__end(member, COR_PROCESS_END_ABSURD, "it calls, and says no operation");
    go_back(member);
}

static void host_answered(const struct cor_process_host *host, uint64_t ticket, uint32_t status,
                          const char *value) {
    struct processes__member *member = enter(host);
    struct cor_told told = {.process = member->number,
                            .index = ticket,
                            .kind = status == COR_PROCESS_DONE ? COR_TOLD_RETURN : COR_TOLD_FAILED};
    if (status <= COR_PROCESS_FAILED)
        keep_texts(member, &told, (const char *const[]){value, NULL, NULL});
    else
        processes__end(member, COR_PROCESS_END_ABSURD, "a call of it ended with status %u", status);
    go_back(member);
}

static void host_say(const struct cor_process_host *host, const char *sentence) {
    struct processes__member *member = enter(host);
    struct cor_told told = {.process = member->number, .kind = COR_TOLD_SAID};
    char text[COR_PROCESS_SAID_MAX + 1];
    sentence = sentence ? sentence : "";
    snprintf(text, sizeof text, "%.*s", (int)cor_text_fit(sentence, COR_PROCESS_SAID_MAX), sentence);
    cor_make_printable(text);
    for (char *at = text; (at = strpbrk(at, "\n\t"));)
        *at = ' '; /* a line */
    if (text[0])
        keep_texts(member, &told, (const char *const[]){text, NULL, NULL});
    go_back(member);
}

static void host_complain(const struct cor_process_host *host, const char *sentence) {
    struct processes__member *member = enter(host);
    if (!member->cluster->guard.is_interrupted) /* it speaks of the interruption */
        processes__end(member, COR_PROCESS_END_COMPLAINT, "%.400s", sentence ? sentence : "it is broken");
    go_back(member);
}

/* Its disk. */

static void host_cell(const struct cor_process_host *host, uint32_t which, const void *bytes, uint32_t size) {
    struct processes__member *member = enter(host);
    struct cor_cluster *cluster = member->cluster;
    if (which >= COR_PROCESS_CELLS_MAX) {
        processes__end(member, COR_PROCESS_END_ABSURD, "it wrote cell %u; cells are 0 to %u", which,
                       COR_PROCESS_CELLS_MAX - 1);
    } else if (size > COR_PROCESS_CELL_BYTES_MAX || (size > 0 && !bytes)) {
        processes__end(member, COR_PROCESS_END_ABSURD,
                       "it wrote %u bytes%s to cell %u; a cell has at most %u", size, bytes ? "" : " at NULL",
                       which, COR_PROCESS_CELL_BYTES_MAX);
    } else {
        processes__mix(cluster, UINT64_C(5) << 56 | (uint64_t)which << 32 | size);
        cluster->digest = processes__hash(cluster->digest, bytes, size);
        processes__store_cell(&member->store, which, bytes, size);
    }
    go_back(member);
}

static void host_write(const struct cor_process_host *host, uint64_t ticket, uint32_t operation,
                       const void *bytes, uint32_t size) {
    struct processes__member *member = enter(host);
    struct cor_cluster *cluster = member->cluster;
    struct processes__write write = {.ticket = ticket, .operation = operation, .size = size};
    size_t most = cluster->definition.memory_bytes;
    bool is_full = false;
    if (!cluster->program->completed) {
        processes__end(member, COR_PROCESS_END_ABSURD, "it began a write, but has no function completed");
    } else if (size > 0 && !bytes) {
        processes__end(member, COR_PROCESS_END_ABSURD, "it began a write of %u bytes at NULL", size);
    } else {
        enum cor_status status =
            processes__store_write(&member->store, most, &write, bytes, &is_full, cluster->error);
        processes__note(member, status);
        if (is_full) {
            processes__end(member, COR_PROCESS_END_ABSURD, "it wrote beyond its store of %zu bytes", most);
        } else if (status == COR_OK) {
            processes__mix(cluster, UINT64_C(6) << 56 | operation);
            processes__mix(cluster, ticket);
            cluster->digest = processes__hash(cluster->digest, bytes, size);
            member->standing.pending_writes++;
            cor_set_add(&cluster->overview.writing, member->number);
        }
    }
    go_back(member);
}

/* Its memory. */

static void *found_none(struct processes__member *member, size_t size) {
    processes__end(member, COR_PROCESS_END_MEMORY, "it asked for %zu bytes more than its %zu hold", size,
                   member->arena.size);
    return NULL;
}

static void *host_alloc(const struct cor_process_host *host, size_t size) {
    struct processes__member *member = enter(host);
    void *memory = processes__arena_alloc(&member->arena, size);
    if (!memory)
        found_none(member, size);
    go_back(member);
    return memory;
}

static bool has(struct processes__member *member, const void *memory, const char *what) {
    if (memory != member->me && arena_size_of(&member->arena, memory) != SIZE_MAX)
        return true;
    processes__end(member, COR_PROCESS_END_ABSURD, "it %s memory that it does not have", what);
    return false;
}

static void *host_resize(const struct cor_process_host *host, void *memory, size_t size) {
    struct processes__member *member = enter(host);
    void *result = NULL;
    if (!memory || has(member, memory, "resized")) {
        result = memory ? arena_resize(&member->arena, memory, size)
                        : processes__arena_alloc(&member->arena, size);
        if (!result)
            found_none(member, size);
    }
    go_back(member);
    return result;
}

static void host_release(const struct cor_process_host *host, void *memory) {
    struct processes__member *member = enter(host);
    if (memory && has(member, memory, "released"))
        arena_release(&member->arena, memory);
    go_back(member);
}

void processes__host_init(struct processes__member *member) {
    const struct cor_cluster *cluster = member->cluster;
    member->host = (struct cor_process_host){
        .struct_size = sizeof(struct cor_process_host),
        .minor = COR_PROCESS_MINOR,
        .self = member->number,
        .count = cluster->definition.process_count,
        .fault = cluster->definition.fault,
        .data = member,
        .now = host_now,
        .random = host_random,
        .send = host_send,
        .set_alarm = host_set_alarm,
        .cell = host_cell,
        .write = host_write,
        .alloc = host_alloc,
        .resize = host_resize,
        .release = host_release,
        .tell = host_tell,
        .complain = host_complain,
        .call = host_call,
        .answered = host_answered,
        .say = host_say,
    };
}
