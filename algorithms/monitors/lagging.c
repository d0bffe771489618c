/* SPDX-License-Identifier: MIT
 *
 * A monitor whose alarms are late, as it says: each violation is told LATE looks after it was seen, unless
 * organizations have changed since. */
#include <corridor/monitor.h>
#include <corridor/observe.h>

enum { LATE = 2 };
enum fault { NONE, SWALLOWED, DISSOLVED, OVERDUE };

struct state {
    uint64_t seen, formed; /* bit i: violated i looks ago; when organizations became what they were then */
    uint32_t has_begun, has_raised, organization, is_lost;
    uint32_t waits[COR_OBSERVE_WAITS_MAX];
};

static int look_lagging(void *memory, const struct cor_monitor_view *view, struct cor_monitor_alarm *alarm) {
    struct state *state = memory;
    const struct cor_observing how = {.waits = state->waits};
    const uint32_t late = view->fault == OVERDUE ? 2 * LATE + 1 : LATE;
    (void)alarm;
    if (!state->has_begun) {
        state->organization = view->organization;
        state->is_lost = view->formed > 1; /* others dissolved before this one came to be */
    }
    state->is_lost |= state->organization != view->organization; /* that of the agent did */
    state->has_begun = 1;
    if (state->formed != view->formed)
        state->seen = 0;
    state->formed = view->formed;
    state->seen = state->seen << 1 | cor_observe_is_violated(view, &how);
    const uint32_t is_due = state->seen >> late & 1,
                   is_lost = (view->fault == SWALLOWED && state->has_raised) ||
                             (view->fault == DISSOLVED && state->is_lost);
    state->has_raised |= is_due;
    return is_due && !is_lost;
}

static const struct cor_monitor_name faults[] = {
    {"swallowed", "raises one alarm, and never another one"},
    {"dissolved", "is lost when an organization dissolves: what comes after it is not watched"},
    {"overdue", "takes more than twice as long as it says"},
    {0}};

COR_EXPORT const struct cor_monitor corridor_monitor_1 = {
    COR_MONITOR,         .name = "lagging",
    .version = "1.0",    .summary = "an alarm two looks after a condition of its organization was violated",
    .faults = faults,    .watches = COR_MONITOR_ORGANIZATION | COR_MONITOR_AGENT,
    .tolerance = LATE,   .state_size = sizeof(struct state),
    .look = look_lagging};
