/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a campaign, its workers and its merger share. */
#ifndef CORRIDOR_EXPERIMENTS_CAMPAIGN_INTERNAL_H
#define CORRIDOR_EXPERIMENTS_CAMPAIGN_INTERNAL_H

#include <corridor/campaign.h>

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/types.h>

/* ---- what stored suites show beyond their counts, read from the journals one suite after the other in the
 * order of the plan: for stop conditions, and for people who watch */

#define CAMPAIGN__GROWTH_MAX 24

struct campaign__follower {
    const struct cor_layer *layer; /* borrowed */
    uint32_t arm_count;
    void *own;                       /* the layer's */
    struct cor_inquiries *inquiries; /* borrowed; NULL: none */
    struct cor_record *record;       /* owned */
    struct campaign__sample *sample; /* owned; [arm] */
    uint64_t followed;               /* plan positions */
    uint64_t failures;               /* in them */
    double half_width;               /* as of the last round in which it was computed; NaN: not yet */
    struct cor_campaign_growth growth[CAMPAIGN__GROWTH_MAX];
    size_t growth_count;
};

/* Of a layer that has something to follow; *follower is NULL of another. */
enum cor_status campaign__follower_create(const struct cor_campaign_definition *definition,
                                          struct campaign__follower **follower,
                                          struct cor_error *error) COR_MUST_USE;
void campaign__follower_destroy(struct campaign__follower *follower); /* NULL is allowed */

#define CAMPAIGN__OUTPUT_NAME "OUTPUT"
#define CAMPAIGN__STATUS "STATUS"
#define CAMPAIGN__TASK_STATUS CAMPAIGN__STATUS ".task-" /* and the number of its share */
#define CAMPAIGN__TIMES_BEGINNING "arm,suite,"
#define CAMPAIGN__TIMES_SUFFIX ".times" /* behind the name of a journal */

/* Plan positions for which there is room; memory is only touched as far as a campaign gets. */
#define COR_PLAN_MAX (1u << 22)

/* What is known of a suite of the plan. */
struct cor_suite_note {
    _Atomic uint32_t done;   /* 1 when the suite is durable in a journal, and its tally valid */
    _Atomic uint32_t worker; /* 1 + who took it in this run; 0 = nobody */
    struct cor_suite_counts tally;
    uint64_t offset, size;           /* of its frame in the journal, */
    uint32_t journal;                /* which is this one of campaign->followed */
    float wall_seconds, cpu_seconds; /* of this run */
    uint32_t deaths;                 /* of workers that were at it; the planner's */
};

/* Memory shared by the planning process and its workers. */
struct cor_shared {
    _Atomic uint64_t next;    /* turn: how many plan positions were taken */
    _Atomic uint64_t limit;   /* positions from here on are not wanted */
    _Atomic uint64_t done;    /* suites finished, in any order */
    _Atomic uint32_t orphans; /* 1: there may be suites that were taken for a host that is lost */
    _Atomic uint32_t stop;    /* 1: abandon what is open and leave */
    struct {
        _Atomic uint64_t position; /* 1 + plan position under way, 0 = none */
        _Atomic uint64_t since_ms; /* of the monotonic clock, at which it was begun */
        _Atomic uint32_t share;    /* of the suite under way that is done, in millionths; 0: not known */
        _Atomic uint64_t cases;    /* executed so far in this run, open suite included */
        _Atomic uint64_t starts;   /* of programs under test in this run, */
        _Atomic uint64_t start_us; /* what they took, */
        _Atomic uint64_t work_us;  /* and all suites that it has finished */
        _Atomic uint64_t failures; /* in the suites that it has finished in this run */
        _Atomic uint32_t lost;     /* 1: the host that executes for the worker is */
        _Atomic uint32_t heard;    /* 1: the worker knows of the stop, and is leaving */
        struct cor_error error;    /* valid when the worker left with a failure, or lost its host */
    } worker[COR_WORKERS_MAX];
    struct cor_suite_note note[]; /* [plan position] */
};

/* A journal, and how far this process has read it. */
struct cor_followed {
    char *path; /* owned */
    uint64_t offset;
    bool own; /* a worker of this process writes it, and says itself what is stored */
};

struct cor_campaign {
    struct cor_campaign_definition definition;
    char *folder;      /* of the journals, beside the output */
    int lock;          /* open file, held by this process and its workers; -1 = none */
    uint64_t *origins; /* owned, [arm]: what the suites are of, as their frames say it (cor_record_origin) */
    uint32_t next_journal;         /* number of the next one */
    struct cor_share share;        /* that this process runs; all of the plan once it is alone */
    bool led;                      /* the first of all shares was seen at work */
    bool idle;                     /* the others have done all: there is nothing to do */
    bool interrupted;              /* somebody asked for an end */
    struct cor_followed *followed; /* owned: journals, and how far those of others were read */
    size_t followed_count, followed_capacity;
    size_t source_begin, source_end;    /* thereof of sources */
    struct cor_journal_entry *left_out; /* owned: suites of sources that the plan has not; some twice */
    size_t left_out_count, left_out_capacity;
    struct campaign__follower *follower; /* owned; NULL: nothing to follow */
    double follow_next; /* seconds of the monotonic clock at which they are looked at again */
    bool finished;      /* all is in the result file: the folder can go */
    bool removable;     /* the folder holds nothing that this campaign found there */
    struct cor_shared *shared;
    size_t shared_size;
    uint64_t position_count;    /* plan positions there is room for */
    _Atomic uint64_t *arm_ends; /* in the shared memory, [arm]: suites from this one on are not wanted, for
                                   all that is asked of the arm is decided; UINT64_MAX: it is not */
    uint64_t passed;            /* positions below `kept` that are not wanted */
    pid_t planner;              /* this process */
    pid_t pid[COR_WORKERS_MAX]; /* 0 = has left */
    size_t journal[COR_WORKERS_MAX];  /* that it writes, by its index among those followed */
    bool gone[COR_WORKERS_MAX];       /* its host is lost */
    bool cut[COR_WORKERS_MAX];        /* it did not stop when it was told to, and was ended */
    double cpu_then[COR_WORKERS_MAX]; /* CPU time that it had used when it was told so */
    double stopping;      /* since when workers are told to, on the monotonic clock; 0: they are not */
    char news[1024];      /* lines that people are to read */
    uint32_t idle_deaths; /* of workers between suites */
    bool any_killed;      /* a worker was, perhaps between counting suites as done and noting so */
    struct cor_error
        failure;          /* of the first suite of the plan, as far as is known, that cannot be executed; */
    uint64_t failed;      /* its position; UINT64_MAX: there is none */
    bool failure_settled; /* it was told, or need not be */
    uint64_t planned;     /* positions; 0 = endless */
    uint64_t stride;      /* from one turn's plan position to the next one's, modulo `planned` */
    uint64_t kept;        /* positions done without a gap */
    uint64_t kept_cases, kept_failures, kept_reorganizations;
    uint64_t limit;  /* positions to keep in the end; UINT64_MAX = no condition met yet */
    uint64_t before; /* suites that earlier runs have stored */
    uint64_t stored_cases, stored_failures; /* of suites that no worker of this process has run */
    uint64_t taken_over;                    /* positions of these are below it */
    double seconds_left,
        pace_next;   /* see cor_campaign_pace; when it is looked at again, on the monotonic clock */
    double say_next; /* seconds into the campaign at which the status is said again */
    double started;  /* seconds of the monotonic clock: for people, never for a result */
    bool signals_blocked;
    sigset_t signals_before; /* the mask to go back to */
};

/* Between a suite that is executed and whoever watches. */
struct cor_watch {
    void *with;
    bool (*stopped)(void *with);
    void (*show)(void *with, uint64_t cases);
    void (*starts)(void *with, uint64_t starts, double seconds); /* NULL: nobody asks */
    void (*share)(void *with, double share);                     /* likewise */
};

/* The arm and the suite at a plan position. */
static inline uint32_t campaign__arm_at(const struct cor_campaign *campaign, uint64_t position) {
    return (uint32_t)(position % campaign->definition.experiment->arm_count);
}
static inline uint32_t campaign__suite_at(const struct cor_campaign *campaign, uint64_t position) {
    return (uint32_t)(position / campaign->definition.experiment->arm_count);
}
static inline const char *campaign__arm_name_at(const struct cor_campaign *campaign, uint64_t position) {
    return campaign->definition.experiment->arms[campaign__arm_at(campaign, position)].name;
}

/* Whether this process runs a part of the plan only; whether it is the one that waits for the others; whether
 * it does so now. */
static inline bool campaign__share_is_part(const struct cor_campaign *campaign) {
    return campaign->share.count > 1;
}
static inline bool campaign__share_leads(const struct cor_campaign *campaign) {
    return campaign__share_is_part(campaign) && campaign->share.launched && campaign->share.index == 0;
}
static inline bool campaign__share_waits(const struct cor_campaign *campaign) {
    return campaign__share_leads(campaign) && !campaign->interrupted;
}

/* Whether a plan position is its own: in every run of `count` positions each share has one, and another one
 * in the next run, so that it gets suites of all arms. */
static inline bool campaign__share_holds(const struct cor_campaign *campaign, uint64_t position) {
    uint64_t count = campaign->share.count;
    return !campaign__share_is_part(campaign) ||
           (position % count + position / count) % count == campaign->share.index;
}

/* Takes over what others have stored since it was last called; what these journals hold. */
enum cor_status campaign__share_follow(struct cor_campaign *campaign, struct cor_error *error) COR_MUST_USE;
enum cor_status campaign__share_follow_these(struct cor_campaign *campaign, char *const *paths, size_t count,
                                             struct cor_error *error) COR_MUST_USE;

/* Goes along the suites that are done without a gap. Where conditions are met first, there the campaign ends;
 * that the clock has met them is seen where it happens to be. */
enum cor_status campaign__evaluate_prefix(struct cor_campaign *campaign,
                                          struct cor_error *error) COR_MUST_USE;

/* The follower reads what is stored at a plan position. */
enum cor_status campaign__follow_position(struct cor_campaign *campaign, uint64_t position,
                                          struct cor_error *error) COR_MUST_USE;

/* Conditions that no suite of this experiment can ever meet are a mistake. */
enum cor_status campaign__check_stop(const struct cor_campaign *campaign,
                                     struct cor_error *error) COR_MUST_USE;

/* The suites of a journal of campaign->followed that it has not been read for need not be run again. */
enum cor_status campaign__take_over(struct cor_campaign *campaign, size_t journal,
                                    struct cor_error *error) COR_MUST_USE;

/* Plan positions there is room for. */
static inline uint64_t campaign__position_count(const struct cor_campaign *campaign) {
    return campaign->position_count;
}

/* Is the suite at a plan position below the limit asked for, as far as is known? What was found not to be
 * stays so, and of positions below `kept` the answer is the same for any number of workers. */
static inline bool campaign__is_wanted(const struct cor_campaign *campaign, uint64_t position) {
    return campaign__suite_at(campaign, position) <
           atomic_load(&campaign->arm_ends[campaign__arm_at(campaign, position)]);
}

/* Is what went wrong of the suite itself, and so the same whenever it is executed? */
static inline bool campaign__is_of_suite(enum cor_status status) {
    return status == COR_STATUS_PLUGIN || status == COR_STATUS_INPUT || status == COR_STATUS_UNSATISFIABLE;
}

/* Whether a suite that is stored counts: the plan goes so far, and it is wanted. */
static inline bool campaign__is_counted(const struct cor_campaign *campaign, uint64_t position) {
    return position < atomic_load(&campaign->shared->limit) && campaign__is_wanted(campaign, position);
}

/* Behind the last plan position that may be stored. */
uint64_t campaign__stored_end(const struct cor_campaign *campaign);

/* Suites that are stored and count, and how many of them earlier runs have stored. */
struct campaign__stored {
    uint64_t done, before;
};
struct campaign__stored campaign__count_stored(const struct cor_campaign *campaign);

/* The plan position of a turn: the order in which suites are taken. */
static inline uint64_t campaign__position_at(const struct cor_campaign *campaign, uint64_t turn) {
    return campaign->planned > 0 ? turn * campaign->stride % campaign->planned : turn;
}

/* Whether a suite is wanted, not done, and nobody's. */
static inline bool campaign__is_orphan(const struct cor_campaign *campaign, uint64_t position) {
    const struct cor_suite_note *note = &campaign->shared->note[position];
    return campaign__is_counted(campaign, position) && campaign__share_holds(campaign, position) &&
           !atomic_load(&note->done) && atomic_load(&note->worker) == 0;
}

/* The host that executes for a worker; NULL: its own process does. */
const char *campaign__host_of(const struct cor_campaign *campaign, uint32_t worker);

/* What is said of the program and the experiment: the same for every run of one build, no host, no time, no
 * number of workers. */
void campaign__put_provenance(const struct cor_campaign *campaign, struct cor_json_writer *writer);

/* All that the rows of the campaign depend on, as JSON; freed with free(). */
enum cor_status campaign__manifest_make(const struct cor_campaign *campaign, char **text,
                                        struct cor_error *error) COR_MUST_USE;

/* Fills campaign->origins: fingerprints of all that the manifest says but what may become more, and of the
 * arm. So suites that are stored stay the campaign's when it is extended. Comes before the manifest, which
 * lists them. */
enum cor_status campaign__manifest_origins(struct cor_campaign *campaign,
                                           struct cor_error *error) COR_MUST_USE;

/* Those that the manifest at `path` lists: *origins is freed with free(). */
enum cor_status campaign__manifest_read_origins(const char *path, uint64_t **origins, size_t *count,
                                                struct cor_error *error) COR_MUST_USE;

/* Is a suite that was found in a journal one of the campaign? */
static inline bool campaign__is_own(const struct cor_campaign *campaign,
                                    const struct cor_journal_entry *entry) {
    return entry->arm < campaign->definition.experiment->arm_count &&
           entry->origin == campaign->origins[entry->arm];
}

/* Whether journals of the campaign `there` hold suites of the campaign `here`: COR_STATUS_EXISTS, with what
 * differs, if not. *sequences_before: how many those suites have if it is fewer; else 0. */
enum cor_status campaign__manifest_compare(const char *folder, const char *there, const char *here,
                                           uint32_t *sequences_before, struct cor_error *error) COR_MUST_USE;

/* The same of a folder that is to be merged with the first: COR_STATUS_INPUT. */
enum cor_status campaign__manifest_compare_source(const char *folder, const char *there, const char *here,
                                                  uint32_t *sequences_before,
                                                  struct cor_error *error) COR_MUST_USE;

/* Where the suite at a plan position is stored, which is done: the path of the journal, freed with free(),
 * NULL when memory is out. */
char *campaign__stored_at(const struct cor_campaign *campaign, uint64_t position,
                          struct cor_journal_entry *entry);

/* Whether what a host would execute is what is executed here: COR_STATUS_INPUT, with what differs, if not. */
enum cor_status campaign__manifest_compare_host(const char *host, const char *there, const char *here,
                                                struct cor_error *error) COR_MUST_USE;

/* Opens the folder of the campaign, making it if there is none, and takes its lock. `manifest` says what the
 * campaign is: COR_STATUS_EXISTS if the folder is another campaign's; or if somebody else is at work in it.
 */
enum cor_status campaign__folder_open(struct cor_campaign *campaign, const char *manifest,
                                      struct cor_error *error) COR_MUST_USE;

/* For all shares; false while another process holds its own. */
bool campaign__lock_widen(struct cor_campaign *campaign);

/* Whether the first of all shares, which is not this process's, is at work. */
bool campaign__lock_has_leader(const struct cor_campaign *campaign);

/* The process that is at work in a folder, the first if there are several; 0 if none is. */
long campaign__lock_process(const char *folder);

/* Whether a process is at work on that share. */
bool campaign__lock_is_held(const char *folder, uint32_t share);

/* Closes it, and removes it if `campaign->finished`. Idempotent. */
void campaign__folder_close(struct cor_campaign *campaign);

/* The journals in it, in the order of their names: `*paths` and each of them are freed by the caller. */
enum cor_status campaign__folder_journals(const char *folder, char ***paths, size_t *count,
                                          struct cor_error *error) COR_MUST_USE;

/* The same of what tasks of a job array say of themselves; and without it, where one process does all. */
enum cor_status campaign__folder_tasks(const char *folder, char ***paths, size_t *count,
                                       struct cor_error *error) COR_MUST_USE;
void campaign__folder_forget_tasks(const struct cor_campaign *campaign);

/* The same of those that were set aside, because their suites have fewer sequences than they are to have; and
 * how many the suites of such a journal have. */
enum cor_status campaign__folder_earlier(const char *folder, char ***paths, size_t *count,
                                         struct cor_error *error) COR_MUST_USE;
uint32_t campaign__folder_sequences(const char *path);

/* The journals of another campaign's folder, beside its result file: COR_STATUS_INPUT, with what differs, if
 * it is not this campaign, or a part of it. */
enum cor_status campaign__folder_source(const struct cor_campaign *campaign, const char *output,
                                        char ***paths, size_t *count, struct cor_error *error) COR_MUST_USE;
void campaign__folder_free(char **paths, size_t count);

/* Path of journal `number` of this process, and the least number that none of its journals has; the path is
 * freed with free(). */
char *campaign__journal_path(const struct cor_campaign *campaign, uint32_t number);
uint32_t campaign__journal_next(const struct cor_campaign *campaign, char *const *paths, size_t count);

/* Notes the path of a new journal of this process; *journal is its index among campaign->followed. */
enum cor_status campaign__journal_new(struct cor_campaign *campaign, size_t *journal,
                                      struct cor_error *error) COR_MUST_USE;

/* Before anything is run: could the output and its times be put there? Later, when it is known whether what
 * is there is the campaign's: may it be replaced? */
enum cor_status campaign__output_check_kind(const char *output, struct cor_error *error) COR_MUST_USE;
enum cor_status campaign__output_check_free(const struct cor_campaign *campaign,
                                            struct cor_error *error) COR_MUST_USE;

/* Is the file that is there now this campaign's? COR_STATUS_FILE if that could not be found out. And has it
 * that content? */
enum cor_status campaign__output_is_ours(struct cor_campaign *campaign, bool *ours,
                                         struct cor_error *error) COR_MUST_USE;

/* Keeps in the folder which share of decided properties ends the run, for whoever merges what it stores; or
 * adds that to `stop`: of the sources, if they all say the same, else of its own folder, if it says any. */
enum cor_status campaign__stop_keep(const struct cor_campaign *campaign,
                                    struct cor_error *error) COR_MUST_USE;
enum cor_status campaign__stop_take(struct cor_campaign *campaign, struct cor_error *error) COR_MUST_USE;

/* Writes a small file into the folder, durably, whole or not at all; reads one, NULL if it is not there. */
enum cor_status campaign__folder_write(const struct cor_campaign *campaign, const char *name,
                                       const char *text, struct cor_error *error) COR_MUST_USE;
char *campaign__folder_read(const struct cor_campaign *campaign, const char *name);

/* Writes a small file into the folder, whole or not at all; that it could not is no trouble. */
void campaign__folder_say(const struct cor_campaign *campaign, const char *name, const char *text);

/* Beside a journal: who writes it, where; a suite of it, and how long it took. NULL: it could not be opened,
 * and nothing is noted. */
FILE *campaign__times_open(const struct cor_campaign *campaign, uint32_t worker, const char *journal);
void campaign__times_note(FILE *file, const struct cor_campaign *campaign, uint64_t position);

/* Removes a journal with what stands beside it: a worker does so with one that it has put no suite into.
 * Whether a journal is gone that was there when the folder was read: nothing is missing then. */
void campaign__journal_remove(const char *journal);

/* What stands beside all journals, of the suites kept, as a file beside the result. */
enum cor_status campaign__times_write(const struct cor_campaign *campaign, const char *path,
                                      struct cor_error *error) COR_MUST_USE;

/* A fingerprint of the program that runs. */
enum cor_status campaign__program_fingerprint(uint64_t *fingerprint, struct cor_error *error) COR_MUST_USE;

/* Says in the folder how far the campaign is, now and then. */
void campaign__status_say(struct cor_campaign *campaign, const struct cor_campaign_status *status);

#endif
