/* SPDX-License-Identifier: MIT
 *
 * Two-phase commit with presumed abort: a sample of a distributed program, and a page to learn
 * <corridor/process.h> from. Process 0 coordinates, all others take part.
 *
 * A transaction n: the coordinator asks all to prepare. A participant that can stores its vote and then
 * answers yes; from then on it may not decide alone. If all say yes the coordinator stores that it is
 * committed, and then says so; if one says no, or is silent for too long, it is aborted, and nothing need be
 * stored: what is not committed is aborted. Whoever is prepared and hears nothing asks.
 *
 * Gray: Notes on data base operating systems (1978); Mohan, Lindsay, Obermarck: Transaction management in the
 * R* distributed database management system (1986), section 3.1. */
#include <corridor/process.h>

#include <string.h>

enum { PREPARE, VOTE, DECISION, ASK, MESSAGES };
enum { FAULT_NONE, EARLY_VOTE, FORGOTTEN_DECISION, LONE_DECISION };
enum { ROLE, OPEN, COMMITTED, ABORTED, VOTED, STORED, ATTRIBUTES };
enum { VOTES_DUE, ASK_AGAIN }; /* alarms */
enum { BEGUN };                /* cells */
enum { OPERATION_YES = 1, OPERATION_COMMITTED, OPERATION_ABORTED };
enum { PATIENCE = 300, QUESTION = 500 }; /* ticks */

/* Of a transaction, as far as a process knows. */
enum standing { UNKNOWN, STORING, PREPARED, IS_COMMITTED, IS_ABORTED };

struct message {
    uint64_t number;
    uint32_t word; /* of PREPARE: what to do; of VOTE: 1 is yes; of DECISION: 1 is commit */
    uint32_t reserved;
};

struct process {
    unsigned char *standing; /* by transaction */
    uint64_t capacity, begun, committed, aborted, voted, stored, open;
    uint32_t yes;   /* coordinator: who said so, of transaction `begun` */
    uint32_t votes; /* coordinator: votes are counted */
    uint32_t role;
};

/* Makes room for a transaction; 0: there is none. */
static int known(struct process *me, const struct cor_process_host *host, uint64_t number) {
    if (number < me->capacity)
        return 1;
    uint64_t capacity = number + number / 2 + 16;
    unsigned char *larger = host->resize(host, me->standing, capacity);
    if (!larger)
        return 0;
    me->standing = larger;
    me->capacity = capacity;
    return 1;
}

static void send(const struct cor_process_host *host, uint32_t to, uint32_t kind, uint64_t number,
                 uint32_t word) {
    struct message message = {number, word, 0};
    host->send(host, to, kind, &message, sizeof message);
}

static void send_to_all(const struct cor_process_host *host, uint32_t kind, uint64_t number, uint32_t word) {
    for (uint32_t p = 1; p < host->count; p++)
        send(host, p, kind, number, word);
}

/* It is decided, and this process knows. */
static void settle(struct process *me, const struct cor_process_host *host, uint64_t number, int commit) {
    if (me->standing[number] >= IS_COMMITTED)
        return;
    me->open -= me->standing[number] == PREPARED;
    me->standing[number] = commit ? IS_COMMITTED : IS_ABORTED;
    me->committed += commit != 0;
    me->aborted += commit == 0;
    host->tell(host, 0, number, commit ? 1 : 2);
    if (me->role != 0 && me->open == 0)
        host->set_alarm(host, ASK_AGAIN, COR_PROCESS_NEVER);
}

/* The coordinator. */

static void begin(struct process *me, const struct cor_process_host *host, uint32_t word) {
    uint64_t number = me->begun + 1;
    if (me->votes || !known(me, host, number))
        return;
    me->begun = number;
    me->yes = 0;
    me->votes = 1;
    host->cell(host, BEGUN, &me->begun, sizeof me->begun);
    send_to_all(host, PREPARE, number, word);
    host->set_alarm(host, VOTES_DUE, PATIENCE);
}

static void decide(struct process *me, const struct cor_process_host *host, int commit) {
    me->votes = 0;
    host->set_alarm(host, VOTES_DUE, COR_PROCESS_NEVER);
    if (commit && host->fault != FORGOTTEN_DECISION) {
        host->write(host, me->begun, OPERATION_COMMITTED, &me->begun, sizeof me->begun);
        return; /* it is said when it is durable */
    }
    settle(me, host, me->begun, commit);
    send_to_all(host, DECISION, me->begun, (uint32_t)commit);
}

static void count_vote(struct process *me, const struct cor_process_host *host, uint32_t from,
                       uint64_t number, uint32_t yes) {
    if (!me->votes || number != me->begun)
        return;
    me->yes |= yes ? 1u << from : 0;
    if (!yes)
        decide(me, host, 0);
    else if (me->yes == (1u << host->count) - 2)
        decide(me, host, 1);
}

static void answer(struct process *me, const struct cor_process_host *host, uint32_t from, uint64_t number) {
    if (number <= me->begun && me->standing[number] >= IS_COMMITTED)
        send(host, from, DECISION, number, me->standing[number] == IS_COMMITTED);
}

/* Participants. */

static void say_yes(struct process *me, const struct cor_process_host *host, uint64_t number) {
    me->standing[number] = PREPARED;
    me->open++;
    me->voted++;
    send(host, 0, VOTE, number, 1);
    host->set_alarm(host, ASK_AGAIN, QUESTION);
}

static void prepare(struct process *me, const struct cor_process_host *host, uint64_t number, uint32_t word) {
    if (me->standing[number] == UNKNOWN && (word >> host->self) % 8 == 0) /* it cannot: there is no cover */
        settle(me, host, number, 0);
    if (me->standing[number] == UNKNOWN) {
        me->standing[number] = STORING;
        if (host->fault == EARLY_VOTE)
            say_yes(me, host, number);
        host->write(host, number, OPERATION_YES, &number, sizeof number);
    } else if (me->standing[number] == PREPARED) {
        send(host, 0, VOTE, number, 1);
    } else if (me->standing[number] == IS_ABORTED) {
        send(host, 0, VOTE, number, 0);
    }
}

static void hear(struct process *me, const struct cor_process_host *host, uint64_t number, int commit) {
    if (me->standing[number] >= IS_COMMITTED)
        return;
    /* What was never prepared cannot be carried out. */
    int can = me->standing[number] != UNKNOWN;
    settle(me, host, number, commit && can);
    host->write(host, number, commit && can ? OPERATION_COMMITTED : OPERATION_ABORTED, &number,
                sizeof number);
}

/* What process.h asks for. */

static void start(void *memory, const struct cor_process_host *host,
                  const struct cor_process_stored *stored) {
    struct process *me = memory;
    me->role = host->self != 0;
    if (!known(me, host, 1))
        return;
    for (uint32_t c = 0; c < stored->cell_count; c++)
        memcpy(&me->begun, stored->cells[c].bytes, sizeof me->begun);
    for (uint32_t w = 0; w < stored->write_count; w++) {
        const struct cor_process_record *write = &stored->writes[w];
        uint64_t number;
        if (write->size != sizeof number) /* torn: as if it had not been */
            continue;
        memcpy(&number, write->bytes, sizeof number);
        if (!known(me, host, number))
            return;
        if (write->operation != OPERATION_YES) {
            settle(me, host, number, write->operation == OPERATION_COMMITTED);
        } else {
            me->stored++;
            me->voted++; /* it may have been said */
            if (me->standing[number] == UNKNOWN) {
                me->standing[number] = PREPARED;
                me->open++;
            }
        }
    }
    if (me->role == 0) {
        if (!known(me, host, me->begun))
            return;
        for (uint64_t n = 1; n <= me->begun; n++)
            settle(me, host, n, 0);
    } else if (me->open > 0) {
        host->set_alarm(host, ASK_AGAIN, QUESTION);
    }
}

static void receive(void *memory, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size) {
    struct process *me = memory;
    struct message message;
    if (size != sizeof message)
        return;
    memcpy(&message, bytes, sizeof message);
    if (!known(me, host, message.number))
        return;
    switch (kind) {
    case PREPARE:
        prepare(me, host, message.number, message.word);
        break;
    case VOTE:
        count_vote(me, host, from, message.number, message.word);
        break;
    case DECISION:
        hear(me, host, message.number, (int)message.word);
        break;
    default:
        answer(me, host, from, message.number);
    }
}

static void alarm(void *memory, const struct cor_process_host *host, uint32_t which) {
    struct process *me = memory;
    if (which == VOTES_DUE) {
        decide(me, host, 0);
        return;
    }
    for (uint64_t n = 1; n < me->capacity; n++) {
        if (me->standing[n] != PREPARED)
            continue;
        if (host->fault == LONE_DECISION)
            hear(me, host, n, 0);
        else
            send(host, 0, ASK, n, 0);
    }
    if (me->open > 0)
        host->set_alarm(host, ASK_AGAIN, QUESTION);
}

static void completed(void *memory, const struct cor_process_host *host, uint64_t number, uint32_t status) {
    struct process *me = memory;
    if (me->role == 0) {
        settle(me, host, number, status == COR_PROCESS_DONE);
        send_to_all(host, DECISION, number, status == COR_PROCESS_DONE);
        return;
    }
    if (me->standing[number] >= IS_COMMITTED)
        return; /* that was the decision, or it came before the vote was stored */
    if (status == COR_PROCESS_DONE) {
        me->stored++;
        if (me->standing[number] == STORING)
            say_yes(me, host, number);
    } else if (me->standing[number] == STORING) {
        settle(me, host, number, 0);
        send(host, 0, VOTE, number, 0);
    }
}

static void input(void *memory, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size) {
    struct process *me = memory;
    uint32_t word = 0;
    (void)which;
    memcpy(&word, bytes, size < sizeof word ? size : sizeof word);
    if (me->role == 0)
        begin(me, host, word);
}

static void observe(const void *memory, union cor_process_value *values) {
    const struct process *me = memory;
    values[ROLE].count = me->role;
    values[OPEN].count = me->open;
    values[COMMITTED].count = me->committed;
    values[ABORTED].count = me->aborted;
    values[VOTED].count = me->voted;
    values[STORED].count = me->stored;
}

static const char *const roles[] = {"coordinator", "participant"};

static const struct cor_process_attribute attributes[ATTRIBUTES] = {
    [ROLE] = {.name = "role", .type = COR_PROCESS_WORD, .word_count = 2, .words = roles},
    [OPEN] = {.name = "open", .meaning = "transactions for which it is prepared and that are not decided"},
    [COMMITTED] = {.name = "committed", .meaning = "transactions that it knows to be committed"},
    [ABORTED] = {.name = "aborted", .meaning = "transactions that it knows to be aborted"},
    [VOTED] = {.name = "voted", .meaning = "transactions for which it has said yes"},
    [STORED] = {.name = "stored", .meaning = "transactions for which its yes is durable"},
};
static const struct cor_process_name channels[] = {
    {"outcome", "what became of a transaction: 1 committed, 2 aborted"}};
static const struct cor_process_message messages[MESSAGES] = {
    [PREPARE] = {.name = "prepare", .meaning = "the coordinator asks for a vote"},
    [VOTE] = {.name = "vote", .meaning = "a participant says yes or no"},
    [DECISION] = {.name = "decision", .meaning = "the coordinator says what was decided"},
    [ASK] = {.name = "ask", .meaning = "a participant asks what was decided"},
};
static const struct cor_process_input inputs[] = {
    {.name = "transaction", .meaning = "the coordinator begins one", .weight = 1, .bytes = 4}};
static const struct cor_process_name faults[] = {
    {"early_vote", "a participant answers before its vote is stored"},
    {"forgotten_decision", "the coordinator says that a transaction is committed and does not store it"},
    {"lone_decision", "a participant that is prepared aborts when it hears nothing for a while"},
};

static const struct cor_process_name alarms[] = {
    [VOTES_DUE] = {"votes_due", "the coordinator waits no longer for votes"},
    [ASK_AGAIN] = {"ask_again", "nothing was heard of what became of the transaction"},
};

COR_EXPORT const struct cor_process corridor_process_1;
const struct cor_process corridor_process_1 = {
    COR_PROCESS,
    .name = "two_phase",
    .version = "1.0",
    .meaning = "two-phase commit with presumed abort",
    .state_size = sizeof(struct process),
    .attributes = attributes,
    .attribute_count = ATTRIBUTES,
    .channels = channels,
    .channel_count = 1,
    .messages = messages,
    .message_count = MESSAGES,
    .inputs = inputs,
    .input_count = 1,
    .faults = faults,
    .fault_count = 3,
    .leader_attribute = ROLE,
    .leader_value = 0,
    .start = start,
    .receive = receive,
    .alarm = alarm,
    .completed = completed,
    .input = input,
    .observe = observe,
    .alarms = alarms,
    .alarm_count = 2,
};
