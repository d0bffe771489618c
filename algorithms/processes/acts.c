/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables of events. Of rules they come of the tables of views: nobody is asked anything more. */
#include "internal.h"

#include <corridor/acts.h>

#include <corridor/array.h>

#include <stdlib.h>

/* ---- tables */

static enum cor_status add_choice(struct cor_acts_process *process, uint32_t outcomes,
                                  struct cor_error *error) {
    COR_TRY(COR_RESERVE(&process->choices, &process->choice_capacity, process->choice_count + 1, error));
    COR_TRY(COR_RESERVE(&process->outcomes, &process->outcome_capacity, process->outcome_count + outcomes,
                        error));
    process->choices[process->choice_count++] =
        (struct cor_rules_choice){(uint32_t)process->outcome_count, outcomes};
    return COR_OK;
}

static enum cor_status add_send(struct cor_acts *acts, uint32_t link, uint32_t message,
                                struct cor_error *error) {
    COR_TRY(COR_RESERVE(&acts->sends, &acts->send_capacity, acts->send_count + 1, error));
    acts->sends[acts->send_count++] = (struct cor_acts_send){link, message};
    return COR_OK;
}

void processes__number_events(struct cor_acts *acts, uint32_t p, uint32_t alarms) {
    struct cor_acts_process *process = &acts->processes[p];
    process->alarm_count = process->event_count = alarms;
    for (uint32_t i = 0; i < process->link_count; i++) {
        acts->links[process->links[i]].first_event = process->event_count;
        process->event_count += acts->links[process->links[i]].message_count;
    }
}

void cor_acts_destroy(struct cor_acts *acts) {
    if (!acts)
        return;
    for (uint32_t p = 0; p < acts->process_count && acts->processes; p++) {
        free(acts->processes[p].values);
        free(acts->processes[p].set);
        free(acts->processes[p].shown);
        free(acts->processes[p].first);
        free(acts->processes[p].choices);
        free(acts->processes[p].outcomes);
    }
    free(acts->processes);
    free(acts->sends);
    free(acts->ticks);
    for (uint32_t m = 0; m < acts->message_count; m++)
        free(acts->messages[m].bytes);
    free(acts->messages);
    free(acts);
}

/* ---- rules over messages */

static bool has_copies(const struct cor_rules_process *process) {
    return process->read_count > 1;
}

/* Local states: its own as a digit that goes fastest, then its copies. */
static uint64_t copy_stride(const struct cor_process_rules *rules, uint32_t p, uint32_t r) {
    const struct cor_rules_process *process = &rules->processes[p];
    uint64_t stride = process->local_count;
    for (uint32_t before = 0; before < r; before++)
        stride *= rules->processes[process->reads[before]].local_count;
    return stride;
}

uint32_t cor_acts_copy(const struct cor_process_rules *rules, uint32_t p, uint32_t local, uint32_t r) {
    const struct cor_rules_process *process = &rules->processes[p];
    if (!has_copies(process))
        return COR_NO_COPY;
    return (uint32_t)(local / copy_stride(rules, p, r) % rules->processes[process->reads[r]].local_count);
}

static enum cor_status send_all(struct cor_acts *acts, uint32_t p, uint32_t own,
                                struct cor_acts_outcome *outcome, struct cor_error *error) {
    outcome->first_send = (uint32_t)acts->send_count;
    for (uint32_t l = 0; l < acts->link_count; l++)
        if (acts->links[l].from == p)
            COR_TRY(add_send(acts, l, own, error));
    outcome->send_count = (uint32_t)acts->send_count - outcome->first_send;
    return COR_OK;
}

/* The rule's choices for a view, or that it stays as it is. `rest` is the local state without its own digit.
 */
static enum cor_status add_rule(struct cor_acts *acts, const struct cor_process_rules *rules, uint32_t p,
                                uint64_t view, uint32_t rest, bool sends, struct cor_error *error) {
    const struct cor_rules_process *said = &rules->processes[p];
    struct cor_acts_process *process = &acts->processes[p];
    const uint32_t own = (uint32_t)(view % said->local_count), first = said->first[view];
    const uint32_t count = said->first[view + 1] - first;
    for (uint32_t c = 0; c < count || c == 0; c++) {
        const struct cor_rules_choice choice =
            count > 0 ? said->choices[first + c] : (struct cor_rules_choice){0, 1};
        COR_TRY(add_choice(process, choice.count, error));
        for (uint32_t o = 0; o < choice.count; o++) {
            struct cor_acts_outcome *outcome = &process->outcomes[process->outcome_count++];
            const uint32_t next = count > 0 ? said->outcomes[choice.first + o] : own;
            *outcome = (struct cor_acts_outcome){.local = rest + next};
            if (sends)
                COR_TRY(send_all(acts, p, next, outcome, error));
        }
    }
    return COR_OK;
}

static enum cor_status tabulate(struct cor_acts *acts, const struct cor_process_rules *rules, uint32_t p,
                                struct cor_error *error) {
    const struct cor_rules_process *said = &rules->processes[p];
    struct cor_acts_process *process = &acts->processes[p];
    size_t at = 0;
    process->first =
        cor_calloc((size_t)process->local_count * process->event_count + 1, sizeof *process->first);
    process->values = cor_calloc(process->local_count, sizeof *process->values);
    COR_TRY(process->first && process->values ? COR_OK : cor_fail_memory(error));
    for (uint32_t local = 0; local < process->local_count; local++) {
        const uint32_t own = local % said->local_count;
        process->values[local] = own;
        if (process->alarm_count > 0) {
            if (said->read_count == 0)
                COR_TRY(add_rule(acts, rules, p, own, local - own, true, error));
            else {
                COR_TRY(add_choice(process, 1, error));
                struct cor_acts_outcome *outcome = &process->outcomes[process->outcome_count++];
                *outcome = (struct cor_acts_outcome){.local = local};
                COR_TRY(send_all(acts, p, own, outcome, error));
            }
            process->first[++at] = (uint32_t)process->choice_count;
        }
        for (uint32_t i = 0; i < process->link_count; i++) { /* links are in the order of whom it reads */
            const uint64_t stride = copy_stride(rules, p, i);
            const uint32_t count = acts->links[process->links[i]].message_count;
            const uint64_t before = has_copies(said) ? local - local / stride % count * stride : local;
            for (uint32_t m = 0; m < count; m++) {
                const uint64_t view = before + m * stride;
                COR_TRY(add_rule(acts, rules, p, view, has_copies(said) ? (uint32_t)view - own : 0, false,
                                 error));
                process->first[++at] = (uint32_t)process->choice_count;
            }
        }
    }
    return COR_OK;
}

static enum cor_status make_of_rules(struct cor_acts *acts, const struct cor_process_rules *rules,
                                     struct cor_error *error) {
    acts->process_count = rules->definition.process_count;
    acts->processes = cor_calloc(acts->process_count, sizeof *acts->processes);
    COR_TRY(cor_made(acts->processes, error));
    for (uint32_t p = 0; p < acts->process_count; p++) {
        const struct cor_rules_process *said = &rules->processes[p];
        struct cor_acts_process *process = &acts->processes[p];
        process->local_count = has_copies(said) ? (uint32_t)said->view_count : said->local_count;
        for (uint32_t r = 0; r < said->read_count; r++) {
            const uint32_t q = said->reads[r];
            if (acts->link_count == COR_ACTS_LINKS_MAX)
                return cor_fail(error, COR_STATUS_INPUT,
                                cor_process_description(rules->definition.program)->name,
                                "fewer processes, or a graph with fewer edges",
                                "processes read each other over more than %u links", COR_ACTS_LINKS_MAX);
            process->links[process->link_count++] = acts->link_count;
            acts->links[acts->link_count++] =
                (struct cor_acts_link){.from = q, .to = p, .message_count = rules->processes[q].local_count};
        }
    }
    for (uint32_t p = 0; p < acts->process_count; p++) {
        bool is_read = false; /* who is read by nobody, and reads somebody, has nothing to do by an alarm */
        for (uint32_t l = 0; l < acts->link_count; l++)
            is_read = is_read || acts->links[l].from == p;
        processes__number_events(acts, p, is_read || rules->processes[p].read_count == 0);
    }
    for (uint32_t p = 0; p < acts->process_count; p++)
        COR_TRY(tabulate(acts, rules, p, error));
    return COR_OK;
}

enum cor_status cor_acts_of_rules(const struct cor_process_rules *rules, struct cor_acts **acts,
                                  struct cor_error *error) {
    struct cor_acts *made = cor_calloc(1, sizeof *made);
    *acts = made;
    COR_TRY(cor_made(made, error));
    const enum cor_status status = make_of_rules(made, rules, error);
    if (status == COR_OK)
        return COR_OK;
    cor_acts_destroy(made);
    *acts = NULL;
    return status;
}
