/* SPDX-License-Identifier: MIT
 *
 * A server of libraft as a process: what raft_process.c (the calls of the library and of the host) and
 * raft_state.c (its log as it was given to the disk, messages and records as bytes, what is seen) share. */
#ifndef CORRIDOR_ALGORITHMS_RAFT_RAFT_PROCESS_H
#define CORRIDOR_ALGORITHMS_RAFT_RAFT_PROCESS_H

#include <corridor/process.h>

#include <raft.h>

enum { CHANNEL_COMMITTED, CHANNEL_APPLIED, CHANNEL_ELECTED };
enum { REQUEST, TRANSFER, ADD, PROMOTE, REMOVE };
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
    uint64_t state;    /* of the state machine: a digest of all commands, */
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
const char *address_of(raft_id id);

uint64_t entry_digest(const struct mirror_entry *entry);
void mirror_append(struct server *s, const struct raft_entry *entries, unsigned count);
void mirror_truncate(struct server *s, raft_index index);
void mirror_snapshot(struct server *s, const struct raft_snapshot *snapshot, unsigned trailing);
int mirror_entries(struct server *s, struct raft_entry **entries, size_t *count);

/* Bytes are valid until the next of these calls. */
const void *message_encode(struct server *s, const struct raft_message *message, size_t *size);
void message_decode(struct server *s, struct raft_message *message, const void *bytes, size_t size);
const void *entries_encode(struct server *s, raft_index first, unsigned count, size_t *size);
const void *snapshot_encode(struct server *s, const struct raft_snapshot *snapshot, size_t *size);
void *snapshot_keep(struct server *s, const void *bytes, size_t size);
void snapshot_is_durable(struct server *s, const struct pending *write);
struct raft_snapshot *server_snapshot(struct server *s); /* the latest durable one, the caller's */

void server_restore(struct server *s, const struct cor_process_stored *stored);
void machine_init(struct server *s);
void note_sent(struct server *s, const struct raft_message *message);
void note_received(struct server *s, const struct raft_message *message);
void server_input(struct server *s, uint32_t which, uint64_t word);
void server_observe(const struct server *s, union cor_process_value *values);

#endif
