/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What generators of schedules share: what can happen next, and draws from it. */
#ifndef CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_GENERATOR_DRAWS_H
#define CORRIDOR_EXPERIMENTS_LAYERS_PROCESS_GENERATOR_DRAWS_H

#include <corridor/schedule_generator.h>

/* The stream of a generator for a schedule of that name. */
static inline struct cor_rng process_layer__draws(const struct cor_stream_name *name, uint32_t entity) {
    struct cor_stream_name own = *name;
    own.entity = entity;
    own.purpose = COR_PURPOSE_SCHEDULE;
    return cor_rng_named(&own);
}

/* Uniform in a range of a weather. */
static inline uint32_t process_layer__between(struct cor_rng *rng, const uint32_t range[2]) {
    return (uint32_t)cor_rng_between(rng, range[0], range[1]);
}

static inline bool process_layer__allows(const struct cor_schedule_options *options,
                                         enum cor_process_event_kind kind) {
    return !cor_process_event_is_fault(kind) || (options->allowed >> kind & 1) != 0;
}

/* One of the processes of a set that is not empty, by lot. */
uint32_t process_layer__draw_process(struct cor_rng *rng, const struct cor_process_set *set);

/* As many of the first `count` processes as `size` says, by lot. */
struct cor_process_set process_layer__draw_subset(struct cor_rng *rng, uint32_t count, uint32_t size);

/* What is possible now, but for faults and inputs, which are where a process is up. */
struct process_layer__choices {
    struct cor_process_set up, paused, down, absent; /* up and not paused; paused; down; not there */
    struct cor_process_set waiting, writing; /* of those that are up: with an alarm, with a pending write */
    const struct cor_process_set *cut;       /* [to]: those from whom the link is cut, by no partition */
    uint32_t flying_count, cut_count;        /* links */
    bool is_parted;
    struct cor_process_set flying[COR_PROCESSES_MAX]; /* [to]: those from whom a message can arrive now */
};
void process_layer__look(const struct cor_cluster *cluster, struct process_layer__choices *choices);

/* An input to a process, drawn by the weights of the options, else of the program; false: none comes. */
bool process_layer__draw_input(const struct cor_cluster *cluster, const struct cor_schedule_options *options,
                               uint32_t process, struct cor_rng *rng, struct cor_process_event *event);

/* The crash that a weather brings to a process: plain, torn, with a lost cell; 0 in `what` where it does not
 * matter. */
struct cor_process_event process_layer__draw_crash(const struct cor_cluster *cluster,
                                                   const struct cor_schedule_options *options,
                                                   const struct cor_weather *weather, uint32_t process,
                                                   struct cor_rng *rng);

/* A process that is not there comes; one that is there leaves, which is possible where another one stays.
 * Each by lot; false: there is none. */
bool process_layer__draw_join(const struct cor_cluster *cluster, struct cor_rng *rng,
                              struct cor_process_event *event);
bool process_layer__draw_leave(const struct cor_cluster *cluster, struct cor_rng *rng,
                               struct cor_process_event *event);

/* A partition of at least two processes: one alone, halves, two groups that share one, a ring. */
struct cor_process_event process_layer__draw_part(const struct cor_cluster *cluster, struct cor_rng *rng);

/* Which of the messages of its kind, in flight on that link, the one at `index` is. */
uint32_t process_layer__ordinal(const struct cor_flight *flight, uint32_t index);

/* A message of a link on which there are some arrives, is lost or doubled, as the weather says. */
void process_layer__draw_message(const struct cor_cluster *cluster,
                                 const struct cor_schedule_options *options,
                                 const struct cor_weather *weather, uint32_t from, uint32_t to,
                                 struct cor_rng *rng, struct cor_process_event *event);

/* The oldest message of a link arrives, whatever the weather; there is one. */
struct cor_process_event process_layer__oldest(const struct cor_cluster *cluster, uint32_t from, uint32_t to);

/* The oldest write of a process becomes durable, or fails as the weather says. */
struct cor_process_event process_layer__draw_disk(const struct cor_schedule_options *options,
                                                  const struct cor_weather *weather, uint32_t process,
                                                  struct cor_rng *rng);

/* The alarm of a process that is due first; it has set one. */
struct cor_process_event process_layer__first_alarm(const struct cor_cluster *cluster, uint32_t process);

/* What comes by itself next, `delay` ticks after it was sent where it is a message: the earliest, of equal
 * ones writes before messages before alarms, messages in the order of sending, the rest by processes. false:
 * nothing. */
bool process_layer__by_itself(const struct cor_cluster *cluster, uint32_t delay,
                              struct cor_process_event *event);

/* Time goes on to the end of the present case. */
struct cor_process_event process_layer__end_of_case(const struct cor_cluster *cluster,
                                                    const struct cor_schedule_options *options);

/* What kind of thing happens next. */
enum process_layer__draw {
    PROCESS_LAYER__DELIVER,
    PROCESS_LAYER__DISK,
    PROCESS_LAYER__TIME_OUT,
    PROCESS_LAYER__RESTART,
    PROCESS_LAYER__RESUME,
    PROCESS_LAYER__HEAL,
    PROCESS_LAYER__UNITE,
    PROCESS_LAYER__INPUT,
    PROCESS_LAYER__CRASH,
    PROCESS_LAYER__PAUSE,
    PROCESS_LAYER__CUT,
    PROCESS_LAYER__JUMP,
    PROCESS_LAYER__DRIFT,
    PROCESS_LAYER__PART,
    PROCESS_LAYER__JOIN,
    PROCESS_LAYER__LEAVE,
    PROCESS_LAYER__DRAW_COUNT
};

/* How often each comes beside the others, if it is possible; crashes, pauses and clocks for each process that
 * is up, cuts for each link. */
struct process_layer__weights {
    double of[PROCESS_LAYER__DRAW_COUNT];
};

/* What is under way comes far more often than alarms, faults and inputs as often as the weather says, where a
 * case counts as 100 events. */
void process_layer__weigh(const struct cor_weather *weather, const struct cor_schedule_options *options,
                          struct process_layer__weights *weights);

/* Any event that is possible, by weights; where there is none, the end of the case. */
void process_layer__draw_event(const struct cor_cluster *cluster, const struct cor_schedule_options *options,
                               const struct cor_weather *weather,
                               const struct process_layer__weights *weights, struct cor_rng *rng,
                               struct cor_process_event *event);

#endif
