/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples of the classes of a unit. Each is drawn from the stream of (seed; unit and variable; class), so
 * that nothing else of a design changes it. A condition between variables may hold for some samples and not
 * for others, and boundaries cannot see it: where the samples drawn first leave a context or a condition of a
 * body without one of its outcomes, all are drawn again, and the first try with the most outcomes is kept. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/hash.h>

#include <stdlib.h>
#include <string.h>

#define TRIES_MAX 32
#define PROBES_MAX 2000 /* cases of a unit that are looked at */

struct sampler {
    struct cor_unit_cases *cases;
    struct cor_design *design;
    const struct cor__boundaries *boundaries; /* [variable] */
    uint64_t unit_hash;
    uint8_t *seen; /* bits of each condition, plan after plan: 1 held, 2 did not */
    uint32_t condition_count;
    struct cor_case_values values;
    struct cor_error *error;
};

/* The stream of a class; the same for a field whichever entry it is a variable of. */
static struct cor_rng stream(const struct sampler *sampler, const struct cor_case_entry *entry,
                             const struct cor_unit_variable *variable, uint32_t class, uint32_t attempt) {
    char text[512];
    cor_unit_variable_text(sampler->cases, entry, variable, text, sizeof text);
    const struct cor_stream_name name = {.seed = sampler->cases->settings.seed,
                                         .identity = cor_hash_bytes(sampler->unit_hash, text, strlen(text)),
                                         .sequence = attempt,
                                         .entity = class,
                                         .purpose = COR_PURPOSE_SAMPLE};
    return cor_rng_named(&name);
}

static enum cor_status draw_variable(struct sampler *sampler, const struct cor_case_entry *entry,
                                     uint32_t index, uint32_t attempt) {
    struct cor_unit_cases *cases = sampler->cases;
    const struct cor_unit_variable *variable = &cases->variables[index];
    for (uint32_t c = 0; c < variable->class_count; c++) {
        struct cor_unit_class *class = &cases->classes[variable->first_class + c];
        struct cor_rng rng = stream(sampler, entry, variable, c, attempt);
        COR_TRY(cor__class_draw(class, &sampler->design->domains[variable->domain],
                                &sampler->boundaries[index], &sampler->design->words, &rng, &class->sample,
                                sampler->error));
    }
    return COR_OK;
}

static enum cor_status draw(struct sampler *sampler, uint32_t attempt) {
    struct cor_unit_cases *cases = sampler->cases;
    for (uint32_t e = 0; e < cases->entry_count; e++)
        for (uint32_t v = 0; v < cases->entries[e].variable_count; v++)
            COR_TRY(
                draw_variable(sampler, &cases->entries[e], cases->entries[e].first_variable + v, attempt));
    return COR_OK;
}

/* Bits of the conditions of a plan in one case: that a context holds counts in valid cases alone, and what a
 * body says where its plan is started in one. Bodies are looked at with the values at the start. */
static void probe_plan(struct sampler *sampler, const struct cor_plan_code *code, uint8_t *seen) {
    const struct cor_case_values *values = &sampler->values;
    bool holds = !code->has_context || cor_expression_judge(&code->context, values->slots);
    if (!holds)
        *seen |= 2;
    else if (values->valid)
        *seen |= 1;
    seen++;
    for (uint32_t i = 0; i < code->instruction_count; i++) {
        if (code->instructions[i].kind != COR_INSTRUCTION_BRANCH)
            continue;
        if (holds && values->valid)
            *seen |= cor_expression_judge(&code->expressions[code->instructions[i].expression], values->slots)
                         ? 1
                         : 2;
        seen++;
    }
}

static void probe(struct sampler *sampler, uint64_t index) {
    const struct cor_units *units = &sampler->cases->file->order.units;
    const struct cor_unit *unit = &units->units[sampler->cases->unit];
    struct cor_case_values *values = &sampler->values;
    uint8_t *seen = sampler->seen;
    cor_unit_case_make(sampler->cases, index, values);
    cor_design_view(sampler->design, values->event, values->beliefs, values->arguments, values->slots);
    for (uint32_t m = 0; m < unit->member_count; m++) {
        const struct cor_design_plan *plan = &sampler->design->plans[cor_unit_members(units, unit)[m]];
        if (plan->trigger == values->event)
            probe_plan(sampler, &plan->code, seen);
        seen += 1 + plan->code.branch_count;
    }
}

/* How many outcomes of conditions the cases have. */
static uint32_t score(struct sampler *sampler) {
    const uint64_t count = sampler->cases->count - sampler->cases->own_count;
    const uint64_t probes = count < PROBES_MAX ? count : PROBES_MAX;
    uint32_t outcomes = 0;
    memset(sampler->seen, 0, sampler->condition_count);
    for (uint64_t i = 0; i < probes; i++)
        probe(sampler, i * (count / probes));
    for (uint32_t i = 0; i < sampler->condition_count; i++)
        outcomes += (sampler->seen[i] & 1) + (sampler->seen[i] >> 1);
    return outcomes;
}

/* Outcomes there could be: a plan without context is applicable only, but a condition may have one alone. */
static uint32_t count_conditions(const struct sampler *sampler, uint32_t *outcomes) {
    const struct cor_units *units = &sampler->cases->file->order.units;
    const struct cor_unit *unit = &units->units[sampler->cases->unit];
    uint32_t conditions = 0;
    *outcomes = 0;
    for (uint32_t m = 0; m < unit->member_count; m++) {
        const struct cor_plan_code *code = &sampler->design->plans[cor_unit_members(units, unit)[m]].code;
        conditions += 1 + code->branch_count;
        *outcomes += 1 + code->has_context + 2 * code->branch_count;
    }
    return conditions;
}

static enum cor_status draw_best(struct sampler *sampler) {
    uint32_t wanted, best = 0, best_score = 0, attempt = 0;
    sampler->condition_count = count_conditions(sampler, &wanted);
    sampler->seen = cor_calloc(sampler->condition_count, sizeof *sampler->seen);
    COR_TRY(cor_made(sampler->seen, sampler->error));
    for (; attempt < TRIES_MAX && best_score < wanted; attempt++) {
        COR_TRY(draw(sampler, attempt));
        uint32_t reached = score(sampler);
        if (reached > best_score) {
            best_score = reached;
            best = attempt;
        }
    }
    return best + 1 == attempt ? COR_OK : draw(sampler, best);
}

enum cor_status cor__unit_samples_draw(struct cor_unit_cases *cases, const struct cor__boundaries *boundaries,
                                       struct cor_error *error) {
    struct sampler sampler = {
        .cases = cases, .design = cases->file->design, .boundaries = boundaries, .error = error};
    enum cor_status status = COR_OK;
    char *name = cor_unit_name(sampler.design, &cases->file->order.units, cases->unit);
    COR_TRY_OUT(cor_made(name, error));
    sampler.unit_hash = cor_hash_bytes(COR_HASH_SEED, name, strlen(name));
    COR_TRY_OUT(cor_case_values_init(&sampler.values, sampler.design, error));
    COR_TRY_OUT(draw_best(&sampler));
out:
    cor_case_values_fini(&sampler.values);
    free(sampler.seen);
    free(name);
    return status;
}
