/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "series_time.h"

/* Takes a number of least .. most digits from *text; -1 if there is none. */
static int take_number(const char **text, int least, int most) {
    int number = 0, digits = 0;
    for (; digits < most && **text >= '0' && **text <= '9'; digits++, (*text)++)
        number = 10 * number + (**text - '0');
    return digits >= least ? number : -1;
}

static bool take(const char **text, char wanted) {
    bool there = **text == wanted;
    *text += there;
    return there;
}

static bool within(int number, int low, int high) {
    return number >= low && number <= high;
}

/* "2010-01-31", "2010/1/31", "1/31/2010", "31/1/2010". Leaves *text alone if there is none. */
static bool take_date(const char **text) {
    const char *at = *text;
    int first = take_number(&at, 1, 4);
    char between = *at;
    if (first < 0 || (between != '-' && between != '/') || !take(&at, between))
        return false;
    int second = take_number(&at, 1, 2);
    if (second < 0 || !take(&at, between))
        return false;
    int third = take_number(&at, 1, 4);
    bool year_first = first > 31 && within(second, 1, 12) && within(third, 1, 31);
    bool year_last = between == '/' && within(first, 1, 31) && within(second, 1, 31) &&
                     (first <= 12 || second <= 12) && within(third, 1000, 9999);
    if (!year_first && !year_last)
        return false;
    *text = at;
    return true;
}

/* "Z", "+01:00", "-0500", or nothing. */
static bool take_zone(const char **text) {
    if (take(text, 'Z') || (**text != '+' && **text != '-'))
        return true;
    (*text)++;
    if (!within(take_number(text, 2, 2), 0, 15))
        return false;
    (void)take(text, ':');
    return within(take_number(text, 2, 2), 0, 59);
}

/* "7:05", "07:05:30", "07:05:30.25": the hour, or COR__HOUR_BAD. */
static int take_clock(const char **text) {
    int hour = take_number(text, 1, 2);
    if (!within(hour, 0, 24) || !take(text, ':'))
        return COR__HOUR_BAD;
    int minute = take_number(text, 2, 2), second = 0, fraction = 0;
    if (take(text, ':')) {
        second = take_number(text, 2, 2);
        if (take(text, '.'))
            fraction = take_number(text, 1, 9);
    }
    if (!within(minute, 0, 59) || !within(second, 0, 60) || fraction < 0)
        return COR__HOUR_BAD;
    if (hour == 24)
        return minute == 0 && second == 0 && fraction == 0 ? 0 : COR__HOUR_BAD;
    return hour;
}

int cor__hour_in(const char *text) {
    if (take_date(&text)) {
        if (*text == '\0')
            return COR__HOUR_NONE;
        if (!take(&text, ' ') && !take(&text, 'T'))
            return COR__HOUR_BAD;
    }
    int hour = take_clock(&text);
    return hour >= 0 && take_zone(&text) && *text == '\0' ? hour : COR__HOUR_BAD;
}
