/* SPDX-License-Identifier: MIT
 *
 * corridor/plugin.h - the one header between Corridor and an algorithm under test (SOuT).
 *
 * An algorithm is ONE exported constant:   const struct cor_algorithm corridor_algorithm_1 = { COR_ALGORITHM, ... };
 * It links nothing of Corridor. The same source builds as a module (.so) or into Corridor.
 *
 * One reorganization is a pure function
 *     (task, parameters, fault, seed, mail schedule, kept bytes) -> (blocks, moves, counters, kept bytes)
 * Replay, shrinking, "same bits anywhere" and schedule search rest on this alone: they run it again; nothing copies an
 * algorithm's memory. Hence: randomness only from the streams below, no clock, no mutable globals.
 *
 * Fill in ONE of three shapes:
 *     one-shot        result                                    METIS, a formula, a greedy heuristic
 *     centralised     begin, step, result         [adopt, end]  PSOPP: the host keeps the loop and the budget
 *     decentralised   begin, wake, receive, result [restart, adopt, end]  SPADA: the host keeps the loop and the mail
 *
 * Growth. Fields are only appended to cor_algorithm, cor_task, cor_rules and cor_host (each knows its size; the host
 * copies an algorithm into a zeroed struct of its own, so what an old module lacks is NULL). Other structs are frozen
 * within a major. A module runs if its major equals the host's and its minor is not newer; else it is refused with
 * both numbers. COR_HAS tells whether a host offers a newer field.
 *
 * All calls come from one thread. Nothing may be kept after end(), unless it says so. Tags in [] say when to call. */
#ifndef CORRIDOR_PLUGIN_H
#define CORRIDOR_PLUGIN_H

#include <corridor/module.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COR_PLUGIN_MAGIC 0x31524F43u /* "COR1" */
#define COR_PLUGIN_MAJOR 1u
#define COR_PLUGIN_MINOR 7u /* 1: restart; 2: kinds of structure, columns; 3: objectives; 4: words for messages;
                             * 5: garble, agents that come and go; 6: objectives by block; 7: graph */
#define COR_ALGORITHM_SYMBOL "corridor_algorithm_1"
#define COR_NO_LIMIT UINT32_MAX
#define COR_NO_BLOCK UINT32_MAX

/* [1.2] The kinds of structure: which blocks an agent may be in, and whether blocks stand below others. */
enum cor_organized {
    COR_PARTITIONING, /* each agent is in exactly one block */
    COR_COVERING,     /* in at least one */
    COR_OVERLAPPING,  /* in any number */
    COR_HIERARCHY,    /* in exactly one, at any level; blocks have parents, and no block stands above itself */
    COR_TREE          /* the same, with one block that has no parent */
};

/* [1.2] What the numbers in a column of values are. */
enum cor_column_type {
    COR_COLUMN_REAL,
    COR_COLUMN_INTEGER,
    COR_COLUMN_BOOLEAN, /* 0 or 1 */
    COR_COLUMN_WORDS    /* a word by its place in the list, from 0 */
};
struct cor_value_column {
    const char *name, *unit;   /* column 0: "value"; "" = no unit */
    uint32_t type, word_count; /* enum cor_column_type */
    const char *const *words;  /* ends with NULL; NULL: it has no words */
    double min, max;           /* infinite: no bound. NaN in the column: the agent has none */
};

/* What every agent may know. */
struct cor_rules {
    uint32_t struct_size;
    uint32_t value_count;          /* columns of values each agent has, >= 1; column 0 is what the invariant measures */
    uint32_t size_min, size_max;   /* agents per block, inclusive; COR_NO_LIMIT = none */
    uint32_t count_min, count_max; /* blocks, inclusive */
    uint32_t fault;                /* 0 = none, else 1 + index into cor_algorithm.faults */
    uint32_t parameter_count;
    const double *parameters;      /* in the order declared */
    double threshold;              /* the invariant holds while cost <= threshold */
    uint64_t budget;               /* units (cor_algorithm.budget_unit) for the whole reorganization */
    uint32_t organized, reserved;  /* [1.2] the kind of structure that is asked for: enum cor_organized */
    const struct cor_value_column *columns; /* [1.2] value_count entries; see cor_column */
};

/* [1.3] What is to be as small as it can be, instead of the experiment's measure: steps over numbers, of which a block
 * each has one, or all together one. Those that are not known are NaN: the least of nothing, a quotient by 0. */
enum cor_objective_operator {
    COR_OBJECTIVE_CONSTANT,
    COR_OBJECTIVE_BLOCKS, /* how many there are */
    /* of the members of each block that the filter lets pass, or of all agents if not `by_block` */
    COR_OBJECTIVE_COUNT,
    COR_OBJECTIVE_SUM,      /* of their values in the column, as those below */
    COR_OBJECTIVE_UNKNOWNS, /* how many of these are not known */
    COR_OBJECTIVE_LEAST,    /* of those that are, as below */
    COR_OBJECTIVE_GREATEST,
    /* of `left`, or of `left` and `right`, block by block; what is not by block is the same for each */
    COR_OBJECTIVE_NEGATE,
    COR_OBJECTIVE_ABSOLUTE,
    COR_OBJECTIVE_ADD,
    COR_OBJECTIVE_SUBTRACT,
    COR_OBJECTIVE_MULTIPLY,
    COR_OBJECTIVE_DIVIDE,
    COR_OBJECTIVE_DIVIDE_DOWN, /* of integers */
    COR_OBJECTIVE_LOWER,       /* of the two */
    COR_OBJECTIVE_HIGHER,
    COR_OBJECTIVE_LESS, /* conditions are 0, 1, or not known */
    COR_OBJECTIVE_LESS_EQUAL,
    COR_OBJECTIVE_EQUAL,
    COR_OBJECTIVE_NOT_EQUAL,
    COR_OBJECTIVE_AND,
    COR_OBJECTIVE_OR,
    COR_OBJECTIVE_NOT,
    /* over the blocks for which `left` is true, COR_NO_BLOCK: all; of `right`, COR_NO_BLOCK for a count */
    COR_OBJECTIVE_ALL_OF,
    COR_OBJECTIVE_ANY_OF,
    COR_OBJECTIVE_ONE_OF,
    COR_OBJECTIVE_COUNT_OF,
    COR_OBJECTIVE_SUM_OF,
    COR_OBJECTIVE_LEAST_OF,
    COR_OBJECTIVE_GREATEST_OF,
    COR_OBJECTIVE_MEAN_OF
};
#define COR_OBJECTIVE_NO_FILTER UINT32_MAX
struct cor_objective_step {
    uint32_t what, by_block; /* enum cor_objective_operator */
    uint32_t left, right;    /* steps before it */
    uint32_t column, filter; /* of values; of those below */
    double constant;
};
struct cor_objective {
    uint32_t step_count, filter_count;
    const struct cor_objective_step *steps; /* the last is the objective */
    const unsigned char *filters;           /* [filter * agent_count + agent]: 1 passes, else 0 */
};

/* The whole picture: for centralised algorithms, and for the conversions begin, result and adopt. */
struct cor_task {
    uint32_t struct_size;
    uint32_t agent_count;         /* agents are 0 .. agent_count-1 here, whatever their names outside */
    const struct cor_rules *rules;
    const double *const *values;  /* values[column][agent] */
    uint32_t block_count;         /* the present structure, always of the kind that is asked for */
    uint32_t kept_size;           /* 0 at the first reorganization of a sequence, and without COR_KEEPS */
    const uint32_t *block_start;  /* block_count + 1 entries; block b is members[block_start[b] .. block_start[b+1]) */
    const uint32_t *members;      /* block_start[block_count] entries, agent_count of them in a partitioning */
    const void *kept;             /* what keep() stored in the reorganization before */
    const uint32_t *block_parent; /* [1.2] block_count entries, COR_NO_BLOCK: none; NULL: blocks have no parents */
    const struct cor_objective *objective; /* [1.3] what is to be small; NULL: the experiment's measure */
};

struct cor_agent { /* all that a handler may know and change */
    uint32_t id, reserved;
    const double *values;      /* value_count, its own */
    struct cor_random *random; /* its own */
    void *state;               /* cor_algorithm.agent_size bytes, zeroed before begin and before restart */
};

struct cor_message {
    uint32_t from, kind;       /* kind: the algorithm's own numbering */
    uint32_t size, reserved;   /* bytes of payload */
    const void *payload;       /* 8-byte aligned; gone when the handler returns */
};

/* The life of an injected fault in one reorganization. "Never reached" and "masked" are different findings, so the
 * algorithm counts all four; without a fault all stay 0. */
struct cor_fault_counts {
    uint64_t reached;   /* times the seam of the fault was executed */
    uint64_t held;      /* times its condition held there */
    uint64_t activated; /* times something was corrupted */
    uint64_t in_result; /* 1 if the solution put descends from a corrupted state, else 0 */
};

enum cor_stream { COR_STREAM_ALGORITHM, COR_STREAM_FAULT, COR_STREAM_COUNT };

struct cor_host {
    uint32_t struct_size, minor;
    void *self; /* the host's own */

    /* [not in wake, receive, restart: use me->random] One stream for the algorithm, one for its faults: a fault that
     * draws leaves the algorithm's draws as they were. */
    struct cor_random *random[COR_STREAM_COUNT];

    /* Memory of this reorganization: zeroed, 16-byte aligned, charged to the memory limit, released by the host after
     * end(). NULL at the limit. resize keeps min(old_bytes, bytes) bytes; memory may be NULL. */
    void *(*alloc)(const struct cor_host *host, size_t bytes);
    void *(*resize)(const struct cor_host *host, void *memory, size_t old_bytes, size_t bytes);

    /* [result] Adds a block to the solution; members are copied. The host repairs nothing: agents may be missing,
     * repeated or unknown, and that is then the verdict. 0 = absurdly large, refused. */
    int (*put_block)(const struct cor_host *host, const uint32_t *members, size_t count);

    /* [adopt] Moves an agent into the partition of solution block `block`; 0 = no such agent or block. Of kinds that
     * let an agent be in several blocks, each move joins one, and with its first the agent leaves where it was. */
    int (*move)(const struct cor_host *host, uint32_t agent, uint32_t block);

    /* [begin, step, result] The experiment's cost of a candidate (layout as in cor_task): >= 0, lower is better, NaN
     * if it is no partitioning. General and slow; whoever knows the objective need not ask. [1.2] Of other kinds it
     * is over the blocks that have members, NaN if there are none or an agent is unknown. [1.3] Where the task has an
     * objective its number over all blocks, which may be below 0; NaN also if that is not known. */
    double (*cost)(const struct cor_host *host, uint32_t block_count, const uint32_t *block_start,
                   const uint32_t *members);

    /* [COR_KEEPS; not in wake, receive, restart] Stores bytes, without pointers, for the next reorganization.
     * 0 = refused. */
    int (*keep)(const struct cor_host *host, const void *bytes, uint32_t size);

    /* [begin, result, adopt] Agent i with its state. NULL in wake, receive and restart, where it would be global
     * knowledge. */
    const struct cor_agent *(*agent)(const struct cor_host *host, uint32_t index);

    /* [wake, receive, restart] Mails a copy of the payload. When, in which order and whether it arrives is the
     * scheduler's affair. 0 = refused (no such agent, limit reached). */
    int (*send)(const struct cor_host *host, uint32_t to, uint32_t kind, const void *payload, uint32_t size);

    /* Text for the verdict, before returning COR_FAILED. */
    void (*complain)(const struct cor_host *host, const char *text);

    /* Written directly; they lie in memory that outlives a crash of the algorithm. In a cell a process that the
     * algorithm forks does not have that memory: only the algorithm's own may write them. */
    uint64_t *spent;               /* units of budget used; the host counts rounds itself */
    struct cor_fault_counts *fault; /* what became of the selected fault */
    uint64_t *counters;            /* white-box probes: see cor_count */
    const uint32_t *counter_start; /* first cell of each declared counter */

    /* [1.2; result] Says that block number `block`, in the order in which blocks were put, stands below block
     * `parent`, which may be put later. The host repairs nothing: parents may be unknown or go round in a circle.
     * 0 = there is no such block yet. */
    int (*hang)(const struct cor_host *host, uint32_t block, uint32_t parent);

    /* [1.7; graph] Tells of an edge between agents. Marked: `to` is in the partition of `from`, which leads it, also of
     * from == to; not marked: `from` knows `to`. Edges of agents that there are not are passed over. */
    void (*put_edge)(const struct cor_host *host, uint32_t from, uint32_t to, int is_marked);
};

/* [1.2] The index of the column called `name`; value_count: there is none. */
static inline uint32_t cor_column(const struct cor_rules *rules, const char *name) {
    uint32_t column = 0;
    for (; column < rules->value_count; column++) {
        const char *its = rules->columns[column].name;
        uint32_t at = 0;
        while (its[at] && its[at] == name[at])
            at++;
        if (its[at] == name[at])
            break;
    }
    return column;
}

/* Adds 1 to a bucket of a declared counter. Costs one increment. */
static inline void cor_count(const struct cor_host *host, uint32_t counter, uint32_t bucket) {
    host->counters[host->counter_start[counter] + bucket]++;
}

enum cor_progress {
    COR_FAILED = -1,  /* cannot go on */
    COR_CONTINUE = 0, /* more to do           (wake, receive: wake me next round) */
    COR_DONE = 1,     /* finished             (wake, receive: nothing to do until mail comes) */
    COR_STAGNATED = 2 /* gives up improving; result holds the best so far */
};

enum cor_capability {
    COR_ANYTIME = 1, /* result() may be called after any step: the oracle may look at interim solutions */
    COR_KEEPS = 2,   /* carries knowledge from one reorganization of a sequence to the next */
    COR_LIMITS = 4,  /* promises size_min .. size_max and count_min .. count_max; the oracle holds it to them */
    COR_COVERS = 8,  /* [1.2] makes coverings and overlapping structures, too, where rules ask for them, */
    COR_NESTS = 16,  /* [1.2] hierarchies and trees; without both: partitionings alone */
    COR_AIMS = 32,   /* [1.3] makes the objective of the task small where there is one (by its steps, or by asking
                      * cost), or makes nothing small at all; without it: never asked where there is one */
    COR_COMES_AND_GOES = 64, /* [1.5] agents may come and go between reorganizations: a task is of those who are
                             * there, agents 0 .. agent_count-1 in their order, so they may be others than before;
                             * who is in no block yet stands in the present structure in one of its own, behind the
                             * others. What was kept is there while nobody came or went. Without it: never asked
                             * where some may */
    COR_AIMS_BY_BLOCK = 128 /* [1.6] makes the objective small, as COR_AIMS, where its last step is a SUM_OF or
                             * GREATEST_OF over all blocks of what each has by itself, by constants, counts, sums
                             * and unknowns of its members: never asked where there is another. ALL_OF steps before
                             * the last are then what the experiment's triggers ask of each block by itself, where
                             * they ask nothing else: a block that does it may be left alone */
};

/* Lists end with an entry whose name is NULL; a NULL list is empty. Names: [a-z][a-z0-9_]*. */
struct cor_parameter {
    const char *name, *unit, *meaning;
    double value, min, max; /* default and legal range; the experiment chooses within */
    int is_integer;         /* 0, 1, or COR_OPTION */
};
/* An integer that hardly anybody sets, or that came later. An experiment that does not set it neither draws nor records
 * it, so its result files stay what they were before there was such an option; constraints may not name it. */
enum { COR_OPTION = 3 };
struct cor_counter {
    const char *name, *meaning;
    uint32_t bucket_count; /* >= 1 */
};
struct cor_fault {
    const char *name, *meaning; /* thresholds of a fault are ordinary parameters */
};

/* [1.4] What messages of a kind are called, and their fields as they lie in memory, "u32 asker, f64 value", each of
 * u32, u64, f64, aligned as in C; a field called "-" means nothing. NULL: no fields. For people alone. */
struct cor_message_kind {
    const char *name, *fields;
};

struct cor_algorithm {
    uint32_t magic, major, minor, struct_size;
    const char *name, *version, *summary, *budget_unit;
    uint32_t capabilities, reserved;
    size_t state_size, agent_size; /* bytes; the host allocates and zeroes them before begin */
    const struct cor_parameter *parameters;
    /* Between parameters, as in experiments, e.g. "start <= particles"; ends with NULL. Those over integers alone hold
     * in every suite that is drawn, others are for people (corridor list). */
    const char *const *constraints;
    const struct cor_counter *counters;
    const struct cor_fault *faults;

    /* Reads the structure into the algorithm's own model. */
    enum cor_progress (*begin)(void *state, const struct cor_task *task, const struct cor_host *host);
    /* Works for at most `units`, adding what it used to *host->spent. */
    enum cor_progress (*step)(void *state, const struct cor_task *task, const struct cor_host *host, uint64_t units);
    /* One agent's turn in a round; one message for it. They see this agent and the rules, nothing else. */
    enum cor_progress (*wake)(const struct cor_agent *me, const struct cor_rules *rules, const struct cor_host *host);
    enum cor_progress (*receive)(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host, const struct cor_message *message);
    /* Puts the blocks of the best solution. For a one-shot algorithm, all of the work. */
    enum cor_progress (*result)(void *state, const struct cor_task *task, const struct cor_host *host);
    /* Distributes the solution, move by move. NULL: the testbed moves agent after agent, block after block. */
    enum cor_progress (*adopt)(void *state, const struct cor_task *task, const struct cor_host *host);
    /* Only for what the host does not own (handles of a library). Also called after COR_FAILED. */
    void (*end)(void *state, const struct cor_host *host);
    /* [1.1] The agent comes back after a crash: of what it knew, only its id, its values and the rules are left. It
     * may draw, send, and ask to be woken, as in a turn of its own. NULL: agents of this algorithm are not crashed. */
    enum cor_progress (*restart)(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host);
    /* [1.2] Columns beside the value that it reads, "load" or, in that unit alone, "load [kW]"; ends with NULL. It is
     * never asked where one of them is missing. */
    const char *const *needs;
    /* [1.4] By the number of the kind; ends with {0}. NULL: kinds are told by their numbers. */
    const struct cor_message_kind *messages;
    /* [1.5; COR_KEEPS] Fills bytes that keep() stored with anything that these may hold after a fault of memory, by
     * draws. begin and result get them then: they may fail to improve, and never crash or go on for ever. NULL: bytes
     * of other sequences, a part of them, or some of one and some of another stand for it. */
    void (*garble)(void *kept, uint32_t size, struct cor_random *random);
    /* [1.7; wake] Before result, and only where somebody looks: tells by put_edge the graph that the agents
     * have come to (paper 003, 5.1: the acquaintances graph). Changes nothing; what it draws, counts as spent
     * or as of a fault is put back. */
    void (*graph)(void *state, const struct cor_task *task, const struct cor_host *host);
};

/* The first fields of every algorithm. */
#define COR_ALGORITHM                                                                                           \
    .magic = COR_PLUGIN_MAGIC, .major = COR_PLUGIN_MAJOR, .minor = COR_PLUGIN_MINOR,                              \
    .struct_size = (uint32_t)sizeof(struct cor_algorithm)

#ifdef __cplusplus
}
#endif
#endif
