/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/violation.h>

#include <stdio.h>

static const char *plural(double count) {
    return count == 1 ? "" : "s";
}

static const char *is_are(double count) {
    return count == 1 ? "is" : "are";
}

void cor_violation_text(const struct cor_violation *v, char *text, size_t size) {
    switch (v->check) {
    case COR_CHECK_MISSING:
        snprintf(text, size, "Agent %u is in no partition, expected in exactly one.", v->agent);
        return;
    case COR_CHECK_DOUBLE:
        snprintf(text, size, "Agent %u occurs %.0f times (last in partition %u), expected once.", v->agent,
                 v->found, v->partition);
        return;
    case COR_CHECK_UNKNOWN:
        snprintf(text, size, "Partition %u lists agent %u, but the system has only %.0f agent%s.",
                 v->partition, v->agent, v->expected, plural(v->expected));
        return;
    case COR_CHECK_EMPTY:
        snprintf(text, size, "Partition %u has no members.", v->partition);
        return;
    case COR_CHECK_SIZE_LOW:
        snprintf(text, size, "Partition %u has %.0f member%s, expected at least %.0f.", v->partition,
                 v->found, plural(v->found), v->expected);
        return;
    case COR_CHECK_SIZE_HIGH:
        snprintf(text, size, "Partition %u has %.0f member%s, expected at most %.0f.", v->partition, v->found,
                 plural(v->found), v->expected);
        return;
    case COR_CHECK_COUNT_LOW:
        snprintf(text, size, "There %s %.0f partition%s, expected at least %.0f.", is_are(v->found), v->found,
                 plural(v->found), v->expected);
        return;
    case COR_CHECK_COUNT_HIGH:
        snprintf(text, size, "There %s %.0f partition%s, expected at most %.0f.", is_are(v->found), v->found,
                 plural(v->found), v->expected);
        return;
    case COR_CHECK_NOT_ADOPTED:
        snprintf(text, size,
                 "Agent %u is in partition %.0f of the structure, but the solution puts it in %.0f.",
                 v->agent, v->found, v->expected);
        return;
    case COR_CHECK_ALARM_MISSED:
        snprintf(text, size, "No alarm, but the dissimilarity %.9g exceeds the threshold %.9g.", v->found,
                 v->expected);
        return;
    case COR_CHECK_ALARM_FALSE:
        snprintf(text, size, "Alarm, but the dissimilarity %.9g is within the threshold %.9g.", v->found,
                 v->expected);
        return;
    }
    snprintf(text, size, "Unknown check %d.", (int)v->check);
}
