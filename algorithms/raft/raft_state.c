/* SPDX-License-Identifier: MIT */
#include "raft_process.h"

#include <string.h>

const char *address_of(raft_id id) {
    static const char names[COR_PROCESSES_MAX + 1][3] = {"0", "1",  "2",  "3",  "4",  "5",  "6",  "7", "8",
                                                         "9", "10", "11", "12", "13", "14", "15", "16"};
    return names[id <= COR_PROCESSES_MAX ? id : 0];
}

/* Bytes: words of 64 bits, in the order of this machine; blocks are filled up to whole words. */

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

uint64_t entry_digest(const struct mirror_entry *entry) {
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

void mirror_append(struct server *s, const struct raft_entry *entries, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        mirror_add(s, entries[i].term, entries[i].type, entries[i].buf.base, (uint32_t)entries[i].buf.len);
}

void mirror_truncate(struct server *s, raft_index index) {
    struct mirror *m = &s->mirror;
    while (m->count > 0 && m->first + m->count > index)
        s->host->release(s->host, m->entries[--m->count].bytes);
}

static void mirror_forget(struct server *s, raft_index first) {
    struct mirror *m = &s->mirror;
    size_t gone = 0;
    while (gone < m->count && m->first + gone < first)
        s->host->release(s->host, m->entries[gone++].bytes);
    if (gone > 0)
        memmove(m->entries, m->entries + gone, (m->count - gone) * sizeof *m->entries);
    m->count -= gone;
    m->first = m->count > 0 ? m->first + gone : first;
}

/* An own snapshot is trailed by a few entries; a leader's replaces all there are. */
void mirror_snapshot(struct server *s, const struct raft_snapshot *snapshot, unsigned trailing) {
    struct mirror *m = &s->mirror;
    if (trailing == 0) {
        mirror_truncate(s, 0);
        m->first = snapshot->index + 1;
    } else if (snapshot->index > trailing && snapshot->index - trailing + 1 > m->first) {
        mirror_forget(s, snapshot->index - trailing + 1);
    }
}

/* As load() gives them: one batch. */
int mirror_entries(struct server *s, struct raft_entry **entries, size_t *count) {
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

const void *message_encode(struct server *s, const struct raft_message *message, size_t *size) {
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

void message_decode(struct server *s, struct raft_message *message, const void *bytes, size_t size) {
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

const void *entries_encode(struct server *s, raft_index first, unsigned count, size_t *size) {
    *size = put_mirror(s, 0, first, count);
    return s->scratch;
}

const void *snapshot_encode(struct server *s, const struct raft_snapshot *snapshot, size_t *size) {
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

void *snapshot_keep(struct server *s, const void *bytes, size_t size) {
    return memcpy(s->host->alloc(s->host, size), bytes, size);
}

void snapshot_is_durable(struct server *s, const struct pending *write) {
    s->host->release(s->host, s->snapshot);
    s->snapshot = write->bytes;
    s->stored = write->installs || write->index > s->stored ? write->index : s->stored;
}

/* A record of ours is whole: its length is that of what it says. */
static struct source whole(const void *bytes) {
    return (struct source){bytes, (const uint8_t *)bytes + (1u << 30), 0};
}

struct raft_snapshot *server_snapshot(struct server *s) {
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

/* The log with which every server begins: a configuration in which all vote. */
static void restore_first(struct server *s) {
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
}

void server_restore(struct server *s, const struct cor_process_stored *stored) {
    s->term = 1;
    if (stored->cell_count > 0) {
        uint64_t cell[2] = {0};
        memcpy(cell, stored->cells[0].bytes, sizeof cell);
        s->term = cell[0];
        s->vote = cell[1];
    }
    restore_first(s);
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

/* The state machine: a digest of all commands. */

static int machine_apply(struct raft_fsm *machine, const struct raft_buffer *buffer, void **result) {
    struct server *s = machine->data;
    s->state = mix_bytes(mix(s->state, buffer->len), buffer->base, buffer->len);
    s->host->tell(s->host, CHANNEL_APPLIED, s->raft.last_applied + 1, s->state);
    *result = NULL;
    return 0;
}

static int machine_snapshot(struct raft_fsm *machine, struct raft_buffer *buffers[], unsigned *count) {
    struct server *s = machine->data;
    *count = 1;
    *buffers = raft_calloc(1, sizeof **buffers);
    (*buffers)->len = sizeof s->state;
    (*buffers)->base = raft_malloc(sizeof s->state);
    memcpy((*buffers)->base, &s->state, sizeof s->state);
    return 0;
}

static int machine_restore(struct raft_fsm *machine, struct raft_buffer *buffer) {
    struct server *s = machine->data;
    memcpy(&s->state, buffer->base, sizeof s->state);
    raft_free(buffer->base);
    return 0;
}

void machine_init(struct server *s) {
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

void note_sent(struct server *s, const struct raft_message *message) {
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

void note_received(struct server *s, const struct raft_message *message) {
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

void server_observe(const struct server *s, union cor_process_value *values) {
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

static void apply_request(struct server *s, uint64_t word) {
    struct raft_apply *request = raft_calloc(1, sizeof *request);
    struct raft_buffer buffer = {raft_malloc(sizeof word), sizeof word};
    memcpy(buffer.base, &word, sizeof word);
    if (raft_apply(&s->raft, request, &buffer, 1, applied) != 0) {
        raft_free(buffer.base);
        raft_free(request);
    }
}

void server_input(struct server *s, uint32_t which, uint64_t word) {
    const raft_id id = 1 + word % s->host->count;
    if (s->raft.state != RAFT_LEADER)
        return;
    if (which == REQUEST) {
        apply_request(s, word);
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
