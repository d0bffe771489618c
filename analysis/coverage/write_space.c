/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text about what is not one profile alone: pairs of states, configurations, probes. */
#include "page.h"

#include <inttypes.h>
#include <math.h>

void cor__put_pairs(const struct cor__page *page) {
    const struct cor_coverage *coverage = page->coverage;
    bool sampled = coverage->arm[0].pairs.pairs_looked_at < coverage->arm[0].pairs.pairs;
    if (coverage->arm[0].pairs.pairs_looked_at == 0)
        return;
    cor__page_heading(page,
                      "Pairs of states of two chains at the same case  (in per cent of states x states)");
    fprintf(page->file, "  %-*s %10s %10s %9s %9s %9s %9s\n", page->width, "arm", "pairs", "looked at",
            "sequence", "by mass", "suite", "by mass");
    for (size_t a = coverage->arm_count > 2 ? 0 : 1; a < coverage->arm_count; a++) {
        const struct cor_pair_coverage *pairs = &coverage->arm[a].pairs;
        cor__page_name(page, coverage->arm[a].name);
        fprintf(page->file, " %10" PRIu64 " %10" PRIu64, pairs->pairs, pairs->pairs_looked_at);
        cor__page_percent(page, &pairs->sequence, 9);
        cor__page_percent(page, &pairs->sequence_mass, 9);
        cor__page_percent(page, &pairs->suite, 9);
        cor__page_percent(page, &pairs->suite_mass, 9);
        fputc('\n', page->file);
    }
    if (sampled)
        fprintf(page->file, "  of suites with more than %d chains, pairs among %d evenly spaced chains\n",
                COR_COVERAGE_CHAINS_MAX, COR_COVERAGE_CHAINS_MAX);
}

/* A bin as a digit: tenths of the fullest one, . = empty. */
static void put_bins(const struct cor__page *page, const struct cor_parameter_coverage *parameter) {
    uint64_t most = 1;
    char text[COR_COVERAGE_BINS + 1] = "";
    for (uint32_t b = 0; b < parameter->bins; b++)
        most = parameter->bin[b] > most ? parameter->bin[b] : most;
    for (uint32_t b = 0; b < parameter->bins; b++) {
        double part = 10 * (double)parameter->bin[b] / (double)most;
        text[b] = parameter->bin[b] == 0 ? '.' : (char)('0' + (part >= 9 ? 9 : (int)part));
    }
    fprintf(page->file, "  %s", text);
}

void cor__put_parameters(const struct cor__page *page) {
    const struct cor_arm_coverage *all = &page->coverage->arm[0];
    if (all->parameter_count == 0)
        return;
    cor__page_heading(
        page,
        "Configurations  (all arms; bins: equal parts of min to max, digits: tenths of the fullest, . = "
        "never drawn)");
    fprintf(page->file, "  %-*s %8s %10s %10s %10s  bins\n", page->width, "parameter", "suites", "min",
            "median", "max");
    for (size_t i = 0; i < all->parameter_count; i++) {
        const struct cor_parameter_coverage *parameter = &all->parameter[i];
        cor__page_name(page, parameter->name);
        fprintf(page->file, " %8" PRIu64, parameter->n);
        cor__page_number(page, parameter->min, 10);
        cor__page_number(page, parameter->median, 10);
        cor__page_number(page, parameter->max, 10);
        put_bins(page, parameter);
        if (parameter->undefined > 0)
            fprintf(page->file, "  and %" PRIu64 " that are no numbers", parameter->undefined);
        fputc('\n', page->file);
    }
    if (all->cells > 0)
        fprintf(page->file,
                "  pairs of parameters (%d x %d cells, up to %d parameters that vary): %" PRIu64
                " of %" PRIu64 " cells drawn (%.1f %%)\n",
                COR_COVERAGE_GRID, COR_COVERAGE_GRID, COR_COVERAGE_MAIN_MAX, all->cells_drawn, all->cells,
                100 * (double)all->cells_drawn / (double)all->cells);
}

/* The buckets of a probe that were never reached, as ranges. */
static void put_empty(const struct cor__page *page, const struct cor_probe_coverage *probe, size_t count) {
    bool begun = false;
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        if (probe[i].count > 0)
            continue;
        while (last + 1 < count && probe[last + 1].count == 0)
            last++;
        fprintf(page->file, "%s%u", begun ? ", " : "  never in bucket ", probe[i].bucket);
        if (last > i)
            fprintf(page->file, "-%u", probe[last].bucket);
        begun = true;
        i = last;
    }
}

/* A probe: how many of its buckets were reached, and which were not. Returns the index behind it. */
static size_t put_probe(const struct cor__page *page, const struct cor_arm_coverage *arm, size_t first) {
    size_t reached = 0, end = first;
    uint64_t count = 0;
    for (; end < arm->probe_count && arm->probe[end].code == arm->probe[first].code; end++) {
        reached += arm->probe[end].count > 0;
        count += arm->probe[end].count;
    }
    cor__page_name(page, arm->name);
    fprintf(page->file, " %-20s %14" PRIu64 " %4zu of %zu%s", arm->probe[first].name, count, reached,
            end - first, reached < end - first ? page->style.bad : "");
    put_empty(page, &arm->probe[first], end - first);
    fprintf(page->file, "%s\n", reached < end - first ? page->style.plain : "");
    return end;
}

void cor__put_probes(const struct cor__page *page) {
    const struct cor_coverage *coverage = page->coverage;
    if (coverage->arm[0].probe_count == 0)
        return;
    cor__page_heading(page, "White-box probes  (what the algorithms say they did, by size: buckets reached)");
    fprintf(page->file, "  %-*s %-20s %14s %9s\n", page->width, "arm", "probe", "times", "buckets");
    for (size_t a = 1; a < coverage->arm_count; a++)
        for (size_t i = 0; i < coverage->arm[a].probe_count;)
            i = put_probe(page, &coverage->arm[a], i);
}
