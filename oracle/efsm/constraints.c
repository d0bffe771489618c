/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Constraints found off line, as a file and read from it. Each cube is a condition over integers, whatever
 * its variables are in the model, and is read as it was kept: nothing is concluded from it again. */
#include <corridor/efsm_constraints.h>

#include "reach.h"

#include <corridor/array.h>
#include <corridor/fields.h>
#include <corridor/hash.h>
#include <corridor/json_names.h>

#include <stdlib.h>
#include <string.h>

#define FORMAT "efsm-constraints/1"
#define BYTES_MAX ((size_t)128 << 20) /* billing_synth of the library, complete: 71 MB */
#define REMEDY "make it again: corridor efsm reach MODEL.json --goal GOAL -o FILE"

enum cor_status cor_efsm_constraints_find(const struct cor_efsm *model, const struct cor_efsm_goal *goal,
                                          uint32_t depth, struct cor_efsm_constraints *constraints,
                                          struct cor_error *error) {
    *constraints = (struct cor_efsm_constraints){.model = model, .goal = goal, .depth = depth};
    constraints->reach = cor_calloc(goal->trap_count, sizeof(struct cor_efsm_reach *));
    COR_TRY(cor_made(constraints->reach, error));
    for (uint32_t i = 0; i < goal->trap_count; i++) {
        struct cor_efsm_reach_definition definition =
            cor_default_efsm_reach(model, &goal->traps[i], COR_EFSM_SYMBOLIC);
        definition.depth = depth;
        definition.until_initial = true;
        COR_TRY(cor_efsm_reach_create(&definition, &constraints->reach[i], error));
    }
    return COR_OK;
}

void cor_efsm_constraints_fini(struct cor_efsm_constraints *constraints) {
    for (uint32_t i = 0; constraints->reach && i < constraints->goal->trap_count; i++)
        cor_efsm_reach_destroy(constraints->reach[i]);
    free(constraints->reach);
    *constraints = (struct cor_efsm_constraints){0};
}

/* Fingerprints: of all that rings depend on, so that titles and goals of a model may change. */

static uint64_t hash_text(uint64_t hash, const char *text) {
    return cor_hash_bytes(hash, text, strlen(text));
}

static uint64_t hash_expression(uint64_t hash, const struct cor_expression *expression) {
    hash = cor_hash_word(hash, expression->node_count);
    for (uint32_t n = 0; n < expression->node_count; n++) {
        const struct cor_node *node = &expression->nodes[n];
        hash = cor_hash_word(hash, (uint64_t)node->operator);
        if (node->operator== COR_OPERATOR_CONSTANT)
            hash = cor_hash_word(hash, (uint64_t)node->constant);
        else if (node->operator== COR_OPERATOR_VARIABLE)
            hash = cor_hash_word(hash, node->variable);
        else
            hash = cor_hash_word(cor_hash_word(hash, node->left), node->right);
    }
    return hash;
}

static uint64_t hash_transition(uint64_t hash, const struct cor_efsm *model,
                                const struct cor_efsm_transition *t) {
    hash = cor_hash_word(hash_text(hash, t->id), t->source);
    hash = cor_hash_word(cor_hash_word(hash, t->target), t->input);
    hash = cor_hash_word(hash_expression(hash, &t->guard), t->update_count);
    for (uint32_t u = 0; u < t->update_count; u++)
        hash = hash_expression(cor_hash_word(hash, t->updates[u].variable), &t->updates[u].value);
    for (uint32_t o = 0; o < t->output_count; o++) {
        hash = cor_hash_word(hash, t->outputs[o].label);
        for (uint32_t a = 0; a < model->outputs[t->outputs[o].label].parameter_count; a++)
            hash = hash_expression(hash, &t->outputs[o].arguments[a]);
    }
    return hash;
}

static uint64_t hash_labels(uint64_t hash, const struct cor_efsm_label *labels, uint32_t count) {
    for (uint32_t l = 0; l < count; l++) {
        hash = cor_hash_word(hash, labels[l].parameter_count);
        for (uint32_t p = 0; p < labels[l].parameter_count; p++)
            hash = cor_hash_word(hash, labels[l].parameters[p]);
    }
    return hash;
}

static uint64_t fingerprint_of(const struct cor_efsm *model) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, model->variable_count);
    for (uint32_t v = 0; v < model->variable_count; v++) {
        const struct cor_efsm_variable *variable = &model->variables[v];
        hash = cor_hash_word(hash_text(hash, variable->name), (uint64_t)variable->kind);
        hash = cor_hash_word(cor_hash_word(hash, (uint64_t)variable->low), (uint64_t)variable->high);
        hash = cor_hash_word(hash, (uint64_t)variable->initial);
    }
    hash = cor_hash_word(cor_hash_word(hash, model->location_count), model->initial);
    for (uint32_t l = 0; l < model->location_count; l++)
        hash = hash_text(hash, model->location_names[l]);
    hash = hash_labels(hash, model->inputs, model->input_count);
    hash = hash_labels(hash, model->outputs, model->output_count);
    for (uint32_t t = 0; t < model->transition_count; t++)
        hash = hash_transition(hash, model, &model->transitions[t]);
    return hash;
}

static uint64_t fingerprint_of_trap(const struct cor_efsm_trap *trap) {
    uint64_t hash = cor_hash_word(COR_HASH_SEED, trap->previous);
    for (uint32_t i = 0; i < trap->transition_count; i++)
        hash = cor_hash_word(hash, trap->transitions[i]);
    return hash_expression(hash, &trap->constraint);
}

/* Writing. */

/* A file being written; `content` is the checksum of what was put so far. */
struct writing {
    struct cor_json_writer *writer;
    const struct efsm__space *space;
    uint64_t content;
    bool is_out_of_memory;
};

static void put_cube(struct writing *w, const struct efsm__cube *cube) {
    char *text = efsm__cube_text(w->space, cube);
    w->is_out_of_memory = w->is_out_of_memory || !text;
    if (text) {
        cor_json_put_string(w->writer, NULL, text);
        w->content = hash_text(w->content, text);
    }
    free(text);
}

/* The cubes that came with a ring and are spare from `until` on. */
static void put_group(struct writing *w, const struct efsm__layers *layers, uint32_t from, uint32_t end,
                      uint32_t until) {
    const uint32_t ring = layers->born[from];
    cor_json_open_object(w->writer, NULL);
    cor_json_put_integer(w->writer, "ring", ring);
    if (until != EFSM__NEVER)
        cor_json_put_integer(w->writer, "until", until);
    w->content = cor_hash_word(cor_hash_word(w->content, ring), until);
    cor_json_open_array(w->writer, "any_of");
    for (uint32_t c = from; c < end; c++)
        if (layers->spare_from[c] == until)
            put_cube(w, &layers->cubes.cubes[c]);
    cor_json_close(w->writer);
    cor_json_close(w->writer);
}

/* Ring by ring, in each by where cubes become spare. One that is so at once counts for nothing. */
static void put_rings(struct writing *w, const struct efsm__layers *layers) {
    for (uint32_t from = 0, end; from < layers->cubes.count; from = end) {
        for (end = from; end < layers->cubes.count && layers->born[end] == layers->born[from];)
            end++;
        for (uint32_t after = layers->born[from], until; after != EFSM__NEVER; after = until) {
            until = EFSM__NEVER;
            bool any = false;
            for (uint32_t c = from; c < end; c++)
                if (layers->spare_from[c] > after && layers->spare_from[c] <= until) {
                    until = layers->spare_from[c];
                    any = true;
                }
            if (any)
                put_group(w, layers, from, end, until);
        }
    }
}

static void put_trap(struct writing *w, const struct cor_efsm_reach *reach,
                     const struct cor_efsm_trap *trap) {
    const struct cor_efsm *model = w->space->model;
    cor_json_open_object(w->writer, NULL);
    cor_json_put_string(w->writer, "trap", trap->id);
    cor_json_put_word(w->writer, "fingerprint", fingerprint_of_trap(trap));
    cor_json_put_string(w->writer, "end", cor_efsm_end_word(reach->summary.end));
    cor_json_put_integer(w->writer, "rings", reach->summary.rings);
    cor_json_open_array(w->writer, "locations");
    w->content = cor_hash_word(cor_hash_word(w->content, (uint64_t)reach->summary.end), reach->summary.rings);
    for (uint32_t l = 0; l < model->location_count; l++) {
        if (reach->symbolic.layers[l].cubes.count == 0)
            continue;
        w->content = cor_hash_word(w->content, l);
        cor_json_open_object(w->writer, NULL);
        cor_json_put_string(w->writer, "location", model->location_names[l]);
        cor_json_open_array(w->writer, "rings");
        put_rings(w, &reach->symbolic.layers[l]);
        cor_json_close(w->writer);
        cor_json_open_array(w->writer, "all");
        for (uint32_t c = 0; c < reach->symbolic.reached[l].count; c++)
            put_cube(w, &reach->symbolic.reached[l].cubes[c]);
        cor_json_close(w->writer);
        cor_json_close(w->writer);
    }
    cor_json_close(w->writer);
    cor_json_close(w->writer);
}

enum cor_status cor_efsm_constraints_text(const struct cor_efsm_constraints *constraints, char **text,
                                          struct cor_error *error) {
    struct efsm__space space;
    struct writing w = {.space = &space, .content = COR_HASH_SEED};
    efsm__space_init(&space, constraints->model, error);
    *text = NULL;
    COR_TRY(cor_json_writer_create(&w.writer, error));
    cor_json_open_object(w.writer, NULL);
    cor_json_put_string(w.writer, "format", FORMAT);
    cor_json_put_string(w.writer, "model", constraints->model->name);
    cor_json_put_word(w.writer, "fingerprint", fingerprint_of(constraints->model));
    cor_json_put_string(w.writer, "goal", constraints->goal->name);
    cor_json_put_integer(w.writer, "depth", constraints->depth);
    cor_json_open_array(w.writer, "traps");
    for (uint32_t i = 0; i < constraints->goal->trap_count; i++)
        put_trap(&w, constraints->reach[i], &constraints->goal->traps[i]);
    cor_json_close(w.writer);
    cor_json_put_word(w.writer, "checksum", w.content);
    cor_json_close(w.writer);
    COR_TRY(cor_json_text_take(w.writer, 1, text, error));
    const bool is_too_large = strlen(*text) > BYTES_MAX;
    if (!w.is_out_of_memory && !is_too_large)
        return COR_OK;
    free(*text);
    *text = NULL;
    return w.is_out_of_memory
               ? cor_fail_memory(error)
               : cor_fail(error, COR_STATUS_INPUT, constraints->model->name, "find fewer rings (--depth)",
                          "its constraints make a file of more than %zu MB, which is not read "
                          "again",
                          BYTES_MAX >> 20);
}

/* Reading. */

/* A file being read, and what the table of the part that is looked at fills. */
struct reading {
    struct cor_efsm_constraints *constraints;
    struct efsm__space space;
    uint64_t content, checksum, fingerprint;
    const char *format, *model, *goal, *trap_id, *name;
    int end;
    uint32_t trap, location, depth, rings, ring, until;
};

static enum cor_status read_cube(struct reading *r, const struct cor_json *json, struct efsm__cube *cube,
                                 struct cor_error *error) {
    const char *text, *wrong;
    COR_TRY(cor_json_string(json, &text, error));
    if (!efsm__cube_init(&r->space, cube))
        return r->space.status;
    r->content = hash_text(r->content, text);
    wrong = efsm__cube_read(&r->space, text, cube);
    if (!wrong && r->space.status == COR_OK)
        return COR_OK;
    efsm__cube_fini(cube);
    return r->space.status != COR_OK
               ? r->space.status
               : cor_json_fail(json, error, "ranges and sums, as \"x >= 3 && x + 2 * y <= 7\"",
                               "is no constraint of this model from \"%.40s\" on", wrong);
}

static struct cor_efsm_reach *reach_of(struct reading *r) {
    return r->constraints->reach[r->trap];
}

static enum cor_status read_any_of(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    struct efsm__layers *layers = &reach_of(r)->symbolic.layers[r->location];
    const uint32_t count = layers->cubes.count;
    if (r->until <= r->ring || r->ring > r->rings || (count > 0 && layers->born[count - 1] > r->ring))
        return cor_json_fail(json->parent, error, REMEDY,
                             "rings are counted up to \"rings\", and \"until\" is a later one");
    COR_TRY(cor_json_expect_array(json, 1, UINT32_MAX, error));
    r->content = cor_hash_word(cor_hash_word(r->content, r->ring), r->until);
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct efsm__cube cube;
        COR_TRY(read_cube(r, &item, &cube, error));
        efsm__layers_restore_take(&r->space, layers, r->ring, r->until, &cube);
        COR_TRY(r->space.status);
    }
    return COR_OK;
}

static enum cor_status read_rings(const struct cor_json *json, void *into, struct cor_error *error) {
    static const struct cor_field fields[] = {
        {"ring", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, ring, 1, UINT32_MAX - 1)},
        {"until", COR_OPTIONAL, COR_INTEGER_FIELD(struct reading, until, 1, UINT32_MAX - 1)},
        {"any_of", COR_REQUIRED, COR_READ_FIELD(read_any_of)},
        {0}};
    struct reading *r = into;
    COR_TRY(cor_json_expect_array(json, 1, UINT32_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        r->until = EFSM__NEVER;
        COR_TRY(cor_json_fields(&item, fields, r, error));
    }
    return COR_OK;
}

static enum cor_status read_all(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    COR_TRY(cor_json_expect_array(json, 1, UINT32_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        struct efsm__cube cube;
        COR_TRY(read_cube(r, &item, &cube, error));
        efsm__cubes_add_take(&r->space, &reach_of(r)->symbolic.reached[r->location], &cube);
        COR_TRY(r->space.status);
    }
    return COR_OK;
}

static enum cor_status read_location(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    const struct cor_efsm *model = r->constraints->model;
    COR_TRY(cor_json_string(json, &r->name, error));
    for (r->location = 0; r->location < model->location_count; r->location++)
        if (strcmp(model->location_names[r->location], r->name) == 0)
            break;
    if (r->location == model->location_count)
        return cor_json_fail(json, error, REMEDY, "the model has no location \"%s\"", r->name);
    if (reach_of(r)->symbolic.layers[r->location].cubes.count > 0)
        return cor_json_fail(json, error, REMEDY, "location \"%s\" is there twice", r->name);
    r->content = cor_hash_word(r->content, r->location);
    return COR_OK;
}

static enum cor_status read_locations(const struct cor_json *json, void *into, struct cor_error *error) {
    static const struct cor_field fields[] = {{"location", COR_REQUIRED, COR_READ_FIELD(read_location)},
                                              {"rings", COR_REQUIRED, COR_READ_FIELD(read_rings)},
                                              {"all", COR_REQUIRED, COR_READ_FIELD(read_all)},
                                              {0}};
    struct reading *r = into;
    struct cor_efsm_reach *reach = reach_of(r);
    const struct cor_efsm_trap *trap = reach->definition.trap;
    if (strcmp(r->trap_id, trap->id) != 0 || r->fingerprint != fingerprint_of_trap(trap))
        return cor_json_fail(json->parent, error, REMEDY,
                             "is of a trap \"%s\"; the goal has changed since, \"%s\" stands there now",
                             r->trap_id, trap->id);
    r->content = cor_hash_word(cor_hash_word(r->content, (uint64_t)r->end), r->rings);
    COR_TRY(cor_json_expect_array(json, 0, UINT32_MAX, error));
    for (size_t i = 0; i < cor_json_size(json); i++) {
        const struct cor_json item = cor_json_at(json, i);
        COR_TRY(cor_json_fields(&item, fields, r, error));
    }
    efsm__symbolic_restored(reach, (enum cor_efsm_end)r->end, r->rings);
    return COR_OK;
}

static enum cor_status read_trap(struct reading *r, const struct cor_json *json, struct cor_error *error) {
    static const char *const ends[] = {"fixpoint", "initial state",     "depth",
                                       "budget",   "beyond arithmetic", NULL};
    static const struct cor_field fields[] = {
        {"trap", COR_REQUIRED, COR_STRING_FIELD(struct reading, trap_id)},
        {"fingerprint", COR_REQUIRED, COR_SEED_FIELD(struct reading, fingerprint)},
        {"end", COR_REQUIRED, COR_ONE_OF_FIELD(struct reading, end, ends, 0, "end")},
        {"rings", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, rings, 0, UINT32_MAX - 1)},
        {"locations", COR_REQUIRED, COR_READ_FIELD(read_locations)},
        {0}};
    const struct cor_efsm_constraints *c = r->constraints;
    const struct cor_efsm_trap *trap = &c->goal->traps[r->trap];
    struct cor_efsm_reach_definition definition = cor_default_efsm_reach(c->model, trap, COR_EFSM_SYMBOLIC);
    definition.depth = r->depth;
    definition.until_initial = true;
    COR_TRY(efsm__reach_begin(&definition, &c->reach[r->trap], error));
    return cor_json_fields(json, fields, r, error);
}

static enum cor_status read_traps(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    struct cor_efsm_constraints *c = r->constraints;
    if (r->fingerprint != fingerprint_of(c->model))
        return strcmp(r->model, c->model->name) != 0
                   ? cor_json_fail(json->parent, error, REMEDY,
                                   "was made for another model, \"%s\", not for \"%s\"", r->model,
                                   c->model->name)
                   : cor_json_fail(json->parent, error, REMEDY,
                                   "the model \"%s\" has changed since it was made", r->model);
    if (strcmp(r->goal, c->goal->name) != 0)
        return cor_json_fail(json->parent, error, REMEDY,
                             "has the constraints of the goal \"%s\", not of \"%s\"", r->goal, c->goal->name);
    COR_TRY(cor_json_expect_array(json, c->goal->trap_count, c->goal->trap_count, error));
    c->depth = r->depth;
    for (r->trap = 0; r->trap < c->goal->trap_count; r->trap++) {
        const struct cor_json item = cor_json_at(json, r->trap);
        COR_TRY(read_trap(r, &item, error));
    }
    return COR_OK;
}

static enum cor_status read_checksum(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    COR_TRY(cor_json_word(json, &r->checksum, error));
    if (r->checksum != r->content)
        return cor_json_fail(json, error, REMEDY,
                             "does not fit the constraints: the file was changed or damaged");
    return COR_OK;
}

static enum cor_status read_format(const struct cor_json *json, void *into, struct cor_error *error) {
    struct reading *r = into;
    COR_TRY(cor_json_string(json, &r->format, error));
    return strcmp(r->format, FORMAT) == 0
               ? COR_OK
               : cor_json_fail(json, error, "\"" FORMAT "\"", "unknown format \"%s\"", r->format);
}

enum cor_status cor_efsm_constraints_read(const char *path, const struct cor_efsm *model,
                                          const struct cor_efsm_goal *goal,
                                          struct cor_efsm_constraints *constraints, struct cor_error *error) {
    static const struct cor_field fields[] = {
        {"format", COR_REQUIRED, COR_READ_FIELD(read_format)},
        {"model", COR_REQUIRED, COR_STRING_FIELD(struct reading, model)},
        {"fingerprint", COR_REQUIRED, COR_SEED_FIELD(struct reading, fingerprint)},
        {"goal", COR_REQUIRED, COR_STRING_FIELD(struct reading, goal)},
        {"depth", COR_REQUIRED, COR_INTEGER_FIELD(struct reading, depth, 0, 1000000)},
        {"traps", COR_REQUIRED, COR_READ_FIELD(read_traps)},
        {"checksum", COR_REQUIRED, COR_READ_FIELD(read_checksum)},
        {0}};
    struct reading r = {.constraints = constraints, .content = COR_HASH_SEED};
    struct cor_json_document *document = NULL;
    enum cor_status status = COR_OK;
    *constraints = (struct cor_efsm_constraints){.model = model, .goal = goal};
    constraints->reach = cor_calloc(goal->trap_count, sizeof(struct cor_efsm_reach *));
    COR_TRY(cor_made(constraints->reach, error));
    efsm__space_init(&r.space, model, error);
    COR_TRY_OUT(cor_json_read_large(path, BYTES_MAX, &document, error));
    const struct cor_json root = cor_json_root(document);
    COR_TRY_OUT(cor_json_expect_kind(&root, COR_KIND_CONSTRAINTS, error));
    COR_TRY_OUT(cor_json_fields(&root, fields, &r, error));
out:
    cor_json_destroy(document);
    efsm__space_fini(&r.space);
    if (status != COR_OK)
        cor_efsm_constraints_fini(constraints);
    return status;
}
