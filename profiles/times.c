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

/* "2020-W49-2", "2020W492" (Monday is 1), "2020-W49" (its Monday), as ISO 8601 counts weeks. */
static bool take_week(const char **text, struct profiles__moment *moment) {
    const char *at = *text;
    const int year = take_number(&at, 4, 4);
    take(&at, '-');
    if (year < 0 || (!take(&at, 'W') && !take(&at, 'w')))
        return false;
    const int week = take_number(&at, 2, 2);
    const bool has_day = *at == '-' || within(*at - '0', 1, 7);
    take(&at, '-');
    const int day = has_day ? take_number(&at, 1, 1) : 1;
    if (!is_date(year, 1, 1) || !within(week, 1, 53) || !within(day, 1, 7))
        return false;
    /* The week of 4 January is the first; 1970 began on a Thursday. */
    const int64_t fourth = day_number(year, 1, 4), monday = fourth - ((fourth + 3) % 7 + 7) % 7;
    if (week == 53 && monday + 52 * 7 + 3 >= day_number(year + 1, 1, 1))
        return false;
    moment->micros = (monday + 7 * (week - 1) + day - 1) * DAY;
    *text = at;
    return true;
}

/* "2010-032", "2010-032.25": a day of the year, with a fraction to a second. */
static bool take_day_of_year(const char **text, int year, struct profiles__moment *moment) {
    const char *at = *text;
    const int day = take_number(&at, 3, 3);
    if (!is_date(year, 1, 1) || !within(day, 1, is_date(year, 2, 29) ? 366 : 365))
        return false;
    moment->micros = (day_number(year, 1, 1) + day - 1) * DAY;
    if (*at == '.') {
        const size_t digits = strspn(at + 1, "0123456789");
        if (digits == 0 || digits > 12)
            return false;
        moment->clock = (int64_t)floor(strtod(at, NULL) * 86400 + 0.5) * SECOND;
        moment->micros += moment->clock;
        moment->clock %= DAY;
        moment->has_clock = true;
        at += 1 + digits;
    }
    *text = at;
    return true;
}

/* "2010-01-31", "2010/1/31", "2010.01.31", "2010:01:31", "2010-01" (its first day), "31.1.2010", "1/31/2010",
 * "31/1/2010", "1/31/10", "1/2010", "2010-032" (a day of the year); leaves *text alone if there is none. */
static bool take_date(const char **text, int order, struct profiles__moment *moment) {
    const char *at = *text, *begin = at;
    int year, month, day, first = take_number(&at, 1, 4);
    const size_t first_digits = (size_t)(at - begin);
    char between = *at;
    const bool is_year_first = first_digits == 4;
    if (first < 0 || between == 0 || !strchr(is_year_first ? "-/.:" : "-/.", between) || !take(&at, between))
        return false;
    begin = at;
    const size_t second_digits = strspn(at, "0123456789");
    if (between == ':' && (second_digits != 2 || at[2] != ':'))
        return false;
    if (between == '-' && is_year_first && second_digits == 3) {
        if (!take_day_of_year(&at, first, moment))
            return false;
        *text = at;
        return true;
    }
    if (first_digits <= 2 && second_digits == 4 && at[4] != between) { /* a month, and its year */
        year = take_number(&at, 4, 4);
        if (!is_date(year, first, 1))
            return false;
        moment->micros = day_number(year, first, 1) * DAY;
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

/* A month's name in one of seven languages, or the first three letters and more of it; -1: none. "jui" may be
 * June or July. */
static int take_month(const char **text) {
    static const char *const names[][12] = {
        {"january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
         "november", "december"},
        {"januar", "februar", "m\xC3\xA4rz", "april", "mai", "juni", "juli", "august", "september", "oktober",
         "november", "dezember"},
        {"janvier", "f\xC3\xA9vrier", "mars", "avril", "mai", "juin", "juillet", "ao\xC3\xBBt", "septembre",
         "octobre", "novembre",
         "d\xC3\xA9"
         "cembre"},
        {"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre",
         "noviembre", "diciembre"},
        {"gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre",
         "ottobre", "novembre", "dicembre"},
        {"januari", "februari", "maart", "april", "mei", "juni", "juli", "augustus", "september", "oktober",
         "november", "december"},
        {"janeiro", "fevereiro", "mar\xC3\xA7o", "abril", "maio", "junho", "julho", "agosto", "setembro",
         "outubro", "novembro", "dezembro"},
        {"", "fevrier", "mrz", "", "", "", "", "aout", "", "", "", ""}};
    size_t length = 0;
    while (isalpha((unsigned char)(*text)[length]) || (unsigned char)(*text)[length] >= 0x80)
        length++;
    if (length < 3 || (length == 3 && strncasecmp(*text, "jui", 3) == 0))
        return -1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int month = 0; month < 12; month++)
            if (strncasecmp(*text, names[i][month], length) == 0) {
                *text += length;
                return month + 1;
            }
    return -1;
}

/* A part of a year as its first month: "Q1", "Quarter 1", "H2", "S2" (half a year), "M07"; -1: none. */
static int take_part_of_year(const char **text) {
    static const struct {
        const char *word;
        int months;
    } parts[] = {{"quarter", 3}, {"quartal", 3}, {"qtr", 3}, {"q", 3}, {"h", 6}, {"s", 6}, {"m", 1}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const size_t length = strlen(parts[i].word);
        if (strncasecmp(*text, parts[i].word, length) != 0)
            continue;
        const char *at = *text + length + strspn(*text + length, " ");
        const int part = take_number(&at, 1, parts[i].months == 1 ? 2 : 1);
        if (part < 1 || part > 12 / parts[i].months || isalnum((unsigned char)*at))
            continue;
        *text = at;
        return parts[i].months * (part - 1) + 1;
    }
    return -1;
}

/* "1-Mar-2023", "01MAR2023", "1. Mar 2023", "Mar 1, 2023", "March 2023", "2023 Mar 1", "1 de marzo de 2023";
 * and where nothing stands behind it "Mar-23"; "2000-Q1", "Q1 2000", "1Q00", "2000-H1", "2000M01". */
static bool take_named_date(const char **text, struct profiles__moment *moment) {
    const char *at = *text, *ends[3];
    char kinds[4] = ""; /* of its words: n a number, m a month, q a part of the year */
    int value[3];
    size_t digits[3], count = 0;
    for (; count < 3; count++) {
        at += count > 0 ? strspn(at, " -/.,") : 0;
        at += count > 0 && strncasecmp(at, "de ", 3) == 0 ? 3 : 0;
        const char *begin = at;
        value[count] = take_number(&at, 1, 4);
        digits[count] = (size_t)(at - begin);
        if (digits[count] == 1 && value[count] <= 4 && value[count] > 0 && (*at == 'Q' || *at == 'q')) {
            kinds[count] = 'q';
            value[count] = 3 * value[count] - 2;
            at++;
        } else if (digits[count] > 0 && (*at != ':' || digits[count] == 4) && !within(*at - '0', 0, 9)) {
            kinds[count] = 'n';
        } else if ((value[count] = take_part_of_year((at = begin, &at))) > 0) {
            kinds[count] = 'q';
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
        const bool is_short = digits[y] == 2 && (has_day || (y == 1 && *ends[count - 1] == '\0'));
        if (m == count || kinds[y] != 'n' || (count == 3 && !has_day) || (digits[y] != 4 && !is_short))
            continue;
        const int year = take_year(value[y], digits[y], moment), day = has_day ? value[d] : 1;
        if (!is_date(year, value[m], day))
            return false;
        moment->ends[0] = has_day ? 0 : value[m], moment->ends[1] = has_day ? 0 : value[y];
        moment->micros = day_number(year, value[m], day) * DAY;
        *text = ends[count - 1];
        return true;
    }
    return false;
}

/* Behind a date, and to the end: "7", an hour, the number of a period, "HE07", "H07", "SP7", and "0730", or
 * "730", which are hours and minutes. */
static bool take_number_of_day(const char **text, int64_t period, struct profiles__moment *moment) {
    static const char *const words[] = {"he", "hour", "hr", "h", "sp", "period", "pd", "p", ""};
    const char *at = *text;
    for (size_t i = 0, length; i < sizeof words / sizeof *words; i++)
        if (strncasecmp(at, words[i], length = strlen(words[i])) == 0) {
            at += length;
            at += strspn(at, " _");
            break;
        }
    const size_t digits = strspn(at, "0123456789");
    int number = take_number(&at, 1, 4);
    if (*at == 'h' && at[1] == '\0')
        at++;
    if (digits == 0 || digits > 4 || *at != '\0')
        return false;
    int64_t since = period > 0 ? (number - 1) * period : number * HOUR;
    const bool is_clock = period == 0 && digits > 2;
    if (is_clock) {
        since = number / 100 * HOUR + number % 100 * 60 * SECOND;
        moment->guesses |= PROFILES__DIGITS;
    }
    const bool is_sunday = (moment->micros / DAY + 4) % 7 == 0; /* the day of 25 hours is one */
    if (period > 0 ? number < 1 || since >= DAY + 2 * HOUR
        : is_clock ? number % 100 > 59 || number > 2400
                   : number > 24 + is_sunday)
        return false;
    moment->clock = since % DAY;
    moment->micros += since;
    moment->has_clock = true;
    *text = at;
    return true;
}

/* "am", "PM", "a.m."; 0: none, else 'a' or 'p'. */
static char take_half(const char **text) {
    const char *at = **text == ' ' ? *text + 1 : *text;
    const char half = (char)tolower((unsigned char)*at);
    if (half != 'a' && half != 'p')
        return 0;
    const size_t length = strncasecmp(at + 1, ".m.", 3) == 0 ? 4 : strncasecmp(at + 1, "m", 1) == 0 ? 2 : 0;
    if (length == 0 || isalpha((unsigned char)at[length]))
        return 0;
    *text = at + length;
    return half;
}

/* "7:05", "07:05:30", "07:05:30.25", "7:05 PM"; behind a compact date also "07", "0705", "070530"; behind any
 * date "7 PM", "07h05", "07.05", "24:05" of the next day, and "2A:05", "2B:05", "02:05*" of the hour that
 * comes twice; behind `parted` = '-' also "07-05-30". */
static bool take_clock(const char **text, bool is_compact, char parted, struct profiles__moment *moment) {
    int hour = take_number(text, 1, 2), second = 0, minute = 0;
    int64_t fraction = 0;
    if (moment->has_date && within(hour, 1, 3) && (**text == 'A' || **text == 'B') && (*text)[1] != 'M' &&
        (*text)[1] != '.') {
        ++*text;
        moment->guesses |= PROFILES__HOUR_TWICE;
        if (**text == '\0') {
            moment->clock = hour * HOUR;
            moment->micros += hour * HOUR;
            moment->has_clock = true;
            return true;
        }
    }
    char half = moment->has_date ? take_half(text) : 0;
    if (!half) {
        const char between = **text;
        const bool is_sign = between == ':' || (moment->has_date && between && strchr("hH.", between)) ||
                             (between == '-' && parted == '-');
        const bool colon = is_sign && within((*text)[1] - '0', 0, 5) && take(text, between);
        if (colon && between == '.')
            moment->guesses |= PROFILES__POINTS;
        if (!within(hour, 0, moment->has_date && !is_compact ? 47 : 24) || (!colon && !is_compact))
            return false;
        minute = take_number(text, 2, 2);
        const char behind = between == 'h' || between == 'H' ? ':' : between;
        if (colon ? take(text, behind) : (**text >= '0' && **text <= '9')) {
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
        half = take_half(text);
    }
    const bool is_past = hour > 24 || (hour == 24 && (minute > 0 || second > 0 || fraction > 0));
    if (!within(minute, 0, 59) || !within(second, 0, 60) || (is_past && (!moment->has_date || is_compact)))
        return false;
    moment->guesses |= is_past ? PROFILES__PAST_MIDNIGHT : 0;
    if (half) {
        if (!within(hour, 1, 12))
            return false;
        hour = hour % 12 + (half == 'p' ? 12 : 0);
    }
    if (moment->has_date && within(hour, 0, 3) && (strcmp(*text, "*") == 0 || strcmp(*text, " B") == 0)) {
        moment->guesses |= PROFILES__HOUR_TWICE;
        *text += strlen(*text);
    }
    const int64_t since_midnight = (hour * INT64_C(3600) + minute * 60 + second) * SECOND + fraction;
    moment->clock = since_midnight % DAY;
    moment->micros += since_midnight;
    moment->has_clock = true;
    return true;
}

/* "Europe/Berlin", "[Europe/Berlin]" to the end: the zone is not looked up, and its clock changes are what
 * rows show. */
static bool take_place(const char **text, struct profiles__moment *moment) {
    const char *at = *text, *slash = strchr(at, '/');
    if ((*at != '[' && !isalpha((unsigned char)*at)) || !slash || !isalpha((unsigned char)slash[1]) ||
        at[strcspn(at, " 0123456789:")] != '\0')
        return false;
    for (; *at; at++)
        moment->place = (moment->place ^ (unsigned char)*at) * 16777619u;
    moment->guesses |= PROFILES__PLACE;
    *text = at;
    return true;
}

/* Behind a time of day: "Z", "+01:00", "-0500", "+01", "UTC", "CET", "GMT+0100", "+01:00[Europe/Berlin]", or
 * nothing; "-01:00" may also be when it ends. */
static bool take_zone(const char **text, bool has_ranges, struct profiles__moment *moment) {
    static const struct {
        const char *name;
        int minutes;
    } zones[] = {{"UTC", 0},    {"GMT", 0},    {"Z", 0},      {"WET", 0},    {"WEST", 60},  {"CET", 60},
                 {"CEST", 120}, {"MEZ", 60},   {"MESZ", 120}, {"EET", 120},  {"EEST", 180}, {"EST", -300},
                 {"EDT", -240}, {"CST", -360}, {"CDT", -300}, {"MST", -420}, {"MDT", -360}, {"PST", -480},
                 {"PDT", -420}, {"JST", 540},  {"KST", 540},  {"AEST", 600}, {"AEDT", 660}, {"ACST", 570},
                 {"AWST", 480}, {"NZST", 720}, {"NZDT", 780}, {"MSK", 180},  {"SAST", 120}};
    const char *at = *text;
    int minutes = 0;
    while (take(&at, ' '))
        ;
    if (*at == '\0' || take_place(&at, moment)) {
        *text = at;
        return true;
    }
    struct profiles__moment end = {0};
    if (has_ranges && *at == '-') {
        *text = at + 1;
        return take_clock(text, false, 0, &end) && **text == '\0';
    }
    moment->has_zone = true;
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        if (strcmp(at, zones[i].name) == 0) {
            moment->micros -= zones[i].minutes * 60 * SECOND;
            *text = at + strlen(at);
            return true;
        }
    for (size_t i = 0; i < 2; i++) /* UTC and GMT */
        at += strncmp(at, zones[i].name, 3) == 0 && (at[3] == '+' || at[3] == '-') ? 3 : 0;
    bool west = *at == '-';
    if (!take(&at, '+') && !take(&at, '-'))
        return false;
    int hours = take_number(&at, *text + 3 < at ? 1 : 2, 2);
    if (take(&at, ':') || (*at != '\0' && *at != '['))
        minutes = take_number(&at, 2, 2);
    struct profiles__moment zoned = {0};
    if (*at == '[' && !take_place(&at, &zoned))
        return false;
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

/* Ways to count days, by the number that 1 January 1970 has. */
static const struct {
    const char *word;
    double days_1970;
} day_counts[] = {
    {"excel", 25569}, {"excel-1904", 24107}, {"jd", 2440587.5}, {"mjd", 40587}, {"matlab", 719529}};

/* Days of one of these counts, or years with a fraction where `days_1970` is 0, to a second; with a decimal
 * comma or a point. */
static bool take_days(const char *text, double days_1970, struct profiles__moment *moment) {
    char number[32], *end;
    snprintf(number, sizeof number, "%s", text);
    char *comma = strchr(number, ',');
    if (comma && comma - number <= 3 && strlen(comma) == 4) /* 44,986: it parts thousands */
        return false;
    if (comma)
        *comma = '.';
    double days = strtod(number, &end) - days_1970;
    if (end == number || *end != '\0' || number[strspn(number, "0123456789.")] != '\0')
        return false;
    if (!(days_1970 > 0)) {
        if (!(days >= 1000) || !(days < 9999))
            return false;
        const int year = (int)days;
        const double begin = (double)day_number(year, 1, 1);
        days = begin + (days - year) * ((double)day_number(year + 1, 1, 1) - begin);
    }
    if (!(days > -719528) || !(days < 2932896))
        return false;
    moment->micros = (int64_t)floor(days * 86400 + 0.5) * SECOND;
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

const char *const profiles__time_words[] = {"epoch",  "epoch-ms",     "epoch-us", "epoch-ns",
                                            "excel",  "excel-1904",   "jd",       "mjd",
                                            "matlab", "decimal-year", NULL};

static bool take_as_said(const char *text, const char *format, struct profiles__moment *moment) {
    static const int64_t units[] = {1, 1000, 1000000, 1000000000};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(format, profiles__time_words[i]) == 0)
            return take_epoch(text, units[i], moment);
    for (size_t i = 0; i < sizeof day_counts / sizeof *day_counts; i++)
        if (strcmp(format, day_counts[i].word) == 0)
            return take_days(text, day_counts[i].days_1970, moment);
    return strcmp(format, "decimal-year") == 0 ? take_days(text, 0, moment)
                                               : take_formatted(text, format, moment);
}

static bool take_any_date(const char **text, int order, bool *is_compact, struct profiles__moment *moment) {
    int year, month, day;
    *is_compact = take_compact_date(text, &year, &month, &day);
    if (*is_compact)
        moment->micros = day_number(year, month, day) * DAY;
    moment->has_date = *is_compact || take_week(text, moment) || take_date(text, order, moment) ||
                       take_named_date(text, moment);
    return moment->has_date;
}

static bool take_one(const char *text, const struct profiles__time_form *form,
                     struct profiles__moment *moment) {
    int64_t per_second;
    bool is_compact;
    char parted = 0;
    *moment = (struct profiles__moment){0};
    if (form->format)
        return take_as_said(text, form->format, moment);
    if (is_epoch(text, &per_second)) {
        moment->guesses = per_second == 1         ? PROFILES__EPOCH
                          : per_second == 1000    ? PROFILES__EPOCH_MS
                          : per_second == 1000000 ? PROFILES__EPOCH_US
                                                  : PROFILES__EPOCH_NS;
        return take_epoch(text, per_second, moment);
    }
    if (take_any_date(&text, form->order, &is_compact, moment)) {
        if (*text == '\0')
            return true;
        parted = *text;
        const bool is_parted = parted == ' ' || parted == 'T' || parted == ',' || parted == '_' ||
                               parted == ':' || parted == '-';
        if (moment->has_clock || (!is_parted && !is_compact))
            return false;
        text += is_parted;
        text += strspn(text, " ");
        if ((!is_compact || strspn(text, "0123456789") <= 2) &&
            take_number_of_day(&text, form->period, moment))
            return true;
    }
    if (!take_clock(&text, is_compact, parted, moment) || !take_zone(&text, form->has_ranges, moment) ||
        *text != '\0')
        return false;
    if (!moment->has_date) { /* of the day alone: as written */
        struct profiles__moment zoned = *moment;
        moment->micros = ((zoned.micros % DAY) + DAY) % DAY;
    }
    return true;
}

/* With the usual signs for those that stand for them; false: it is longer than times are. */
static bool put_usual_signs(const char *text, char *usual, size_t size) {
    static const struct {
        const char *sign, *usual;
    } signs[] = {{"\xE2\x80\x90", "-"}, {"\xE2\x80\x91", "-"}, {"\xE2\x80\x92", "-"}, {"\xE2\x80\x93", "-"},
                 {"\xE2\x88\x92", "-"}, {"\xC2\xA0", " "},     {"\xE2\x80\xAF", " "}, {"\xE5\xB9\xB4", "-"},
                 {"\xE6\x9C\x88", "-"}, {"\xE6\x97\xA5", " "}, {"\xE6\x99\x82", ":"}, {"\xE6\x97\xB6", ":"},
                 {"\xE5\x88\x86", ":"}, {"\xE7\xA7\x92", ""}};
    size_t length = 0, changed = 0;
    while (*text && length + 1 < size) {
        size_t i = 0, width = 1;
        while (i < sizeof signs / sizeof *signs && strncmp(text, signs[i].sign, strlen(signs[i].sign)) != 0)
            i++;
        if (i < sizeof signs / sizeof *signs) {
            width = strlen(signs[i].sign);
            if (*signs[i].usual)
                usual[length++] = *signs[i].usual;
            changed = i > 6 ? length : changed;
        } else
            usual[length++] = *text;
        text += width;
    }
    if (changed == length)
        while (length > 0 && strchr("-: ", usual[length - 1]))
            length--;
    usual[length] = '\0';
    return *text == '\0';
}

/* Behind the day of the week that a time may begin with, as "Wed, " and "Mittwoch ". */
static const char *behind_weekday(const char *text) {
    static const char *const names[] = {"sunday",   "monday",     "tuesday", "wednesday", "thursday",
                                        "friday",   "saturday",   "sonntag", "montag",    "dienstag",
                                        "mittwoch", "donnerstag", "freitag", "samstag",   "sonnabend"};
    size_t length = 0;
    while (isalpha((unsigned char)text[length]))
        length++;
    const char *at = text + length + (text[length] == '.');
    at += *at == ',';
    const size_t blanks = strspn(at, " ");
    for (size_t i = 0; i < sizeof names / sizeof *names && blanks > 0; i++) {
        const size_t whole = strlen(names[i]), least = i < 7 ? 3 : 2;
        if (length >= least && (length == whole || length <= 4) && strncasecmp(text, names[i], length) == 0)
            return at + blanks;
    }
    return text;
}

/* Puts the date in front of the time of day: "07:00 31.1.2010", "Jan 31 07:00:00 UTC 2010". */
static void put_date_first(const char *text, char *turned, size_t size) {
    const char *colon = strchr(text, ':'), *last = strrchr(text, ' '), *at = text;
    struct profiles__moment moment = {0};
    bool is_compact;
    snprintf(turned, size, "%s", text);
    if (!colon || !last || last < colon)
        return;
    if (strspn(last + 1, "0123456789") == 4 && last[5] == '\0' && isalpha((unsigned char)*text)) {
        const size_t day = strcspn(text, " ") + strspn(text + strcspn(text, " "), " ");
        const char *clock = text + day + strcspn(text + day, " ");
        if (clock < colon)
            snprintf(turned, size, "%.*s %s%.*s", (int)(clock - text), text, last + 1, (int)(last - clock),
                     clock);
        return;
    }
    at += strcspn(text, " ");
    if (colon > at)
        return;
    const char *date = at;
    take_half(&date);
    date += strspn(date, " ");
    const char *end = date;
    if (take_any_date(&end, 0, &is_compact, &moment) && *end == '\0')
        snprintf(turned, size, "%s %.*s", date, (int)(date - text - 1), text);
}

bool profiles__take_moment(const char *text, const struct profiles__time_form *form,
                           struct profiles__moment *moment) {
    char usual[64], turned[64 + 2], from[64];
    struct profiles__moment end;
    *moment = (struct profiles__moment){0};
    if (form->format)
        return take_one(text, form, moment);
    if (!put_usual_signs(text, usual, sizeof usual))
        return false;
    put_date_first(behind_weekday(usual), turned, sizeof turned);
    const size_t length = strlen(turned);
    if (length > 4 && strcasecmp(turned + length - 4, " Uhr") == 0)
        turned[length - 4] = '\0';
    const char *to = strstr(turned, " - ");
    if (!to || (size_t)(to - turned) >= sizeof from)
        return take_one(turned, form, moment);
    snprintf(from, sizeof from, "%.*s", (int)(to - turned), turned); /* a time that lasts: when it begins */
    const size_t digits = strspn(to + 3, "0123456789");
    return take_one(from, form, moment) &&
           (take_one(to + 3, form, &end) || (digits > 0 && digits <= 2 && to[3 + digits] == '\0'));
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
