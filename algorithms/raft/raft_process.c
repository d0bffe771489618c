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
#include <corridor/process.h>

#include <raft.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SNAPSHOT_EACH 3 /* entries, until a snapshot is taken; and that many trail it: */
#define TRAILING 1

enum { CHANNEL_COMMITTED, CHANNEL_APPLIED, CHANNEL_ELECTED, CHANNEL_STORE };
enum { REQUEST, TRANSFER, ADD, PROMOTE, REMOVE, WRITE, READ };
enum { READS_ALONE = 1 }; /* fault */
enum operation { APPEND, TRUNCATE, SNAPSHOT };

/* X(NAME, name, type, meaning): what a server shows. */
#define ATTRIBUTES(X)                                                                                      \
    X(ROLE, "role", WORDS, "what it is")                                                                   \
    X(TERM, "term", COUNT, "the latest term that it has seen")                                             \
    X(VOTE, "vote", COUNT, "for whom it has voted in that term, from 1; 0: for nobody")                    \
    X(COMMIT, "commit", COUNT, "the greatest index that it takes for committed")                           \
    X(COMMIT_TERM, "commit_term", COUNT, "the term of that entry; 0: it is in a snapshot")                 \
    X(LAST, "last", COUNT, "the last index of its log")                                                    \
    X(STORED, "stored", COUNT, "the last index that is on its disk")                                       \
    X(ASKED, "asked", COUNT, "the last index with which it asked for votes in this term; 0: it did not")   \
    X(ASKED_STORED, "asked_stored", COUNT, "the last index that was on its disk then")                     \
    X(ACKED, "acked", COUNT, "the last index that it told the leader of this term to have; 0: none yet")   \
    X(MATCHED, "matched", COUNT, "the last index that a leader of this term has shown it")                 \
    X(LATE, "late", COUNT,                                                                                 \
      "acknowledgements that it sent in another term or role than it got the entries in")                  \
    X(INSTALLING, "installing", COUNT, "snapshots of a leader that are being written")                     \
    X(UNSETTLED, "unsettled", COUNT, "snapshots that it took with a configuration that was not committed") \
    X(VOTERS, "voters", SET, "who votes by its configuration")

#define ATTRIBUTE_NUMBER(NAME, ...) ATTRIBUTE_##NAME,
enum { ATTRIBUTES(ATTRIBUTE_NUMBER) ATTRIBUTE_COUNT };
#undef ATTRIBUTE_NUMBER

/* The log as it was given to the disk, whether or not it is there yet. */
struct mirror {
    struct mirror_entry {
        raft_term term;
        uint32_t type, size;
        uint8_t *bytes;
    } * entries;
    raft_index first; /* index of entries[0] */
    size_t count, room;
};

/* Called back when the host's call is over. */
enum deferred_kind { SENT, GOT, WORKED };
struct deferred {
    enum deferred_kind kind;
    int status;
    void *request;
};

/* A write that has begun. */
struct pending {
    uint32_t operation;
    uint32_t installs; /* 1: it is a leader's snapshot */
    void *request, *bytes;
    raft_index index; /* the last one that is on the disk after it */
    raft_term term;   /* in which it began */
};

struct server {
    struct raft raft;
    struct raft_io io;
    struct raft_fsm machine;
    const struct cor_process_host *host;
    raft_io_tick_cb tick;
    raft_io_recv_cb on_message;
    unsigned tick_each;
    raft_term term; /* as the cell has them */
    raft_id vote;
    struct mirror mirror;
    uint8_t *snapshot; /* the latest durable one, encoded; NULL: there is none */
    uint64_t state;    /* of the state machine: a digest of all commands, and the last of them; 0: none */
    uint64_t value, calls;
    raft_index told, stored;
    raft_term led; /* in which it led last */
    struct deferred *deferred;
    uint32_t deferred_count, deferred_room;
    struct pending *pending; /* writes that have not ended, a ring: number n is at n % pending_room */
    uint64_t pending_begin, pending_end, pending_room;
    const struct pending *ending; /* whose callback is at work */
    uint8_t *scratch;             /* bytes that are encoded */
    size_t scratch_room;
    raft_index asked, asked_stored, acked, matched;
    raft_term seen_term; /* to which those belong */
    uint32_t late, installing, unsettled;
    int disk_failed;
};

/* Addresses are the numbers in words. */
static const char *address_of(raft_id id) {
#define TEN(t) \
    t "0", t "1", t "2", t "3", t "4", t "5", t "6", t "7", t "8", t "9"
    static const char names[][4] = {TEN(""),   TEN("1"),  TEN("2"),  TEN("3"),  TEN("4"),  TEN("5"),  TEN("6"),
                                    TEN("7"),  TEN("8"),  TEN("9"),  TEN("10"), TEN("11"), TEN("12"), TEN("13"),
                                    TEN("14"), TEN("15"), TEN("16"), TEN("17"), TEN("18"), TEN("19"), TEN("20"),
                                    TEN("21"), TEN("22"), TEN("23"), TEN("24"), TEN("25")};
#undef TEN
    _Static_assert(sizeof names / sizeof *names > COR_PROCESSES_MAX, "a name for each");
    return names[id <= COR_PROCESSES_MAX ? id : 0];
}

/* Bytes: words of 64 bits, in the order of this machine; blocks are filled up to whole words. What is encoded
 * is valid until the next is. */

static size_t put(struct server *s, size_t at, const void *bytes, size_t size) {
    const size_t end = at + (size + 7) / 8 * 8;
    if (end > s->scratch_room) {
        s->scratch_room = 2 * end;
        s->scratch = s->host->resize(s->host, s->scratch, s->scratch_room);
    }
    if (end > at)
        memset(s->scratch + end - 8, 0, 8);
    if (size > 0)
        memcpy(s->scratch + at, bytes, size);
    return end;
}

static size_t put_word(struct server *s, size_t at, uint64_t word) {
    return put(s, at, &word, sizeof word);
}

/* What is read; what is beyond the end is 0, and `is_torn`. */
struct source {
    const uint8_t *at, *end;
    int is_torn;
};

static const uint8_t *take_bytes(struct source *source, uint64_t size) {
    const uint64_t whole = (size + 7) / 8 * 8;
    if (size > whole || whole > (uint64_t)(source->end - source->at)) {
        source->is_torn = 1;
        source->at = source->end;
        return NULL;
    }
    const uint8_t *bytes = source->at;
    source->at += whole;
    return bytes;
}

static uint64_t take_word(struct source *source) {
    uint64_t word = 0;
    const uint8_t *bytes = take_bytes(source, sizeof word);
    if (bytes)
        memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t mix(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

static uint64_t mix_bytes(uint64_t digest, const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = 0;
        memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
        digest = mix(digest, word);
    }
    return digest;
}

static uint64_t entry_digest(const struct mirror_entry *entry) {
    return mix_bytes(mix(mix(1, entry->term), entry->type), entry->bytes, entry->size);
}

/* The mirror. */

static void mirror_add(struct server *s, raft_term term, uint32_t type, const void *bytes, uint32_t size) {
    struct mirror *m = &s->mirror;
    if (m->count == m->room) {
        m->room = m->room ? 2 * m->room : 16;
        m->entries = s->host->resize(s->host, m->entries, m->room * sizeof *m->entries);
    }
    uint8_t *copy = s->host->alloc(s->host, size + 1);
    if (size > 0)
        memcpy(copy, bytes, size);
    m->entries[m->count++] = (struct mirror_entry){term, type, size, copy};
}

static void mirror_append(struct server *s, const struct raft_entry *entries, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        mirror_add(s, entries[i].term, entries[i].type, entries[i].buf.base, (uint32_t)entries[i].buf.len);
}

static void mirror_truncate(struct server *s, raft_index index) {
    struct mirror *m = &s->mirror;
    while (m->count > 0 && m->first + m->count > index)
        s->host->release(s->host, m->entries[--m->count].bytes);
}

/* An own snapshot is trailed by a few entries; a leader's replaces all there are. */
static void mirror_snapshot(struct server *s, const struct raft_snapshot *snapshot, unsigned trailing) {
    struct mirror *m = &s->mirror;
    if (trailing == 0) {
        mirror_truncate(s, 0);
        m->first = snapshot->index + 1;
    } else if (snapshot->index > trailing && snapshot->index - trailing + 1 > m->first) {
        raft_index first = snapshot->index - trailing + 1;
        size_t gone = 0;
        while (gone < m->count && m->first + gone < first)
            s->host->release(s->host, m->entries[gone++].bytes);
        if (gone > 0)
            memmove(m->entries, m->entries + gone, (m->count - gone) * sizeof *m->entries);
        m->count -= gone;
        m->first = m->count > 0 ? m->first + gone : first;
    }
}

/* As load() gives them: one batch. */
static int mirror_entries(struct server *s, struct raft_entry **entries, size_t *count) {
    const struct mirror *m = &s->mirror;
    size_t bytes = 0;
    for (size_t i = 0; i < m->count; i++)
        bytes += (m->entries[i].size + 7u) / 8 * 8;
    *entries = NULL;
    *count = m->count;
    if (m->count == 0)
        return 0;
    struct raft_entry *e = *entries = raft_calloc(m->count, sizeof **entries);
    uint8_t *batch = raft_malloc(bytes ? bytes : 8), *at = batch;
    if (!e || !batch)
        return RAFT_NOMEM;
    for (size_t i = 0; i < m->count; i++) {
        const struct mirror_entry *from = &m->entries[i];
        e[i] = (struct raft_entry){from->term, (unsigned short)from->type, {at, from->size}, batch};
        memcpy(at, from->bytes, from->size);
        at += (from->size + 7u) / 8 * 8;
    }
    return 0;
}

/* Messages. */

static size_t put_configuration(struct server *s, size_t at, const struct raft_configuration *c) {
    at = put_word(s, at, c->n);
    for (unsigned i = 0; i < c->n; i++) {
        at = put_word(s, at, c->servers[i].id);
        at = put_word(s, at, (uint64_t)c->servers[i].role);
    }
    return at;
}

static void take_configuration(struct source *source, struct raft_configuration *c) {
    raft_configuration_init(c);
    const uint64_t count = take_word(source);
    for (uint64_t i = 0; i < count && !source->is_torn; i++) {
        const raft_id id = take_word(source);
        const int role = (int)take_word(source);
        if (raft_configuration_add(c, id, address_of(id), role) != 0)
            source->is_torn = 1;
    }
}

static size_t put_entry(struct server *s, size_t at, raft_term term, uint64_t type, const void *bytes,
                        uint64_t size) {
    at = put_word(s, at, term);
    at = put_word(s, at, type << 32 | size);
    return put(s, at, bytes, size);
}

static size_t put_append(struct server *s, const struct raft_append_entries *a) {
    const uint64_t head[] = {a->term, a->prev_log_index, a->prev_log_term, a->leader_commit, a->n_entries};
    size_t at = put(s, 0, head, sizeof head);
    for (unsigned i = 0; i < a->n_entries; i++)
        at = put_entry(s, at, a->entries[i].term, a->entries[i].type, a->entries[i].buf.base,
                       a->entries[i].buf.len);
    return at;
}

static size_t put_install(struct server *s, const struct raft_install_snapshot *i) {
    const uint64_t head[] = {i->term, i->last_index, i->last_term, i->conf_index, i->data.len};
    size_t at = put(s, 0, head, sizeof head);
    at = put(s, at, i->data.base, i->data.len);
    return put_configuration(s, at, &i->conf);
}

static const void *message_encode(struct server *s, const struct raft_message *message, size_t *size) {
    const struct raft_request_vote *v = &message->request_vote;
    const struct raft_request_vote_result *r = &message->request_vote_result;
    const struct raft_append_entries_result *a = &message->append_entries_result;
    const struct raft_timeout_now *n = &message->timeout_now;
    *size = 0;
    switch (message->type) {
    case RAFT_IO_APPEND_ENTRIES:
        *size = put_append(s, &message->append_entries);
        break;
    case RAFT_IO_INSTALL_SNAPSHOT:
        *size = put_install(s, &message->install_snapshot);
        break;
    case RAFT_IO_APPEND_ENTRIES_RESULT:
        *size = put(s, 0, (uint64_t[]){a->term, a->rejected, a->last_log_index}, 24);
        break;
    case RAFT_IO_REQUEST_VOTE:
        *size = put(s, 0,
                    (uint64_t[]){v->term, v->candidate_id, v->last_log_index, v->last_log_term,
                                 v->disrupt_leader, v->pre_vote},
                    48);
        break;
    case RAFT_IO_REQUEST_VOTE_RESULT:
        *size = put(s, 0, (uint64_t[]){r->term, r->vote_granted, r->pre_vote}, 24);
        break;
    case RAFT_IO_TIMEOUT_NOW:
        *size = put(s, 0, (uint64_t[]){n->term, n->last_log_index, n->last_log_term}, 24);
        break;
    default:
        s->host->complain(s->host, "libraft sends a message of a kind that it does not have");
    }
    return s->scratch;
}

/* Entries and their one batch are freed by who receives them. */
static void take_append(struct source *source, struct raft_append_entries *a) {
    a->term = take_word(source);
    a->prev_log_index = take_word(source);
    a->prev_log_term = take_word(source);
    a->leader_commit = take_word(source);
    a->n_entries = (unsigned)take_word(source);
    a->entries = NULL;
    if (a->n_entries == 0)
        return;
    const size_t size = (size_t)(source->end - source->at);
    a->entries = raft_calloc(a->n_entries, sizeof *a->entries);
    uint8_t *batch = raft_malloc(size);
    memcpy(batch, source->at, size);
    const uint8_t *begin = source->at;
    for (unsigned i = 0; i < a->n_entries; i++) {
        struct raft_entry *e = &a->entries[i];
        e->term = take_word(source);
        const uint64_t head = take_word(source);
        e->type = (unsigned short)(head >> 32);
        e->buf.len = head & UINT32_MAX;
        e->buf.base = batch + (take_bytes(source, e->buf.len) - begin);
        e->batch = batch;
    }
}

static void take_install(struct source *source, struct raft_install_snapshot *i) {
    i->term = take_word(source);
    i->last_index = take_word(source);
    i->last_term = take_word(source);
    i->conf_index = take_word(source);
    i->data.len = take_word(source);
    i->data.base = raft_malloc(i->data.len);
    memcpy(i->data.base, take_bytes(source, i->data.len), i->data.len);
    take_configuration(source, &i->conf);
}

static void message_decode(struct server *s, struct raft_message *message, const void *bytes, size_t size) {
    struct source source = {bytes, (const uint8_t *)bytes + size, 0};
    (void)s;
    switch (message->type) {
    case RAFT_IO_APPEND_ENTRIES:
        take_append(&source, &message->append_entries);
        break;
    case RAFT_IO_INSTALL_SNAPSHOT:
        take_install(&source, &message->install_snapshot);
        break;
    case RAFT_IO_APPEND_ENTRIES_RESULT: {
        struct raft_append_entries_result *a = &message->append_entries_result;
        a->term = take_word(&source);
        a->rejected = take_word(&source);
        a->last_log_index = take_word(&source);
        break;
    }
    case RAFT_IO_REQUEST_VOTE: {
        struct raft_request_vote *v = &message->request_vote;
        v->term = take_word(&source);
        v->candidate_id = take_word(&source);
        v->last_log_index = take_word(&source);
        v->last_log_term = take_word(&source);
        v->disrupt_leader = take_word(&source) != 0;
        v->pre_vote = take_word(&source) != 0;
        break;
    }
    case RAFT_IO_REQUEST_VOTE_RESULT: {
        struct raft_request_vote_result *r = &message->request_vote_result;
        r->term = take_word(&source);
        r->vote_granted = take_word(&source) != 0;
        r->pre_vote = (raft_tribool)take_word(&source);
        break;
    }
    default: {
        struct raft_timeout_now *n = &message->timeout_now;
        n->term = take_word(&source);
        n->last_log_index = take_word(&source);
        n->last_log_term = take_word(&source);
    }
    }
}

/* Records. */

static size_t put_mirror(struct server *s, size_t at, raft_index first, size_t count) {
    const struct mirror *m = &s->mirror;
    at = put_word(s, at, first);
    at = put_word(s, at, count);
    for (size_t i = first - m->first; i < first - m->first + count; i++)
        at =
            put_entry(s, at, m->entries[i].term, m->entries[i].type, m->entries[i].bytes, m->entries[i].size);
    return at;
}

static const void *entries_encode(struct server *s, raft_index first, unsigned count, size_t *size) {
    *size = put_mirror(s, 0, first, count);
    return s->scratch;
}

static const void *snapshot_encode(struct server *s, const struct raft_snapshot *snapshot, size_t *size) {
    size_t bytes = 0, at = 0;
    for (unsigned i = 0; i < snapshot->n_bufs; i++)
        bytes += snapshot->bufs[i].len;
    at = put_word(s, at, snapshot->index);
    at = put_word(s, at, snapshot->term);
    at = put_word(s, at, snapshot->configuration_index);
    at = put_configuration(s, at, &snapshot->configuration);
    at = put_word(s, at, bytes);
    for (unsigned i = 0; i < snapshot->n_bufs; i++) /* of whole words, as machine_init has it */
        at = put(s, at, snapshot->bufs[i].base, snapshot->bufs[i].len);
    *size = put_mirror(s, at, s->mirror.first, s->mirror.count);
    return s->scratch;
}

static void *snapshot_keep(struct server *s, const void *bytes, size_t size) {
    return memcpy(s->host->alloc(s->host, size), bytes, size);
}

static void snapshot_is_durable(struct server *s, const struct pending *write) {
    s->host->release(s->host, s->snapshot);
    s->snapshot = write->bytes;
    s->stored = write->installs || write->index > s->stored ? write->index : s->stored;
}

/* A record of ours is whole: its length is that of what it says. */
static struct source whole(const void *bytes) {
    return (struct source){bytes, (const uint8_t *)bytes + (1u << 30), 0};
}

static struct raft_snapshot *server_snapshot(struct server *s) {
    if (!s->snapshot)
        return NULL;
    struct source source = whole(s->snapshot);
    struct raft_snapshot *snapshot = raft_calloc(1, sizeof *snapshot);
    snapshot->index = take_word(&source);
    snapshot->term = take_word(&source);
    snapshot->configuration_index = take_word(&source);
    take_configuration(&source, &snapshot->configuration);
    snapshot->n_bufs = 1;
    snapshot->bufs = raft_calloc(1, sizeof *snapshot->bufs);
    snapshot->bufs->len = take_word(&source);
    snapshot->bufs->base = raft_malloc(snapshot->bufs->len);
    memcpy(snapshot->bufs->base, take_bytes(&source, snapshot->bufs->len), snapshot->bufs->len);
    return snapshot;
}

/* Entries of a record into the mirror, as far as they are whole. */
static void restore_entries(struct server *s, struct source *source) {
    const raft_index first = take_word(source);
    const uint64_t count = take_word(source);
    if (source->is_torn)
        return;
    mirror_truncate(s, first);
    if (s->mirror.count == 0)
        s->mirror.first = first;
    for (uint64_t i = 0; i < count; i++) {
        const raft_term term = take_word(source);
        const uint64_t head = take_word(source);
        const uint8_t *bytes = take_bytes(source, head & UINT32_MAX);
        if (source->is_torn)
            return;
        mirror_add(s, term, (uint32_t)(head >> 32), bytes, (uint32_t)head);
    }
}

static void restore_snapshot(struct server *s, struct source *source,
                             const struct cor_process_record *record) {
    struct raft_configuration configuration;
    take_word(source);
    take_word(source);
    take_word(source);
    take_configuration(source, &configuration);
    raft_configuration_close(&configuration);
    const uint64_t size = take_word(source);
    if (!take_bytes(source, size))
        return; /* torn */
    mirror_truncate(s, 0);
    restore_entries(s, source);
    s->snapshot = snapshot_keep(s, record->bytes, record->size);
}

static void server_restore(struct server *s, const struct cor_process_stored *stored) {
    s->term = 1;
    if (stored->cell_count > 0) {
        uint64_t cell[2] = {0};
        memcpy(cell, stored->cells[0].bytes, sizeof cell);
        s->term = cell[0];
        s->vote = cell[1];
    }
    /* The log with which every server begins: a configuration in which all vote. */
    struct raft_configuration c;
    struct raft_buffer buffer = {NULL, 0};
    raft_configuration_init(&c);
    for (raft_id id = 1; id <= s->host->count; id++)
        if (raft_configuration_add(&c, id, address_of(id), RAFT_VOTER) != 0)
            s->host->complain(s->host, "libraft refuses a configuration");
    if (raft_configuration_encode(&c, &buffer) != 0)
        s->host->complain(s->host, "libraft cannot encode a configuration");
    s->mirror.first = 1;
    mirror_add(s, 1, RAFT_CHANGE, buffer.base, (uint32_t)buffer.len);
    raft_free(buffer.base);
    raft_configuration_close(&c);
    for (uint32_t i = 0; i < stored->write_count; i++) {
        const struct cor_process_record *record = &stored->writes[i];
        struct source source = {record->bytes, (const uint8_t *)record->bytes + record->size, 0};
        const uint32_t operation = record->operation & ~COR_PROCESS_FORGETS;
        if (operation == APPEND)
            restore_entries(s, &source);
        else if (operation == TRUNCATE)
            mirror_truncate(s, take_word(&source));
        else
            restore_snapshot(s, &source, record);
    }
    s->stored = s->mirror.first + s->mirror.count - 1;
}

/* The state machine: a digest of all commands, and a register: the last of them. */

static int machine_apply(struct raft_fsm *machine, const struct raft_buffer *buffer, void **result) {
    struct server *s = machine->data;
    s->state = mix_bytes(mix(s->state, buffer->len), buffer->base, buffer->len);
    memcpy(&s->value, buffer->base, sizeof s->value);
    s->host->tell(s->host, CHANNEL_APPLIED, s->raft.last_applied + 1, s->state);
    *result = NULL;
    return 0;
}

static int machine_snapshot(struct raft_fsm *machine, struct raft_buffer *buffers[], unsigned *count) {
    struct server *s = machine->data;
    *count = 1;
    *buffers = raft_calloc(1, sizeof **buffers);
    const uint64_t words[2] = {s->state, s->value};
    (*buffers)->len = sizeof words;
    (*buffers)->base = raft_malloc(sizeof words);
    memcpy((*buffers)->base, words, sizeof words);
    return 0;
}

static int machine_restore(struct raft_fsm *machine, struct raft_buffer *buffer) {
    struct server *s = machine->data;
    uint64_t words[2];
    memcpy(words, buffer->base, sizeof words);
    s->state = words[0];
    s->value = words[1];
    raft_free(buffer->base);
    return 0;
}

static void machine_init(struct server *s) {
    s->machine = (struct raft_fsm){.version = 1,
                                   .data = s,
                                   .apply = machine_apply,
                                   .snapshot = machine_snapshot,
                                   .restore = machine_restore};
}

/* What is seen beside libraft's own state. */

static void note_term(struct server *s, raft_term term) {
    if (term == s->seen_term)
        return;
    s->seen_term = term;
    s->asked = s->asked_stored = s->acked = s->matched = 0;
}

static void note_sent(struct server *s, const struct raft_message *message) {
    note_term(s, s->raft.current_term);
    const struct raft_append_entries_result *result = &message->append_entries_result;
    if (message->type == RAFT_IO_REQUEST_VOTE && !message->request_vote.pre_vote) {
        s->asked = message->request_vote.last_log_index;
        s->asked_stored = s->stored;
    }
    if (message->type != RAFT_IO_APPEND_ENTRIES_RESULT || result->rejected != 0)
        return;
    s->acked = result->last_log_index;
    if (s->ending && s->ending->operation == APPEND)
        s->late += s->ending->term != s->raft.current_term || s->raft.state != RAFT_FOLLOWER;
}

/* Does the log have what the entries of the message follow upon? */
static int is_followed(const struct server *s, const struct raft_append_entries *a) {
    const struct mirror *m = &s->mirror;
    if (a->prev_log_index < m->first)
        return 1;
    return a->prev_log_index < m->first + m->count &&
           m->entries[a->prev_log_index - m->first].term == a->prev_log_term;
}

static void note_received(struct server *s, const struct raft_message *message) {
    const struct raft_append_entries *a = &message->append_entries;
    const struct raft_install_snapshot *i = &message->install_snapshot;
    raft_index matched = 0;
    if (message->type == RAFT_IO_APPEND_ENTRIES && a->term >= s->raft.current_term && is_followed(s, a)) {
        note_term(s, a->term);
        matched = a->prev_log_index + a->n_entries;
    } else if (message->type == RAFT_IO_INSTALL_SNAPSHOT && i->term >= s->raft.current_term) {
        note_term(s, i->term);
        matched = i->last_index;
    }
    s->matched = matched > s->matched ? matched : s->matched;
}

static void server_observe(const struct server *s, union cor_process_value *values) {
    const struct raft *r = &s->raft;
    const struct mirror *m = &s->mirror;
    const int seen = s->seen_term == r->current_term;
    const raft_index c = r->commit_index;
    uint64_t voters = 0;
    for (unsigned i = 0; i < r->configuration.n; i++)
        if (r->configuration.servers[i].role == RAFT_VOTER)
            voters |= UINT64_C(1) << (r->configuration.servers[i].id - 1);
    values[ATTRIBUTE_ROLE].count = r->state;
    values[ATTRIBUTE_TERM].count = r->current_term;
    values[ATTRIBUTE_VOTE].count = r->voted_for;
    values[ATTRIBUTE_COMMIT].count = c;
    values[ATTRIBUTE_COMMIT_TERM].count =
        c >= m->first && c < m->first + m->count ? m->entries[c - m->first].term : 0;
    values[ATTRIBUTE_LAST].count = m->first + m->count - 1;
    values[ATTRIBUTE_STORED].count = s->stored;
    values[ATTRIBUTE_ASKED].count = seen ? s->asked : 0;
    values[ATTRIBUTE_ASKED_STORED].count = seen ? s->asked_stored : 0;
    values[ATTRIBUTE_ACKED].count = seen ? s->acked : 0;
    values[ATTRIBUTE_MATCHED].count = seen ? s->matched : 0;
    values[ATTRIBUTE_LATE].count = s->late;
    values[ATTRIBUTE_INSTALLING].count = s->installing;
    values[ATTRIBUTE_UNSETTLED].count = s->unsettled;
    values[ATTRIBUTE_VOTERS].count = voters;
}

/* Requests from outside; whoever does not lead refuses them. */

static void applied(struct raft_apply *request, int status, void *result) {
    (void)status, (void)result;
    raft_free(request);
}
static void changed(struct raft_change *request, int status) {
    (void)status;
    raft_free(request);
}
static void handed_over(struct raft_transfer *request) {
    raft_free(request);
}

static void apply_request(struct server *s, struct raft_apply *request, uint64_t word,
                          raft_apply_cb callback) {
    struct raft_buffer buffer = {raft_malloc(sizeof word), sizeof word};
    memcpy(buffer.base, &word, sizeof word);
    if (raft_apply(&s->raft, request, &buffer, 1, callback) != 0) {
        raft_free(buffer.base);
        callback(request, RAFT_NOTLEADER, NULL);
    }
}

/* Calls of a client of the register, which asks this leader. */
struct client_call {
    union {
        struct raft_apply apply;
        struct raft_barrier barrier;
    } request; /* first */
    struct server *server;
    uint64_t ticket;
};

/* Who has lost its lead cannot say what becomes of a write. */
static void wrote(struct raft_apply *request, int status, void *result) {
    struct client_call *call = (void *)request;
    (void)result;
    if (status == 0 || status == RAFT_NOTLEADER)
        call->server->host->answered(call->server->host, call->ticket,
                                     status == 0 ? COR_PROCESS_DONE : COR_PROCESS_FAILED, NULL);
    raft_free(call);
}

static void read_now(struct raft_barrier *request, int status) {
    struct client_call *call = (void *)request;
    struct server *s = call->server;
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, s->value);
    s->host->answered(s->host, call->ticket, status == 0 ? COR_PROCESS_DONE : COR_PROCESS_FAILED,
                      s->value == 0 ? NULL : text);
    raft_free(call);
}

/* A read is answered when an entry behind it is committed: a leader alone does not know whether it still is
 * one (section 8 of the Raft paper). With the fault it does not ask. */
static void client_asks(struct server *s, uint32_t which, uint64_t word) {
    struct client_call *call = raft_calloc(1, sizeof *call);
    char text[24];
    word = word >> 1 | 1; /* an integer, and never none */
    snprintf(text, sizeof text, "%" PRIu64, word);
    call->server = s;
    call->ticket = s->calls++;
    s->host->call(s->host, CHANNEL_STORE, call->ticket, which == WRITE ? "write" : "read", NULL,
                  which == WRITE ? text : NULL);
    if (which == WRITE)
        apply_request(s, &call->request.apply, word, wrote);
    else if (s->host->fault == READS_ALONE)
        read_now(&call->request.barrier, 0);
    else if (raft_barrier(&s->raft, &call->request.barrier, read_now) != 0)
        read_now(&call->request.barrier, RAFT_NOTLEADER);
}

static void server_input(struct server *s, uint32_t which, uint64_t word) {
    const raft_id id = 1 + word % s->host->count;
    char about[32];
    snprintf(about, sizeof about, "server %u", (unsigned)(id - 1));
    s->host->say(s->host, s->raft.state != RAFT_LEADER ? "nothing: it does not lead"
                          : which == TRANSFER || which == ADD || which == PROMOTE || which == REMOVE ? about
                                                                                                     : NULL);
    if (s->raft.state != RAFT_LEADER)
        return;
    if (which == REQUEST) {
        apply_request(s, raft_calloc(1, sizeof(struct raft_apply)), word, applied);
    } else if (which == WRITE || which == READ) {
        client_asks(s, which, word);
    } else if (which == TRANSFER) {
        struct raft_transfer *request = raft_calloc(1, sizeof *request);
        if (raft_transfer(&s->raft, request, id, handed_over) != 0)
            raft_free(request);
    } else {
        struct raft_change *request = raft_calloc(1, sizeof *request);
        const int code = which == ADD       ? raft_add(&s->raft, request, id, address_of(id), changed)
                         : which == PROMOTE ? raft_assign(&s->raft, request, id, RAFT_VOTER, changed)
                                            : raft_remove(&s->raft, request, id, changed);
        if (code != 0)
            raft_free(request);
    }
}

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

/* Of the process that is called, and between calls of nobody: what a process keeps is in its own memory. */
static struct raft_heap heap = {NULL, take, give, take_array, take_more, take_aligned, give_aligned};

static void enter(struct server *s, const struct cor_process_host *host) {
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

static void leave(struct server *s) {
    for (uint32_t i = 0; i < s->deferred_count; i++) { /* it grows meanwhile */
        const struct deferred d = s->deferred[i];
        struct raft_io_send *send = d.request;
        struct raft_io_snapshot_get *get = d.request;
        struct raft_io_async_work *work = d.request;
        switch (d.kind) {
        case SENT:
            send->cb(send, d.status);
            break;
        case GOT:
            get->cb(get, server_snapshot(s), 0);
            break;
        case WORKED:
            work->cb(work, d.status);
            break;
        }
    }
    s->deferred_count = 0;
    /* What is committed, entry by entry, is told; once only, unless the process forgets that it was. */
    const struct mirror *m = &s->mirror;
    raft_index last = s->raft.commit_index;
    for (raft_index i = s->told + 1; i <= last; i++)
        if (i >= m->first && i < m->first + m->count)
            s->host->tell(s->host, CHANNEL_COMMITTED, i, entry_digest(&m->entries[i - m->first]));
    s->told = last > s->told ? last : s->told;
    if (s->raft.state == RAFT_LEADER && s->led != s->raft.current_term) {
        s->led = s->raft.current_term;
        s->host->tell(s->host, CHANNEL_ELECTED, s->led, s->host->self + 1);
    }
    heap.data = NULL;
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

static void begin_write(struct server *s, struct pending write, const void *bytes, size_t size) {
    if (s->pending_end - s->pending_begin >= s->pending_room) {
        const uint64_t room = s->pending_room > 0 ? 2 * s->pending_room : 16;
        struct pending *larger = s->host->alloc(s->host, room * sizeof *larger);
        for (uint64_t n = s->pending_begin; n < s->pending_end; n++)
            larger[n % room] = s->pending[n % s->pending_room];
        s->host->release(s->host, s->pending);
        s->pending = larger;
        s->pending_room = room;
    }
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
    {"elected", "who has led in a term"},
    {"store", "what clients of a leader read and write"}};
static const struct cor_process_name faults[] = {
    {"reads_alone", "who leads answers reads from its own state, and asks nobody whether it still leads"}};
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
                                                  {"remove", "a server leaves the configuration", 0, 8},
                                                  {"write", "a client of the leader writes", 0, 8},
                                                  {"read", "a client of the leader reads", 0, 8}};

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
    .faults = faults,
    .fault_count = sizeof faults / sizeof *faults,
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
