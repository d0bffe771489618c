/* SPDX-License-Identifier: MIT
 *
 * corridor/monitor.h - the one header between Corridor and a monitor under test in C: the component that
 * notices that a system has left its corridor, and calls for a reorganization.
 *
 * A monitor is ONE exported constant:   const struct cor_monitor corridor_monitor_1 = { COR_MONITOR, ... };
 * It links nothing of Corridor. Several instances of it run at once: one for each organization, or one for
 * each agent. An instance sees its own organization alone, or its own agent alone, never the system. If any
 * instance raises an alarm, the system reorganizes.
 *
 * Each look is a pure function
 *     (state of the instance, fault, view) -> quiet or alarm, state of the instance
 * No clock, no random numbers, no mutable globals: what an instance is to remember lies in its state.
 *
 * Which instance goes on with an organization: a reorganization makes new organizations; each is that one of
 * the old ones with which it shares most members (of several the first), unless another one was first. An
 * old organization that no new one goes on with is dissolved, its instance and state are gone. A new one that
 * goes on with none has a new instance.
 *
 * Growth. Fields are only appended to cor_monitor and cor_monitor_view (each knows its size; what an old
 * module lacks is NULL or 0). Other structs are frozen within a major. A module runs if its major equals the
 * host's and its minor is not newer; else it is refused with both numbers. */
#ifndef CORRIDOR_MONITOR_H
#define CORRIDOR_MONITOR_H

#include <corridor/module.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COR_MONITOR_MAGIC 0x314e4f4du /* "MON1" */
#define COR_MONITOR_MAJOR 1u
#define COR_MONITOR_MINOR 1u
#define COR_MONITOR_SYMBOL "corridor_monitor_1"

#define COR_MONITOR_NOBODY UINT32_MAX          /* no agent */
#define COR_MONITOR_FAULTS_MAX 32u             /* of one monitor */
#define COR_MONITOR_TOLERANCE_MAX 1000u        /* looks */
#define COR_MONITOR_STATE_BYTES_MAX (1u << 20) /* of one instance */

/* Whom an instance may watch: bits of cor_monitor.watches. */
enum cor_monitor_subject { COR_MONITOR_ORGANIZATION = 1, COR_MONITOR_AGENT = 2 };

/* A column of values, as the model calls it; unit "": none. Column 0 is "value". */
struct cor_monitor_column {
    const char *name, *unit;
};

/* What an instance sees. All is gone when the call returns. */
struct cor_monitor_view {
    uint32_t struct_size;
    uint32_t fault;  /* 0 = none, else 1 + index into cor_monitor.faults */
    uint64_t now;    /* cases since the sequence began, from 1; in continuous execution periods of the clock
                        of monitors */
    uint64_t formed; /* `now` of the first one that found organizations as they are */
    uint32_t organization; /* its name: a number that no other organization of the sequence has */
    uint32_t agent;        /* the name of the agent that is watched; COR_MONITOR_NOBODY: an organization is */
    uint32_t size;         /* members of the organization */
    uint32_t member_count; /* thereof that are seen: all, or the one agent */
    const uint32_t *members; /* [member_count] names of agents, which stay while the sequence runs */
    uint32_t column_count, condition_count;
    const struct cor_monitor_column *columns; /* [column_count] */
    const double *const *values;              /* values[column][member]; NaN: the agent has none */
    /* Derived from the experiment's corridor: what must hold of this organization, or agent, by itself; each
     * 1 (met), 0 (violated) or NaN (not known) over one block of all members that are seen. Steps are those
     * of plugin.h, filters go by member. Nobody has to use them. */
    const struct cor_objective *const *conditions; /* [condition_count] */
    /* Since 1.1: [condition_count] at how many looks on end the organization, by whichever instance watched
     * it, violates the condition until an alarm is due; NULL: 1. */
    const uint32_t *looks;
};

/* For whom an alarm is. When look() is called both are those of the instance. */
struct cor_monitor_alarm {
    uint32_t organization; /* that of the view */
    uint32_t agent; /* one of the members that are seen; COR_MONITOR_NOBODY: the organization as such */
};

/* What a fault is called - a change of the monitor, to see whether it is found - and what it does. */
struct cor_monitor_name {
    const char *name, *meaning; /* a list ends with an entry whose name is NULL */
};

struct cor_monitor {
    uint32_t magic, major, minor, struct_size;
    const char *name, *version, *summary;
    const struct cor_monitor_name *faults; /* NULL: none */
    uint32_t watches;                      /* a set of enum cor_monitor_subject */
    uint32_t tolerance;                    /* an alarm may come so many looks late; it is held to it */
    size_t state_size; /* bytes of an instance, 16-byte aligned; the host zeroes them when it begins */

    /* Gives 0: all is well, or 1: an alarm. Anything else, and an alarm for somebody who is not there, ends
     * the sequence. */
    int (*look)(void *state, const struct cor_monitor_view *view, struct cor_monitor_alarm *alarm);
};

/* The first fields of every monitor. */
#define COR_MONITOR                                                                     \
    .magic = COR_MONITOR_MAGIC, .major = COR_MONITOR_MAJOR, .minor = COR_MONITOR_MINOR, \
    .struct_size = (uint32_t)sizeof(struct cor_monitor)

#ifdef __cplusplus
}
#endif
#endif
