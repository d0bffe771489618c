/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that declare their variables. Those without messages: processes that read each other's variables
 * and have a rule each (process.h, 1.2). What a rule says hangs on what its process sees alone, its own
 * variables and those of whom it reads: a VIEW. Each view is asked once, and once more of another child, in
 * another order: what is said of it then has to be the same. So a program of any language costs its views,
 * whatever is gone through.
 */
#ifndef CORRIDOR_RULES_H
#define CORRIDOR_RULES_H

#include <corridor/error.h>
#include <corridor/process.h>

struct cor_acts;
struct cor_process_program;
struct processes__talk;

/* Of which program, and around what. */
struct cor_rules_definition {
    struct cor_process_program *program; /* borrowed; its description has rule(), or save() */
    uint32_t process_count, fault;       /* as of clusters */
    const uint64_t *neighbours;          /* [process] bit q: process q is one; NULL: no graph is named */
    bool is_free, is_full;               /* of a module: as it was opened */
    uint64_t memory_bytes;
};

/* The values that a variable may hold: words, or numbers that are listed, or `count` numbers from `from` on.
 */
struct cor_rules_domain {
    uint32_t count;
    int64_t from, *numbers; /* owned */
    char **words;           /* owned, and each */
};

/* What comes of it if a process moves so: each of so many local states is equally likely. */
struct cor_rules_choice {
    uint32_t first, count; /* in outcomes of its process */
};

struct cor_rules_process {
    struct cor_rules_domain *domains; /* owned; [variable] */
    uint32_t local_count; /* states of it: its values as digits, the first variable's goes fastest */
    uint32_t reads[COR_RULES_PROCESSES_MAX], read_count;
    uint64_t
        view_count;  /* its local state, then those of whom it reads, as digits likewise; once it is asked: */
    uint32_t *first; /* owned; [view_count + 1] choices */
    struct cor_rules_choice *choices; /* owned */
    uint32_t *outcomes;               /* owned; local states */
    size_t choice_count, choice_capacity, outcome_count, outcome_capacity, first_capacity;
};

/* A message that a program with messages declares: it may be under way after a fault. */
struct cor_rules_message {
    uint32_t kind, size;
    char *bytes; /* owned; NULL: none */
};

struct cor_process_rules {
    struct cor_rules_definition definition;
    uint32_t variable_count;
    char **variables;                    /* owned, and each */
    struct cor_rules_process *processes; /* owned */
    struct cor_rules_message *mail;      /* owned, and bytes of each; of a program with messages */
    size_t mail_count, mail_capacity;
    struct processes__talk *talk; /* owned; with a child that said what it declares; NULL: there is none */
    const struct cor_acts
        *acts;    /* borrowed; its events as tables, once somebody has them; NULL: nobody has */
    char *hidden; /* owned; what showed that a process keeps something that it does not declare, in a sentence
                   */
};

/* Asks each process for its variables, and whom it reads. COR_STATUS_INPUT, PLUGIN: what is wrong with these,
 * with the program in its place. Freed by cor_rules_destroy. */
enum cor_status cor_rules_create(const struct cor_rules_definition *definition,
                                 struct cor_process_rules **rules, struct cor_error *error) COR_MUST_USE;
void cor_rules_destroy(struct cor_process_rules *rules); /* NULL is allowed */

/* Asks all rules for all views, twice. What differs is told in `hidden`. */
enum cor_status cor_rules_ask(struct cor_process_rules *rules, struct cor_error *error) COR_MUST_USE;

/* The index of the value of a variable in a local state of a process. */
uint32_t cor_rules_value(const struct cor_rules_process *process, uint32_t local, uint32_t variable);

/* The index of a value of a variable of a process, as JSON has it. COR_STATUS_INPUT: it is none. */
struct cor_json;
enum cor_status cor_rules_value_read(const struct cor_process_rules *rules, uint32_t process,
                                     uint32_t variable, const struct cor_json *json, uint32_t *value,
                                     struct cor_error *error) COR_MUST_USE;

/* A value as people write it. */
void cor_rules_text(const struct cor_rules_domain *domain, uint32_t value, char *text, size_t size);

#endif
