/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A module in a process of its own, forked from the session's, so that it knows the system (module_cell.h).
 */
#include "internal.h"

#include <corridor/loader.h>

#include <string.h>

static enum cor_status load(void *owner, struct cor_error *error) {
    struct cor_monitors *m = owner;
    COR_TRY(cor_module_open(&monitors__kind, m->path, &m->handle, &m->monitor, error));
    monitors__introduce(m);
    return COR_OK;
}

/* Instances remember what they did before the look, also if it was begun before. */
static void lay_out(void *owner) {
    struct cor_monitors *m = owner;
    unsigned char *remembered = (unsigned char *)m->has_instance;
    memcpy(remembered, m->before_look, (size_t)(m->page + m->page_bytes - remembered));
    m->head->alarm = m->head->is_garbled = 0;
}

static void work(void *owner) {
    monitors__look_all(owner);
}

void monitors__cell_make(struct cor_monitors *m, const struct cor_monitors_definition *definition) {
    m->cell = (struct cor_module_cell){.path = m->path,
                                       .what = m->what,
                                       .page = m->cell.page,
                                       .is_full = definition->is_full,
                                       .cpu_seconds = definition->cpu_seconds,
                                       .owner = m,
                                       .load = load,
                                       .lay_out = lay_out,
                                       .work = work};
}

enum cor_status monitors__cell_load(struct cor_monitors *m, struct cor_error *error) {
    const uint32_t all = COR_MONITOR_ORGANIZATION | COR_MONITOR_AGENT;
    struct monitors__head *head = m->head;
    COR_TRY(cor_module_cell_start(&m->cell, error));
    head->name[sizeof head->name - 1] = '\0';
    if (head->state_size > COR_MONITOR_STATE_BYTES_MAX || head->tolerance > COR_MONITOR_TOLERANCE_MAX ||
        (head->watches & ~all) != 0 || !cor_is_printable(head->name))
        return cor_fail(error, COR_STATUS_PLUGIN, m->path, "see <corridor/monitor.h>",
                        "what the monitor says of itself makes no sense");
    return COR_OK;
}

enum cor_status monitors__cell_look(struct cor_monitors *m, struct cor_turn_report *report,
                                    struct cor_error *error) {
    const unsigned char *remembered = (const unsigned char *)m->has_instance;
    memcpy(m->before_look, remembered, (size_t)(m->page + m->page_bytes - remembered));
    return cor_module_cell_turn(&m->cell, report, error);
}
