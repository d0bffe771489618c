/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/monitor.h>

#include <math.h>

double cor_monitor_dissimilarity(const struct cor_state *state) {
    const struct cor_structure *s = &state->structure;
    COR_ASSERT(state->configuration->agent_count > 0 && s->partition_count <= s->partition_capacity);
    double mean = s->total / state->configuration->agent_count;
    double low = INFINITY, high = -INFINITY, squares = 0;
    uint32_t counted = 0;
    for (uint32_t p = 0; p < s->partition_count; p++) {
        if (s->size[p] == 0)
            continue;
        double mu = s->sum[p] / s->size[p];
        low = mu < low ? mu : low;
        high = mu > high ? mu : high;
        squares += (mu - mean) * (mu - mean);
        counted++;
    }
    if (counted == 0)
        return 0;
    switch (state->configuration->measure) {
    case COR_MEASURE_RANGE:
        return high - low;
    case COR_MEASURE_MAX_DEVIATION:
        return high - mean > mean - low ? high - mean : mean - low;
    case COR_MEASURE_RMS:
        return sqrt(squares / counted);
    }
    COR_ASSERT(false && "a measure of terms.h");
}

static bool chance(double probability, const struct cor_stream_name *name) {
    struct cor_stream_name own = *name;
    own.purpose = COR_PURPOSE_MONITOR_FAULT;
    own.entity = 0;
    struct cor_rng rng = cor_rng_named(&own);
    return cor_rng_unit(&rng) < probability;
}

bool cor_monitor_alarm(struct cor_monitor *monitor, const struct cor_configuration *configuration,
                       double dissimilarity, const struct cor_stream_name *name) {
    const struct cor_monitor_definition *definition = &configuration->monitor;
    bool outside = dissimilarity > configuration->threshold;
    monitor->cases_outside = outside ? monitor->cases_outside + 1 : 0;
    switch (definition->fault) {
    case COR_MONITOR_FAULT_NONE:
        return outside;
    case COR_MONITOR_FAULT_MISSED:
        return outside && !chance(definition->probability, name);
    case COR_MONITOR_FAULT_FALSE:
        return outside || chance(definition->probability, name);
    case COR_MONITOR_FAULT_LATE:
        return monitor->cases_outside > definition->delay_cases;
    }
    COR_ASSERT(false && "a fault of terms.h");
}
