/* SPDX-License-Identifier: MIT
 *
 * A monitor that is always right about what it sees: an alarm when, and only when, a condition that the
 * corridor says of its organization, or its agent, is violated. */
#include <corridor/monitor.h>
#include <corridor/observe.h>

enum fault { NONE, STALE, JOINED, EQUALITY };

struct state {
    uint32_t has_begun, was_violated;
    uint32_t known[COR_OBSERVE_KNOWN_WORDS]; /* members of the first look */
    uint32_t waits[COR_OBSERVE_WAITS_MAX];
};

static int look_exactly(void *memory, const struct cor_monitor_view *view, struct cor_monitor_alarm *alarm) {
    struct state *state = memory;
    (void)alarm;
    for (uint32_t m = 0; m < view->member_count && !state->has_begun; m++) {
        const uint32_t bit = view->members[m] % (COR_OBSERVE_KNOWN_WORDS * 32);
        state->known[bit / 32] |= UINT32_C(1) << bit % 32;
    }
    const struct cor_observing how = {.known = view->fault == JOINED ? state->known : NULL,
                                      .waits = state->waits,
                                      .is_strict = view->fault == EQUALITY};
    const uint32_t is_violated = cor_observe_is_violated(view, &how),
                   was_violated = state->has_begun ? state->was_violated : is_violated;
    state->has_begun = 1;
    state->was_violated = is_violated;
    return (int)(view->fault == STALE ? was_violated : is_violated);
}

static const struct cor_monitor_name faults[] = {
    {"stale", "sees the values of the look before"},
    {"joined", "forgets members that joined after its first look"},
    {"equality", "takes a threshold that is just reached for one that is passed"},
    {0}};

COR_EXPORT const struct cor_monitor corridor_monitor_1 = {
    COR_MONITOR,
    .name = "exact",
    .version = "1.0",
    .summary = "an alarm if and only if a condition of its organization is violated",
    .faults = faults,
    .watches = COR_MONITOR_ORGANIZATION | COR_MONITOR_AGENT,
    .state_size = sizeof(struct state),
    .look = look_exactly};
