/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage for a reader at a terminal: first what is covered and what it would cost to see more, then what
 * was likely and never seen, then the rest. */
#include <corridor/cells.h>

#include "page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- at a glance */

static void put_front(const struct cor__page *page) {
    const struct cor_coverage *coverage = page->coverage;
    const struct cor_arm_coverage *all = &coverage->arm[0];
    fprintf(page->file, "%zu arms, %" PRIu64 " suites, %" PRIu64 " test sequences, %" PRIu64 " test cases",
            coverage->arm_count - 1, all->suites, all->sequences, all->cases);
    if (coverage->suite >= 0)
        fprintf(page->file, "; only suite %" PRId64, coverage->suite);
    fprintf(page->file, "; seed 0x%016" PRIx64 "\n", coverage->head->seed);
    if (!coverage->head->complete)
        fputs("the campaign is not complete: what is not covered yet may be later\n", page->file);
    for (size_t i = 1; i < all->ep_count; i++)
        fprintf(page->file, "%s%s", i > 1 ? ", " : "Environments: ", all->ep[i]->name);
    if (all->ep_count > 1)
        fprintf(page->file, "; %s\n",
                all->ep[0]->fixed ? "each profile is the same in all suites"
                                  : "profiles differ between suites");
}

/* The level that says most: the campaign, if its suites can be taken together. */
static enum cor_coverage_level main_level(const struct cor__page *page) {
    const struct cor_arm_coverage *all = &page->coverage->arm[0];
    return all->ep_count > 0 && all->ep[0]->fixed ? COR_COVERAGE_CAMPAIGN : COR_COVERAGE_SUITE;
}

static void put_wait(const struct cor__page *page, double cases, bool nothing_left) {
    if (nothing_left)
        fprintf(page->file, " %9s", "all taken");
    else
        cor__page_number(page, cases, 9);
}

static void put_glance_line(const struct cor__page *page, const char *name, const struct cor_ep_coverage *ep,
                            uint64_t units) {
    enum cor_coverage_level level = ep->fixed ? main_level(page) : COR_COVERAGE_SUITE;
    const struct cor_covered *covered = ep->covered[level];
    const struct cor_unseen *unseen = level == COR_COVERAGE_SUITE ? &ep->suite : &ep->campaign;
    cor__page_name(page, name);
    fprintf(page->file, " %8" PRIu64, units);
    cor__page_percent(page, &covered[COR_COVERED_STATES], 6);
    cor__page_percent(page, &covered[COR_COVERED_ARCS], 6);
    cor__page_bar(page, cor_covered_percent(&covered[COR_COVERED_ARCS]));
    cor__page_percent(page, &covered[COR_COVERED_LIKELY_ARCS], 6);
    cor__page_percent(page, &covered[COR_COVERED_ARC_MASS], 6);
    cor__page_number(page, unseen->law, 8);
    cor__page_number(page, unseen->good_turing, 8);
    put_wait(page, unseen->cases_law, unseen->law == 0);
    cor__page_number(page, unseen->cases_good_turing, 9);
    fputc('\n', page->file);
}

static void put_glance_head(const struct cor__page *page, const char *what, const char *units) {
    fprintf(page->file, "  %-*s %8s %6s %6s %12s %6s %6s %17s %19s\n", page->width, "", "", "", "", "", "of",
            "by", "mass unseen", "cases to a new one");
    fprintf(page->file, "  %-*s %8s %6s %19s %6s %6s %8s %8s %9s %9s\n", page->width, what, units, "states",
            "transitions", "likely", "mass", "law", "walks", "law", "walks");
}

static void put_glance(const struct cor__page *page) {
    const struct cor_coverage *coverage = page->coverage;
    bool campaign = main_level(page) == COR_COVERAGE_CAMPAIGN;
    cor__page_heading(
        page, campaign ? "At a glance  (environment profiles covered by all suites of the arm together, in "
                         "per cent)"
                       : "At a glance  (an environment profile covered by its suite, mean over profiles, in "
                         "per cent)");
    put_glance_head(page, "arm", "suites");
    for (size_t a = coverage->arm_count > 2 ? 0 : 1; a < coverage->arm_count; a++) {
        const struct cor_arm_coverage *arm = &coverage->arm[a];
        if (arm->ep_count > 0)
            put_glance_line(page, arm->name, arm->ep[0], arm->suites);
        else {
            cor__page_name(page, arm->name);
            fprintf(page->file, " %8" PRIu64 "  nothing to cover: no suite with walks\n", arm->suites);
        }
    }
    fputs(
        "  of likely: of the fewest transitions with 95 % of the stationary mass; by mass: each weighted by "
        "it.\n"
        "  mass unseen: chance that a step takes a transition never taken yet; law: known from the profile, "
        "walks: by\n"
        "  Good and Turing from the walks alone. cases to a new one: 1 / the sum of it over a suite's "
        "chains.\n",
        page->file);
    for (size_t a = 1; a < coverage->arm_count; a++)
        if (!coverage->arm[a].by_profile)
            fprintf(page->file,
                    "  %s walks anywhere, not by its profiles: nothing is expected of it by law\n",
                    coverage->arm[a].name);
    const struct cor_arm_coverage *all = &coverage->arm[0];
    if (all->ep_count > 0 && !all->ep[0]->lawful)
        fputs(
            "  some profiles have probabilities that do not sum to 1: without stationary law, mass is n/a or "
            "of the others\n",
            page->file);
    if (all->ep_count > 0 && all->ep[0]->steps_outside > 0)
        fprintf(page->file, "  %" PRIu64 " of %" PRIu64 " steps are none of their profile's transitions\n",
                all->ep[0]->steps_outside, all->ep[0]->steps);
}

/* Per environment, over all arms. */
static void put_environments(const struct cor__page *page) {
    const struct cor_arm_coverage *all = &page->coverage->arm[0];
    if (all->ep_count < 2)
        return;
    cor__page_heading(page, main_level(page) == COR_COVERAGE_CAMPAIGN
                                ? "By environment  (as above; all arms together)"
                                : "By environment  (as above; profiles of all arms)");
    put_glance_head(page, "environment", "profiles");
    for (size_t i = 1; i < all->ep_count; i++)
        put_glance_line(page, all->ep[i]->name, all->ep[i], all->ep[i]->fixed ? 1 : all->ep[i]->profiles);
}

/* ---- likely but unseen */

static const struct cor_arm_coverage *arm_of(const struct cor__page *page, uint16_t code) {
    for (size_t a = 1; a < page->coverage->arm_count; a++)
        if (page->coverage->arm[a].code == code)
            return &page->coverage->arm[a];
    return &page->coverage->arm[0];
}

static const struct cor_ep_coverage *environment_of(const struct cor_arm_coverage *arm, uint16_t code) {
    size_t i = 1;
    while (i + 1 < arm->ep_count && arm->ep[i]->code != code)
        i++;
    return arm->ep[i];
}

/* Where it was missed: in a suite, or, of a profile that is the same in all, from which state to which. */
static void put_place(const struct cor__page *page, const struct cor_missed *missed,
                      const struct cor_ep_coverage *ep) {
    char text[2 * 80 + 8] = "in no suite";
    if (missed->suite >= 0) {
        fprintf(page->file, " %-20.20s %6" PRId64 " %7u", arm_of(page, missed->arm)->name, missed->suite,
                missed->profile);
        return;
    }
    if (ep->state_name)
        snprintf(text, sizeof text, "%s to %s", ep->state_name[missed->from], ep->state_name[missed->to]);
    fprintf(page->file, " %-35.35s", text);
}

static void put_missed(const struct cor__page *page) {
    const struct cor_arm_coverage *all = &page->coverage->arm[0];
    const struct cor_ep_coverage *ep = all->ep_count > 0 ? all->ep[0] : NULL;
    const struct cor_unseen *unseen = !ep ? NULL : ep->fixed ? &ep->campaign : &ep->suite;
    if (!ep)
        return;
    cor__page_heading(
        page, "Likely but unseen  (never taken although it was to be expected; chance: of missing it so)");
    fprintf(page->file,
            "  %" PRIu64 " transitions never taken, %" PRIu64 " of them likely ones; by Chao's bound, from "
            "the walks alone, at least",
            unseen->unseen, unseen->unseen_likely);
    cor__page_number(page, isnan(unseen->chao) ? NAN : ceil(unseen->chao), 1);
    fputc('\n', page->file);
    if (ep->missed_count == 0)
        return;
    fprintf(page->file, "  %-*s %-20s %6s %7s %5s %5s %12s %9s %9s\n", page->width, "environment", "in arm",
            "suite", "profile", "from", "to", "probability", "expected", "chance");
    for (size_t m = 0; m < ep->missed_count; m++) {
        const struct cor_missed *missed = &ep->missed[m];
        cor__page_name(page, environment_of(all, missed->environment)->name);
        put_place(page, missed, environment_of(all, missed->environment));
        fprintf(page->file, " %5u %5u %12.4g", missed->from, missed->to, missed->probability);
        cor__page_number(page, missed->expected, 9);
        cor__page_number(page, missed->chance, 9);
        fputc('\n', page->file);
    }
    fputs(
        "  from, to: numbers of states. expected: times, by the law. chance: by the law, from the walks' own "
        "first states\n  (at most: lengths are rounded down by up to 3 %). Among thousands of transitions "
        "some "
        "are missed by chance.\n",
        page->file);
}

/* ---- levels and growth */

static void put_levels(const struct cor__page *page) {
    const struct cor_arm_coverage *all = &page->coverage->arm[0];
    if (all->ep_count == 0)
        return;
    cor__page_heading(page, "Covered by whom  (mean share in per cent; all arms)");
    fprintf(page->file, "  %-22s", "");
    for (int level = 0; level < COR_COVERAGE_LEVEL_COUNT; level++)
        fprintf(page->file, " %9s", cor_coverage_level_id((enum cor_coverage_level)level));
    fputc('\n', page->file);
    for (int m = 0; m < COR_COVERED_COUNT; m++) {
        fprintf(page->file, "  %-22s", cor_covered_id((enum cor_covered_measure)m));
        for (int level = 0; level < COR_COVERAGE_LEVEL_COUNT; level++)
            cor__page_percent(page, &all->ep[0]->covered[level][m], 9);
        fprintf(page->file, "  %s\n", cor_covered_meaning((enum cor_covered_measure)m));
    }
    for (int level = 0; level < COR_COVERAGE_LEVEL_COUNT; level++)
        fprintf(page->file, "  %s: %s\n", cor_coverage_level_id((enum cor_coverage_level)level),
                cor_coverage_level_meaning((enum cor_coverage_level)level));
}

static void put_cases(const struct cor__page *page, const struct cor_coverage_curve *curve) {
    if (curve->count == 0)
        return;
    cor__page_heading(
        page, "Growth over the cases of a sequence  (one chain, mean over chains in sequences that long, in "
              "per cent)");
    fprintf(page->file, "  %6s %9s %7s %11s %12s %7s | %9s %9s %9s\n", "cases", "chains", "states",
            "transitions", "", "by mass", "chains", "observed", "expected");
    for (size_t k = 0; k < curve->count; k++) {
        const struct cor_coverage_point *point = &curve->point[k];
        fprintf(page->file, "  %6" PRIu64 " %9" PRIu64, point->at, point->n);
        cor__page_number(page, point->states, 7);
        cor__page_number(page, point->arcs, 11);
        cor__page_bar(page, point->arcs);
        cor__page_number(page, point->arc_mass, 7);
        fputs(" |", page->file);
        if (point->expected_n > 0) {
            fprintf(page->file, " %9" PRIu64, point->expected_n);
            cor__page_number(page, point->observed_arcs, 9);
            cor__page_number(page, point->expected_arcs, 9);
        }
        fputc('\n', page->file);
    }
    fputs("  right of |: transitions, of profiles for which the expectation was computed: all that stay the "
          "same, "
          "else evenly\n  spaced ones, for as many cases as a fixed amount of work allows\n",
          page->file);
}

static void put_curve(const struct cor__page *page, const char *title, const char *unit,
                      const struct cor_coverage_curve *curve, bool distinct) {
    if (curve->count == 0)
        return;
    cor__page_heading(page, title);
    fprintf(page->file, "  %9s %9s %7s %11s %12s %7s%s\n", unit, "profiles", "states", "transitions", "",
            "by mass", distinct ? "  different" : "");
    for (size_t k = 0; k < curve->count; k++) {
        const struct cor_coverage_point *point = &curve->point[k];
        fprintf(page->file, "  %9" PRIu64 " %9" PRIu64, point->at, point->n);
        cor__page_number(page, point->states, 7);
        cor__page_number(page, point->arcs, 11);
        cor__page_bar(page, point->arcs);
        cor__page_number(page, point->arc_mass, 7);
        if (distinct)
            fprintf(page->file, " %10.0f", point->distinct);
        fputc('\n', page->file);
    }
}

static void put_growth(const struct cor__page *page) {
    const struct cor_arm_coverage *all = &page->coverage->arm[0];
    if (all->ep_count == 0)
        return;
    const struct cor_ep_coverage *ep = all->ep[0];
    put_cases(page, &ep->cases);
    put_curve(page, "Growth over the sequences of a suite  (all chains of a profile; mean over profiles)",
              "sequences", &ep->sequences, false);
    put_curve(page,
              ep->fixed
                  ? "Growth over the campaign  (mean over environments; different: transitions taken so far)"
                  : "Growth over the campaign  (profiles differ: only the number of different transitions "
                    "can grow)",
              "suites", &ep->suites, true);
}

/* Rows and columns are states: what was taken how often, in powers of ten. */
static void put_matrix(const struct cor__page *page, const struct cor_ep_coverage *ep) {
    uint32_t n = ep->states;
    if (!ep->probability || n > 64)
        return;
    fprintf(page->file,
            "\n  %s%s%s  from (row) to (column): 0 = taken up to 9 times, 1 = up to 99 times ..., . = "
            "never\n      ",
            page->style.strong, ep->name, page->style.plain);
    for (uint32_t j = 0; j < n; j++)
        fprintf(page->file, "%3" PRIu32, j);
    for (uint32_t i = 0; i < n; i++) {
        fprintf(page->file, "\n   %3" PRIu32, i);
        for (uint32_t j = 0; j < n; j++) {
            uint64_t count = ep->taken[i * n + j];
            bool arc = ep->probability[i * n + j] > 0;
            if (count > 0)
                fprintf(page->file, "%3d", (int)log10((double)count));
            else
                fprintf(page->file, "  %c", arc ? '.' : ' ');
        }
        if (ep->state_name)
            fprintf(page->file, "  %s", ep->state_name[i]);
    }
    fputc('\n', page->file);
}

static int name_width(const struct cor_coverage *coverage) {
    size_t width = 12;
    for (size_t a = 0; a < coverage->arm_count; a++) {
        const struct cor_arm_coverage *arm = &coverage->arm[a];
        width = strlen(arm->name) > width ? strlen(arm->name) : width;
        for (size_t i = 0; i < arm->parameter_count; i++)
            width = strlen(arm->parameter[i].name) > width ? strlen(arm->parameter[i].name) : width;
    }
    return width < 20 ? (int)width : 20;
}

enum cor_status cor_coverage_text(const struct cor_coverage *coverage, const struct cor_style *style,
                                  FILE *file, struct cor_error *error) {
    struct cor__page page = {
        .file = file, .style = *style, .coverage = coverage, .width = name_width(coverage)};
    const struct cor_arm_coverage *all = &coverage->arm[0];
    put_front(&page);
    put_glance(&page);
    put_environments(&page);
    put_missed(&page);
    put_levels(&page);
    put_growth(&page);
    if (coverage->arm_count == 2)
        for (size_t i = 1; i < all->ep_count; i++)
            put_matrix(&page, all->ep[i]);
    cor__put_pairs(&page);
    cor__put_parameters(&page);
    cor__put_probes(&page);
    return cor_stream_status(file, error);
}
