/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Profiles for people: warnings and a table. */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = COR_PROFILE_STATES_MAX, NAMES_SHOWN = 8, ARCS_SHOWN = 4 };

static uint32_t size_of(uint64_t set) {
    return (uint32_t)__builtin_popcountll(set);
}

struct warnings {
    char *text;
    size_t size, used;
    uint32_t count;
};

/* "state calm", "states calm and windy", "states a, b, c, d, e, f, g, h and 3 more". */
static void put_states(struct cor_bytes *text, const struct cor_profile *profile, uint64_t set) {
    uint32_t size = size_of(set), put = 0;
    cor_bytes_print(text, size == 1 ? "state " : "states ");
    for (uint32_t i = 0; i < profile->state_count && put < NAMES_SHOWN; i++) {
        if (!(set & profiles__set_of(i)))
            continue;
        const char *between = put == 0 ? "" : put + 1 == size ? " and " : ", ";
        cor_bytes_print(text, "%s\"%s\"", between, profile->states[i]);
        put++;
    }
    if (put < size)
        cor_bytes_print(text, " and %u more", size - put);
}

/* Takes the sentence over. */
static void warn(struct warnings *warnings, struct cor_bytes *sentence) {
    char *chars = cor_bytes_text_take(sentence, NULL);
    size_t length = chars ? strlen(chars) : 0, break_size = warnings->used > 0;
    if (length > 0 && warnings->used + break_size + length < warnings->size) {
        if (break_size)
            warnings->text[warnings->used++] = '\n';
        memcpy(warnings->text + warnings->used, chars, length + 1);
        warnings->used += length;
    }
    warnings->count++;
    free(chars);
}

static void warn_unreachable(struct warnings *warnings, const struct cor_profile *profile, uint64_t met) {
    uint64_t all = profiles__set_below(profile->state_count);
    struct cor_bytes text = {0};
    if (met == all)
        return;
    put_states(&text, profile, all & ~met);
    cor_bytes_print(&text,
                    " cannot be reached from the start: no test case will ever show %s, and the coverage of "
                    "states and transitions stays below 100 %%.",
                    size_of(all & ~met) == 1 ? "it" : "them");
    warn(warnings, &text);
}

/* A closed class that is not the whole of what is met. */
static void warn_closed(struct warnings *warnings, const struct cor_profile *profile, uint64_t members,
                        uint64_t met) {
    struct cor_bytes text = {0};
    put_states(&text, profile, members);
    if (profile->state_count == 1)
        cor_bytes_print(&text, " is the only one: the environment never changes.");
    else if (size_of(members) == 1)
        cor_bytes_print(
            &text, " is absorbing: a sequence that enters it sees no change of the environment any more.");
    else
        cor_bytes_print(&text, " form a closed class: a sequence that enters it never sees the other states "
                               "again, which so occur only early in a sequence.");
    if (profile->state_count == 1 || members != met || size_of(members) == 1)
        warn(warnings, &text);
    else
        cor_bytes_fini(&text);
}

static void warn_periodic(struct warnings *warnings, const struct cor_profile *profile, uint64_t members) {
    struct cor_bytes text = {0};
    uint32_t period = profiles__period(profile, members);
    if (period < 2)
        return;
    put_states(&text, profile, members);
    cor_bytes_print(
        &text,
        " form a class of period %u: at a given case only a part of them is possible, depending on the first "
        "state, so shares at one case of many sequences differ from the shares in the long run.",
        period);
    warn(warnings, &text);
}

uint32_t cor_profile_warnings(const struct cor_profile *profile, char *text, size_t size) {
    struct warnings warnings = {.text = text, .size = size};
    uint64_t reach[MOST], classes[MOST], met = 0;
    if (size > 0)
        text[0] = '\0';
    profiles__reach(profile, reach);
    for (uint32_t i = 0; i < profile->state_count; i++)
        met |= profile->start[i] > 0.0 ? reach[i] | profiles__set_of(i) : 0;
    warn_unreachable(&warnings, profile, met);
    uint32_t class_count = profiles__closed_classes(profile, classes);
    for (uint32_t c = 0; c < class_count; c++) {
        if (!(classes[c] & met))
            continue;
        warn_closed(&warnings, profile, classes[c], met);
        warn_periodic(&warnings, profile, classes[c]);
    }
    return warnings.count;
}

/* The states that `from` leads to, likeliest first, ties by index. */
static uint32_t rank_arcs(const struct cor_profile *profile, uint32_t from, uint32_t *to) {
    const double *row = profile->probability + (size_t)from * profile->state_count;
    uint32_t count = 0;
    for (uint32_t j = 0; j < profile->state_count; j++) {
        if (!(row[j] > 0.0))
            continue;
        uint32_t at = count++;
        for (; at > 0 && row[to[at - 1]] < row[j]; at--)
            to[at] = to[at - 1];
        to[at] = j;
    }
    return count;
}

/* In lines of `width` columns, of which `indent` are those of the columns before. */
static void put_arcs(struct cor_bytes *text, const struct cor_profile *profile, uint32_t from, size_t indent,
                     size_t width) {
    uint32_t to[MOST], count = rank_arcs(profile, from, to);
    size_t at = indent;
    for (uint32_t k = 0; k < count && k < ARCS_SHOWN; k++) {
        char share[32];
        snprintf(share, sizeof share, "%.3g",
                 profile->probability[(size_t)from * profile->state_count + to[k]]);
        const size_t length = strlen(profile->states[to[k]]) + strlen(share) + strlen(" , ");
        const bool wraps = k > 0 && at + length > width;
        cor_bytes_print(text, "%s%*s%s %s",
                        k == 0  ? ""
                        : wraps ? ",\n"
                                : ", ",
                        wraps ? (int)indent : 0, "", profile->states[to[k]], share);
        at = (wraps ? indent : at) + length;
    }
    if (count > ARCS_SHOWN)
        cor_bytes_print(text, ",%s%*s%u more", at + strlen("nn more") > width ? "\n" : "",
                        at + strlen("nn more") > width ? (int)indent : 1, "", count - ARCS_SHOWN);
}

int profiles__widest_name(const struct cor_profile *profile) {
    size_t widest = strlen("state");
    for (uint32_t i = 0; i < profile->state_count; i++)
        widest = strlen(profile->states[i]) > widest ? strlen(profile->states[i]) : widest;
    return (int)widest;
}

static void put_table(struct cor_bytes *text, const struct cor_profile *profile, const double *share,
                      size_t columns) {
    int width = profiles__widest_name(profile);
    cor_bytes_print(text, "profile %s: %u states, %u transitions\n\n", profile->name, profile->state_count,
                    cor_profile_arcs(profile));
    cor_bytes_print(text, "%-*s   share   start   mean stay   next\n", width, "state");
    for (uint32_t i = 0; i < profile->state_count; i++) {
        double stay = profile->probability[(size_t)i * profile->state_count + i];
        cor_bytes_print(text, "%-*s  %6.2f%% %6.2f%%", width, profile->states[i], 100.0 * share[i],
                        100.0 * profile->start[i]);
        if (stay < 1.0)
            cor_bytes_print(text, "  %10.4g   ", 1.0 / (1.0 - stay));
        else
            cor_bytes_print(text, "  %10s   ", "for ever");
        put_arcs(text, profile, i, (size_t)width + strlen("  %6.2f%% %6.2f%%  %10.4g   ") + 4, columns);
        cor_bytes_print(text, "\n");
    }
}

char *cor_profile_text(const struct cor_profile *profile, size_t width, struct cor_error *error) {
    enum { WARNINGS_SIZE = 1 << 16 };
    double share[MOST] = {0};
    struct cor_bytes text = {0};
    if (cor_profile_stationary(profile, share, error) != COR_OK)
        return NULL;
    put_table(&text, profile, share, width);
    char *warnings = cor_calloc(WARNINGS_SIZE, 1);
    if (!warnings)
        text.status = COR_STATUS_MEMORY;
    if (warnings && cor_profile_warnings(profile, warnings, WARNINGS_SIZE) > 0)
        cor_bytes_print(&text, "\nwarnings\n%s\n", warnings);
    free(warnings);
    return cor_bytes_text_take(&text, error);
}
