/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attributes of agents: typed columns beside the value, which is column 0 and no attribute. Each is a number
 * an agent, whatever its type: a truth value is 0 or 1, a word its index in the attribute's list. NaN: the
 * agent has no value, because what it is computed from is undefined or out of the attribute's range.
 *
 * Agents of one type come by an attribute in one way: it is fixed for the suite, or a level that goes with
 * the agent's state, or computed from the value and attributes before it, or it adds up what is computed so.
 */
#ifndef CORRIDOR_ATTRIBUTES_H
#define CORRIDOR_ATTRIBUTES_H

#include <corridor/error.h>

#include <stdbool.h>
#include <stdint.h>

#define COR_ATTRIBUTES_MAX 64
#define COR_ATTRIBUTE_INTEGER_MAX                                            \
    9007199254740991.0 /* 2^53 - 1: up to it a column holds integers exactly \
                        */

enum cor_attribute_type {
    COR_ATTRIBUTE_REAL,
    COR_ATTRIBUTE_INTEGER,
    COR_ATTRIBUTE_BOOLEAN,
    COR_ATTRIBUTE_WORDS
};

enum cor_attribute_source {
    COR_ATTRIBUTE_FIXED,
    COR_ATTRIBUTE_LEVEL,
    COR_ATTRIBUTE_COMPUTED,
    COR_ATTRIBUTE_ADDED /* each time that the agent perceives, the formula's number is added to it, and it
                           stays within its bounds; where that is undefined, and of who idles, nothing is */
};

/* What a step of a formula does. Undefined is whatever is made of something undefined, a division by zero, an
 * integer beyond COR_ATTRIBUTE_INTEGER_MAX and a real that is not finite. */
enum cor_formula_operator {
    COR_FORMULA_CONSTANT,
    COR_FORMULA_COLUMN, /* `left`: 0 = the value, 1 + index of an attribute */
    COR_FORMULA_NEGATE,
    COR_FORMULA_ADD,
    COR_FORMULA_SUBTRACT,
    COR_FORMULA_MULTIPLY,
    COR_FORMULA_DIVIDE,
    COR_FORMULA_FLOOR_DIVIDE, /* of integers, rounded down; their remainder; rounded up */
    COR_FORMULA_REMAINDER,
    COR_FORMULA_CEIL_DIVIDE,
    COR_FORMULA_MIN,
    COR_FORMULA_MAX,
    COR_FORMULA_ABS,
    COR_FORMULA_LESS, /* from here on: 0 or 1 */
    COR_FORMULA_LESS_EQUAL,
    COR_FORMULA_EQUAL,
    COR_FORMULA_NOT_EQUAL,
    COR_FORMULA_AND,
    COR_FORMULA_OR,
    COR_FORMULA_NOT
};

struct cor_formula_step {
    uint16_t operator, left, right; /* enum cor_formula_operator; steps before this one; unary: left twice */
    bool is_integer;                /* it gives an integer */
    double constant;
};

#define COR_FORMULA_STEPS_MAX 100

/* What an attribute is computed by; the last step gives it. */
struct cor_formula {
    char *text;                     /* owned; as the user wrote it */
    struct cor_formula_step *steps; /* owned */
    uint32_t step_count;
};

/* How agents of a type come by an attribute. */
struct cor_attribute_rule {
    enum cor_attribute_source source;
    bool
        has_inertia; /* LEVEL: it goes to the level by the agent's inertia, as the value does; else at once */
    double **level;  /* LEVEL: owned; [profile][agent state] */
    struct cor_formula formula; /* COMPUTED, ADDED: this may read the attribute itself, too */
};

struct cor_agent_attribute {
    char *name, *unit; /* owned; no unit: "" */
    enum cor_attribute_type type;
    double low, high; /* of numbers, inclusive; infinite where there is no bound */
    char **words;     /* owned, and each, ended by NULL; WORDS: code -> word */
    uint32_t word_count;
    struct cor_attribute_rule *rules; /* owned; [type]; NULL: only declared */
    bool is_one_formula;              /* computed, and by the same formula whatever the type */
    bool is_written; /* a mechanism may write it: what is FIXED stays as it was written last, not for the
                        suite */
    double *initial; /* owned; [agent]: FIXED: of all cases; LEVEL: of the initial state; ADDED: at first;
                        else of no meaning */
};

/* Makes `copy` what `attribute` is declared to be, without rules and values. On failure it is empty. */
enum cor_status cor_attribute_copy_declaration(const struct cor_agent_attribute *attribute,
                                               struct cor_agent_attribute *copy,
                                               struct cor_error *error) COR_MUST_USE;

/* Frees what it holds of a declaration. Idempotent. */
void cor_attribute_fini_declaration(struct cor_agent_attribute *attribute);

/* The index of an attribute of that name, COR_NOBODY if there is none. */
uint32_t cor_attribute_find(const struct cor_agent_attribute *attributes, uint32_t count, const char *name);

/* A number of it as people read it: a word, true, 12, 0.5; "-" for none. */
void cor_attribute_text(const struct cor_agent_attribute *attribute, double number, char *text, size_t size);

#endif
