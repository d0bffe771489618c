/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the files of this room share: a cluster and its parts. */
#ifndef CORRIDOR_ALGORITHMS_PROCESSES_INTERNAL_H
#define CORRIDOR_ALGORITHMS_PROCESSES_INTERNAL_H

#include <corridor/bytes.h>
#include <corridor/cluster.h>
#include <corridor/digest.h>
#include <corridor/hash.h>
#include <corridor/process_program.h>

#include <setjmp.h>
#include <signal.h>

#define PROCESSES__MEMORY ((size_t)16 << 20) /* bytes of each of 16 processes, unless said */
#define PROCESSES__FLIGHTS 256u              /* in flight on a link, unless said */
#define PROCESSES__CALLS_MOST 1000000u       /* of the host, in one call of a process */
#define PROCESSES__INPUT_BYTES 4096u         /* random bytes of one input at most */
#define PROCESSES__HANG_SECONDS 2.0          /* CPU time of one call of a process, unless said */

/* A program that was opened. */
struct cor_process_program {
    struct cor_process description;     /* of this version */
    void *handle;                       /* owned; of a module */
    char digest[COR_DIGEST_TEXT];       /* empty: built in */
    void (*interrupt)(void);            /* of an embedded one, see cor_process_embed; or NULL */
    bool is_apart;                      /* it runs in a process of its own: its functions are ours, */
    struct processes__command *command; /* owned; of these */
    bool is_elsewhere;                  /* a module that is not loaded in this process: nobody can call it; */
    char *path;                         /* owned; where it is, */
    struct processes__said *said;       /* owned; and what it said of itself */
};

/* What a module is asked in a cell, which may ruin it: it is loaded there, `answer` writes on the desk, the
 * life ends, and `take` makes something of what lies there then. */
struct processes__desk {
    _Atomic uint32_t place, bell;
    _Atomic uint32_t is_said;
    uint32_t lacks_calls;   /* a wall that the life was to put on itself */
    enum cor_status status; /* of `answer`; its error is as the guest left it */
    struct cor_error error;
    size_t size, capacity; /* bytes; size may be more than there are */
    unsigned char bytes[];
};
struct processes__question {
    const char *path, *name;          /* of the module, NULL: it is in this program; how it is called */
    const char *through;              /* "being loaded": what it did not get through, if it does not answer */
    size_t capacity;                  /* of the desk */
    double cpu_seconds, wall_seconds; /* wall_seconds 0: as long as it takes */
    uint64_t memory_bytes;            /* of the guest; 0: without a limit */
    bool is_free, is_full;            /* no walls; all of them */
    void (*answer)(void *argument, struct processes__desk *desk);
    enum cor_status (*take)(void *argument, const struct processes__desk *desk, struct cor_error *error);
    void *argument;
};
enum cor_status processes__ask_module(const struct processes__question *question,
                                      struct cor_error *error) COR_MUST_USE;

/* A program in another language: what it said of itself, and how it is started. */
struct processes__declared;
struct cor_json_document;

/* Starts it once, for its hello. */
enum cor_status processes__command_open(const struct cor_process_definition *definition,
                                        struct cor_process_program *program,
                                        struct cor_error *error) COR_MUST_USE;
void processes__command_close(struct processes__command *command); /* NULL is allowed */

/* All processes of one cluster live in one child, which begins when one of them is called first, and again
 * when it is gone. */
struct processes__talk;
enum cor_status processes__talk_create(const struct cor_process_program *program, uint32_t process_count,
                                       uint32_t fault, struct processes__talk **talk,
                                       struct cor_error *error) COR_MUST_USE;
/* For who asks by himself: a child that has said hello; a request, which the caller goes on with; its answer,
 * of which `take` makes something. COR_STATUS_PLUGIN: there is none, or it is none, in a sentence. */
struct cor_bytes;
struct cor_json;
typedef enum cor_status processes__take_answer(const struct cor_json *answer, void *into,
                                               struct cor_error *said);
enum cor_status processes__talk_start(struct processes__talk *talk, struct cor_error *error) COR_MUST_USE;
struct cor_bytes *processes__talk_begin(struct processes__talk *talk, const char *verb);
enum cor_status processes__talk_ask(struct processes__talk *talk, processes__take_answer *take, void *into,
                                    struct cor_error *error) COR_MUST_USE;
/* The value of an attribute, as JSON has it. */
enum cor_status processes__show_value(const struct cor_process_attribute *attribute,
                                      const struct cor_json *json, union cor_process_value *value,
                                      struct cor_error *said) COR_MUST_USE;
/* A schedule begins: cor_conversation_again. NULL is allowed, as behind it. */
void processes__talk_again(struct processes__talk *talk);
bool processes__talk_lives(const struct processes__talk *talk); /* it has a child */
/* Ends a child that was asked for more than its hello. */
void processes__talk_forget(struct processes__talk *talk);
void processes__talk_destroy(struct processes__talk *talk);
COR_DESTROYS(processes__talk, struct processes__talk)

/* Of programs that declare variables: asks what they declare; a local state as an object, and back
 * (COR_STATUS_INPUT: it is none); one more message. */
struct cor_process_rules;
enum cor_status processes__ask_declared(struct cor_process_rules *rules, struct processes__talk *talk,
                                        bool is_first, struct cor_error *error) COR_MUST_USE;
void processes__put_values(struct cor_bytes *line, const struct cor_process_rules *rules, uint32_t p,
                           uint32_t local);
enum cor_status processes__take_values(struct cor_process_rules *rules, uint32_t p,
                                       const struct cor_json *json, uint32_t *local,
                                       struct cor_error *said) COR_MUST_USE;
enum cor_status processes__add_mail(struct cor_process_rules *rules, uint32_t kind, const void *bytes,
                                    uint32_t size, struct cor_error *error) COR_MUST_USE;

/* Numbers the events of a process: alarms, then the messages of each link that leads to it. */
struct cor_acts;
void processes__number_events(struct cor_acts *acts, uint32_t p, uint32_t alarms);
/* Asks a module in a cell: `said` gets, behind what is in it, what `answer` writes on the desk, which has
 * room for 512 MiB; or why nothing lies there. through: as of a question. */
enum cor_status processes__ask_of_rules(const struct cor_process_rules *rules, const char *through,
                                        void (*answer)(void *argument, struct processes__desk *desk),
                                        void *argument, struct cor_bytes *said,
                                        struct cor_error *error) COR_MUST_USE;
/* What was said is none of what was asked: COR_STATUS_PLUGIN. */
enum cor_status processes__fail_ruined(const struct cor_process_rules *rules,
                                       struct cor_error *error) COR_MUST_USE;
/* The local state with these values, [variable]; returns the first variable that has no such value,
 * variable_count: each has. */
uint32_t processes__local_of(const struct cor_process_rules *rules, uint32_t p, const uint32_t *values,
                             uint32_t *local);

/* The memory of one process: one reservation for good, filled from its beginning, so that the same calls give
 * the same places. Blocks that were released are kept by size class. */
#define PROCESSES__SIZE_CLASSES 128
struct processes__arena {
    unsigned char *memory;                  /* owned; between two closed pages */
    size_t size, used;                      /* bytes; those behind `used` are 0 */
    bool is_soiled;                         /* somebody may have written anywhere */
    uint32_t free[PROCESSES__SIZE_CLASSES]; /* offset of the first block / 16, 0: none */
};
enum cor_status processes__arena_init(struct processes__arena *arena, size_t size,
                                      struct cor_error *error) COR_MUST_USE;
void processes__arena_fini(struct processes__arena *arena);
void processes__arena_reset(struct processes__arena *arena);
/* NULL: there is no room. */
void *processes__arena_alloc(struct processes__arena *arena, size_t size);

/* What a process has on its disk. Bytes of writes lie one behind the other; nobody has pointers to them. */
struct processes__write {
    uint64_t ticket;
    size_t at; /* in `bytes` */
    uint32_t operation, size;
};
struct processes__cell {
    bool is_written, was_written, can_be_lost; /* has a value; had one before; that one is known */
    uint16_t size, size_before;
    unsigned char bytes[COR_PROCESS_CELL_BYTES_MAX], bytes_before[COR_PROCESS_CELL_BYTES_MAX];
};
struct processes__store {
    struct processes__cell cells[COR_PROCESS_CELLS_MAX];
    uint32_t cells_touched;          /* bit c: cell c is not all 0 */
    struct processes__write *writes; /* owned; [first, durable) are durable, [durable, count) pending */
    size_t first, durable, count, capacity;
    unsigned char *bytes; /* owned */
    size_t used, room;
    /* What start() was shown, as long as the process lives. */
    struct cor_process_record *shown; /* owned; cells, then writes */
    unsigned char *shown_bytes;       /* owned */
    size_t shown_capacity, shown_room;
};
void processes__store_cell(struct processes__store *store, uint32_t which, const void *bytes, uint32_t size);
/* *is_full: more is kept than `most` bytes, and nothing was done. */
enum cor_status processes__store_write(struct processes__store *store, size_t most,
                                       const struct processes__write *write, const void *bytes, bool *is_full,
                                       struct cor_error *error) COR_MUST_USE;

/* Something has changed for a process. */
static inline void processes__note_change(struct cor_cluster_overview *overview, uint32_t process) {
    overview->changes[overview->change_count++ % COR_CLUSTER_CHANGES] = (uint8_t)process;
}

/* Messages in flight. A link keeps them without gaps, [first, first + count), in an array that they move
 * along. Their bytes lie in slots of sizes that are powers of two, which are reused within a run; a run takes
 * them from the beginning again, so that the same run has them at the same places. */
#define PROCESSES__SLOT_CLASSES 21
struct processes__link {
    struct cor_flight *flights; /* owned */
    uint32_t first, count, capacity;
    uint64_t loses_until; /* what is sent before that tick is lost; 0: nothing */
};
struct processes__network {
    uint32_t process_count, flight_most;
    bool cut_loses;                        /* as of a cluster */
    struct processes__link *links;         /* owned; [to * process_count + from] */
    size_t bytes_from[COR_PROCESSES_MAX];  /* in flight, by sender, in slots; */
    size_t bytes_most;                     /* of each at most */
    unsigned char **chunks;                /* owned, each of them as well */
    size_t chunk_count, chunk_capacity;    /* in use in this run, */
    size_t chunk_made;                     /* and made */
    size_t chunk_used;                     /* bytes of the last one in use */
    void *free[PROCESSES__SLOT_CLASSES];   /* slots; the first word of each is the next */
    struct cor_cluster_overview *overview; /* borrowed */
};
/* What does not fit is lost: the oldest of the link, or, if nothing else helps, the message itself; likewise
 * where the link is cut, if that loses what is sent over it, or nobody is there. */
enum cor_status processes__network_send(struct processes__network *network, uint32_t from, uint32_t to,
                                        uint32_t kind, const void *bytes, uint32_t size, uint64_t now,
                                        struct cor_error *error) COR_MUST_USE;

/* What catches the deeds of a program that would end this process. */
struct processes__guard {
    sigjmp_buf landing;
    volatile sig_atomic_t in_host;       /* in a function of ours: no place to leave by force */
    volatile sig_atomic_t is_late;       /* but it shall be left with its end */
    volatile sig_atomic_t is_certain;    /* for so many calls of the host that it need not be tried again */
    volatile uint64_t calls, calls_seen; /* of the process; as the timer saw them last */
    volatile int ticks;                  /* of the timer since then */
    volatile int end;                    /* enum cor_process_end */
    volatile int number;                 /* of the signal; code of exit */
    volatile bool is_near_null, is_stack;
    void (*interrupt)(void);              /* makes a call that takes too long come back; NULL: nothing does */
    volatile sig_atomic_t is_interrupted; /* that was called in this call */
    char text[256];                       /* of an assertion */
};
/* Handlers and timer stand while somebody holds them. */
void processes__guard_hold(void);
void processes__guard_release(void);
/* In a process that was forked meanwhile, and whose handlers and stack for them may be gone. */
void processes__guard_renew(void);
/* Once before the calls of a run: the timer ticks for this process. */
void processes__guard_begin(double hang_seconds);
/* Does it; false: it was left by force, and guard->end says why. */
bool processes__guard_run(struct processes__guard *guard, void (*action)(void *data), void *data);
/* At the end of a function of ours: leaves by force if it is due. */
_Noreturn void processes__guard_leave_late(struct processes__guard *guard);
static inline void processes__guard_leave(struct processes__guard *guard) {
    guard->in_host = 0;
    if (guard->is_late)
        processes__guard_leave_late(guard);
}
/* Within an action that is guarded: what follows is another call. */
void processes__guard_next(struct processes__guard *guard);
void processes__guard_sentence(const struct processes__guard *guard, char *text, size_t size);

/* How many objects the dynamic linker has loaded; of those behind that many, exit, _exit and assert are the
 * guard's from now on. */
size_t processes__objects_loaded(void);
void processes__catch_ways_out(size_t known);

/* One process, as the host has it. */
struct processes__member {
    struct cor_process_host host; /* the process sees it */
    struct cor_cluster *cluster;
    uint32_t number;
    void *me;
    struct processes__arena arena;
    struct processes__store store;
    struct cor_process_standing standing;
    struct cor_rng rng;
    /* Its clock reads `local_base` at tick `base`, and goes at so many thousandths. */
    uint64_t base, local_base;
    uint32_t speed;
    uint64_t due_local[COR_PROCESS_ALARMS_MAX]; /* by its clock */
    union cor_process_value values[COR_PROCESS_ATTRIBUTES_MAX];
    union cor_process_value shown[COR_PROCESS_ATTRIBUTES_MAX]; /* the same, for observe() to change */
    uint32_t changed;                                          /* bit a: of attribute a, in the last event */
};

#define PROCESSES__NO_TEXT UINT32_MAX

struct cor_cluster {
    struct cor_cluster_definition definition;
    double hang_seconds; /* in force: those of the definition, or fewer */
    const struct cor_process *program;
    struct processes__member *members; /* owned; [process_count] */
    struct processes__network network;
    struct cor_cluster_overview overview;
    struct processes__guard guard;
    uint64_t now, digest, input_key;
    uint64_t digest_before;             /* the last event, or the reset */
    struct cor_told *told;              /* owned */
    size_t told_count, told_capacity;   /* at the last event; */
    struct cor_bytes told_texts;        /* of theirs, each ended by a zero byte */
    uint32_t told_all;                  /* in the run */
    uint32_t host_calls;                /* in this call */
    uint8_t touched[COR_PROCESSES_MAX]; /* processes whose `changed` is not 0, */
    uint32_t touched_count;             /* so many */
    /* All that happened since the reset, to try once more what seems not to come back. */
    struct cor_stream_name name;
    struct cor_process_event *past; /* owned */
    size_t past_count, past_capacity;
    struct processes__member *suspect; /* was left for taking too long; NULL: nobody */
    const char *verb;                  /* function of the process that is called */
    enum cor_process_end end;
    uint32_t end_process;
    char sentence[512];
    struct processes__talk *talk; /* owned; of a program in another language, */
    bool was_killed;              /* whose child is gone, ended by somebody else */
    bool has_put;                 /* a message that no process sent, since the reset */
    enum cor_status trouble;      /* of ours, while a process was called; */
    struct cor_error *error;      /* where it is said; borrowed for the call */
};

static inline void processes__mix(struct cor_cluster *cluster, uint64_t word) {
    cluster->digest = cor_hash_word(cluster->digest, word);
}
uint64_t processes__hash(uint64_t hash, const void *bytes, size_t size);

/* The first end counts. */
void processes__end(struct processes__member *member, enum cor_process_end end, const char *format, ...)
    COR_PRINTF(3, 4);

/* Trouble of ours in the midst of a call; the first counts. */
void processes__note(struct processes__member *member, enum cor_status status);

/* The functions of the host, put into the process's struct. */
void processes__host_init(struct processes__member *member);
uint64_t processes__clock(const struct processes__member *member, uint64_t tick);
/* After the clock was set: when alarms are due in ticks of the cluster. */
void processes__alarms_move(struct processes__member *member);

#endif
