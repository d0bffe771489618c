/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times as tables write them: a date, a time of day or both, in the forms that fit.h lists. */
#include "internal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define SECOND PROFILES__SECOND
#define DAY PROFILES__DAY
#define HOUR PROFILES__HOUR

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

static bool is_date(int year, int month, int day) {
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return within(year, 1000, 9999) && within(month, 1, 12) && within(day, 1, days[month - 1]) &&
           (month != 2 || day < 29 || leaps);
}

/* Days since 1970-01-01 of a date in the Gregorian calendar: years begin in March, so that leap days end
 * them. */
static int64_t day_number(int year, int month, int day) {
    int64_t y = month <= 2 ? year - 1 : year, era = y / 400, of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Its inverse. */
static void date_of(int64_t number, int *year, int *month, int *day) {
    int64_t z = number + 719468, era = z / 146097, of_era = z - era * 146097;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100), m = (5 * of_year + 2) / 153;
    *day = (int)(of_year - (153 * m + 2) / 5 + 1);
    *month = (int)(m < 10 ? m + 3 : m - 9);
    *year = (int)(years + era * 400 + (*month <= 2));
}

/* "20100131". */
static bool take_compact_date(const char **text, int *year, int *month, int *day) {
    const char *at = *text;
    *year = take_number(&at, 4, 4);
    *month = *year < 0 ? -1 : take_number(&at, 2, 2);
    *day = *month < 0 ? -1 : take_number(&at, 2, 2);
    if (*day < 0 || !is_date(*year, *month, *day))
        return false;
    *text = at;
    return true;
}

/* "2010-01-31", "2010/1/31", "2010.01.31", "2010-01" (its first day), "31.1.2010", "1/31/2010", "31/1/2010";
 * leaves *text alone if there is none. */
static bool take_date(const char **text, bool day_first, struct profiles__moment *moment) {
    const char *at = *text;
    int year, month, day, first = take_number(&at, 1, 4);
    char between = *at;
    if (first < 0 || between == 0 || !strchr("-/.", between) || !take(&at, between))
        return false;
    int second = take_number(&at, 1, 2), third = -1;
    if (second >= 0 && take(&at, between)) {
        third = take_number(&at, 1, 4);
        if (third < 0)
            return false;
    } else if (second >= 0 && first > 31 && between != '.') {
        third = 1;
    }
    if (first > 31) {
        year = first, month = second, day = third;
    } else {
        bool of_two_ways = between != '.';
        day_first = day_first || !of_two_ways;
        moment->is_day_first = of_two_ways && first > 12;
        moment->is_month_first = of_two_ways && second > 12;
        moment->has_two_orders = of_two_ways;
        if (moment->is_day_first || moment->is_month_first)
            day_first = moment->is_day_first || !of_two_ways;
        year = third, month = day_first ? second : first, day = day_first ? first : second;
    }
    if (!is_date(year, month, day))
        return false;
    moment->micros = day_number(year, month, day) * DAY;
    *text = at;
    return true;
}

/* "7:05", "07:05:30", "07:05:30.25", "7:05 PM"; behind a compact date also "07", "0705", "070530". */
static bool take_clock(const char **text, bool is_compact, struct profiles__moment *moment) {
    int hour = take_number(text, 1, 2), second = 0;
    int64_t fraction = 0;
    if (is_compact && **text == '\0' && within(hour, 0, 24)) { /* "2010013107" */
        moment->clock = hour % 24 * 3600 * SECOND;
        moment->micros += hour * 3600 * SECOND;
        moment->has_clock = true;
        return true;
    }
    bool colon = take(text, ':');
    if (!within(hour, 0, 24) || (!colon && !is_compact))
        return false;
    int minute = take_number(text, 2, 2);
    if (colon ? take(text, ':') : (**text >= '0' && **text <= '9')) {
        second = take_number(text, 2, 2);
        if (take(text, '.') || take(text, ',')) {
            int digits = 0;
            for (; **text >= '0' && **text <= '9' && digits < 9; digits++, (*text)++)
                fraction = digits < 6 ? 10 * fraction + (**text - '0') : fraction;
            if (digits == 0)
                return false;
            for (; digits < 6; digits++)
                fraction *= 10;
        }
    }
    if (!within(minute, 0, 59) || !within(second, 0, 60) ||
        (hour == 24 && (minute > 0 || second > 0 || fraction > 0)))
        return false;
    const char *half = **text == ' ' ? *text + 1 : *text;
    if (strncasecmp(half, "am", 2) == 0 || strncasecmp(half, "pm", 2) == 0) {
        if (!within(hour, 1, 12))
            return false;
        hour = hour % 12 + (*half == 'p' || *half == 'P' ? 12 : 0);
        *text = half + 2;
    }
    const int64_t since_midnight = (hour * 3600 + minute * 60 + second) * SECOND + fraction;
    moment->clock = since_midnight % DAY;
    moment->micros += since_midnight;
    moment->has_clock = true;
    return true;
}

/* Behind a time of day: "Z", "+01:00", "-0500", "+01", "UTC", "CET", or nothing. */
static bool take_zone(const char **text, struct profiles__moment *moment) {
    static const struct {
        const char *name;
        int minutes;
    } zones[] = {{"UTC", 0},    {"GMT", 0},    {"Z", 0},      {"WET", 0},    {"WEST", 60},
                 {"CET", 60},   {"CEST", 120}, {"MEZ", 60},   {"MESZ", 120}, {"EET", 120},
                 {"EEST", 180}, {"EST", -300}, {"EDT", -240}, {"CST", -360}, {"CDT", -300},
                 {"MST", -420}, {"MDT", -360}, {"PST", -480}, {"PDT", -420}};
    const char *at = *text;
    int minutes = 0;
    while (take(&at, ' '))
        ;
    if (*at == '\0') {
        *text = at;
        return true;
    }
    moment->has_zone = true;
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        if (strcmp(at, zones[i].name) == 0) {
            moment->micros -= zones[i].minutes * 60 * SECOND;
            *text = at + strlen(at);
            return true;
        }
    bool west = *at == '-';
    if (!take(&at, '+') && !take(&at, '-'))
        return false;
    int hours = take_number(&at, 2, 2);
    if (take(&at, ':') || *at != '\0')
        minutes = take_number(&at, 2, 2);
    if (!within(hours, 0, 15) || !within(minutes, 0, 59))
        return false;
    moment->micros -= (west ? -1 : 1) * (hours * 60 + minutes) * 60 * SECOND;
    *text = at;
    return true;
}

static bool take_one(const char *text, bool day_first, struct profiles__moment *moment) {
    int year, month, day;
    *moment = (struct profiles__moment){0};
    bool is_compact = take_compact_date(&text, &year, &month, &day);
    if (is_compact)
        moment->micros = day_number(year, month, day) * DAY;
    moment->has_date = is_compact || take_date(&text, day_first, moment);
    if (moment->has_date) {
        if (*text == '\0')
            return true;
        bool parted = take(&text, ' ') || take(&text, 'T') || (is_compact && (take(&text, ':') || true));
        if (!parted)
            return false;
        while (take(&text, ' '))
            ;
    }
    if (!take_clock(&text, is_compact, moment) || !take_zone(&text, moment) || *text != '\0')
        return false;
    if (!moment->has_date) { /* of the day alone: as written */
        struct profiles__moment zoned = *moment;
        moment->micros = ((zoned.micros % DAY) + DAY) % DAY;
    }
    return true;
}

bool profiles__take_moment(const char *text, bool day_first, struct profiles__moment *moment) {
    const char *to = strstr(text, " - ");
    char from[64];
    struct profiles__moment end;
    if (!to || (size_t)(to - text) >= sizeof from)
        return take_one(text, day_first, moment);
    snprintf(from, sizeof from, "%.*s", (int)(to - text), text); /* a time that lasts: when it begins */
    return take_one(from, day_first, moment) && take_one(to + 3, day_first, &end);
}

void profiles__moment_text(int64_t micros, bool has_clock, char text[PROFILES__MOMENT_TEXT]) {
    int year, month, day;
    int64_t number = micros >= 0 ? micros / DAY : -((DAY - 1 - micros) / DAY), rest = micros - number * DAY;
    int seconds = (int)(rest / SECOND);
    date_of(number, &year, &month, &day);
    int size = snprintf(text, PROFILES__MOMENT_TEXT, "%04d-%02d-%02d", year, month, day);
    if (has_clock)
        size += snprintf(text + size, PROFILES__MOMENT_TEXT - (size_t)size, " %02d:%02d", seconds / 3600,
                         seconds / 60 % 60);
    if (has_clock && seconds % 60 != 0)
        snprintf(text + size, PROFILES__MOMENT_TEXT - (size_t)size, ":%02d", seconds % 60);
}

uint32_t profiles__whole_months(int64_t from, int64_t to) {
    int year[2], month[2], day[2], next[3];
    int64_t late = ((to - from) % DAY + DAY + DAY / 2) % DAY - DAY / 2;
    if (late > HOUR || late < -HOUR)
        return 0;
    int64_t at[2] = {from, to - late};
    bool is_last[2];
    for (int i = 0; i < 2; i++) {
        int64_t number = at[i] >= 0 ? at[i] / DAY : -((DAY - 1 - at[i]) / DAY);
        date_of(number, &year[i], &month[i], &day[i]);
        date_of(number + 1, &next[0], &next[1], &next[2]);
        is_last[i] = next[2] == 1;
    }
    if (to <= from || (day[0] != day[1] && !(is_last[0] && is_last[1])))
        return 0;
    return (uint32_t)((year[1] - year[0]) * 12 + month[1] - month[0]);
}
