/* SPDX-License-Identifier: MIT
 *
 * corridor/process.h - the one header between Corridor and a distributed program under test in C.
 *
 * A program is ONE exported constant:   const struct cor_process corridor_process_1 = { COR_PROCESS, ... };
 * It links nothing of Corridor. Several processes of it run at once, in virtual time: the host is their
 * network, their disks, their clocks and their random numbers, and decides what happens next. One process
 * runs at a time; each call returns before the next thing happens, and what it asked of the host (messages,
 * writes, alarms) happens after it has returned.
 *
 * What a process does is a pure function of what the host told it since it was started:
 *  - memory from the host alone (`me`, alloc), so that a crash forgets it: no mutable globals;
 *  - time from now(), random numbers from random(), nothing from clocks, threads, files or addresses;
 *  - what shall outlive a crash is written: cells (small, at once) and writes (large, one after another, done
 *    later). A crash keeps the cells and a prefix of the writes.
 * A signal, an abort, an absurd call ends the run with a verdict; it never ends the host.
 *
 * Growth. Fields are only appended to cor_process and cor_process_host (each knows its size; what an old
 * module lacks is NULL). Other structs are frozen within a major. A module runs if its major equals the
 * host's and its minor is not newer; else it is refused with both numbers. */
#ifndef CORRIDOR_PROCESS_H
#define CORRIDOR_PROCESS_H

#include <corridor/module.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COR_PROCESS_MAGIC 0x314f5250u /* "PRO1" */
#define COR_PROCESS_MAJOR 1u
#define COR_PROCESS_MINOR 4u
#define COR_PROCESS_SYMBOL "corridor_process_1"

#define COR_PROCESSES_MAX 255u /* of one program at a time; of a module of a minor below 4, and sets: */
#define COR_PROCESSES_ONCE 16u /* that it shows are of 64 at most; where they send no messages: */
#define COR_RULES_PROCESSES_MAX 64u
#define COR_PROCESS_ATTRIBUTES_MAX 32u  /* and channels, kinds of messages, faults, inputs, each */
#define COR_PROCESS_ALARMS_MAX 8u       /* alarms of one process: 0 .. 7 */
#define COR_PROCESS_CELLS_MAX 16u       /* cells of one process: 0 .. 15 */
#define COR_PROCESS_CELL_BYTES_MAX 256u /* in one cell */
#define COR_PROCESS_MESSAGE_BYTES_MAX (1u << 20)
#define COR_PROCESS_ROWS_MAX 64u         /* that a rule returns */
#define COR_PROCESS_MAIL_BYTES_MAX 4096u /* of a message that mail() fills in */
#define COR_PROCESS_TOLD_MAX (1u << 22)  /* calls of tell() in a run, of all processes together */

/* Something with a name, and what it means in a sentence; `meaning` may be NULL. */
struct cor_process_name {
    const char *name, *meaning;
};

enum cor_process_attribute_type {
    COR_PROCESS_COUNT, /* a whole number, 0 .. 2^53 */
    COR_PROCESS_REAL,  /* never NaN */
    COR_PROCESS_WORD,  /* one of `words`, by its number */
    COR_PROCESS_SET    /* processes: bit p is process p, of 64 at most */
};

/* What a process shows of itself: an attribute of agents, for the corridor. */
struct cor_process_attribute {
    const char *name, *unit;   /* unit: NULL or "1" if it has none */
    uint32_t type, word_count; /* enum cor_process_attribute_type; words: of a WORD alone */
    const char *const *words;
    const char *meaning;
};

/* The value of an attribute, by its type: a WORD as its number in `count`, a SET in `count`. */
union cor_process_value {
    uint64_t count;
    double real;
};

/* A kind of message. Its number is what send() is told. */
struct cor_process_message {
    const char *name, *meaning;
    uint32_t ballot, reserved; /* 1: it asks for votes, or answers that; a hint to generators */
};

/* What somebody outside may ask of a process: a request, a change of membership. */
struct cor_process_input {
    const char *name, *meaning;
    uint32_t weight; /* how often it comes, beside the others; 0: only if a schedule says so */
    uint32_t bytes;  /* so many random bytes come with it */
};

/* A write that is durable, or a cell, as start() gets them. */
struct cor_process_record {
    uint32_t operation; /* as it was given to write(); of a cell its number */
    uint32_t size;
    const void *bytes; /* aligned as malloc does; lives as long as the process, never changes */
};

/* All that is durable: cells by number, those never written left out; then writes, oldest first, from the
 * last one on that forgot those before it. */
struct cor_process_stored {
    const struct cor_process_record *cells, *writes;
    uint32_t cell_count, write_count;
};

/* What an operation of write() may be combined with: once it is durable, all before it is forgotten, as after
 * a snapshot. */
#define COR_PROCESS_FORGETS 0x80000000u

/* Status of a write that has ended. */
enum cor_process_status { COR_PROCESS_DONE, COR_PROCESS_DISK_ERROR };
#define COR_PROCESS_FAILED 1u             /* status of a call */
#define COR_PROCESS_SAID_MAX 400u         /* bytes of a sentence of say() */
#define COR_PROCESS_CALL_BYTES_MAX 65536u /* of operation, key and value together */

/* What the host does for a process; `host` is the process's own, valid until it crashes. Functions copy what
 * they are given. */
struct cor_process_host {
    uint32_t struct_size, minor;
    uint32_t self, count; /* number of this process, 0 .. count-1, and how many there are */
    uint32_t fault;       /* 0 = none, else 1 + index into cor_process.faults */
    uint32_t reserved;
    void *data; /* the host's own */

    /* Virtual time in ticks by this process's clock, never less than before unless the clock was set back. */
    uint64_t (*now)(const struct cor_process_host *host);

    /* 64 uniform random bits: the n-th of this process is the same whatever the other processes do. */
    uint64_t (*random)(const struct cor_process_host *host);

    /* Sends a message of a kind to process `to`, itself included. Messages may be lost, delayed, doubled and
     * reordered, unless the network of the test does not. Sending to nobody is an absurd call. */
    void (*send)(const struct cor_process_host *host, uint32_t to, uint32_t kind, const void *bytes,
                 uint32_t size);

    /* Alarm `which` is due in so many ticks of this process's clock, once; one that is set already is moved.
     * COR_PROCESS_NEVER takes it back. */
    void (*set_alarm)(const struct cor_process_host *host, uint32_t which, uint64_t ticks);

    /* Cell `which` holds these bytes from now on, durably (unless the disk loses it: a fault that a test has
     * to ask for). */
    void (*cell)(const struct cor_process_host *host, uint32_t which, const void *bytes, uint32_t size);

    /* Begins a write. completed() is called with the ticket when it is durable, or has failed; writes are
     * done in the order in which they were begun. The ticket is the process's own. */
    void (*write)(const struct cor_process_host *host, uint64_t ticket, uint32_t operation, const void *bytes,
                  uint32_t size);

    /* Memory of this process, zeroed, aligned as malloc does; gone at a crash. NULL when its share is used up
     * (the test says how large it is). What is freed is overwritten. */
    void *(*alloc)(const struct cor_process_host *host, size_t size);
    void *(*resize)(const struct cor_process_host *host, void *memory, size_t size);
    void (*release)(const struct cor_process_host *host, void *memory); /* NULL is allowed */

    /* What stands at `index` of a channel, as a digest of it: an entry that was applied, a block that was
     * decided. To tell an index twice with different digests is a violation, never an error. In a run all
     * processes together tell COR_PROCESS_TOLD_MAX times at most. */
    void (*tell)(const struct cor_process_host *host, uint32_t channel, uint64_t index, uint64_t digest);

    /* The process finds itself broken, in a sentence: an assertion of its own, a shutdown that it had not
     * been asked for. The run ends with that verdict. */
    void (*complain)(const struct cor_process_host *host, const char *sentence);

    /* Since 1.2. Within rule() alone: 0 .. count-1, each equally likely; the host follows all of them, so the
     * rule is called again with another one. A rule that chooses returns one row. */
    uint32_t (*choose)(const struct cor_process_host *host, uint32_t count);

    /* Since 1.2. Of a graph that the test names: this process's neighbours in it, ascending; else none. */
    const uint32_t *neighbours;
    uint32_t neighbour_count, reserved_2;

    /* Since 1.3. A client in this process calls an operation on the object of a history ("history" of the
     * corridor, which names a channel). The ticket is the process's own, of no other open call of it. Key and
     * value are texts, as JSON says values: words, integers, lists of these; NULL: none. Calls count as what
     * is told. */
    void (*call)(const struct cor_process_host *host, uint32_t channel, uint64_t ticket,
                 const char *operation, const char *key, const char *value);

    /* The call of that ticket returned the value (COR_PROCESS_DONE), or it surely did nothing
     * (COR_PROCESS_FAILED). One that never does took effect at any time after it was made, or never; a crash
     * leaves all open ones so. */
    void (*answered)(const struct cor_process_host *host, uint64_t ticket, uint32_t status,
                     const char *value);

    /* Since 1.4. What the present call is about, for people, in a few words: "asks for x = 3 at term 2". The
     * story of a schedule says it beside the event; nothing else hangs on it. At most COR_PROCESS_SAID_MAX
     * bytes are kept; NULL: nothing. Counts as what is told. */
    void (*say)(const struct cor_process_host *host, const char *sentence);

    /* Since 1.4. Bit p % 64 of word p / 64: process p is there. As it was when this process was started: who
     * comes and goes later is found out. */
    uint64_t there[4];
};

#define COR_PROCESS_NEVER UINT64_MAX

/* A program. Functions that may be NULL say so. `me` is memory of `state_size` bytes of this process, zeroed
 * before start(). */
struct cor_process {
    uint32_t magic, major, minor, struct_size;
    const char *name, *version; /* of what is under test */
    const char *meaning;        /* in a sentence; NULL: none */
    size_t state_size;

    const struct cor_process_attribute *attributes;
    const struct cor_process_name *channels;
    const struct cor_process_message *messages;
    const struct cor_process_input *inputs;
    const struct cor_process_name *faults;
    uint32_t attribute_count, channel_count, message_count, input_count, fault_count;

    /* A hint to generators: the attribute and the value of it that a leader has. attribute_count: none. */
    uint32_t leader_attribute, leader_value;

    /* First, and again after each crash, with what is durable. */
    void (*start)(void *me, const struct cor_process_host *host, const struct cor_process_stored *stored);

    /* A message has come; `bytes` lives as long as the call. */
    void (*receive)(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                    const void *bytes, uint32_t size);

    /* An alarm that was set is due, or long overdue. NULL: the program sets none. */
    void (*alarm)(void *me, const struct cor_process_host *host, uint32_t which);

    /* A write has ended: enum cor_process_status. NULL: the program begins none. */
    void (*completed)(void *me, const struct cor_process_host *host, uint64_t ticket, uint32_t status);

    /* Somebody outside asks for something. NULL: nobody does. */
    void (*input)(void *me, const struct cor_process_host *host, uint32_t which, const void *bytes,
                  uint32_t size);

    /* Fills in the values of all attributes, without any effect: called after every other call. */
    void (*observe)(const void *me, union cor_process_value *values);

    /* Since 1.1. What the alarms from 0 on are called, for people; those behind the list have numbers. */
    const struct cor_process_name *alarms;
    uint32_t alarm_count, reserved;

    /* Since 1.2. What may hold anything after a fault. Values are numbers, 0 .. domain() - 1. */
    const struct cor_process_name *variables;
    uint32_t variable_count, reserved_2;
    uint32_t (*domain)(const struct cor_process_host *host, uint32_t variable);
    /* Instead of messages: whose variables it reads, at most count-1, never its own; returns how many. */
    uint32_t (*reads)(const struct cor_process_host *host, uint32_t *processes);
    /* From its own variables, views[0], and from those of whom it reads, in that order, the values that may
     * come next, one row of all variables each, in `next`, which has room for COR_PROCESS_ROWS_MAX of them.
     * Returns how many rows; 0: it is not enabled, and cannot move. Pure: no function of the host but
     * choose(). A program has domain(), reads() and rule(), or start(), receive() and observe(). */
    uint32_t (*rule)(const struct cor_process_host *host, const uint32_t *const *views, uint32_t *next);

    /* Of a program with messages that says what may hold anything after a fault: `variables`, domain(), and
     * these two. save() puts the value of each, restore() sets them, after start(). What hangs on anything
     * else than on these is not declared: nothing is proved of such a program. */
    void (*save)(const void *me, uint32_t *values);
    void (*restore)(void *me, const struct cor_process_host *host, const uint32_t *values);
    /* Fills in the number-th message of a kind that may be under way after a fault, in `bytes`, which has
     * room for COR_PROCESS_MAIL_BYTES_MAX; returns its size, UINT32_MAX: there are no more. NULL: what the
     * processes send. */
    uint32_t (*mail)(const struct cor_process_host *host, uint32_t kind, uint32_t number, void *bytes);
};

/* The first members of a program: struct cor_process p = { COR_PROCESS, .name = .. }. */
#define COR_PROCESS                                                                     \
    .magic = COR_PROCESS_MAGIC, .major = COR_PROCESS_MAJOR, .minor = COR_PROCESS_MINOR, \
    .struct_size = sizeof(struct cor_process)

#ifdef __cplusplus
}
#endif
#endif
