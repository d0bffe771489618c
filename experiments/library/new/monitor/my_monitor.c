/* SPDX-License-Identifier: CC0-1.0
 *
 * my_monitor: watches the fuse of an organization by itself. Each instance sees the members of its own
 * organization, and calls for a reorganization when their loads together are above what the fuse bears. */
#include <corridor/monitor.h>

#include <string.h>

static const double fuse = 34; /* kW */

/* As in a view: 0 is no fault. */
enum { FORGETS = 1 };
static const struct cor_monitor_name faults[] = {{"forgets", "does not count the last member"}, {0}};

static const double *column_of(const struct cor_monitor_view *view, const char *name) {
    for (uint32_t c = 0; c < view->column_count; c++)
        if (strcmp(view->columns[c].name, name) == 0)
            return view->values[c];
    return NULL;
}

static int look(void *state, const struct cor_monitor_view *view, struct cor_monitor_alarm *alarm) {
    const double *load = column_of(view, "load");
    const uint32_t count = view->fault == FORGETS ? view->member_count - 1 : view->member_count;
    double sum = 0;
    for (uint32_t m = 0; load && m < count; m++)
        sum += load[m];
    (void)state, (void)alarm; /* the alarm is for the organization, as it was given */
    return sum > fuse;
}

COR_EXPORT extern const struct cor_monitor corridor_monitor_1;
const struct cor_monitor corridor_monitor_1 = {
    COR_MONITOR,
    .name = "my_monitor",
    .version = "1.0",
    .summary = "an alarm when the loads of an organization are above its fuse",
    .faults = faults,
    .watches = COR_MONITOR_ORGANIZATION,
    .look = look,
};
