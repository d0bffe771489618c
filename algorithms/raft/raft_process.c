/* SPDX-License-Identifier: MIT
 *
 * Debian's libraft (canonical/raft 0.15.0, LGPL-3 with exception) as a distributed program under test: each
 * process is a server of the library, unchanged; its struct raft_io ends at the host of process.h. One tick
 * is a millisecond. docs/gallery/raft.md says what is found.
 *
 * What libraft keeps in cells: term and vote. Writes: APPEND {first index, entries}, TRUNCATE {index},
 * SNAPSHOT {snapshot, entries that trail it}. The first entry, the configuration in which all processes are
 * voters, is on every disk from the beginning.
 *
 * MENDED: acknowledgements that reach no entry of the leader's own term are lost on the way, so that entries
 * of old terms are committed with one of its own alone, as section 5.4.2 of the Raft paper asks for; and a
 * follower acknowledges no more than the leader of its term has shown it, as section 5.3 does. */
#include "raft_process.h"

#include <stdio.h>
#include <string.h>

#define SNAPSHOT_EACH 3 /* entries, until a snapshot is taken; and that many trail it: */
#define TRAILING 1

/* Memory of libraft is that of the process at work: one runs at a time. */
static void *take(void *data, size_t size) {
    const struct cor_process_host *host = data;
    return host->alloc(host, size);
}
static void *take_array(void *data, size_t count, size_t size) {
    return take(data, count * size);
}
static void *take_more(void *data, void *memory, size_t size) {
    const struct cor_process_host *host = data;
    return host->resize(host, memory, size);
}
static void *take_aligned(void *data, size_t alignment, size_t size) {
    (void)alignment;
    return take(data, size);
}
static void give(void *data, void *memory) {
    const struct cor_process_host *host = data;
    host->release(host, memory);
}
static void give_aligned(void *data, size_t alignment, void *memory) {
    (void)alignment;
    give(data, memory);
}

static void enter(struct server *s, const struct cor_process_host *host) {
    static struct raft_heap heap = {NULL, take, give, take_array, take_more, take_aligned, give_aligned};
    heap.data = (void *)(uintptr_t)host;
    raft_heap_set(&heap);
    s->host = host;
}

/* Something to be called when the call of the host is over. */
static void defer(struct server *s, enum deferred_kind kind, void *request, int status) {
    if (s->deferred_count == s->deferred_room) {
        s->deferred_room = s->deferred_room ? 2 * s->deferred_room : 16;
        s->deferred = s->host->resize(s->host, s->deferred, s->deferred_room * sizeof *s->deferred);
    }
    s->deferred[s->deferred_count++] = (struct deferred){kind, status, request};
}

static void call_back(struct server *s, const struct deferred *d) {
    struct raft_io_send *send = d->request;
    struct raft_io_snapshot_get *get = d->request;
    struct raft_io_async_work *work = d->request;
    switch (d->kind) {
    case SENT:
        send->cb(send, d->status);
        break;
    case GOT:
        get->cb(get, server_snapshot(s), 0);
        break;
    case WORKED:
        work->cb(work, d->status);
        break;
    }
}

/* What is committed, entry by entry, is told; once only, unless the process forgets that it was. */
static void tell_committed(struct server *s) {
    const struct mirror *m = &s->mirror;
    raft_index last = s->raft.commit_index;
    for (raft_index i = s->told + 1; i <= last; i++)
        if (i >= m->first && i < m->first + m->count)
            s->host->tell(s->host, CHANNEL_COMMITTED, i, entry_digest(&m->entries[i - m->first]));
    s->told = last > s->told ? last : s->told;
}

static void leave(struct server *s) {
    for (uint32_t i = 0; i < s->deferred_count; i++) { /* it grows meanwhile */
        const struct deferred d = s->deferred[i];
        call_back(s, &d);
    }
    s->deferred_count = 0;
    tell_committed(s);
    if (s->raft.state == RAFT_LEADER && s->led != s->raft.current_term) {
        s->led = s->raft.current_term;
        s->host->tell(s->host, CHANNEL_ELECTED, s->led, s->host->self + 1);
    }
    if (s->raft.state == RAFT_UNAVAILABLE && !s->disk_failed)
        s->host->complain(s->host, s->raft.errmsg[0] ? s->raft.errmsg : "libraft has shut itself down");
}

/* Network. */

#ifdef MENDED
static struct raft_message of_what_was_shown(const struct server *s, const struct raft_message *message) {
    struct raft_message shown = *message;
    struct raft_append_entries_result *result = &shown.append_entries_result;
    const raft_index matched = s->seen_term == s->raft.current_term ? s->matched : 0;
    if (shown.type == RAFT_IO_APPEND_ENTRIES_RESULT && result->rejected == 0 &&
        result->last_log_index > matched)
        result->last_log_index = matched;
    return shown;
}
#endif

static int io_send(struct raft_io *io, struct raft_io_send *request, const struct raft_message *message,
                   raft_io_send_cb callback) {
    struct server *s = io->impl;
    if (message->server_id == 0 || message->server_id > s->host->count)
        return RAFT_NOCONNECTION;
    request->cb = callback;
#ifdef MENDED
    const struct raft_message shown = of_what_was_shown(s, message);
    message = &shown;
#endif
    size_t size;
    const void *bytes = message_encode(s, message, &size);
    note_sent(s, message);
    s->host->send(s->host, (uint32_t)message->server_id - 1, message->type, bytes, (uint32_t)size);
    if (callback) /* of a message that hands over it is none, and the request may be gone by then */
        defer(s, SENT, request, 0);
    return 0;
}

#ifdef MENDED
static int is_old(const struct server *s, raft_index index) {
    const struct mirror *m = &s->mirror;
    return index < m->first ||
           (index < m->first + m->count && m->entries[index - m->first].term < s->raft.current_term);
}

/* Would counting it commit an entry of an old term, on the other's disk or on the own? */
static int is_of_old_term(const struct server *s, const struct raft_message *message) {
    const struct raft_append_entries_result *result = &message->append_entries_result;
    return result->rejected == 0 && (is_old(s, result->last_log_index) || is_old(s, s->raft.last_stored));
}
#endif

static void receive(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct server *s = me;
    enter(s, host);
    struct raft_message message = {
        .type = (unsigned short)kind, .server_id = from + 1, .server_address = address_of(from + 1)};
    message_decode(s, &message, bytes, size);
#ifdef MENDED
    if (kind == RAFT_IO_APPEND_ENTRIES_RESULT && s->raft.state == RAFT_LEADER && is_of_old_term(s, &message))
        return;
#endif
    note_received(s, &message);
    s->on_message(&s->io, &message);
    leave(s);
}

/* Disk: what was begun, in order; each with what is to be called when it has ended. */

static void make_room_for_write(struct server *s) {
    if (s->pending_end - s->pending_begin < s->pending_room)
        return;
    const uint64_t room = s->pending_room > 0 ? 2 * s->pending_room : 16;
    struct pending *larger = s->host->alloc(s->host, room * sizeof *larger);
    for (uint64_t n = s->pending_begin; n < s->pending_end; n++)
        larger[n % room] = s->pending[n % s->pending_room];
    s->host->release(s->host, s->pending);
    s->pending = larger;
    s->pending_room = room;
}

static void begin_write(struct server *s, struct pending write, const void *bytes, size_t size) {
    make_room_for_write(s);
    write.term = s->raft.current_term;
    s->pending[s->pending_end++ % s->pending_room] = write;
    s->host->write(s->host, s->pending_end, write.operation, bytes, (uint32_t)size);
}

static int io_append(struct raft_io *io, struct raft_io_append *request, const struct raft_entry entries[],
                     unsigned count, raft_io_append_cb callback) {
    struct server *s = io->impl;
    request->cb = callback;
    raft_index first = s->mirror.first + s->mirror.count;
    mirror_append(s, entries, count);
    size_t size;
    const void *bytes = entries_encode(s, first, count, &size);
    begin_write(s, (struct pending){.operation = APPEND, .request = request, .index = first + count - 1},
                bytes, size);
    return 0;
}

static int io_truncate(struct raft_io *io, raft_index index) {
    struct server *s = io->impl;
    mirror_truncate(s, index);
    begin_write(s, (struct pending){.operation = TRUNCATE, .index = index - 1}, &index, sizeof index);
    return 0;
}

static int io_snapshot_put(struct raft_io *io, unsigned trailing, struct raft_io_snapshot_put *request,
                           const struct raft_snapshot *snapshot, raft_io_snapshot_put_cb callback) {
    struct server *s = io->impl;
    request->cb = callback;
    mirror_snapshot(s, snapshot, trailing);
    size_t size;
    const void *bytes = snapshot_encode(s, snapshot, &size);
    s->installing += trailing == 0;
    s->unsettled += trailing != 0 && s->raft.configuration_uncommitted_index != 0;
    begin_write(s,
                (struct pending){.operation = SNAPSHOT | COR_PROCESS_FORGETS,
                                 .request = request,
                                 .index = snapshot->index,
                                 .installs = trailing == 0,
                                 .bytes = snapshot_keep(s, bytes, size)},
                bytes, size);
    return 0;
}

static int io_snapshot_get(struct raft_io *io, struct raft_io_snapshot_get *request,
                           raft_io_snapshot_get_cb callback) {
    request->cb = callback;
    defer(io->impl, GOT, request, 0);
    return 0;
}

static void completed(void *me, const struct cor_process_host *host, uint64_t ticket, uint32_t status) {
    (void)ticket; /* they end in order */
    struct server *s = me;
    enter(s, host);
    const struct pending write = s->pending[s->pending_begin++ % s->pending_room];
    const int code = status == COR_PROCESS_DONE ? 0 : RAFT_IOERR;
    s->disk_failed |= code != 0;
    s->ending = &write;
    if (write.operation == APPEND) {
        struct raft_io_append *request = write.request;
        s->stored = code ? s->stored : write.index;
        request->cb(request, code);
    } else if (write.operation == TRUNCATE) {
        s->stored = code == 0 && write.index < s->stored ? write.index : s->stored;
    } else {
        struct raft_io_snapshot_put *request = write.request;
        if (code == 0)
            snapshot_is_durable(s, &write);
        s->installing -= write.installs;
        request->cb(request, code);
    }
    s->ending = NULL;
    leave(s);
}

static int set_cell(struct server *s) {
    const uint64_t cell[2] = {s->term, s->vote};
    s->host->cell(s->host, 0, cell, sizeof cell);
    return 0;
}

static int io_set_term(struct raft_io *io, raft_term term) {
    struct server *s = io->impl;
    s->term = term;
    s->vote = 0;
    return set_cell(s);
}

static int io_set_vote(struct raft_io *io, raft_id id) {
    struct server *s = io->impl;
    s->vote = id;
    return set_cell(s);
}

static int io_load(struct raft_io *io, raft_term *term, raft_id *vote, struct raft_snapshot **snapshot,
                   raft_index *start, struct raft_entry *entries[], size_t *count) {
    struct server *s = io->impl;
    *term = s->term;
    *vote = s->vote;
    *snapshot = s->snapshot ? server_snapshot(s) : NULL;
    *start = s->mirror.first;
    return mirror_entries(s, entries, count);
}

/* Clock, random numbers, work that libraft would give to a thread. */

static int io_init(struct raft_io *io, raft_id id, const char *address) {
    (void)io, (void)id, (void)address;
    return 0;
}

static void io_close(struct raft_io *io, raft_io_close_cb callback) {
    if (callback)
        callback(io);
}

static int io_start(struct raft_io *io, unsigned each, raft_io_tick_cb tick, raft_io_recv_cb on_message) {
    struct server *s = io->impl;
    s->tick_each = each;
    s->tick = tick;
    s->on_message = on_message;
    s->host->set_alarm(s->host, 0, each);
    return 0;
}

static raft_time io_time(struct raft_io *io) {
    struct server *s = io->impl;
    return s->host->now(s->host);
}

static int io_random(struct raft_io *io, int low, int high) {
    struct server *s = io->impl;
    const uint64_t word = s->host->random(s->host);
    return high > low ? low + (int)(word % (uint64_t)(high - low)) : low;
}

static int io_work(struct raft_io *io, struct raft_io_async_work *request, raft_io_async_work_cb callback) {
    request->cb = callback;
    const int status = request->work(request);
    defer(io->impl, WORKED, request, status);
    return 0;
}

static int io_bootstrap(struct raft_io *io, const struct raft_configuration *configuration) {
    (void)io, (void)configuration;
    return RAFT_CANTBOOTSTRAP;
}

static void alarm_is_due(void *me, const struct cor_process_host *host, uint32_t which) {
    struct server *s = me;
    enter(s, host);
    host->set_alarm(host, which, s->tick_each);
    s->tick(&s->io);
    leave(s);
}

static void start(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored) {
    struct server *s = me;
    enter(s, host);
    s->io = (struct raft_io){.version = 2,
                             .impl = s,
                             .init = io_init,
                             .close = io_close,
                             .load = io_load,
                             .start = io_start,
                             .bootstrap = io_bootstrap,
                             .recover = io_bootstrap,
                             .set_term = io_set_term,
                             .set_vote = io_set_vote,
                             .send = io_send,
                             .append = io_append,
                             .truncate = io_truncate,
                             .snapshot_put = io_snapshot_put,
                             .snapshot_get = io_snapshot_get,
                             .time = io_time,
                             .random = io_random,
                             .async_work = io_work};
    machine_init(s);
    server_restore(s, stored);
    const raft_id id = host->self + 1;
    int code = raft_init(&s->raft, &s->io, &s->machine, id, address_of(id));
    raft_set_snapshot_threshold(&s->raft, SNAPSHOT_EACH);
    raft_set_snapshot_trailing(&s->raft, TRAILING);
    if (code == 0)
        code = raft_start(&s->raft);
    if (code != 0)
        host->complain(host, raft_strerror(code));
    else
        leave(s);
}

static void input(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    struct server *s = me;
    uint64_t word = 0;
    memcpy(&word, bytes, size < sizeof word ? size : sizeof word);
    enter(s, host);
    server_input(s, which, word);
    leave(s);
}

static void observe(const void *me, union cor_process_value *values) {
    server_observe(me, values);
}

static const char *const roles[] = {"unavailable", "follower", "candidate", "leader"};
static const struct cor_process_attribute attributes[] = {
#define WORDS COR_PROCESS_WORD, 4, roles
#define COUNT COR_PROCESS_COUNT, 0, NULL
#define SET COR_PROCESS_SET, 0, NULL
#define ATTRIBUTE(NAME, name, type, meaning) {name, NULL, type, meaning},
    ATTRIBUTES(ATTRIBUTE)};
static const struct cor_process_name channels[] = {
    {"committed", "entry at an index that is committed"},
    {"applied", "command that the state machine was given at an index"},
    {"elected", "who has led in a term"}};
static const struct cor_process_message messages[] = {
    {"none", NULL, 0, 0},
    {"append", "entries of a leader, or its heartbeat", 0, 0},
    {"appended", "the answer to that", 0, 0},
    {"vote", "a candidate asks for a vote", 1, 0},
    {"voted", "the answer to that", 1, 0},
    {"install", "a snapshot of a leader", 0, 0},
    {"now", "a leader hands over", 1, 0}};
static const struct cor_process_input inputs[] = {{"request", "a command for the leader", 8, 8},
                                                  {"transfer", "the leader hands over to another", 0, 8},
                                                  {"add", "a server that was removed comes back", 0, 8},
                                                  {"promote", "a server becomes a voter", 0, 8},
                                                  {"remove", "a server leaves the configuration", 0, 8}};

static const struct cor_process_name alarms[] = {
    {"tick", "the library looks whether its time-outs are over"}};

COR_EXPORT const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "libraft",
    .version = "0.15.0",
    .meaning = "consensus by Raft: a leader organizes itself, a log is agreed on",
    .state_size = sizeof(struct server),
    .attributes = attributes,
    .channels = channels,
    .messages = messages,
    .inputs = inputs,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .channel_count = sizeof channels / sizeof *channels,
    .message_count = sizeof messages / sizeof *messages,
    .input_count = sizeof inputs / sizeof *inputs,
    .leader_attribute = ATTRIBUTE_ROLE,
    .leader_value = RAFT_LEADER,
    .start = start,
    .receive = receive,
    .alarm = alarm_is_due,
    .completed = completed,
    .input = input,
    .observe = observe,
    .alarms = alarms,
    .alarm_count = 1,
};
