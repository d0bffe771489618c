/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times as tables write them: a date, a time of day or both, in the forms that fit.h lists. */
#define _XOPEN_SOURCE 700 /* strptime */
#define _DEFAULT_SOURCE   /* tm_gmtoff */

#include "internal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

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

void profiles__date_of(int64_t number, int *year, int *month, int *day) {
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

/* The year that a number of so many digits says; two are of 1969 to 2068, as POSIX has it. */
static int take_year(int number, size_t digits, struct profiles__moment *moment) {
    if (digits != 2)
        return number;
    moment->guesses |= PROFILES__SHORT_YEAR;
    return number + (number < 69 ? 2000 : 1900);
}

/* "2010-01-31", "2010/1/31", "2010.01.31", "2010-01" (its first day), "31.1.2010", "1/31/2010", "31/1/2010",
 * "1/31/10", "2010-032" (a day of the year); leaves *text alone if there is none. */
static bool take_date(const char **text, int order, struct profiles__moment *moment) {
    const char *at = *text, *begin = at;
    int year, month, day, first = take_number(&at, 1, 4);
    const size_t first_digits = (size_t)(at - begin);
    char between = *at;
    if (first < 0 || between == 0 || !strchr("-/.", between) || !take(&at, between))
        return false;
    begin = at;
    if (between == '-' && first_digits == 4 && strspn(at, "0123456789") == 3) {
        day = take_number(&at, 3, 3);
        if (!is_date(first, 1, 1) || !within(day, 1, is_date(first, 2, 29) ? 366 : 365))
            return false;
        moment->micros = (day_number(first, 1, 1) + day - 1) * DAY;
        *text = at;
        return true;
    }
    int second = take_number(&at, 1, 2), third = -1;
    size_t third_digits = 0;
    if (second >= 0 && take(&at, between)) {
        begin = at;
        third = take_number(&at, 1, 4);
        third_digits = (size_t)(at - begin);
        if (third < 0)
            return false;
    } else if (second >= 0 && first > 31 && between != '.') {
        third = 1;
    }
    if (first_digits > 2 || (order == COR_DATES_YEAR_FIRST && third_digits < 3)) {
        year = take_year(first, first_digits, moment), month = second, day = third;
    } else {
        bool of_two_ways = between != '.', day_first = order == COR_DATES_DAY_FIRST || !of_two_ways;
        moment->is_day_first = of_two_ways && first > 12;
        moment->is_month_first = of_two_ways && second > 12;
        moment->has_two_orders = of_two_ways;
        if (moment->is_day_first || moment->is_month_first)
            day_first = moment->is_day_first || !of_two_ways;
        year = take_year(third, third_digits, moment);
        month = day_first ? second : first, day = day_first ? first : second;
        moment->ends[0] = first, moment->ends[1] = third;
    }
    if (!is_date(year, month, day)) {
        *moment = (struct profiles__moment){0};
        return false;
    }
    moment->micros = day_number(year, month, day) * DAY;
    *text = at;
    return true;
}

/* A month's name, or the first three letters and more of it; -1: none. */
static int take_month(const char **text) {
    static const char *const names[][12] = {{"january", "february", "march", "april", "may", "june", "july",
                                             "august", "september", "october", "november", "december"},
                                            {"januar", "februar", "m\xC3\xA4rz", "april", "mai", "juni",
                                             "juli", "august", "september", "oktober", "november",
                                             "dezember"},
                                            {"janvier", "fevrier", "mrz", "avril", "maio", "juin", "juillet",
                                             "ao\xC3\xBBt", "sept", "octobre", "novembre", "decembre"}};
    size_t length = 0;
    while (isalpha((unsigned char)(*text)[length]) || (unsigned char)(*text)[length] >= 0x80)
        length++;
    for (size_t i = 0; length >= 3 && i < sizeof names / sizeof *names; i++)
        for (int month = 0; month < 12; month++)
            if (strncasecmp(*text, names[i][month], length) == 0) {
                *text += length;
                return month + 1;
            }
    return -1;
}

/* "1-Mar-2023", "01MAR2023", "1. Mar 2023", "Mar 1, 2023", "March 2023", "2023 Mar 1"; "2000-Q1", "Q1 2000".
 */
static bool take_named_date(const char **text, struct profiles__moment *moment) {
    const char *at = *text, *ends[3];
    char kinds[4] = ""; /* of its words: n a number, m a month, q a quarter */
    int value[3];
    size_t digits[3], count = 0;
    for (; count < 3; count++) {
        at += count > 0 ? strspn(at, " -/.,") : 0;
        const char *begin = at;
        value[count] = take_number(&at, 1, 4);
        digits[count] = (size_t)(at - begin);
        if (digits[count] > 0 && *at != ':' && !within(*at - '0', 0, 9)) {
            kinds[count] = 'n';
        } else if ((*begin == 'Q' || *begin == 'q') && within(begin[1] - '0', 1, 4)) {
            kinds[count] = 'q';
            value[count] = 3 * (begin[1] - '0') - 2;
            at = begin + 2;
        } else {
            at = begin;
            value[count] = take_month(&at);
            if (value[count] < 0)
                break;
            kinds[count] = 'm';
        }
        ends[count] = at;
    }
    for (; count >= 2; count--) {
        kinds[count] = '\0';
        const size_t m = strcspn(kinds, "mq"), y = digits[0] == 4 && kinds[0] == 'n' ? 0 : count - 1;
        const size_t d = count == 3 && m + y <= 3 ? 3 - m - y : 0;
        const bool has_day = count == 3 && kinds[m] == 'm' && kinds[d] == 'n' && digits[d] <= 2;
        if (m == count || kinds[y] != 'n' || (count == 3 && !has_day) ||
            (digits[y] != 4 && !(digits[y] == 2 && has_day)))
            continue;
        const int year = take_year(value[y], digits[y], moment), day = has_day ? value[d] : 1;
        if (!is_date(year, value[m], day))
            return false;
        moment->micros = day_number(year, value[m], day) * DAY;
        *text = ends[count - 1];
        return true;
    }
    return false;
}

/* "7:05", "07:05:30", "07:05:30.25", "7:05 PM"; behind a compact date also "07", "0705", "070530"; behind any
 * date "7", or the number of a period, "24:05" of the next day, and "2A:05", "2B:05" of the hour that comes
 * twice. */
static bool take_clock(const char **text, bool is_compact, int64_t period, struct profiles__moment *moment) {
    const size_t digits = strspn(*text, "0123456789");
    if (moment->has_date && digits > 0 && digits <= (is_compact ? 2 : 3) && (*text)[digits] == '\0') {
        const int number = take_number(text, 1, 3);
        const int64_t since = period > 0 ? (number - 1) * period : number * HOUR;
        if (period > 0 ? number < 1 || since >= DAY + 2 * HOUR : number > 24)
            return false;
        moment->clock = since % DAY;
        moment->micros += since;
        moment->has_clock = true;
        return true;
    }
    int hour = take_number(text, 1, 2), second = 0;
    int64_t fraction = 0;
    if (moment->has_date && within(hour, 1, 3) && (**text == 'A' || **text == 'B') && (*text)[1] != 'M') {
        ++*text;
        moment->guesses |= PROFILES__HOUR_TWICE;
        if (**text == '\0') {
            moment->clock = hour * HOUR;
            moment->micros += hour * HOUR;
            moment->has_clock = true;
            return true;
        }
    }
    bool colon = take(text, ':');
    if (!within(hour, 0, moment->has_date && !is_compact ? 47 : 24) || (!colon && !is_compact))
        return false;
    int minute = take_number(text, 2, 2);
    if (colon ? take(text, ':') : (**text >= '0' && **text <= '9')) {
        second = take_number(text, 2, 2);
        if (take(text, '.') || take(text, ',')) {
            int places = 0;
            for (; **text >= '0' && **text <= '9' && places < 9; places++, (*text)++)
                fraction = places < 6 ? 10 * fraction + (**text - '0') : fraction;
            if (places == 0)
                return false;
            for (; places < 6; places++)
                fraction *= 10;
        }
    }
    const bool is_past = hour > 24 || (hour == 24 && (minute > 0 || second > 0 || fraction > 0));
    if (!within(minute, 0, 59) || !within(second, 0, 60) || (is_past && (!moment->has_date || is_compact)))
        return false;
    moment->guesses |= is_past ? PROFILES__PAST_MIDNIGHT : 0;
    const char *half = **text == ' ' ? *text + 1 : *text;
    if (strncasecmp(half, "am", 2) == 0 || strncasecmp(half, "pm", 2) == 0) {
        if (!within(hour, 1, 12))
            return false;
        hour = hour % 12 + (*half == 'p' || *half == 'P' ? 12 : 0);
        *text = half + 2;
    }
    const int64_t since_midnight = (hour * INT64_C(3600) + minute * 60 + second) * SECOND + fraction;
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

/* A count of units since 1970, `per_second` of them a second, with a fraction or without. */
static bool take_epoch(const char *text, int64_t per_second, struct profiles__moment *moment) {
    char *end;
    const long long whole = strtoll(text, &end, 10);
    const int64_t most = INT64_C(253402300800) * (per_second < 1000000000 ? per_second : 30000000);
    if (end == text || whole < -most || whole > most || !strchr("+-0123456789", *text))
        return false;
    int64_t fraction = 0, unit = SECOND / per_second;
    if (*end == '.' && per_second == 1) {
        for (end++; *end >= '0' && *end <= '9'; end++)
            fraction += (unit /= 10) * (*end - '0');
        unit = SECOND;
    }
    if (*end != '\0')
        return false;
    moment->micros = unit > 0 ? whole * unit + (*text == '-' ? -fraction : fraction) : whole / 1000;
    moment->clock = (moment->micros % DAY + DAY) % DAY;
    moment->has_date = moment->has_clock = moment->has_zone = true;
    return true;
}

/* What counts since 1970 as many digits as today's times have, and is no compact date: of 10 digits those
 * that begin with 10 to 18, which are of 2001 to 2030. */
static bool is_epoch(const char *text, int64_t *per_second) {
    const size_t digits = strspn(text, "0123456789");
    *per_second = digits == 10 ? 1 : digits == 13 ? 1000 : digits == 16 ? 1000000 : 1000000000;
    return text[0] == '1' && text[1] < '9' &&
           (text[digits] == '\0' || (digits == 10 && text[digits] == '.')) &&
           (digits == 10 || digits == 13 || digits == 16 || digits == 19);
}

/* Days since 30 December 1899, to a second. */
static bool take_excel(const char *text, struct profiles__moment *moment) {
    char *end;
    const double days = strtod(text, &end);
    if (end == text || *end != '\0' || text[strspn(text, "0123456789.,")] != '\0' || !(days >= 1) ||
        !(days < 2958466))
        return false;
    moment->micros = (int64_t)floor(days * 86400 + 0.5) * SECOND - 25569 * DAY;
    moment->clock = (moment->micros % DAY + DAY) % DAY;
    moment->has_date = moment->has_clock = true;
    return true;
}

/* As strptime() reads it; a date has its first month and day where the format has none. */
static bool take_formatted(const char *text, const char *format, struct profiles__moment *moment) {
    struct tm tm = {.tm_mday = 1, .tm_year = 70};
    const char *end = strptime(text, format, &tm);
    while (end && *end == ' ')
        end++;
    if (!end || *end != '\0' || !is_date(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday))
        return false;
    for (const char *at = format; (at = strchr(at, '%')) && at[1]; at += 2) {
        at += at[1] == 'E' || at[1] == 'O';
        moment->has_date |= strchr("YyDFxcjCdemb", at[1]) != NULL;
        moment->has_clock |= strchr("HkIlMSTRrXc", at[1]) != NULL;
        moment->has_zone |= at[1] == 'z';
    }
    moment->clock = (tm.tm_hour * INT64_C(3600) + tm.tm_min * 60 + tm.tm_sec) * SECOND;
    moment->micros = (moment->has_date ? day_number(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday) * DAY : 0) +
                     moment->clock - (moment->has_zone ? (int64_t)tm.tm_gmtoff * SECOND : 0);
    return true;
}

const char *const profiles__epochs[] = {"epoch", "epoch-ms", "epoch-us", "epoch-ns", NULL};

static bool take_one(const char *text, const struct profiles__time_form *form,
                     struct profiles__moment *moment) {
    static const int64_t units[] = {1, 1000, 1000000, 1000000000};
    int year, month, day;
    int64_t per_second;
    *moment = (struct profiles__moment){0};
    for (size_t i = 0; form->format && profiles__epochs[i]; i++)
        if (strcmp(form->format, profiles__epochs[i]) == 0)
            return take_epoch(text, units[i], moment);
    if (form->format)
        return strcmp(form->format, "excel") == 0 ? take_excel(text, moment)
                                                  : take_formatted(text, form->format, moment);
    if (is_epoch(text, &per_second)) {
        moment->guesses = per_second == 1         ? PROFILES__EPOCH
                          : per_second == 1000    ? PROFILES__EPOCH_MS
                          : per_second == 1000000 ? PROFILES__EPOCH_US
                                                  : PROFILES__EPOCH_NS;
        return take_epoch(text, per_second, moment);
    }
    bool is_compact = take_compact_date(&text, &year, &month, &day);
    if (is_compact)
        moment->micros = day_number(year, month, day) * DAY;
    moment->has_date = is_compact || take_date(&text, form->order, moment) || take_named_date(&text, moment);
    if (moment->has_date) {
        if (*text == '\0')
            return true;
        bool parted = take(&text, ' ') || take(&text, 'T') || (is_compact && (take(&text, ':') || true));
        if (!parted)
            return false;
        while (take(&text, ' '))
            ;
    }
    if (!take_clock(&text, is_compact, form->period, moment) || !take_zone(&text, moment) || *text != '\0')
        return false;
    if (!moment->has_date) { /* of the day alone: as written */
        struct profiles__moment zoned = *moment;
        moment->micros = ((zoned.micros % DAY) + DAY) % DAY;
    }
    return true;
}

bool profiles__take_moment(const char *text, const struct profiles__time_form *form,
                           struct profiles__moment *moment) {
    const char *to = strstr(text, " - ");
    char from[64];
    struct profiles__moment end;
    if (!to || (size_t)(to - text) >= sizeof from)
        return take_one(text, form, moment);
    snprintf(from, sizeof from, "%.*s", (int)(to - text), text); /* a time that lasts: when it begins */
    return take_one(from, form, moment) && take_one(to + 3, form, &end);
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
        profiles__date_of(number, &year[i], &month[i], &day[i]);
        profiles__date_of(number + 1, &next[0], &next[1], &next[2]);
        is_last[i] = next[2] == 1;
    }
    if (to <= from || (day[0] != day[1] && !(is_last[0] && is_last[1])))
        return 0;
    return (uint32_t)((year[1] - year[0]) * 12 + month[1] - month[0]);
}
