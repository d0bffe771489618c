/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What commands read of files: a corridor's text, and for judge states of a system from JSON, one, an array,
 * or one in each line. */
#ifndef CORRIDOR_ORACLE_CORRIDOR_JUDGE_STATES_H
#define CORRIDOR_ORACLE_CORRIDOR_JUDGE_STATES_H

#include <corridor/corridor.h>
#include <corridor/error.h>
#include <corridor/json.h>
#include <corridor/temporal.h>

/* Reads a corridor's text; "-" is standard input. */
enum cor_status corridor_file_read(const char *path, struct cor_corridor **corridor,
                                   struct cor_error *error) COR_MUST_USE;

struct judge_states {
    struct cor_json_document **documents; /* owned */
    char **names;                         /* owned; of lines */
    size_t document_count, document_capacity, name_capacity;
    bool is_array; /* the one document is an array of states */
    size_t count;
    uint32_t *members; /* owned; of an organization, while it is read */
    size_t member_capacity;

    /* The state read last, and the one before it; what they own. */
    struct judge_state {
        struct cor_snapshot snapshot;
        struct cor_lists organizations;
        uint32_t *parents;
        struct judge_columns {
            struct cor_attribute_values *columns;
            double *reals;     /* of all columns, one behind the other */
            int64_t *integers; /* likewise */
            uint8_t *unknown;
        } of_agents, of_organizations;
        struct cor_value *parameters;

        /* Of what is observed. */
        struct cor_memberships *sets;
        uint32_t *set_starts, *set_items; /* of all sets, one behind the other */
        struct cor_channel_entry *told;
        size_t told_count, told_capacity;
    } kept[2];
    enum cor_truth stable; /* the state read last, as it says itself */
    char
        note[256]; /* of the first state that has it, what is probably a slip, or is passed over; "" = none */
};

/* Reads the file, "-" is standard input; judge_states_fini frees it in any case. */
enum cor_status judge_states_read(const char *path, struct judge_states *states,
                                  struct cor_error *error) COR_MUST_USE;
void judge_states_fini(struct judge_states *states);

/* State number `index`, with the one before it, which is `index` - 1 and was read last; borrowed until the
 * next is read. Gets words that are new into the corridor. */
enum cor_status judge_states_at(struct judge_states *states, size_t index, struct cor_corridor *corridor,
                                struct cor_snapshot *state, struct cor_error *error) COR_MUST_USE;

/* ---- A formula of time against a trace that somebody stored as CSV */

#define JUDGE_TRACE_COLUMNS_MAX 10000

struct judge_trace_verdict {
    enum cor_temporal_value value;
    uint64_t decided; /* state, from 0; COR_TEMPORAL_OPEN: the end decided */
    uint64_t states;
    /* Why it is violated; all owned, freed by judge_trace_fini. */
    struct cor_temporal_reason *reasons; /* conditions are indices into `names` */
    size_t reason_count;
    bool is_enough; /* as cor_temporal_reasons says it */
    char **names;   /* ended by NULL */
    char *absent;   /* owned; 'words' that the formula compares with and no cell is; NULL: none is so */
};

/* Judges the trace at `path`, "-" for standard input: the first line names columns, which are the conditions
 * of the formula, each line behind it is a state. Of columns that the formula names each cell is true, 1 or
 * +; false, 0 or -; or ?, unknown. Of columns that it compares ("level > 2") cells are numbers, or one is
 * not, and they are words; empty, ?, n/a and nan are unknown, and so is what compares them. COR_STATUS_INPUT,
 * with line and column: a cell that is none of these or empty, a line with more or fewer cells, no state, a
 * name used twice, more columns than are read; and what is wrong with the formula. */
enum cor_status judge_trace(const char *formula, const char *path, struct judge_trace_verdict *verdict,
                            struct cor_error *error) COR_MUST_USE;

/* Frees what the verdict holds. Idempotent. */
void judge_trace_fini(struct judge_trace_verdict *verdict);

#endif
