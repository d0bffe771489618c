/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loop.h"
#include "text.h"

#include <corridor/array.h>
#include <corridor/monitors.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct interaction__monitors {
    struct cor_monitors *monitors; /* owned, as all here */
    struct cor_trigger_program program;
    struct interaction__parts parts;
    struct cor_monitor_column *columns;
    struct cor_objective *conditions;  /* [part] */
    struct cor_objective_step **steps; /* [part] */
    uint32_t *cases;                   /* [part] */
    uint32_t looks;                    /* of the sequence */
    uint32_t
        unanswered; /* cases on end that were outside without an alarm, since organizations are as they are */
    uint32_t
        since_outside; /* cases since one of them that may have been outside; UINT32_MAX: there was none */
    bool is_over;
};

struct interaction__monitors_saved {
    struct cor_monitors_saved *monitors; /* owned */
    uint32_t looks, unanswered, since_outside;
    bool is_over;
};

/* ---- observers derived from the text */

/* Appends a node and what it is made of, each once; *made: its step. */
static void take_node(const struct cor_runner *r, const struct cor_trigger_program *program, uint32_t index,
                      uint32_t *step_of, struct cor_objective_step *steps, uint32_t *count) {
    if (step_of[index] != COR_NOBODY)
        return;
    struct cor_objective_step step =
        interaction__text_step(r->suite->experiment->text_corridor, &r->rules, program, index);
    if (program->nodes[index].operator> COR_TRIGGER_GREATEST) {
        take_node(r, program, step.left, step_of, steps, count);
        step.left = step_of[step.left];
        if (step.right != COR_NOBODY) {
            take_node(r, program, step.right, step_of, steps, count);
            step.right = step_of[step.right];
        }
    }
    step_of[index] = *count;
    steps[(*count)++] = step;
}

enum cor_status interaction__monitors_create(struct cor_runner *r, struct cor_error *error) {
    struct interaction__monitors *m = r->monitors = cor_calloc(1, sizeof *m);
    COR_TRY(cor_made(m, error));
    COR_TRY(interaction__text_split(r->suite->experiment->text_corridor, interaction__text_suite_judge(r),
                                    r->suite->arm->monitors.subject == COR_MONITOR_AGENT, &m->program,
                                    &m->parts, error));
    m->conditions = cor_calloc(m->parts.count, sizeof *m->conditions);
    m->steps = cor_calloc(m->parts.count, sizeof(struct cor_objective_step *));
    COR_TRY(cor_made(m->conditions, error));
    m->cases = cor_calloc(m->parts.count, sizeof *m->cases);
    COR_TRY(cor_made(m->steps, error));
    COR_TRY(cor_made(m->cases, error));
    for (uint32_t p = 0; p < m->parts.count; p++) {
        /* The part as a condition over the one block that an instance sees. */
        const struct interaction__part *part = &m->parts.parts[p];
        const struct cor_trigger_program *program = &m->program;
        uint32_t *step_of = cor_calloc(program->node_count, sizeof *step_of), count = 0;
        struct cor_objective_step *steps = m->steps[p] = cor_calloc(program->node_count + 1, sizeof *steps);
        if (!step_of || !steps) {
            free(step_of);
            return cor_fail_memory(error);
        }
        memset(step_of, 0xff, program->node_count * sizeof *step_of);
        take_node(r, program, part->root, step_of, steps, &count);
        if (part->filter != COR_NOBODY)
            take_node(r, program, part->filter, step_of, steps, &count);
        steps[count] = (struct cor_objective_step){.what = COR_OBJECTIVE_ALL_OF,
                                                   .left = part->filter != COR_NOBODY ? step_of[part->filter]
                                                                                      : COR_NO_BLOCK,
                                                   .right = step_of[part->root],
                                                   .filter = COR_OBJECTIVE_NO_FILTER};
        m->conditions[p] = (struct cor_objective){count + 1, program->filter_count, steps, NULL};
        m->cases[p] = part->cases;
        free(step_of);
    }
    COR_TRY(cor_made(m->columns = cor_calloc(r->rules.value_count, sizeof *m->columns), error));
    for (uint32_t c = 0; c < r->rules.value_count; c++) {
        const struct cor_value_column *column = r->rules.columns ? &r->rules.columns[c] : NULL;
        m->columns[c] =
            (struct cor_monitor_column){column ? column->name : "value", column ? column->unit : ""};
    }
    const struct cor_monitors_definition definition =
        interaction__monitors_definition(&r->suite->arm->monitors);
    const struct cor_monitors_system system = {.agent_count = r->configuration->agent_count,
                                               .column_count = r->rules.value_count,
                                               .filter_count = m->program.filter_count,
                                               .condition_count = m->parts.count,
                                               .columns = m->columns,
                                               .filters = m->program.filters,
                                               .conditions = m->conditions,
                                               .looks = m->cases};
    return cor_monitors_create(&definition, &system, &m->monitors, error);
}

void interaction__monitors_destroy(struct interaction__monitors *m) {
    if (!m)
        return;
    cor_monitors_destroy(m->monitors);
    for (uint32_t p = 0; m->steps && p < m->parts.count; p++)
        free(m->steps[p]);
    COR_FREE(m->steps, m->conditions, m->cases, m->columns);
    interaction__parts_fini(&m->parts);
    cor_trigger_program_fini(&m->program);
    free(m);
}

void interaction__monitors_begin(struct interaction__monitors *m) {
    cor_monitors_restart(m->monitors);
    m->looks = m->unanswered = 0;
    m->since_outside = UINT32_MAX;
    m->is_over = false;
}

/* ---- a case */

/* Is one of the triggers that do not split due, by what watches the whole system? */
static bool is_global_due(const struct cor_runner *r) {
    const struct interaction__monitors *m = r->monitors;
    const uint32_t *outside = interaction__text_suite_outside(r);
    bool is_due = false;
    for (uint32_t t = 0; t < m->parts.trigger_count; t++)
        is_due = is_due || (m->parts.reasons[t] &&
                            outside[t] >= interaction__text_cases(r->suite->experiment->text_corridor,
                                                                  m->parts.triggers[t]));
    return is_due;
}

enum cor_status interaction__monitors_look(struct cor_runner *r, struct cor_case *this_case,
                                           struct cor_error *error) {
    struct interaction__monitors *m = r->monitors;
    const struct cor_arm_monitors *said = &r->suite->arm->monitors;
    struct cor_monitors_answer answer;
    this_case->alarm = false;
    if (m->is_over) /* earlier in the same case */
        return COR_OK;
    const bool is_time = m->looks++ % said->clock == 0;
    COR_TRY(
        cor_monitors_look(m->monitors, is_time, &r->structure, cor_state_columns(r->state), &answer, error));
    if (answer.is_new) {
        m->unanswered = 0;
        m->since_outside = UINT32_MAX;
    }
    r->counts.by_machine += answer.by_machine;
    if (answer.smoke == COR_SMOKE_NONE) {
        this_case->alarm = answer.alarm || (said->rest == COR_REST_GLOBAL && is_global_due(r));
        return COR_OK;
    }
    m->is_over = r->sequence.is_stopped = true;
    if (r->sequence.first_failure == 0)
        r->sequence.first_failure = this_case->number;
    return interaction__note_foreign_smoke(r, this_case, answer.smoke, answer.complaint, &answer.fate, error);
}

void interaction__monitors_see(struct cor_runner *r, const struct cor_case *this_case) {
    struct interaction__monitors *m = r->monitors;
    const bool is_outside = this_case->inside == COR_INSIDE_OUTSIDE;
    m->unanswered = is_outside && !this_case->alarm ? m->unanswered + 1 : 0;
    if (this_case->inside != COR_INSIDE_INSIDE)
        m->since_outside = 0;
    else if (m->since_outside != UINT32_MAX)
        m->since_outside++;
}

void interaction__monitors_judge(const struct cor_runner *r, struct cor_case *this_case,
                                 struct cor_judgement *judgement) {
    const struct interaction__monitors *m = r->monitors;
    const uint32_t clock = r->suite->arm->monitors.clock,
                   late = cor_monitors_introduction(m->monitors)->tolerance; /* in looks */
    const uint64_t unanswered_most = ((uint64_t)late + 1) * clock - 1, outside_most = (uint64_t)late * clock;
    const bool is_contrary = this_case->inside == (this_case->alarm ? COR_INSIDE_INSIDE : COR_INSIDE_OUTSIDE);
    if (is_contrary &&
        (this_case->alarm ? m->since_outside <= outside_most : m->unanswered <= unanswered_most))
        this_case->inside = COR_INSIDE_TOLERATED;
    interaction__text_judge_alarm(this_case, judgement);
}

bool interaction__monitors_are_over(const struct cor_runner *r) {
    return r->monitors && r->monitors->is_over;
}

/* ---- kept, and set again */

void interaction__monitors_saved_destroy(struct interaction__monitors_saved *saved) {
    if (saved)
        cor_monitors_saved_destroy(saved->monitors);
    free(saved);
}

enum cor_status interaction__monitors_save(const struct cor_runner *r,
                                           struct interaction__monitors_saved **saved,
                                           struct cor_error *error) {
    const struct interaction__monitors *m = r->monitors;
    if (!*saved)
        COR_TRY(cor_made(*saved = cor_calloc(1, sizeof **saved), error));
    (*saved)->looks = m->looks;
    (*saved)->unanswered = m->unanswered;
    (*saved)->since_outside = m->since_outside;
    (*saved)->is_over = m->is_over;
    return cor_monitors_save(m->monitors, &(*saved)->monitors, error);
}

enum cor_status interaction__monitors_restore(struct cor_runner *r,
                                              const struct interaction__monitors_saved *saved,
                                              struct cor_error *error) {
    struct interaction__monitors *m = r->monitors;
    m->looks = saved->looks;
    m->unanswered = saved->unanswered;
    m->since_outside = saved->since_outside;
    m->is_over = saved->is_over;
    return cor_monitors_restore(m->monitors, saved->monitors, error);
}
