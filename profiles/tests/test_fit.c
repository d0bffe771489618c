/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <corridor/fit.h>
#include <corridor/walk.h>

#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct cor_series *series_of(const char *text, const char *column, const char *time_column,
                                    bool split_gaps) {
    const char *const times[] = {time_column, NULL};
    const struct cor_series_def def = {
        .columns = (const char *const[]){column, NULL}, .time_columns = times, .split_gaps = split_gaps};
    struct cor_series *series;
    struct cor_error error = COR_NO_ERROR;
    enum cor_status status = cor_series_parse(text, strlen(text), "s.csv", &def, &series, &error);
    if (status != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return series;
}

static struct cor_fit *fit_of(const struct cor_series *series, const struct cor_fit_def *def) {
    struct cor_fit *fit;
    struct cor_error error = COR_NO_ERROR;
    if (cor_fit_create(series, def, &fit, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    return fit;
}

static void assert_near(double found, double expected, double slack) {
    if (!(fabs(found - expected) <= slack))
        fail_msg("%.17g is not %.17g within %g", found, expected, slack);
}

static void columns_are_read(void **state) {
    (void)state;
    struct cor_series *series = series_of("\xEF\xBB\xBF\"a, b\",x ,\"say \"\"so\"\"\"\r\n"
                                          "one, 1.5,\r\n"
                                          "\"1\n2\",\t\"-.25e1\" ,3\r\n"
                                          "two,+7.,\"\"\r\n\r\n",
                                          "x", NULL, false);
    const double values[3] = {1.5, -2.5, 7.0};
    assert_int_equal(series->value_count, 3);
    assert_memory_equal(series->columns[0].values, values, sizeof values);
    assert_int_equal(series->segment_count, 1);
    assert_null(series->hours);
    assert_string_equal(series->file, "s.csv");
    cor_series_destroy(series);
    series = series_of("\"a, b\",\"say \"\"so\"\"\"\n1,2", "say \"so\"", NULL, false);
    assert_int_equal(series->value_count, 1);
    cor_series_destroy(series);
}

static void gaps_split(void **state) {
    (void)state;
    struct cor_series *series = series_of("x\n1\n2\n\nNaN\n3\nna\n4\n5\n6\n", "x", NULL, true);
    const size_t starts[4] = {0, 2, 3, 6};
    assert_int_equal(series->value_count, 6);
    assert_int_equal(series->segment_count, 3);
    assert_memory_equal(series->starts, starts, sizeof starts);
    assert_int_equal(series->gap_count, 3);
    cor_series_destroy(series);
}

static void times_have_hours(void **state) {
    (void)state;
    const struct {
        const char *text;
        int hour; /* -1: a date, -2: neither */
    } cases[] = {{"01:00", 1},
                 {"24:00", 0},
                 {"7:05:30.25", 7},
                 {"2010-01-01 00:00:00+01:00", 0},
                 {"2010-01-01T23:59Z", 23},
                 {"2010-12-31 13:00-0330", 13},
                 {"12/31/1980 24:00", 0},
                 {"10/1/1999", -1},
                 {"31/12/1999", -1},
                 {"1999-10-01", -1},
                 {"1999/10/1", -1},
                 {"", -2},
                 {"7", -2},
                 {"24:01", -2},
                 {"25:00", -2},
                 {"12:60", -2},
                 {"12:5", -2},
                 {"12:00:61", -2},
                 {"12:00:00.", -2},
                 {"13/13/1999", -2},
                 {"1999-13-01", -2},
                 {"1999-10/01", -2},
                 {"10-1-99", -1},
                 {"2010-01-01x10:00", -2},
                 {"10:00+1", -2},
                 {"10:00+16:00", -2},
                 {"10:00 am", 10},
                 {"1/31/2010 12:30 AM", 0},
                 {"12:30 PM", 12},
                 {"3:00:05PM", 15},
                 {"13:00 PM", -2},
                 {"0:30 am", -2},
                 {"10:00 xm", -2},
                 {"2023-02-29", -2},
                 {"2024-02-29", -1},
                 {"20230301", -1},
                 {"20230301:0700", 7},
                 {"202303010700", 7},
                 {"1.3.2023 07:00", 7},
                 {"2023-03", -1},
                 {"2023-03-01 07:00 UTC", 7},
                 {"2023-03-01 07:00 XYZ", -2},
                 {"01-Mar-2023", -1},
                 {"1 M\xC3\xA4rz 2023 7:05", 7},
                 {"Mar 1, 2023 7:05 PM", 19},
                 {"01MAR2023", -1},
                 {"2023 Sep 30", -1},
                 {"Sept 2023", -1},
                 {"1-Mar-23", -1},
                 {"Mar-23", -1}, /* as spreadsheets write a month and its year */
                 {"Mar-3", -2},
                 {"31-Feb-2023", -2},
                 {"1-Foo-2023", -2},
                 {"Mar 1 7:05", -2},
                 {"2000-Q4", -1},
                 {"Q4 2000", -1},
                 {"2000Q1", -1},
                 {"2000-Q5", -2},
                 {"2000-366", -1},
                 {"2001-366", -2},
                 {"2001-000", -2},
                 {"3/1/23 0:00", 0},
                 {"3/1/123", -2},
                 {"2023-03-01 7", 7},
                 {"2023-03-01 24", 0},
                 {"2023-03-01 25", -2},
                 {"2023-03-01 24:05", 0},
                 {"2023-03-01 47:59", 23},
                 {"2023-03-01 48:00", -2},
                 {"29.10.2023 2A:00", 2},
                 {"29.10.2023 2B:00", 2},
                 {"29.10.2023 4A:00", -2},
                 {"2A:00", -2},
                 {"1677628800", 0},
                 {"1677628800.25", 0},
                 {"1677628800000", 0},
                 {"1677628800000000", 0},
                 {"1677628800000000000", 0},
                 {"1612010203", 12},
                 {"2010013107", 7},
                 {"2010133107", -2},
                 {"16776288000", -2},
                 {"44986", -2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *const times[] = {"t", NULL};
        const struct cor_series_def def = {.columns = (const char *const[]){"x", NULL},
                                           .time_columns = times};
        struct cor_series *series = NULL;
        char text[100];
        snprintf(text, sizeof text, "t,x\n\"%s\",1\n", cases[i].text);
        enum cor_status status = cor_series_parse(text, strlen(text), "s", &def, &series, NULL);
        assert_int_equal(status, cases[i].hour == -2 ? COR_STATUS_INPUT : COR_OK);
        if (status == COR_OK)
            assert_int_equal(series->hours ? series->hours[0] : -1, cases[i].hour);
        cor_series_destroy(series);
    }
}

/* Against strftime() and gmtime() of the C library: 40,000 drawn times in forms that it can write. */
static void times_are_what_the_library_writes(void **state) {
    (void)state;
    const struct {
        const char *format, *said; /* said: --time-format */
        int64_t unit;              /* seconds below which nothing is written */
        int order;
    } forms[] = {{"%Y-%m-%d %H:%M:%S", NULL, 1, 0},
                 {"%d.%m.%Y %H:%M", NULL, 60, 0},
                 {"%m/%d/%Y %I:%M:%S %p", NULL, 1, 0},
                 {"%d/%m/%Y %H:%M", NULL, 60, COR_DATES_DAY_FIRST},
                 {"%y/%m/%d", NULL, 86400, COR_DATES_YEAR_FIRST},
                 {"%m/%d/%y %H:%M", NULL, 60, 0},
                 {"%d-%b-%Y", NULL, 86400, 0},
                 {"%B %d, %Y %H:%M:%S", NULL, 1, 0},
                 {"%d%b%Y", NULL, 86400, 0},
                 {"%d-%b-%y %H:%M", NULL, 60, 0},
                 {"%Y-%j", NULL, 86400, 0},
                 {"%Y-%j %H:%M", NULL, 60, 0},
                 {"%Y %b %d %H", NULL, 3600, 0},
                 {"%Y%m%d%H%M%S", NULL, 1, 0},
                 {"%Y-%m-%dT%H:%M:%SZ", NULL, 1, 0},
                 {"%G-W%V-%u", NULL, 86400, 0},
                 {"%GW%V%u %H", NULL, 3600, 0},
                 {"%a, %d %b %Y %H:%M:%S +0000", NULL, 1, 0},
                 {"%a %b %d %H:%M:%S %Y", NULL, 1, 0},
                 {"%a %b %e %H:%M:%S UTC %Y", NULL, 1, 0},
                 {"%d/%b/%Y:%H:%M:%S +0000", NULL, 1, 0},
                 {"%A %Y-%m-%d %H:%M", NULL, 60, 0},
                 {"%d.%m.%Y %Hh%M", NULL, 60, 0},
                 {"%d.%m.%Y %H.%M Uhr", NULL, 60, 0},
                 {"%m/%d/%Y %I %p", NULL, 3600, 0},
                 {"%d-%b-%y %I.%M.%S.000000 %p", NULL, 1, 0},
                 {"%Y\xE5\xB9\xB4%m\xE6\x9C\x88%d\xE6\x97\xA5 %H\xE6\x99\x82%M\xE5\x88\x86", NULL, 60, 0},
                 {"%Y\xE2\x80\x93%m\xE2\x80\x93%d_%H:%M:%S", NULL, 1, 0},
                 {"%Y-%m-%d-%H-%M-%S", NULL, 1, 0},
                 {"%Y:%m:%d %H:%M:%S", NULL, 1, 0},
                 {"%Y-%m-%d %H%M", NULL, 60, 0},
                 {"%Y-%m-%d HE%H", NULL, 3600, 0},
                 {"%H:%M:%S %d.%m.%Y", NULL, 1, 0},
                 {"%I:%M %p %Y-%m-%d", NULL, 60, 0},
                 {"%Y-%m-%dT%H:%M:%S+00:00[Europe/London]", NULL, 1, 0},
                 {"%Y-%m-%d %H:%M UTC+0", NULL, 60, 0},
                 {"%s", "epoch", 1, 0},
                 {"%H|%j|%Y", "%H|%j|%Y", 3600, 0},
                 {"%d.%m.%y %H.%M", "%d.%m.%y %H.%M", 60, 0}};
    uint64_t draw = 1;
    for (size_t i = 0; i < 40000; i++) {
        const size_t f = i % (sizeof forms / sizeof *forms);
        draw = draw * UINT64_C(6364136223846793005) + 1442695040888963407;
        /* 1970 to 2068, as years of two digits are. */
        int64_t seconds = (int64_t)((draw >> 20) % UINT64_C(3124224000));
        seconds -= seconds % forms[f].unit;
        const time_t time = (time_t)seconds;
        char text[80];
        if (strcmp(forms[f].format, "%s") == 0) /* as a local time, says strftime() */
            snprintf(text, sizeof text, "%lld", (long long)seconds);
        else
            strftime(text, sizeof text, forms[f].format, gmtime(&time));
        struct profiles__moment moment;
        const struct profiles__time_form form = {.format = forms[f].said, .order = forms[f].order};
        if (!profiles__take_moment(text, &form, &moment) || moment.micros != seconds * PROFILES__SECOND)
            fail_msg("\"%s\" (%s) is read as %lld, not %lld", text, forms[f].format, (long long)moment.micros,
                     (long long)seconds);
    }
}

/* Days of other counts, against those of astronomers' and programs' own pages: 2000-01-01 12:00 is JD
 * 2451545; MJD 51544.5; 730486.5 for Matlab; 36526.5 for Excel, 35064.5 where it counts from 1904. */
static void days_are_counted_as_others_do(void **state) {
    (void)state;
    static const struct {
        const char *text, *format;
        int64_t seconds; /* -1: it is refused */
    } cases[] = {{"2451545", "jd", 946728000},
                 {"51544.5", "mjd", 946728000},
                 {"730486.5", "matlab", 946728000},
                 {"36526,5", "excel", 946728000},
                 {"36526,500", "excel", 946728000},
                 {"36,526", "excel", -1}, /* thousands, no fraction of a day */
                 {"35064.5", "excel-1904", 946728000},
                 {"1970", "decimal-year", 0},
                 {"2000.5", "decimal-year", 946684800 + 183 * 86400},
                 {"2001.2", "decimal-year", 978307200 + 73 * 86400},
                 {"1e5", "excel", -1},
                 {"", "jd", -1},
                 {"12.5", "decimal-year", -1},
                 {"2020-W53-7", NULL, 1609632000}, /* 3 January 2021 */
                 {"2021-W53", NULL, -1},
                 {"2020-W54", NULL, -1},
                 {"1Q00", NULL, 946684800},
                 {"2000-H2", NULL, 962409600},
                 {"2000M12", NULL, 975628800},
                 {"Jan-00", NULL, 946684800},
                 {"Jan-00 07:00", NULL, -1}, /* a day, or a year? */
                 {"1/2000", NULL, 946684800},
                 {"1 de enero de 2000", NULL, 946684800},
                 {"1 jui 2000", NULL, -1},
                 {"1 juil 2000", NULL, 962409600},
                 {"2000-01-01 25", NULL, -1}, /* a Saturday */
                 {"2000-001.5", NULL, 946728000},
                 {"2000-01-01 00:00-01:00", NULL, 946688400},
                 {"2000-01-01 07:00 IST", NULL, -1},
                 {"2000-01-01 1260", NULL, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct profiles__moment moment;
        const struct profiles__time_form form = {.format = cases[i].format};
        const bool is_one = profiles__take_moment(cases[i].text, &form, &moment);
        if (is_one != (cases[i].seconds >= 0) ||
            (is_one && moment.micros != cases[i].seconds * PROFILES__SECOND))
            fail_msg("\"%s\" is read as %lld", cases[i].text,
                     is_one ? (long long)(moment.micros / PROFILES__SECOND) : -1);
    }
}

/* The values of a table that is read with these times, or what is wrong with it. */
static void assert_values(const char *text, const struct cor_series_def *def, size_t count,
                          const double *values, const char *said) {
    struct cor_series *series = NULL;
    struct cor_error error = COR_NO_ERROR;
    const enum cor_status status = cor_series_parse(text, strlen(text), "s.csv", def, &series, &error);
    if (status != COR_OK) {
        if (!said || count > 0 || !strstr(error.cause, said))
            fail_msg("%s: %s", error.place, error.cause);
        return;
    }
    assert_int_equal(series->value_count, count);
    for (size_t i = 0; i < count; i++)
        assert_near(series->columns[0].values[i], values[i], 1e-12);
    if (said && !strstr(series->notes, said))
        fail_msg("\"%s\" is not said, but \"%s\"", said, series->notes);
    cor_series_destroy(series);
}

/* Rows that begin as comments and sums do, and are none. */
static void rows_are_not_taken_for_others(void **state) {
    (void)state;
    const double values[] = {1.5, -2, 3};
    const struct cor_series_def two = {.columns = (const char *const[]){"x", NULL},
                                       .time_columns = (const char *const[]){"d", "t", NULL}};
    /* An empty cell in front of a semicolon, where semicolons part cells. */
    assert_values("d;t;x\n1.3.2023;07:00;1,5\n;08:00;-2\n;09:00;3\n", &two, 3, values,
                  "an empty cell of column \"d\" says what the one above it does, first in line 3");
    assert_values(";;\nd;t;x\n1.3.2023;07:00;1,5\n;08:00;-2\n;09:00;3\n", &two, 3, values,
                  "the names of the columns stand in line 2");
    /* Halves of hours are no 50 minutes. */
    assert_values("d;t;x\n1.3.2023;7.00;1,5\n1.3.2023;7.50;-2\n1.3.2023;8.00;3\n", &two, 0, NULL,
                  "end with .00 and .50 alone, which may be halves of hours");
    assert_values("d;t;x\n1.3.2023;7.00;1,5\n1.3.2023;7.10;-2\n1.3.2023;7.50;3\n", &two, 3, values,
                  "have a point between hours and minutes");
    /* Rows of the greatest values are those that are meant. */
    const struct cor_series_def where = {.columns = (const char *const[]){"x", NULL},
                                         .where = (const char *const[]){"what=max", NULL}};
    assert_values("what,x\nmax,1.5\nmean,9\nmax,-2\nmean,9\nmax,3\n", &where, 3, values, NULL);
}

static void numbers_have_units_and_flags(void **state) {
    (void)state;
    const struct cor_series_def def = {.columns = (const char *const[]){"x", NULL}},
                                split = {.columns = (const char *const[]){"x", NULL}, .split_gaps = true},
                                skip = {.columns = (const char *const[]){"x", NULL},
                                        .split_gaps = true,
                                        .skips_flagged = true};
    const double values[] = {1.5, -2, 3};
    assert_values("x\n1.5 m3/s\n-2 m3/s\n3 m3/s\n", &def, 3, values, "are in m3/s");
    assert_values("x\n1.5%\n-2%\n3%\n", &def, 3, values, "are in %");
    assert_values("x\n1.5\n(2)\n3\n", &def, 3, values, NULL);
    assert_values("x\n=\"1.5\"\n\xE2\x88\x92"
                  "2\n3.0\n",
                  &def, 3, values, NULL);
    assert_values("x;y\n1,5 kW;\n-2,0 kW;\n3,0 kW;\n", &def, 3, values, "are in kW");
    assert_values("x\n1.5*\n-2 E\n3\n", &def, 3, values,
                  "2 numbers of column \"x\" bear a flag, such as 1.5* in line 2");
    assert_values("x\n1.5\n7*\n-2\n9 E\n3\n", &skip, 3, values, NULL);
    assert_values("x\n1.5*\n-2\n", &(struct cor_series_def){.columns = def.columns, .skips_flagged = true}, 0,
                  NULL, "\"1.5*\" is no value, as --skip-flagged says");
    assert_values("x\n1.5\n2 k\n3\n", &def, 0, NULL, "\"2 k\" is not a number");
    assert_values("x\n1\n1 A\n1 B\n1 C\n1 D\n1 F\n1 H\n1 I\n1 J\n2 k\n1 L\n", &def, 0, NULL,
                  "\"2 k\" is not a number"); /* behind more flags than are kept */
    const double many[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_values("x\n1\n1 A\n1 B\n1 C\n1 D\n1 F\n1 H\n1 I\n1 J\n1 L\n", &def, 10, many,
                  "9 numbers of column \"x\" bear a flag");
    assert_values("x\n1.5 kW\n2 MW\n", &def, 0, NULL, "\"2 MW\" has another unit than \"1.5 kW\" in line 2");
    assert_values("x\n1.5\n2 %\n3\n", &def, 0, NULL, "\"2 %\" is not a number");
    assert_values("x\n1.5\n<0.1\n3\n", &def, 0, NULL, "\"<0.1\" is a bound, not a value");
    assert_values("x\n1.5\n1e\n3\n", &def, 0, NULL, "\"1e\" is not a number");
    assert_values("x\n1.5\n2-3\n3\n", &def, 0, NULL, "\"2-3\" is not a number");
    assert_values("x\n1.5\nIce\n-2\n3\n", &split, 3, values, "1 cells of text");
}

static void rows_are_days_counters_and_periods(void **state) {
    (void)state;
    const char *const x[] = {"x", NULL}, *const d[] = {"d", NULL}, *const of_year[] = {"year", "doy", NULL},
                      *const of_month[] = {"year", "m", NULL}, *const periods[] = {"d", "p", NULL};
    const double values[] = {1, 2, 3, 4, 5, 6};
    struct cor_series_def def = {.columns = x, .time_columns = d, .is_wide = true};
    assert_values("d,00:00,08:00,16:00\n2023-03-02,4,5,6\n2023-03-01,1,2,3\n", &def, 6, values,
                  "time goes back");
    assert_values("s,d,H01,H02,H03\na,1.3.2023,1,2,3\na,2.3.2023,4,5,6\n", &def, 6, values, NULL);
    assert_values("00:00,d\n1,2023-03-01\n", &def, 0, NULL, "the date of the row stands behind this value");
    assert_values("d,x\n2023-03-01,1\n", &def, 0, NULL, "no column is named by a time of day");
    def = (struct cor_series_def){.columns = x, .differences = true, .split_gaps = true};
    assert_values("x\n10\n11\n13\n16\n4\n8\n13\n19\n", &def, 6, values, "in line 6 the counter begins anew");
    assert_values("x\n10\n", &def, 0, NULL, "no row has a reading before it");
    def = (struct cor_series_def){.columns = x, .time_columns = of_year};
    assert_values("year,doy,x\n2023,365,1\n2024,1,2\n2024,2,3\n", &def, 3, values, NULL);
    def.time_columns = of_month;
    assert_values("year,m,x\n2023,12,2\n2024,1,3\n2023,11,1\n", &def, 3, values, "time goes back");
    assert_values("year,m,x\n2023,13,2\n", &def, 0, NULL, "\"2023-13\" is neither a time nor a date");
    /* A day of 50 half hours, whose last two seem to be of the next: none is twice, none is missing. */
    char text[4000] = "d,p,x\n";
    double many[146];
    for (size_t day = 28, i = 0; day < 31; day++)
        for (int period = 1; period <= (day == 29 ? 50 : 48); period++, i++) {
            snprintf(text + strlen(text), sizeof text - strlen(text), "2023-10-%zu,%d,%zu\n", day, period, i);
            many[i] = (double)i;
        }
    def = (struct cor_series_def){.columns = x, .time_columns = periods, .period = 1800 * PROFILES__SECOND};
    assert_values(text, &def, 146, many, "the clock is set back an hour");
    def.period = 0;
    assert_values("d,p,x\n2023-10-29,25,1\n2023-10-30,1,2\n2023-10-30,2,3\n", &def, 3, values, NULL);
    assert_values(text, &def, 0, NULL, "\"2023-10-28 25\" is neither a time nor a date");
    /* Years of two digits in front: said, or not taken for days. */
    def = (struct cor_series_def){.columns = x, .time_columns = d};
    assert_values("d,x\n23/03/01,1\n23/03/02,2\n23/03/03,3\n", &def, 0, NULL,
                  "their last number changes more often");
    def.dates = COR_DATES_YEAR_FIRST;
    assert_values("d,x\n23/03/01,1\n23/03/02,2\n23/03/03,3\n", &def, 3, values, NULL);
}

static void irregular_steps_are_counted(void **state) {
    (void)state;
    struct cor_series *series =
        series_of("t,x\n22:00,1\n23:00,1\n24:00,1\n01:00,1\n03:00,1\n04:00,\n9:00,1\n9:00,2\n10:00,1\n", "x",
                  "t", true);
    assert_int_equal(series->irregular_count, 2); /* 1 to 3, 9 to 9; what a gap parts is no step */
    cor_series_destroy(series);
}

/* So many rows, a time each by `format` from so many steps of seconds since 2023-03-01 00:00. */
static struct cor_series *series_of_times(const char *format, int64_t step, int count, bool backwards) {
    char *text = malloc((size_t)count * 64 + 8), *at = text + sprintf(text, "t,x\n");
    assert_non_null(text);
    for (int i = 0; i < count; i++) {
        time_t time = 1677628800 + (backwards ? count - 1 - i : i) * step;
        struct tm parts;
        assert_non_null(gmtime_r(&time, &parts));
        at += strftime(at, 48, format, &parts);
        at += sprintf(at, ",%d\n", backwards ? count - 1 - i : i);
    }
    struct cor_series *series = series_of(text, "x", "t", false);
    free(text);
    return series;
}

static void steps_are_differences_of_times(void **state) {
    (void)state;
    static const char *const formats[] = {"%Y-%m-%d %H:%M:%S", "%Y%m%d:%H%M%S",       "%Y%m%d%H%M%S",
                                          "%d.%m.%Y %H:%M:%S", "%Y-%m-%dT%H:%M:%SZ",  "%Y-%m-%d %H:%M:%S UTC",
                                          "%m/%d/%Y %H:%M:%S", "%Y.%m.%d %H:%M:%S.0", "%d/%m/%Y %H:%M:%S"};
    static const int64_t steps[] = {1, 10, 90, 600, 3600, 10800, 86400, 7 * 86400};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            for (int backwards = 0; backwards < 2; backwards++) {
                struct cor_series *series = series_of_times(formats[f], steps[s], 60, backwards);
                assert_near(series->step_seconds, (double)steps[s], 0);
                assert_int_equal(series->irregular_count + series->hole_count + series->step_months, 0);
                assert_int_equal(series->segment_count, 1);
                for (int i = 0; i < 60; i++)
                    assert_near(series->columns[0].values[i], i, 0);
                assert_true((strstr(series->notes, "newest first") != NULL) == backwards);
                cor_series_destroy(series);
            }
}

/* A table of times in microseconds since 2023-03-01 00:00 UTC, and values in the alphabet. */
struct table {
    char text[1 << 16];
    size_t size;
};

static void put_row(struct table *table, int64_t micros, const char *value) {
    time_t seconds = 1677628800 + (time_t)(micros / 1000000);
    struct tm parts;
    char time[48];
    assert_non_null(gmtime_r(&seconds, &parts));
    strftime(time, sizeof time, "%Y-%m-%dT%H:%M:%S", &parts);
    if (table->size == 0)
        table->size = (size_t)sprintf(table->text, "t,x\n");
    assert_true(table->size + 100 < sizeof table->text);
    table->size +=
        (size_t)sprintf(table->text + table->size, "%s.%06d,%s\n", time, (int)(micros % 1000000), value);
}

static uint64_t some(uint64_t *dice, uint64_t below) {
    *dice = *dice * 6364136223846793005u + 1442695040888963407u;
    return (*dice >> 33) % below;
}

/* Readings that are late by up to `late` millionths of a step of so many seconds. */
static struct cor_series *late_series(int64_t seconds, uint64_t late, int64_t drift, bool has_holes,
                                      size_t *holes) {
    static struct table table;
    static const char *const values[] = {"1", "2", "3", "4", "5"};
    uint64_t dice = (uint64_t)seconds + late;
    table.size = 0;
    *holes = 0;
    for (int64_t i = 0, hole = 0; i < 400; i++) {
        hole = has_holes && some(&dice, 20) == 0 ? (int64_t)some(&dice, 4) + 1 : 0;
        *holes += hole > 0 && i > 0;
        i += hole;
        const int64_t off = (int64_t)some(&dice, late + 1) * seconds;
        put_row(&table, i * (seconds * 1000000 + drift) + off + 1, values[some(&dice, 5)]);
    }
    return series_of(table.text, "x", "t", true);
}

static void late_readings_are_of_their_slots(void **state) {
    (void)state;
    static const int64_t steps[] = {1, 10, 60, 300, 900, 1800, 3600, 10800, 86400};
    static const uint64_t lates[] = {1, 100, 1000, 30000, 90000}; /* millionths */
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (size_t l = 0; l < sizeof lates / sizeof *lates; l++)
            for (int way = 0; way < 4; way++) {
                size_t holes;
                struct cor_series *series =
                    late_series(steps[s], lates[l], way & 2 ? steps[s] * 1000 : 0, way & 1, &holes);
                assert_near(series->step_seconds, (double)steps[s], 0);
                assert_int_equal(series->irregular_count, 0);
                assert_int_equal(series->hole_count, holes);
                assert_int_equal(series->segment_count, holes + 1);
                assert_non_null(strstr(series->notes, ", and are taken for it: readings come late."));
                cor_series_destroy(series);
            }
}

static void what_is_more_than_late_is_irregular(void **state) {
    (void)state;
    static struct table table;
    size_t irregular = 0;
    int64_t at = 0;
    table.size = 0;
    for (int i = 0; i < 300; i++) { /* each tenth reading comes 6 of 15 minutes late, all others in time */
        irregular += i % 10 == 5 ? 2 : 0;
        put_row(&table, at + (i % 10 == 5 ? 6 * 60000000 : 0), i % 3 ? "1" : "2");
        at += 900000000;
    }
    struct cor_series *series = series_of(table.text, "x", "t", true);
    assert_near(series->step_seconds, 900, 0);
    assert_int_equal(series->irregular_count, irregular);
    cor_series_destroy(series);
    /* Uneven times: the median, and what is not near it is counted. */
    static const int minutes[] = {0, 3, 10, 21, 22, 40, 47, 60, 62, 71};
    table.size = 0;
    for (int i = 0; i < 10; i++)
        put_row(&table, minutes[i] * INT64_C(60000000), i < 5 ? "1" : "2");
    series = series_of(table.text, "x", "t", true);
    assert_near(series->step_seconds, 7 * 60, 0); /* of 1 2 3 7 7 9 11 13 18 */
    assert_int_equal(series->hole_count, 3);
    assert_int_equal(series->irregular_count, 4);
    cor_series_destroy(series);
}

/* What is early or late by a second stays in its hour, and clocks that change are heard. */
static void late_readings_keep_the_hour(void **state) {
    (void)state;
    static struct table table;
    uint64_t dice = 7;
    table.size = 0;
    for (int64_t i = 1; i <= 200; i++)
        put_row(&table, i * 3600000000 + (int64_t)some(&dice, 2000000) - 1000000, i % 2 ? "1" : "2");
    struct cor_series *series = series_of(table.text, "x", "t", false);
    for (size_t i = 0; i < 200; i++)
        assert_int_equal(series->hours[i], (i + 1) % 24);
    cor_series_destroy(series);
    /* Without a zone: 31 October 2010, from 3:00 back to 2:00; then 27 March 2011, from 2:00 to 3:00. */
    char text[8192], *end = text + sprintf(text, "t,x\n");
    for (int i = 0; i < 20; i++) { /* each quarter from 0:00 on */
        const int minute = i * 15 - (i >= 12 ? 60 : 0);
        end += sprintf(end, "2010-10-31 %02d:%02d:%02d,1\n", minute / 60, minute % 60, (i * 7) % 9);
    }
    series = series_of(text, "x", "t", false);
    assert_int_equal(series->irregular_count + series->hole_count, 0);
    assert_non_null(strstr(series->notes, "Time: the clock is set back an hour at line 14"));
    assert_non_null(strstr(series->notes, "up to 7 seconds shorter or longer than 15 minutes"));
    cor_series_destroy(series);
}

/* A switch, seen where it changes: refused without --every, but not what is read at uneven times. */
static void changes_need_every(void **state) {
    (void)state;
    static struct table table;
    static const char *const words[] = {"off", "on", "idle", "7.25", "8.5", "9"};
    for (size_t way = 0; way < 6; way++) {
        uint64_t dice = 11 + way;
        size_t value = 0;
        int64_t at = 0;
        const size_t states = way % 2 ? 3 : 2, first = way >= 4 ? 3 : 0;
        const bool changes = way % 4 < 2;
        table.size = 0;
        for (int i = 0; i < 150; i++) {
            value = changes ? (value + 1 + some(&dice, states - 1)) % states : some(&dice, states);
            put_row(&table, at, words[first + value]);
            at += (1 + (int64_t)some(&dice, 3600)) * 1000000;
        }
        const char *const times[] = {"t", NULL};
        struct cor_series_def def = {.columns = (const char *const[]){"x", NULL}, .time_columns = times};
        struct cor_error error = COR_NO_ERROR;
        struct cor_series *series;
        const enum cor_status status =
            cor_series_parse(table.text, table.size, "s.csv", &def, &series, &error);
        assert_int_equal(status, changes ? COR_STATUS_INPUT : COR_OK);
        if (changes)
            assert_non_null(strstr(error.cause, "its rows are changes, not equal steps"));
        else
            assert_true(series->irregular_count > 100);
        cor_series_destroy(series);
        def.every = 600000000;
        assert_int_equal(cor_series_parse(table.text, table.size, "s.csv", &def, &series, NULL), COR_OK);
        assert_near(series->step_seconds, 600, 0);
        assert_int_equal(series->irregular_count + series->hole_count, 0);
        cor_series_destroy(series);
    }
}

static void months_are_steps_of_the_calendar(void **state) {
    (void)state;
    static const char *const forms[] = {"%d-%02d-01", "%d-%02d", "%d/%02d/1"};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (int months = 1; months <= 12; months++) {
            char text[4000], *at = text + sprintf(text, "t,x\n");
            for (int i = 0; i < 40; i++) {
                at += sprintf(at, forms[f], 2001 + i * months / 12, i * months % 12 + 1); /* NOLINT */
                at += sprintf(at, ",%d\n", i);
            }
            struct cor_series *series = series_of(text, "x", "t", true);
            assert_int_equal(series->step_months, months);
            assert_int_equal(series->irregular_count + series->hole_count, 0);
            assert_int_equal(series->segment_count, 1);
            cor_series_destroy(series);
        }
    /* The last days of months; May is missing. */
    struct cor_series *series =
        series_of("t,x\n2023-01-31,1\n2023-02-28,2\n2023-03-31,3\n2023-04-30,4\n2023-06-30,5\n"
                  "2023-07-31,6\n",
                  "x", "t", true);
    assert_int_equal(series->step_months, 1);
    assert_int_equal(series->hole_count, 1);
    assert_int_equal(series->segment_count, 2);
    assert_non_null(strstr(series->notes, "between 2023-04-30 (line 5) and 2023-06-30 (line 6)"));
    cor_series_destroy(series);
}

static void clock_changes_are_no_irregular_steps(void **state) {
    (void)state;
    struct cor_series *series =
        series_of("t,x\n2010-03-28 00:00+01:00,1\n2010-03-28 01:00+01:00,2\n2010-03-28 03:00+02:00,3\n"
                  "2010-03-28 04:00+02:00,4\n",
                  "x", "t", true);
    assert_int_equal(series->irregular_count + series->hole_count, 0);
    assert_int_equal(series->hours[2], 3); /* as written */
    cor_series_destroy(series);
    series = series_of("t,x\n2010-10-31 01:00 CEST,1\n2010-10-31 02:00 CEST,2\n2010-10-31 02:00 "
                       "CET,3\n2010-10-31 03:00 CET,4\n",
                       "x", "t", true);
    assert_int_equal(series->irregular_count + series->hole_count, 0);
    assert_string_equal(series->notes, "");
    cor_series_destroy(series);
    /* Without offsets it is said. */
    series = series_of("t,x\n2010-10-31 01:00,1\n2010-10-31 01:30,2\n2010-10-31 02:00,3\n2010-10-31 "
                       "02:30,4\n2010-10-31 02:00,5\n"
                       "2010-10-31 02:30,6\n2010-10-31 03:00,7\n2010-10-31 03:30,8\n",
                       "x", "t", true);
    assert_int_equal(series->irregular_count + series->hole_count, 0);
    assert_near(series->columns[0].values[4], 5, 0);
    assert_string_equal(series->notes, "Time: the clock is set back an hour at line 6 (a zone would tell).");
    cor_series_destroy(series);
}

static void what_goes_back_or_stands_twice_is_said(void **state) {
    (void)state;
    struct cor_series *series = series_of(
        "t,x\n2023-03-03,3\n2023-03-04,4\n2023-03-01,1\n2023-03-02,2\n2023-03-05,5\n", "x", "t", true);
    for (int i = 0; i < 5; i++)
        assert_near(series->columns[0].values[i], i + 1, 0);
    assert_string_equal(
        series->notes,
        "Order: time goes back from 2023-03-04 (line 3) to 2023-03-01 (line 4); the rows are taken "
        "in the order of their times.");
    cor_series_destroy(series);
    series = series_of("t,x\n2023-03-03 10:00,1\n2023-03-03 11:00,2\n2023-03-03 12:00,3\n2023-03-03 "
                       "12:00,4\n2023-03-03 13:00,5\n",
                       "x", "t", true);
    assert_int_equal(series->value_count, 5);
    assert_int_equal(series->irregular_count, 1);
    assert_string_equal(series->notes, "Time: 2023-03-03 12:00 stands twice, in lines 4 and 5.");
    cor_series_destroy(series);
}

static void logarithms_agree_with_the_library(void **state) {
    (void)state;
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        assert_near(profiles__fit_log(x), log(x), 1e-15 * fabs(log(x)));
    for (double x = 0.5; x < 2.0; x += 1.0 / 1024)
        assert_near(profiles__fit_log(x), log(x), 1e-15 * fabs(log(x)));
}

static const double one_cut[1] = {10.0};

/* States (a: below 10, b: from 10): a a b | b b b a a b a, parted by a gap. */
static const char short_series[] = "x\n1\n3\n12\n\n14\n16\n18\n5\n7\n20\n4\n";

static void a_fit_agrees_with_counts_by_hand(void **state) {
    (void)state;
    struct cor_series *series = series_of(short_series, "x", NULL, true);
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = one_cut;
    def.levels.cut_count = 1;
    def.season = 2;
    struct cor_fit *fit = fit_of(series, &def);
    const uint64_t transitions[4] = {2, 2, 2, 2};
    assert_memory_equal(fit->transitions, transitions, sizeof transitions);
    assert_int_equal(fit->transition_count, 8);
    assert_string_equal(fit->profile->states[0], "below_10");
    assert_string_equal(fit->profile->states[1], "from_10");
    assert_string_equal(fit->profile->name, "x");
    assert_int_equal(fit->states[0].count, 5);
    assert_near(fit->states[0].levels[0].mean, 4.0, 1e-15);
    assert_near(fit->states[1].levels[0].mean, 16.0, 1e-14);
    /* Whole stays: a of 2 (5, 7), b of 1 (20); the others touch an end of a segment. */
    assert_int_equal(fit->states[0].stays.count, 1);
    assert_int_equal(fit->states[0].stays.observed[1], 1);
    assert_int_equal(fit->states[1].stays.count, 1);
    assert_int_equal(fit->states[1].stays.observed[0], 1);
    assert_near(fit->states[0].stays.chain_mean, 2.0, 0.0);
    assert_true(isnan(fit->states[0].stays.p));
    /* Within: 9+1+1+9+0 and 16+4+0+4+16; between: 10 values 6 from the mean 10. */
    assert_near(fit->columns[0].within_share, 60.0 / 420.0, 1e-15);
    assert_near(fit->share_distance, 0.0, 1e-15);
    /* Lag 1: pairs in the signs of states: + - | + + - + - -. Lag 2: - | + - - - +. */
    assert_near(fit->columns[0].lags[0].observed, 0.0, 1e-15);
    assert_near(fit->columns[0].lags[0].chain, 0.0, 1e-15);
    assert_near(fit->columns[0].lags[1].observed, -2.0 / 6.0, 1e-15);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

/* Log-likelihood of an order from its definition: each transition weighed by the share among those of its
 * context. */
static double likelihood_of(const int *states, size_t count, size_t order) {
    double sum = 0.0;
    for (size_t i = 2; i < count; i++) {
        double of_context = 0.0, to_here = 0.0;
        for (size_t k = 2; k < count; k++) {
            if (memcmp(states + k - order, states + i - order, order * sizeof *states) != 0)
                continue;
            of_context++;
            to_here += states[k] == states[i];
        }
        sum += log(to_here / of_context);
    }
    return sum;
}

/* A series of values 0.5, 1.5, ... of states. */
static struct cor_series *series_of_states(const int *states, size_t count) {
    char *text = malloc(count * 8 + 8), *at = text;
    assert_non_null(text);
    at += sprintf(at, "x\n");
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%d.5\n", states[i]);
    struct cor_series *series = series_of(text, "x", NULL, false);
    free(text);
    return series;
}

static const double unit_cuts[3] = {1.0, 2.0, 3.0};

static struct cor_fit_def unit_def(uint32_t states) {
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = unit_cuts;
    def.levels.cut_count = states - 1;
    return def;
}

static void draw_states(int *states, size_t count, uint32_t order, uint32_t entity) {
    struct cor_rng rng =
        cor_rng_named(&(struct cor_stream_name){.seed = 5, .purpose = COR_PURPOSE_TEST, .entity = entity});
    states[0] = 0;
    states[1] = 1;
    for (size_t i = 2; i < count;
         i++) { /* stay at 0.8; or, of order 2, follow the one before the last at 0.7 */
        double u = cor_rng_unit(&rng);
        int other = (int)cor_rng_below(&rng, 3);
        if (order == 1)
            states[i] = u < 0.8 ? states[i - 1] : other;
        else
            states[i] = order == 2 && u < 0.7 ? states[i - 2] : other;
    }
}

static void orders_are_scored_by_definition(void **state) {
    (void)state;
    enum { COUNT = 400 };
    int states[COUNT];
    draw_states(states, COUNT, 2, 1);
    struct cor_series *series = series_of_states(states, COUNT);
    struct cor_fit_def def = unit_def(3);
    struct cor_fit *fit = fit_of(series, &def);
    const uint64_t parameters[3] = {2, 6, 18};
    assert_int_equal(fit->order_transition_count, COUNT - 2);
    for (size_t k = 0; k < 3; k++) {
        double expected = likelihood_of(states, COUNT, k);
        assert_int_equal(fit->orders[k].parameters, parameters[k]);
        assert_near(fit->orders[k].log_likelihood, expected, 1e-9);
        assert_near(fit->orders[k].bic, (double)parameters[k] * log(COUNT - 2) - 2.0 * expected, 1e-9);
    }
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

static void bic_finds_the_order(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    int states[COUNT];
    for (uint32_t order = 0; order < 3; order++) {
        draw_states(states, COUNT, order, 10 + order);
        struct cor_series *series = series_of_states(states, COUNT);
        struct cor_fit_def def = unit_def(3);
        struct cor_fit *fit = fit_of(series, &def);
        for (uint32_t k = 0; k < 3; k++)
            assert_true(k == order || fit->orders[order].bic < fit->orders[k].bic);
        assert_true((strstr(fit->remarks, "chain of order 2") != NULL) == (order == 2));
        assert_true((strstr(fit->remarks, "independent draws") != NULL) == (order == 0));
        cor_fit_destroy(fit);
        cor_series_destroy(series);
    }
}

static const double known[16] = {0.7,  0.2,  0.1, 0.0, 0.3,  0.4,  0.2, 0.1,
                                 0.05, 0.15, 0.6, 0.2, 0.25, 0.25, 0.0, 0.5};

static struct cor_series *simulated(size_t count) {
    struct cor_profile *profile;
    struct cor_walk walk;
    const uint16_t profile_of_chain[1] = {0};
    int *states = malloc(count * sizeof *states);
    assert_non_null(states);
    assert_int_equal(cor_profile_create("known", 4, NULL, known, NULL, &profile, NULL), COR_OK);
    cor_walk_init(&walk);
    const struct cor_profile *const profiles[1] = {profile};
    const struct cor_walk_definition definition = {.source = &cor_source_profile,
                                                   .profiles = profiles,
                                                   .profile_of_chain = profile_of_chain,
                                                   .chain_count = 1,
                                                   .case_count = (uint32_t)count,
                                                   .name = {.seed = 8}};
    assert_int_equal(cor_walk_begin(&walk, &definition, NULL), COR_OK);
    for (size_t i = 0; i < count; i++)
        states[i] = walk.states[i];
    struct cor_series *series = series_of_states(states, count);
    free(states);
    cor_walk_fini(&walk);
    cor_profile_destroy(profile);
    return series;
}

static void a_known_chain_is_recovered(void **state) {
    (void)state;
    struct cor_series *series = simulated(50000);
    struct cor_fit_def def = unit_def(4);
    struct cor_fit *fit = fit_of(series, &def);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t j = 0; j < 4; j++) {
            double p = known[i * 4 + j], left = (double)fit->states[i].left_count;
            assert_near(fit->profile->probability[i * 4 + j], p, 4.0 * sqrt(p * (1.0 - p) / left));
        }
        assert_true(fit->states[i].stays.p > 1e-3);
        assert_near(fit->states[i].stays.mean, 1.0 / (1.0 - known[i * 5]), 0.1);
        assert_near(fit->states[i].share, fit->states[i].stationary, 1e-4);
    }
    assert_near(fit->columns[0].lags[0].observed, fit->columns[0].lags[0].chain, 1e-3);
    assert_near(fit->columns[0].lags[1].observed, 0.0, 0.02);
    assert_near(fit->columns[0].within_share, 0.0, 1e-20);
    assert_string_equal(fit->remarks, "");
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

/* A series of fixed stays and a cycle of 24 is far from its chain, and the report says so. */
static void what_is_not_described_is_said(void **state) {
    (void)state;
    enum { COUNT = 24 * 60 };
    int states[COUNT];
    for (int i = 0; i < COUNT; i++)
        states[i] = i % 24 < 8 ? 0 : 1 + i % 24 / 20;
    struct cor_series *series = series_of_states(states, COUNT);
    struct cor_fit_def def = unit_def(3);
    struct cor_fit *fit = fit_of(series, &def);
    assert_non_null(strstr(
        fit->remarks, "Stays: long ones, of 8 steps and more, are more frequent than in the chain (p < 0.01) "
                      "in below_1, 1_to_2."));
    assert_non_null(
        strstr(fit->remarks,
               "Stays: they are not geometric (p < 0.01), long ones being no more frequent than in the "
               "chain, in from_2."));
    assert_near(fit->columns[0].lags[1].observed, 1.0, 1e-12);
    assert_non_null(strstr(fit->remarks, "Cycle: states 24 steps apart correlate by 1.00"));
    char *text = cor_fit_text(fit, NULL);
    assert_non_null(strstr(text, fit->remarks));
    free(text);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

static void quantiles_share_evenly(void **state) {
    (void)state;
    int states[101];
    for (int i = 0; i < 101; i++)
        states[i] = i * 37 % 101; /* a permutation */
    struct cor_series *series = series_of_states(states, 101);
    struct cor_fit_def def = cor_default_fit();
    def.levels.states = 4;
    struct cor_fit *fit = fit_of(series, &def);
    const double cuts[3] = {25.5, 50.5, 75.5};
    assert_memory_equal(fit->columns[0].cuts, cuts, sizeof cuts);
    for (uint32_t i = 0; i < 4; i++)
        assert_in_range(fit->states[i].count, 25, 26);
    assert_string_equal(fit->profile->states[1], "25.5_to_50.5");
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

static void parts_of_the_day_are_states(void **state) {
    (void)state;
    char text[2000], *at = text;
    at += sprintf(at, "t,x\n");
    for (int i = 1; i <= 72; i++) /* above 10 only by day */
        at += sprintf(at, "%02d:00,%d\n", (i - 1) % 24 + 1, i % 24 >= 12 && i % 24 < 18 ? 15 + i % 2 : i % 3);
    struct cor_series *series = series_of(text, "x", "t", false);
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = one_cut;
    def.levels.cut_count = 1;
    def.hours = 4;
    struct cor_fit *fit = fit_of(series, &def);
    assert_int_equal(fit->state_count, 4);
    assert_string_equal(fit->profile->states[0], "h00-05_below_10");
    assert_string_equal(fit->profile->states[1], "h06-11_below_10");
    assert_string_equal(fit->profile->states[2], "h12-17_from_10");
    assert_string_equal(fit->profile->states[3], "h18-23_below_10");
    assert_int_equal(fit->transitions[0 * 4 + 1], 3);
    assert_int_equal(fit->transitions[3 * 4 + 0], 3); /* 24:00 is hour 0 */
    assert_int_equal(fit->transitions[3 * 4 + 1], 0);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

static void close_cuts_have_names_that_differ(void **state) {
    (void)state;
    struct cor_series *series = series_of("x\n1\n1.00003\n2\n1\n", "x", NULL, false);
    const double cuts[2] = {1.00001, 1.00005};
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = cuts;
    def.levels.cut_count = 2;
    struct cor_fit *fit = fit_of(series, &def);
    assert_string_equal(fit->profile->states[1], "1_to_1.0001");
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

static void a_state_at_the_end_goes_anywhere(void **state) {
    (void)state;
    struct cor_series *series = series_of("x\n1\n2\n1\n20\n", "x", NULL, false);
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = one_cut;
    def.levels.cut_count = 1;
    struct cor_fit *fit = fit_of(series, &def);
    const double row[2] = {0.75, 0.25};
    assert_memory_equal(fit->profile->probability + 2, row, sizeof row);
    assert_int_equal(fit->states[1].left_count, 0);
    assert_non_null(strstr(
        fit->remarks, "Data: nothing ever follows from_10; from there the chain goes on to any state, by its "
                      "share of all values."));
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

static void assert_refused(const char *text, const struct cor_fit_def *def, const char *message) {
    struct cor_series *series = series_of(text, "x", strchr(text, 't') ? "t" : NULL, true);
    struct cor_fit *fit;
    struct cor_error error = COR_NO_ERROR;
    char found[2048];
    assert_int_equal(cor_fit_create(series, def, &fit, &error), COR_STATUS_INPUT);
    assert_null(fit);
    cor_error_text(&error, found, sizeof found);
    assert_string_equal(found, message);
    cor_series_destroy(series);
}

/* Two days of values, a step of so many minutes between them. */
static struct cor_series *series_of_steps(int minutes) {
    char *text = malloc(100000), *at = text + sprintf(text, "t,x\n");
    for (int minute = 0; minute < 2 * 24 * 60; minute += minutes)
        at += sprintf(at, "2010-01-%02d %02d:%02d,%d\n", 1 + minute / (24 * 60), minute / 60 % 24,
                      minute % 60, minute * 7 % 100);
    struct cor_series *series = series_of(text, "x", "t", false);
    free(text);
    return series;
}

static void assert_season(struct cor_series *series, uint32_t asked, uint32_t season, enum cor_season from,
                          const char *said) {
    struct cor_fit_def def = cor_default_fit();
    def.levels.states = 3;
    def.season = asked;
    struct cor_fit *fit = fit_of(series, &def);
    char *text = cor_fit_text(fit, NULL);
    assert_int_equal(fit->columns[0].lags[1].lag, season);
    assert_int_equal(fit->season_from, from);
    assert_non_null(strstr(text, said));
    free(text);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

static void a_season_is_a_day_of_the_time_column(void **state) {
    (void)state;
    assert_season(series_of_steps(30), 0, 48, COR_SEASON_TIMES,
                  "season of 48 steps is a day: by the time column a step takes 30 minutes");
    assert_season(series_of_steps(60), 0, 24, COR_SEASON_TIMES, "season of 24 steps is a day");
    assert_season(series_of_steps(15), 0, 96, COR_SEASON_TIMES, "season of 96 steps is a day");
    assert_season(series_of_steps(720), 0, 2, COR_SEASON_TIMES, "season of 2 steps is a day");
    assert_season(series_of_steps(7), 0, 24, COR_SEASON_DEFAULT, "steps of 7 minutes do not divide a day");
    assert_season(series_of_steps(30), 336, 336, COR_SEASON_ASKED, "season of 336 steps was asked for");
    assert_season(series_of("x\n1\n2\n3\n1\n2\n3\n", "x", NULL, false), 0, 24, COR_SEASON_DEFAULT,
                  "how long a step is is not known");
    assert_season(series_of("t,x\n1/1/2000,1\n1/2/2000,2\n1/3/2000,3\n1/4/2000,4\n", "x", "t", false), 0, 24,
                  COR_SEASON_DEFAULT, "the default: steps of 1 day do not divide a day");
}

static void steps_of_half_an_hour_are_regular(void **state) {
    (void)state;
    struct cor_series *series =
        series_of("t,x\n22:00,1\n22:30,2\n23:00,3\n23:30,4\n24:00,5\n1:00,6\n1:30,7\n", "x", "t", false);
    assert_int_equal((int)series->step_seconds, 30 * 60);
    assert_int_equal(series->irregular_count, 1); /* midnight to 1:00 */
    cor_series_destroy(series);
    series = series_of("t,x\n2010-01-01 12:00,1\n2010-01-02 12:00,2\n", "x", "t", false);
    assert_int_equal((int)series->step_seconds, 24 * 3600);
    cor_series_destroy(series);
    series = series_of("t,x\n23:30,1\n24:00,2\n", "x", "t", false);
    assert_int_equal((int)series->step_seconds, 30 * 60); /* the step to midnight */
    cor_series_destroy(series);
    series = series_of("t,x\n10:00,1\n11:00,2\n11:30,3\n12:30,4\n13:00,5\n", "x", "t", false);
    assert_int_equal((int)series->step_seconds, 30 * 60); /* of equally frequent steps the shorter one */
    cor_series_destroy(series);
}

/* from_10 is left once, for below_10: that is all there is to know, so it is certain. */
static void a_state_left_once_goes_where_it_went(void **state) {
    (void)state;
    struct cor_series *series = series_of("x\n1\n20\n1\n1\n", "x", NULL, false);
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = one_cut;
    def.levels.cut_count = 1;
    struct cor_fit *fit = fit_of(series, &def);
    const double rows[4] = {0.5, 0.5, 1.0, 0.0};
    assert_memory_equal(fit->profile->probability, rows, sizeof rows);
    assert_int_equal(fit->states[1].left_count, 1);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

/* 20 stays in from_10, of 2 steps each, so stays of 1, 2, 3, 4-7, 8+ steps are expected 10, 5, 2.5, 2.34, .16
 * times. The three longest classes together are expected exactly 5 times, which is enough for a class. With
 * 10 stays only two classes are left, which is too few to tell. */
static void classes_of_stays_are_expected_five_times(void **state) {
    (void)state;
    char text[1000], *at = text + sprintf(text, "x\n1\n");
    for (int stay = 0; stay < 20; stay++)
        at += sprintf(at, "20\n20\n1\n");
    struct cor_series *series = series_of(text, "x", NULL, false);
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = one_cut;
    def.levels.cut_count = 1;
    struct cor_fit *fit = fit_of(series, &def);
    const struct cor_fit_stays *stays = &fit->states[1].stays;
    assert_int_equal(stays->count, 20);
    assert_near(stays->expected[0], 10, 0);
    assert_near(stays->expected[2] + stays->expected[3] + stays->expected[4], 5, 0);
    assert_int_equal(stays->degrees, 1);
    assert_near(stays->chi_square, 10 + 15 * 15 / 5.0 + 5, 1e-12);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
    text[strlen(text) / 2 + 2] = '\0';
    series = series_of(text, "x", NULL, false);
    fit = fit_of(series, &def);
    assert_int_equal(fit->states[1].stays.count, 10);
    assert_int_equal(fit->states[1].stays.degrees, 0);
    assert_true(isnan(fit->states[1].stays.p));
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

/* Lag 3 in a series of four: one pair, and one is too few. */
static void one_pair_is_no_correlation(void **state) {
    (void)state;
    struct cor_series *series = series_of("x\n1\n20\n1\n1\n", "x", NULL, false);
    struct cor_fit_def def = cor_default_fit();
    def.levels.cuts = one_cut;
    def.levels.cut_count = 1;
    def.season = 3;
    struct cor_fit *fit = fit_of(series, &def);
    assert_true(isnan(fit->columns[0].lags[1].observed) && !isnan(fit->columns[0].lags[0].observed));
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

/* from_10 is left ten times, or nine. */
static void fewer_than_ten_transitions_are_few(void **state) {
    (void)state;
    for (int times = 9; times <= 10; times++) {
        char text[1000], *at = text + sprintf(text, "x\n");
        for (int i = 0; i < 20; i++)
            at += sprintf(at, i < times ? "1\n20\n" : "1\n1\n");
        struct cor_series *series = series_of(text, "x", NULL, false);
        struct cor_fit_def def = cor_default_fit();
        def.levels.cuts = one_cut;
        def.levels.cut_count = 1;
        struct cor_fit *fit = fit_of(series, &def);
        assert_int_equal(fit->states[1].left_count, times);
        assert_int_equal(strstr(fit->remarks, "fewer than 10 transitions lead out of from_10.") != NULL,
                         times == 9);
        cor_fit_destroy(fit);
        cor_series_destroy(series);
    }
}

static void definitions_are_checked(void **state) {
    (void)state;
    const double falling[2] = {2.0, 1.0}, infinite[1] = {INFINITY}, many[64] = {0.0};
    struct cor_fit_def def = cor_default_fit();
    const char say[] = "\n  say a number of states (--states) or cut points (--cuts)";
    char message[200];
    snprintf(message, sizeof message,
             "s.csv: neither a number of states nor cut points are given for column \"x\"%s%s", say,
             ", or take its values for words (--words)");
    assert_refused("x\n1\n2\n", &def, message);
    snprintf(message, sizeof message,
             "s.csv: both a number of states and cut points are given for column \"x\"%s", say);
    assert_refused(
        "x\n1\n2\n",
        &(struct cor_fit_def){
            .levels.states = 2, .levels.cuts = one_cut, .levels.cut_count = 1, .hours = 1, .season = 1},
        message);
    assert_refused("x\n1\n2\n", &(struct cor_fit_def){.levels.states = 1, .hours = 1, .season = 1},
                   "s.csv: 1 states cannot be fitted to column \"x\"\n  use 2 .. 64 states");
    assert_refused("x\n1\n2\n", &(struct cor_fit_def){.levels.states = 65, .hours = 1, .season = 1},
                   "s.csv: 65 states cannot be fitted to column \"x\"\n  use 2 .. 64 states");
    assert_refused(
        "x\n1\n2\n",
        &(struct cor_fit_def){.levels.cuts = many, .levels.cut_count = 64, .hours = 1, .season = 1},
        "s.csv: there are 64 cut points for column \"x\"\n  use 1 .. 63 cut points");
    assert_refused("x\n1\n2\n", &(struct cor_fit_def){.levels.states = 2, .hours = 5, .season = 1},
                   "s.csv: the day cannot be divided into 5 equal parts of whole hours\n  use 1, 2, 3, 4, 6, "
                   "8, 12 or 24");
    assert_refused("t,x\n1/1/2000,1\n1/2/2000,2\n",
                   &(struct cor_fit_def){.levels.states = 2, .hours = 4, .season = 1},
                   "s.csv: the state cannot have a part of the day: the hours are not known\n"
                   "  name a column that holds times of day (--time-column)");
    assert_refused("x\n1\n2\n", &(struct cor_fit_def){.levels.states = 2, .hours = 1, .season = 10001},
                   "s.csv: a season of 10001 steps\n  use a season of 1 .. 10000 steps");
    assert_refused(
        "x\n1\n2\n",
        &(struct cor_fit_def){.levels.cuts = falling, .levels.cut_count = 2, .hours = 1, .season = 1},
        "s.csv: cut point 1 follows 2\n  list the cut points in ascending order");
    assert_refused(
        "x\n1\n2\n",
        &(struct cor_fit_def){.levels.cuts = infinite, .levels.cut_count = 1, .hours = 1, .season = 1},
        "s.csv: cut point 1 is inf\n  use finite numbers");
}

static void degenerate_series_are_refused(void **state) {
    (void)state;
    struct cor_fit_def two = cor_default_fit(), five = cor_default_fit(), cut = cor_default_fit();
    two.levels.states = 2;
    five.levels.states = 5;
    cut.levels.cuts = one_cut;
    cut.levels.cut_count = 1;
    assert_refused("x\n1\n", &two,
                   "s.csv: column \"x\" has no value that follows another\n  give a series of at least two "
                   "values in a row");
    assert_refused("x\n1\n\n2\n\n3\n", &two,
                   "s.csv: column \"x\" has no value that follows another\n  give a series of at least two "
                   "values in a row");
    assert_refused("x\n0\n-0\n0\n", &two,
                   "s.csv: every value of column \"x\" is 0\n  choose a column that changes");
    assert_refused("x\n1\n2\n3\n1\n2\n3\n", &five,
                   "s.csv: column \"x\" has 3 distinct values, too few for 5 states\n  use fewer states");
    assert_refused("x\n0\n0\n0\n0\n0\n1\n2\n3\n4\n5\n", &five,
                   "s.csv: 5 quantiles of column \"x\" do not differ: 50 % of its values are 0\n"
                   "  use fewer states, or choose cut points (--cuts)");
    assert_refused("x\n1\n2\n", &cut,
                   "s.csv: all values of column \"x\" are in one state\n"
                   "  choose cut points between its least and its greatest value");
}

static void too_many_states_are_refused(void **state) {
    (void)state;
    char text[4000], *at = text;
    at += sprintf(at, "t,x\n");
    for (int i = 0; i < 240; i++)
        at += sprintf(at, "%02d:00,%d\n", i % 24, i / 24);
    struct cor_fit_def def = {.levels.states = 5, .hours = 24, .season = 24};
    assert_refused(
        text, &def,
        "s.csv: 120 states occur, at most 64 are allowed\n  use fewer levels or fewer parts of the day");
}

static void fitted_profiles_are_read_back(void **state) {
    (void)state;
    struct cor_series *series = simulated(2000);
    struct cor_fit_def def = unit_def(4);
    struct cor_error error = COR_NO_ERROR;
    struct cor_json_document *document;
    struct cor_profile *read;
    def.name = "known";
    def.command = "corridor profile fit";
    struct cor_fit *fit = fit_of(series, &def);
    char *text = cor_fit_profile_text(fit, &error), *again = cor_fit_profile_text(fit, &error);
    assert_non_null(text);
    assert_string_equal(text, again);
    assert_int_equal(cor_json_parse(text, "text", &document, &error), COR_OK);
    struct cor_json root = cor_json_root(document), source, command;
    assert_int_equal(cor_profile_from_json(&root, "other", &read, &error), COR_OK);
    assert_string_equal(read->name, "known");
    assert_memory_equal(read->probability, fit->profile->probability, 16 * sizeof(double));
    assert_memory_equal(read->start, fit->profile->start, 4 * sizeof(double));
    assert_true(cor_json_find(&root, "source", &source) && cor_json_find(&source, "command", &command));
    cor_profile_destroy(read);
    cor_json_destroy(document);
    free(text);
    free(again);
    cor_fit_destroy(fit);
    cor_series_destroy(series);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_read),
        cmocka_unit_test(gaps_split),
        cmocka_unit_test(times_have_hours),
        cmocka_unit_test(times_are_what_the_library_writes),
        cmocka_unit_test(days_are_counted_as_others_do),
        cmocka_unit_test(rows_are_not_taken_for_others),
        cmocka_unit_test(numbers_have_units_and_flags),
        cmocka_unit_test(rows_are_days_counters_and_periods),
        cmocka_unit_test(irregular_steps_are_counted),
        cmocka_unit_test(steps_are_differences_of_times),
        cmocka_unit_test(late_readings_are_of_their_slots),
        cmocka_unit_test(what_is_more_than_late_is_irregular),
        cmocka_unit_test(late_readings_keep_the_hour),
        cmocka_unit_test(changes_need_every),
        cmocka_unit_test(months_are_steps_of_the_calendar),
        cmocka_unit_test(clock_changes_are_no_irregular_steps),
        cmocka_unit_test(what_goes_back_or_stands_twice_is_said),
        cmocka_unit_test(logarithms_agree_with_the_library),
        cmocka_unit_test(a_fit_agrees_with_counts_by_hand),
        cmocka_unit_test(orders_are_scored_by_definition),
        cmocka_unit_test(bic_finds_the_order),
        cmocka_unit_test(a_known_chain_is_recovered),
        cmocka_unit_test(what_is_not_described_is_said),
        cmocka_unit_test(quantiles_share_evenly),
        cmocka_unit_test(parts_of_the_day_are_states),
        cmocka_unit_test(close_cuts_have_names_that_differ),
        cmocka_unit_test(a_state_at_the_end_goes_anywhere),
        cmocka_unit_test(a_season_is_a_day_of_the_time_column),
        cmocka_unit_test(steps_of_half_an_hour_are_regular),
        cmocka_unit_test(a_state_left_once_goes_where_it_went),
        cmocka_unit_test(classes_of_stays_are_expected_five_times),
        cmocka_unit_test(one_pair_is_no_correlation),
        cmocka_unit_test(fewer_than_ten_transitions_are_few),
        cmocka_unit_test(definitions_are_checked),
        cmocka_unit_test(degenerate_series_are_refused),
        cmocka_unit_test(too_many_states_are_refused),
        cmocka_unit_test(fitted_profiles_are_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
