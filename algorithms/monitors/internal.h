/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of monitors under test: what a look works on lies in one page, which a cell shares. */
#ifndef CORRIDOR_ALGORITHMS_MONITORS_INTERNAL_H
#define CORRIDOR_ALGORITHMS_MONITORS_INTERNAL_H

#include <corridor/module_cell.h>
#include <corridor/monitors.h>

enum { MONITORS__FAULT_TEXT = 4096 };

/* The beginning of a page. What a cell wrote is not believed: looked at before it is used. */
struct monitors__head {
    struct cor_module_page cell;
    char name[COR_MONITORS_NAME];
    char faults[MONITORS__FAULT_TEXT]; /* names, each ended by 0, the last by two */
    uint32_t watches, tolerance;
    uint64_t state_size;

    uint64_t now, formed;
    uint32_t block_count;
    uint32_t alarm, organization, agent; /* what came of the looks: see struct cor_monitors_answer */
    uint32_t is_garbled;
    char complaint[256];
};

struct cor_monitors {
    char *path, *fault_name; /* owned */
    bool in_cell;
    uint32_t subject;
    struct cor_monitors_system system;
    struct cor_monitor monitor; /* where it is loaded: here, or in the cell */
    void *handle;               /* owned; of a module that is loaded here */
    struct cor_monitors_introduction said;
    char what[COR_MONITORS_NAME + 16]; /* "the monitor NAME" */

    /* The page and what lies in it: an instance for each agent, or organization. */
    unsigned char *page; /* owned; shared memory */
    size_t page_bytes;
    struct monitors__head *head;
    double *values;         /* [column][agent] */
    uint32_t *start;        /* [block + 1] */
    uint32_t *members;      /* block after block */
    uint32_t *names;        /* [block] */
    unsigned char *states;  /* [instance * stride] */
    uint32_t *has_instance; /* [instance] */
    size_t stride, state_bytes;
    uint32_t block_room, member_room;

    /* Scratch of a look, as large as a block can be. */
    double *view_values;                   /* owned; [column][member], as below */
    const double **view_columns;           /* owned; [column] */
    unsigned char *view_filters;           /* owned; [filter][member] */
    struct cor_objective *view_conditions; /* owned; [condition] */
    const struct cor_objective **view_list;

    struct cor_lists before; /* the structure that was looked at last */
    bool has_before;
    uint32_t next_name;
    uint32_t *place_of; /* owned; [agent] the first block that it is in */
    uint32_t *owner;    /* owned; [block] whose instance it goes on with */
    size_t owner_capacity;

    struct cor_module_cell cell;
    unsigned char *before_look; /* owned; what instances remember, for a second try */
};

/* What a module is held to; checks the copy of its constant. */
extern const struct cor_module_kind monitors__kind;

#endif
