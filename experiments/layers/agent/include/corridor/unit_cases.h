/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cases of a unit (000, 5): its variables, their equivalence classes, and combinations of these. Cases
 * are not stored but made by number, so that ten million of them need no memory; combinations that were
 * searched for are stored as rows of classes.
 *
 * A case posts one of the unit's entry events. Its variables are the parameters of that event and the fields
 * that the unit's plans list, or that a context or a condition of a body reads. A unit of a plan has one
 * entry, its trigger; of an event, that event; a ring has the trigger of each plan, and its cases are those
 * of all of them.
 *
 * Boundaries are the constants of all conditions, bounds, contexts and conditions in bodies that compare the
 * variable with a number. Classes are the boundaries and the open intervals between them, as far as they
 * have values; the words of an enumeration; true and false; null, the words a string is compared with, and
 * any other. A class is valid where the conditions hold: all of the parameter, and those of any of the plans
 * that list the variable. */
#ifndef CORRIDOR_UNIT_CASES_H
#define CORRIDOR_UNIT_CASES_H

#include <corridor/design_file.h>

#define COR_CASES_MAX 100000000 /* of one unit; more are refused */

/* The words of policies, NULL behind the last: "valid-all/invalid-single" and "valid-all",
 * "valid-t/invalid-single" and "valid-t", "all", "t-wise". And the policy of the word at an
 * index, which must be that of a word. */
const char *cor_case_policy_word(size_t index);
enum cor_case_policy cor_case_policy_at(size_t index);

/* What values a class has. */
enum cor_class_kind {
    COR_CLASS_VALUE,    /* `sample` and nothing else */
    COR_CLASS_INTERVAL, /* numbers between low and high (exclusive) */
    COR_CLASS_OTHER     /* any word that has no class of its own */
};

/* An equivalence class of one variable, and the value that stands for it in cases. */
struct cor_unit_class {
    enum cor_class_kind kind;
    struct cor_value low, high; /* INTERVAL: null where it is open without end */
    bool valid;
    struct cor_value sample; /* drawn from the stream of the unit, variable and class */
};

/* A variable of one entry: its classes are [first_class, first_class + class_count) of the unit's, of which
 * valid_count are valid. */
struct cor_unit_variable {
    uint32_t slot;   /* in a plan that the entry triggers */
    uint32_t domain; /* of the design */
    uint32_t first_class, class_count, valid_count;
    uint32_t single_rows; /* with an invalid value of it: rows that have all valid classes of the others */
};

/* The cases that post one event. */
struct cor_case_entry {
    uint32_t event;
    uint32_t first_variable, variable_count;
    uint64_t combinations; /* of all classes */
    uint64_t valid;        /* of valid classes */
    uint64_t
        invalid_single; /* with one invalid class: each with the fewest rows that have all valid others */
    uint64_t first_case, case_count;
    bool only_valid;     /* what comes first has valid classes alone; then come invalid ones, one at a time */
    uint64_t row_count;  /* of what comes first: combinations, or rows that were searched for */
    uint32_t *row_ranks; /* owned; NULL: all combinations; [row][variable] rank of its class */
};

/* The cases of one unit, by number. The caller's, filled by cor_unit_cases_init, freed by
 * cor_unit_cases_fini. */
struct cor_unit_cases {
    const struct cor_design_file *file; /* borrowed */
    uint32_t unit;
    struct cor_test_settings settings;
    struct cor_case_entry *entries; /* owned */
    uint32_t entry_count;
    struct cor_unit_variable *variables; /* owned; entry after entry; fields are in each */
    uint32_t variable_count;
    struct cor_unit_class *classes; /* owned; variable after variable, numbers ascending */
    uint32_t class_count;
    uint32_t *ranked; /* owned; [first_class + rank] index of a class: of each variable the valid first */
    uint32_t *own; /* owned; cases of this unit that no class makes: the user's own, then those solved for */
    uint32_t own_count, solved_count;
    uint64_t combinations, valid, invalid_single; /* sums over the entries */
    uint64_t count;                               /* of cases, those included */
};

/* The cases of a unit under these settings (NULL: those of the design). Pure: the same for the same design,
 * unit and settings. COR_STATUS_INPUT: more than COR_CASES_MAX cases are asked for. COR_STATUS_UNSATISFIABLE:
 * conditions of event and plans together leave a variable without a valid value; the cause names them. */
enum cor_status cor_unit_cases_init(struct cor_unit_cases *cases, const struct cor_design_file *file,
                                    uint32_t unit, const struct cor_test_settings *settings,
                                    struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_unit_cases_fini(struct cor_unit_cases *cases);

/* One case, in memory that is used again. */
struct cor_case_values {
    uint32_t entry;    /* index among the entries */
    uint32_t event;    /* that is posted */
    bool valid;        /* all classes are; of the user's own: always */
    bool own, solved;  /* it is the user's; it was solved for */
    uint32_t *classes; /* owned; [variable of the entry] index among the unit's classes; own: COR_NONE */
    struct cor_value *arguments; /* owned; [parameter] */
    struct cor_value *beliefs;   /* owned; [field]; those that do not vary have their start value */
    struct cor_value *slots;     /* owned; room for cor_unit_case_applicable */
};

/* Room for any case of any unit of the design. */
enum cor_status cor_case_values_init(struct cor_case_values *values, const struct cor_design *design,
                                     struct cor_error *error) COR_MUST_USE;

/* Frees what it holds. Idempotent. */
void cor_case_values_fini(struct cor_case_values *values);

/* Copies a case into values of the same design, but for its room. */
void cor_case_values_copy(struct cor_case_values *to, const struct cor_case_values *from,
                          const struct cor_unit_cases *cases);

/* Makes case `index`, 0 .. count-1: a function of its number. Allocates nothing. */
void cor_unit_case_make(const struct cor_unit_cases *cases, uint64_t index, struct cor_case_values *values);

/* What a case begins with that is said value by value: of each variable the first class, which is a valid one
 * if there is any. */
void cor_unit_case_begin(const struct cor_unit_cases *cases, uint32_t entry, struct cor_case_values *values);

/* Is case `index` one of the user's? */
bool cor_unit_case_is_own(const struct cor_unit_cases *cases, uint64_t index);

/* When they are said: its classes (COR_NONE: of what has none), and whether it is valid - if all are, or case
 * `index`, of which it was made, is the user's. */
void cor_unit_case_settle(const struct cor_unit_cases *cases, uint64_t index, struct cor_case_values *values);

/* Does the context of some plan of the unit that the event triggers hold in the case? Apart from validity: a
 * valid case may be applicable or not. */
bool cor_unit_case_applicable(const struct cor_unit_cases *cases, struct cor_case_values *values);

/* What a class is called: "(-inf, 0)", "200", "'a word'", "null", "not null"; into `text`. */
void cor_unit_class_text(const struct cor_unit_cases *cases, const struct cor_unit_variable *variable,
                         const struct cor_unit_class *class, char *text, size_t size);

/* What a variable is called: of a parameter its name, behind that of the event and a point where the unit has
 * several entries; of a field "set.Field". Into `text`. */
void cor_unit_variable_text(const struct cor_unit_cases *cases, const struct cor_case_entry *entry,
                            const struct cor_unit_variable *variable, char *text, size_t size);

#endif
