/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inside the laws of parameters: shared by laws_read.c, laws_resolve.c, laws_draw.c and laws_range.c. */
#ifndef CORRIDOR_MODEL_LAWS_H
#define CORRIDOR_MODEL_LAWS_H

#include <corridor/expression.h>
#include <corridor/parameters.h>

enum cor_law_kind {
    COR_LAW_UNIFORM, /* integer in low .. high */
    COR_LAW_PAIR,    /* two integers in low .. high, sorted */
    COR_LAW_VALUE,   /* integer that follows from `low` */
    COR_LAW_REAL,    /* real in real_low .. real_high */
    COR_LAW_SIMPLEX  /* reals >= 0 that sum up to real_high */
};

#define COR_LAW_NAMES_MAX 16
#define COR_VARIABLES_MAX 200 /* parameters and helpers of one arm */

/* One line of a stage. */
struct cor_definition {
    enum cor_law_kind kind;
    uint32_t variable[COR_LAW_NAMES_MAX];
    uint32_t variable_count;
    struct cor_expression low, high; /* owned */
    double real_low, real_high;
    uint32_t stage;
    bool overridden;            /* an override gives one of its variables another value after the draw */
    char *place, *line;         /* owned; where it stands, and how it was written */
    char *low_text, *high_text; /* owned; bounds as text until they are parsed */
};

struct cor_variable {
    char *name; /* owned */
    bool is_integer, is_helper;
    uint32_t stage;      /* of its definition */
    uint32_t definition; /* index among `definitions` (helpers: among the fallback's) */
    int64_t low, high;   /* integers: surely within */
    int64_t clip_low,
        clip_high; /* integers: draws outside would be rejected in any case, so they are not made */
    double real_low, real_high;
};

struct cor_override {
    uint32_t variable;
    char *name, *text, *place;   /* owned */
    char *line;                  /* owned; how it was written, for messages */
    struct cor_expression value; /* owned */
};

struct cor_constraint {
    char *text, *place;               /* owned */
    struct cor_expression expression; /* owned */
    uint32_t stage;                   /* at whose end it is checked */
    uint32_t fallback_stage;          /* the same while the fallback is drawn */
};

struct cor_stages {
    struct cor_definition *definitions; /* owned; ordered by stage */
    size_t count, capacity;
    uint32_t stage_count;
};

struct cor_parameter_laws {
    struct cor_stages main, fallback;
    uint32_t model_stages; /* stages of the first fragment */
    bool has_fallback;
    struct cor_json fallback_json;  /* read when all parameters are known, so that helpers come last */
    struct cor_variable *variables; /* owned; parameters, then helpers */
    size_t variable_count, variable_capacity;
    uint32_t parameter_count;
    const char **names;             /* owned array */
    struct cor_override *overrides; /* owned */
    size_t override_count, override_capacity;
    struct cor_constraint *constraints; /* owned */
    size_t constraint_count, constraint_capacity;
};

/* Index of a variable, -1 = there is none. */
int cor__laws_variable(const struct cor_parameter_laws *laws, const char *name, size_t length);

/* The definition that draws a variable, NULL if none of these stages does. */
struct cor_definition *cor__laws_definition(struct cor_stages *stages, uint32_t variable);

/* Reads a list of stages, or one stage, behind those that are there. */
enum cor_status cor__laws_read_stages(struct cor_parameter_laws *laws, struct cor_stages *stages,
                                      const struct cor_json *json, struct cor_error *error) COR_MUST_USE;

/* Gives every variable a constant range that surely holds it: interval arithmetic over the bounds. A constant
 * range that is empty is COR_STATUS_UNSATISFIABLE. */
enum cor_status cor__laws_enclose(struct cor_parameter_laws *laws, struct cor_error *error) COR_MUST_USE;

/* Draws the stages up to `last_stage` once each, without the fallback; whether their constraints held at
 * once. integers and reals: cor_parameter_laws_capacity() items; what is not drawn stays as it is. */
bool cor__laws_try(const struct cor_parameter_laws *laws, struct cor_rng *rng, uint32_t last_stage,
                   int64_t *integers, double *reals);

#endif
