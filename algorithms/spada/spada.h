/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inside SPADA (paper 003, 5.1): agents that know some others, partitions with a leader each, and the mail by
 * which leaders improve their partitions. The README of this folder tells the protocol, why it is safe under
 * any delay and order of mail, and what the paper leaves open. */
#ifndef CORRIDOR_ALGORITHMS_SPADA_SPADA_H
#define CORRIDOR_ALGORITHMS_SPADA_SPADA_H

#include <corridor/objective.h>
#include <corridor/plugin.h>

#include <stdbool.h>

enum { SPADA_CANDIDATES_MAX = 10, SPADA_BUCKETS = 12 };

#define SPADA_NOBODY UINT32_MAX
#define SPADA_GAIN_LEAST 1e-9     /* smaller gains are rounding */
#define SPADA_WEIGHT_LEAST 1e-6   /* who has less of a share gives nothing of it away */
#define SPADA_WEIGHT_KEPT 0x1p-20 /* of its own value, a member; its leader has the rest */
#define SPADA_QUIET_ROUNDS 3      /* until an estimate counts as settled */

/* The place of each parameter in rules->parameters. */
enum spada_parameter {
    SPADA_ACQUAINTANCES,
    SPADA_CANDIDATES,
    SPADA_INTEGRATIONS,
    SPADA_IDLE_MAX,
    SPADA_GOSSIP_ROUNDS,
    SPADA_GOSSIP_ACCURACY,
    SPADA_REST_MAX,
    SPADA_PATIENCE,
    SPADA_PENALTY,
    SPADA_P_REFUSE,
    SPADA_SELFISH,
    SPADA_P_LEAVE,
    SPADA_F1_THRESHOLD,
    SPADA_F2_THRESHOLD,
    SPADA_F3_THRESHOLD,
    SPADA_F4_THRESHOLD,
    SPADA_P_ACTIVATE,
    SPADA_GRAPH_KEPT,
    SPADA_SIZE_LEAST,
    SPADA_SIZE_MOST,
    SPADA_FOUNDING,
    SPADA_PARAMETER_COUNT
};

/* The white-box counters; the bucket is that of the size of the leader's partition. */
enum spada_counter {
    SPADA_INTEGRATE,
    SPADA_HAND_OVER,
    SPADA_EXCLUDE,
    SPADA_LEAVE,
    SPADA_REFUSE,
    SPADA_TERMINATE,
    SPADA_RELABEL,
    SPADA_SETTLE,
    SPADA_UNSETTLED
};

enum spada_kind {
    /* the mean */
    SPADA_PASS,  /* leader to member: take this to an acquaintance of yours. struct spada_pull */
    SPADA_MEAN,  /* to an acquaintance: take this to your leader. struct spada_pull */
    SPADA_PULL,  /* to its leader: add this to your share, and halve it with who asks. struct spada_pull */
    SPADA_SHARE, /* back, half of the leader's share: struct spada_share */
    /* search: along edges of the graph, the answer straight to who asked */
    SPADA_ACQ,       /* leader to member: ask an acquaintance of yours. struct spada_search */
    SPADA_INFO,      /* to an acquaintance: who are you? struct spada_search */
    SPADA_MEET,      /* back: this is somebody I know. struct spada_search, asker = the new acquaintance */
    SPADA_FORWARD,   /* member to leader: somebody asks about me. struct spada_candidate; its row */
    SPADA_CANDIDATE, /* to the asking leader. struct spada_candidate, agent = SPADA_NOBODY: nobody to be had;
                      * the candidate's row and the sums of its partition */
    /* membership */
    SPADA_JOIN,    /* leader to candidate: struct spada_offer, struct spada_numbers */
    SPADA_YES,     /* to the inviting leader: I am yours. double, the value; its row */
    SPADA_NO,      /* to the inviting leader */
    SPADA_WELCOME, /* the inviting leader has the new member on its list */
    SPADA_LEFT,    /* to the old leader: I have left. uint32_t, 1 if it said OUT */
    SPADA_BYE,     /* the old leader has it no longer on its list */
    SPADA_OUT,     /* leader to member: please leave */
    /* hand-over of a partition whose leader is invited */
    SPADA_FREEZE, /* leader to members: stay as you are */
    SPADA_FROZEN, /* back: I do */
    SPADA_GONE,   /* back: I have left before, the LEFT is on its way */
    SPADA_LEAD, /* to the new leader: array of struct spada_member, a struct spada_share, the members' rows */
    SPADA_NEW_LEADER, /* new leader to members: I am, and you are free again */
    SPADA_HAIL        /* back */
};

struct spada_share {
    double sum, weight;
};

struct spada_pull {
    uint32_t asker, reserved; /* the leader that estimates */
    struct spada_share share; /* half of the asker's */
};

struct spada_search {
    uint32_t asker, period;  /* the leader that searches, and its how manieth period this is */
    uint32_t slot, reserved; /* of the edge the request travelled by */
};

struct spada_candidate {
    uint32_t agent, leader;   /* the candidate and its leader; FORWARD: leader = the asker */
    uint32_t period, size;    /* size of its partition */
    double value, sum;        /* its own, and that of its partition */
    struct spada_share share; /* half of the answering leader's: leaders go on estimating the mean */
};

struct spada_offer {
    double sum,
        other_sum; /* of the inviting partition and of the candidate's own, as the inviting leader sees it */
    uint32_t size, other_size;
    struct spada_share share; /* half of the inviting leader's where agents refuse by what they estimate */
};

struct spada_numbers { /* behind an offer, where there are criteria: of the candidate's own partition */
    double now, then;  /* with it and without it */
};

struct spada_member { /* a marked edge */
    uint32_t agent;
    uint32_t width; /* LEAD, of the first: numbers of each member's row */
    double value;
};

_Static_assert(sizeof(struct spada_share) == sizeof(struct spada_member), "LEAD has one behind others");

enum spada_phase {
    SPADA_REST,   /* between periods */
    SPADA_SEARCH, /* candidates are asked about */
    SPADA_INVITE, /* offers are out */
    SPADA_HANDING /* the leader is invited itself, or founds a partition; its members are being frozen */
};

/* What a leader has besides being an agent. */
struct spada_office {
    struct spada_member *members; /* without the leader; in the arena */
    uint32_t count, capacity;
    double sum; /* of the values, with the leader's own */
    /* Where the task has an objective (criteria.c), else NULL: what members bring, [member * width], [width]
     * of all with the leader's own, and of each candidate and of its partition, [candidate * 2 * width]. */
    double *rows, *sums, *candidate_rows;
    struct spada_view *view;
    enum spada_phase phase;
    bool terminated;         /* the label: leave this partition alone until it changes from outside */
    bool changed;            /* in this period, by the leader */
    uint32_t idle;           /* periods without a change */
    uint32_t rest;           /* rounds until the next period */
    uint32_t waited;         /* rounds in this phase */
    uint32_t period;         /* never goes back, so that late answers are told from new ones */
    uint32_t searches_out;   /* of this period, unanswered */
    uint32_t offers_out;     /* unanswered, of all periods: a leader with one out must stay leader */
    uint32_t offers_awaited; /* unanswered, of this period */
    uint32_t unconfirmed;    /* members that have not hailed this leader yet */
    uint32_t unanswered;     /* FREEZE without FROZEN or GONE */
    uint32_t frozen;         /* members that answered FROZEN */
    uint32_t invited_by;     /* HANDING: who gets the YES; SPADA_NOBODY: it founds a partition and stays */
    uint32_t candidate_count;
    struct spada_candidate candidates[SPADA_CANDIDATES_MAX];
};

struct spada_criteria; /* criteria.c */
struct spada_view;

enum { SPADA_AWAITS_BYE = 1, SPADA_AWAITS_WELCOME = 2 };

struct spada_agent {
    struct spada_share share;              /* push-sum: sum / weight tends to the mean of all */
    uint32_t *acquaintances;               /* out-edges; in the arena */
    const struct spada_criteria *criteria; /* of the text; NULL: the invariant's are meant */
    double *row;                 /* what the agent brings into the sums of its partition; in the arena */
    struct spada_office *office; /* NULL until it first leads; in the arena */
    uint32_t leader;             /* its own word on where it belongs; its own id if it leads */
    double mean_before;          /* a leader's estimate when it last looked at it */
    uint32_t gossip_left;        /* rounds; 0 for who did not lead at the start */
    uint8_t acquaintance_count;
    uint8_t passed; /* shares, so that acquaintances take turns */
    uint8_t quiet;  /* looks at which the estimate had not moved, without one between at which it had */
    uint8_t awaits; /* in transit until both have answered: joins nobody, leaves nobody */
    bool is_frozen; /* its leader is handing over */
    bool is_absent; /* forgotten by a fault: takes no part */
    bool has_heard; /* a share has come since it last looked at its estimate */
};

struct spada {       /* of the whole; begin and result */
    bool is_defaced; /* a fault has corrupted the graph */
};

/* What a handler works on. */
struct spada_turn {
    const struct cor_agent *me;
    struct spada_agent *self;
    const struct cor_rules *rules;
    const struct cor_host *host;
};

static inline double spada_parameter(const struct spada_turn *turn, enum spada_parameter parameter) {
    return turn->rules->parameters[parameter];
}

static inline uint32_t spada_count_of(const struct spada_turn *turn, enum spada_parameter parameter) {
    return (uint32_t)turn->rules->parameters[parameter];
}

static inline bool spada_leads(const struct spada_turn *turn) {
    return turn->self->leader == turn->me->id;
}

static inline uint32_t spada_size(const struct spada_office *office) {
    return office->count + 1;
}

/* The agent's own estimate of the mean of all agents. */
static inline double spada_mean(const struct spada_agent *self) {
    return self->share.sum / self->share.weight;
}

/* Push-sum: keeps half of the agent's share and returns the other half. */
static inline struct spada_share spada_halve(struct spada_agent *self) {
    self->share.sum *= 0.5;
    self->share.weight *= 0.5;
    return self->share;
}

static inline void spada_take_share(struct spada_agent *self, const struct spada_share *share) {
    self->has_heard = true;
    self->share.sum += share->sum;
    self->share.weight += share->weight;
}

static inline void spada_say(const struct spada_turn *turn, uint32_t to, enum spada_kind kind,
                             const void *payload, uint32_t size) {
    (void)turn->host->send(turn->host, to, kind, payload, size); /* when refused, the host ends the run */
}

/* An objective says by itself whether partitions of one are wanted, unless more than pairs are asked for. */
static inline double spada_size_least(const struct spada_turn *turn) {
    double least = spada_parameter(turn, SPADA_SIZE_LEAST);
    return turn->self->criteria && least <= 2 ? 1 : least;
}

/* Is a partition of that size formed as it should be? */
static inline bool spada_size_meets(const struct spada_turn *turn, uint32_t size) {
    double most = spada_parameter(turn, SPADA_SIZE_MOST);
    return size >= spada_size_least(turn) && (!(most > 0) || size <= most);
}

/* ---- criteria.c: the objective of the corridor as a text, and what its triggers ask of each partition */

/* Gives each agent the criteria of the task, if it has an objective, and its row. false: no memory, as below.
 */
bool spada__read_criteria(const struct cor_task *task, const struct cor_host *host);

/* Numbers of a row: 0 without criteria. */
uint32_t spada__width(const struct spada_criteria *criteria);

/* What a leader reckons in; once. */
bool spada__open_view(const struct spada_agent *self, const struct cor_host *host,
                      struct spada_office *office);

/* Adds a row to sums, `sign` -1 takes it away; NULL: that of an agent of which nothing is known. */
void spada__add_row(const struct spada_agent *self, double *sums, const double *row, double sign);

/* `count` rows behind the first `size` bytes of a message; NULL: there are none, or not so many. */
const double *spada__rows_behind(const struct spada_turn *turn, const struct cor_message *message,
                                 uint32_t size, uint32_t count);

/* Mails a payload of at most a struct spada_candidate, and behind it the rows that are not NULL. */
void spada__say_with_rows(const struct spada_turn *turn, uint32_t to, enum spada_kind kind,
                          const void *payload, uint32_t size, const double *row, const double *sums);

/* The objective's number of the partition with these sums, NaN: it is not known. [a leader, as below] */
double spada__part(const struct spada_turn *turn, const double *sums);

/* The sums of the leader's partition, to be changed; NULL: there are no criteria. */
double *spada__hoped_sums(const struct spada_turn *turn);

/* Before a candidate is taken off the list: its row is added to `hoped` and taken from the sums of others of
 * its partition, and the last candidate's rows go to its place. Nothing where there are no criteria. */
void spada__take_rows(const struct spada_turn *turn, uint32_t candidate, double *hoped);

/* What the candidate's partition would be worth without it. */
void spada__fill_numbers(const struct spada_turn *turn, uint32_t candidate, struct spada_numbers *numbers);

/* By how much the objective of two partitions alone falls: if the candidate changes over to one with these
 * sums; if the member leaves and stays alone. */
double spada__gain(const struct spada_turn *turn, const double *sums, uint32_t candidate);
double spada__gain_without(const struct spada_turn *turn, uint32_t member);

/* Does the leader's partition do what triggers ask of each by itself? False where they ask nothing so. */
bool spada__meets_criteria(const struct spada_turn *turn);

/* membership.c. Cost of a partition as an agent sees it: distance of its mean from the agent's estimate, and
 * a penalty for one that is smaller than size_least or larger than size_most. */
double spada__cost(const struct spada_turn *turn, double sum, uint32_t size);

/* Counts an operation in the bucket of a partition size: 1, 2, 3-4, 5-8, ... */
void spada__tally(const struct spada_turn *turn, enum spada_counter counter, uint32_t size);

/* graph.c: structure to graph and back. */
enum cor_progress spada__begin(void *state, const struct cor_task *task, const struct cor_host *host);
enum cor_progress spada__result(void *state, const struct cor_task *task, const struct cor_host *host);
void spada__graph(void *state, const struct cor_task *task, const struct cor_host *host);

/* leader.c: the turn of a leader, and of those it searches through. */
enum cor_progress spada__on_search(const struct spada_turn *turn, const struct cor_message *message);
enum cor_progress spada__lead(const struct spada_turn *turn);

/* membership.c */
bool spada__can_found(const struct spada_turn *turn);
bool spada__begin_founding(const struct spada_turn *turn);
bool spada__take_office(const struct spada_turn *turn);
bool spada__leave(const struct spada_turn *turn, bool told);
enum cor_progress spada__on_membership(const struct spada_turn *turn, const struct cor_message *message);

struct spada_set {
    uint32_t *members; /* in the arena */
    uint32_t count;
};

struct spada_sets {
    struct spada_set *sets;
    uint32_t count;
};

/* The two conversions, where the faults of paper 003, 6.1 live. */
struct spada_seams {
    /* The block that is not represented in the graph, SPADA_NOBODY for none. */
    uint32_t (*forget)(const struct cor_task *task, const struct cor_host *host);
    /* Spoils the sets before they are put. */
    void (*deface)(struct spada_sets *sets, const struct cor_task *task, const struct cor_host *host);
};

extern const struct spada_seams spada__seams[]; /* by rules->fault */
extern const struct cor_fault spada__faults[];

#endif
