/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "profile_command.h"

#include "internal.h"
#include "output.h"
#include "running.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the three commands ask for. */
struct request {
    struct cor_log_options log;
    struct cor_fitting_options fitting;
    const char *const *columns;
    const char *output, *picture;
    bool force, json, graph, dot;
    int format;
};

const char *const cor_log_decimal_signs[] = {"point", "comma", NULL},
                  *const cor_log_thousands[] = {"comma", "point", "blank", "apostrophe", NULL},
                  *const cor_log_date_orders[] = {"day", "month", "year", NULL};

/* Reads "a,b,c"; false after saying what is wrong. */
static bool read_cuts(const struct cor_command *command, const char *text, struct cor_levels_def *levels,
                      double *cuts) {
    const char *at = text;
    levels->cuts = cuts;
    while (at && *at) {
        char *end;
        double cut = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0') || levels->cut_count == COR_PROFILE_STATES_MAX - 1) {
            cor_misuse(command,
                       "--cuts takes up to %d ascending numbers with commas between them, not \"%s\"",
                       COR_PROFILE_STATES_MAX - 1, text);
            return false;
        }
        cuts[levels->cut_count++] = cut;
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

static bool read_states(const struct cor_command *command, const char *text, struct cor_levels_def *levels) {
    char *end;
    const long count = strtol(text, &end, 10);
    if (end == text || *end || count < 2 || count > COR_PROFILE_STATES_MAX) {
        cor_misuse(command, "--states takes a whole number from 2 to %d, not \"%s\"", COR_PROFILE_STATES_MAX,
                   text);
        return false;
    }
    levels->states = (uint32_t)count;
    return true;
}

/* Which column "speed=4" speaks of: *columns is its index, or their number where it names none; `text` goes
 * on behind its name. */
static bool find_column(const struct cor_command *command, const char *option, const char *const *columns,
                        const char **text, size_t *column) {
    const char *sign = strrchr(*text, '='), *name = *text;
    for (*column = 0; columns[*column]; ++*column)
        if (sign && strlen(columns[*column]) == (size_t)(sign - name) &&
            strncmp(columns[*column], name, (size_t)(sign - name)) == 0)
            break;
    *text = sign ? sign + 1 : name;
    if (!sign || columns[*column])
        return true;
    cor_misuse(command, "--%s speaks of a column that is not taken: \"%s\"", option, name);
    return false;
}

/* "tab", "semicolon", ... or the character itself; 0 after saying what is wrong. */
static char read_separator(const struct cor_command *command, const char *text) {
    static const struct {
        const char *word;
        char separator;
    } words[] = {{"comma", ','}, {"semicolon", ';'}, {"tab", '\t'},
                 {"bar", '|'},   {"blank", ' '},     {"\\t", '\t'}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i].word) == 0)
            return words[i].separator;
    if (text[0] && !text[1] && !strchr("\"\r\n \\", text[0]))
        return text[0];
    cor_misuse(command, "--separator takes comma, semicolon, tab, bar, blank or one character, not \"%s\"",
               text);
    return 0;
}

/* "10min", "1.5 h" in microseconds; 0 after saying what is wrong. */
static int64_t read_duration(const struct cor_command *command, const char *option, const char *text) {
    static const struct {
        const char *word;
        double micros;
    } units[] = {{"ms", 1e3}, {"s", 1e6}, {"min", 6e7}, {"h", 3.6e9}, {"d", 8.64e10}};
    char *end;
    const double number = strtod(text, &end);
    const bool is_number = strspn(text, "0123456789.") == (size_t)(end - text) && end > text;
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units && is_number; i++) {
        const double micros = number * units[i].micros;
        if (strcmp(end, units[i].word) == 0 && micros >= 1e3 && micros <= (double)COR_SERIES_EVERY_MAX)
            return (int64_t)(micros + 0.5);
    }
    cor_misuse(command, "--%s takes a time from 1ms to 366d, a number and ms, s, min, h or d, not \"%s\"",
               option, text);
    return 0;
}

bool cor_log_prepare(const struct cor_command *command, const char *const *columns,
                     struct cor_log_options *log) {
    size_t count = 0, words = 0;
    while (columns[count])
        count++;
    if (count > COR_SERIES_VALUES_MAX) {
        cor_misuse(command, "takes at most %d columns", COR_SERIES_VALUES_MAX);
        return false;
    }
    const bool is_cuts[] = {false, true};
    for (size_t k = 0; k < 2; k++)
        for (const char *const *text = k ? log->cuts : log->states; text && *text; text++) {
            const char *said = *text;
            size_t column;
            if (!find_column(command, k ? "cuts" : "states", columns, &said, &column))
                return false;
            struct cor_levels_def *levels = columns[column] ? &log->own[column] : &log->levels;
            if (levels->states > 0 || levels->cut_count > 0) {
                cor_misuse(command, "needs either --states K (quantiles) or --cuts a,b,.. of a column, once");
                return false;
            }
            double *cuts = log->cut[columns[column] ? column : COR_SERIES_VALUES_MAX];
            if (!(is_cuts[k] ? read_cuts(command, said, levels, cuts) : read_states(command, said, levels)))
                return false;
        }
    if (log->words && (log->levels.states > 0 || log->levels.cut_count > 0)) {
        cor_misuse(command, "words have no --states and no --cuts: name the columns that do (--cuts "
                            "NAME=A,B), or leave --words out");
        return false;
    }
    for (size_t k = 0; k < count && log->words; k++)
        if (log->own[k].states == 0 && log->own[k].cut_count == 0)
            log->word_columns[words++] = columns[k];
    log->series.columns = columns;
    log->series.words = log->word_columns;
    log->series.separator = log->separator ? read_separator(command, log->separator) : 0;
    log->series.every = log->every ? read_duration(command, "every", log->every) : 0;
    log->series.period = log->period ? read_duration(command, "period", log->period) : 0;
    if (log->series.is_wide && count != 1) {
        cor_misuse(command, "--wide takes one column: the name of what the columns of times hold");
        return false;
    }
    const char *format = log->series.time_format;
    bool is_format = !format || strchr(format, '%');
    for (size_t i = 0; !is_format && profiles__time_words[i]; i++)
        is_format = strcmp(format, profiles__time_words[i]) == 0;
    if (!is_format) {
        cor_misuse(
            command,
            "--time-format takes epoch, epoch-ms, epoch-us, epoch-ns, excel, excel-1904, jd, mjd, matlab, "
            "decimal-year, or a format with %%, such as %%d.%%m.%%y, not \"%s\"",
            format);
        return false;
    }
    return (!log->separator || log->series.separator) && (!log->every || log->series.every > 0) &&
           (!log->period || log->series.period > 0);
}

enum cor_status cor_log_read(char *const *paths, int count, const struct cor_log_options *log,
                             struct cor_series **series, struct cor_error *error) {
    *series = NULL;
    COR_TRY(cor_series_read(paths[0], &log->series, series, error));
    for (int i = 1; i < count; i++) {
        struct cor_series *more = NULL;
        enum cor_status status = cor_series_read(paths[i], &log->series, &more, error);
        if (status == COR_OK)
            status = cor_series_append(*series, more, error);
        cor_series_destroy(more);
        if (status == COR_OK)
            continue;
        cor_series_destroy(*series);
        *series = NULL;
        return status;
    }
    return COR_OK;
}

char *cor_command_text(const struct cor_arguments *arguments) {
    char *text = cor_format("corridor %s", arguments->command->name);
    for (int i = 1; i < arguments->typed_count && text; i++) {
        char *longer = cor_format("%s %s", text, arguments->typed[i]);
        free(text);
        text = longer;
    }
    return text;
}

static enum cor_status print_report_json(const struct cor_fit *fit, FILE *file, struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(cor_document_open("corridor-profile-fit", 1, &w, error));
    cor_json_open_object(w, "season");
    cor_json_put_integer(w, "steps", fit->season);
    cor_json_put_string(w, "from", cor_season_words[fit->season_from]);
    if (fit->step_months > 0)
        cor_json_put_integer(w, "step_months", fit->step_months);
    else if (fit->step_seconds > 0)
        cor_json_put_real(w, "step_seconds", fit->step_seconds);
    if (fit->step_months == 0 && fit->step_seconds > 0 && fmod(fit->step_seconds, 60) <= 0)
        cor_json_put_integer(w, "step_minutes", (int64_t)(fit->step_seconds / 60));
    cor_json_close(w);
    cor_fit_json(fit, w, "fit");
    cor_json_close(w);
    return cor_json_print_take(w, 1, file, error);
}

static enum cor_status print_report(const struct cor_fit *fit, FILE *file, struct cor_error *error) {
    char *text = cor_fit_text(fit, error);
    if (!text)
        return COR_STATUS_MEMORY;
    fputs(text, file);
    free(text);
    return COR_OK;
}

enum cor_status cor_fit_and_write_take(struct cor_series *series, const struct cor_arguments *arguments,
                                       struct cor_fitting_options *options, struct cor_error *error) {
    struct cor_fit *fit = NULL;
    struct cor_profile *prior = NULL;
    char *profile = NULL, *command = cor_command_text(arguments), warnings[4096];
    const char *output = options->output;
    FILE *file = output && strcmp(output, "-") == 0 ? stderr : stdout; /* of the report */
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_made(command, error));
    options->fit.command = command;
    if (!options->prior)
        options->fit.weight = 0;
    else if (strcmp(options->prior, COR_PRIOR_UNIFORM) != 0) {
        COR_TRY_OUT(cor_profile_read(options->prior, &prior, error));
        options->fit.prior = prior;
        options->fit.prior_file = options->prior;
    }
    cor_progress_doing("fitting");
    status = cor_fit_create(series, &options->fit, &fit, error);
    cor_progress_doing(NULL);
    if (status != COR_OK && series->notes[0]) /* it may tell why */
        cor_say("%s", series->notes);
    COR_TRY_OUT(status);
    if (output) {
        profile = cor_fit_profile_text(fit, error);
        COR_TRY_OUT(profile ? COR_OK : COR_STATUS_MEMORY);
        COR_TRY_OUT(cor_output_text(output, profile, options->force, error));
    }
    COR_TRY_OUT(options->json ? print_report_json(fit, file, error) : print_report(fit, file, error));
    if (cor_profile_warnings(cor_fit_written(fit), warnings, sizeof warnings) > 0)
        cor_say("warning: %s", warnings);
out:
    free(profile);
    free(command);
    cor_fit_destroy(fit);
    cor_profile_destroy(prior);
    cor_series_destroy(series);
    return status;
}

static enum cor_exit run_fit(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    struct request *request = arguments->request;
    struct cor_fit_def *fit = &request->fitting.fit;
    struct cor_series *series = NULL;
    if (!cor_log_prepare(arguments->command, request->columns, &request->log))
        return COR_EXIT_USAGE;
    if (24 % fit->hours != 0)
        return cor_misuse(arguments->command, "--hours is the number of parts of a day: a divisor of 24");
    fit->levels = request->log.levels;
    fit->own = request->log.own;
    enum cor_status status =
        cor_log_read(arguments->words, arguments->word_count, &request->log, &series, &error);
    if (status == COR_OK)
        status = cor_fit_and_write_take(series, arguments, &request->fitting, &error);
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_profile_fit = {
    .name = "profile fit",
    .summary = "fit a profile to a measured time series",
    .operands = "DATA.csv..",
    .takes = {1, COR_SERIES_FILES_MAX, "needs one CSV file, or several"},
    .request_size = sizeof(struct request),
    .manual = "Turns a column of a CSV file into states, in the order of its times, by quantiles or by cut "
              "points, or takes words as they stand, optionally with the "
              "part of the day as part of the state; counts transitions; and reports how well a first-order "
              "Markov chain describes the series (orders 0, 1 and 2 by BIC, lengths of stay, "
              "autocorrelation) and, in words, what it does not describe. Several columns are fitted "
              "jointly: a state is what they say together. Of several files each is a segment, or several, "
              "of its own. What the data never showed is rare instead of impossible with a prior.",
    .options =
        {
            {"column", 'c', "NAME", "take the values from this column; several times: jointly",
             COR_TEXTS(columns), .required = "needs the column to fit: --column NAME"},
            COR_LOG_OPTIONS,
            {"rare", 0, "N", "join words that occur fewer than N times as \"" COR_WORD_OTHER "\"",
             COR_INTEGER(fitting.fit.rare, 2, INT32_MAX, 0), .otherwise = "each word is a state"},
            {"hours", 0, "N", "divide the day into N equal parts of the state; needs --time-column",
             COR_INTEGER(fitting.fit.hours, 1, 24, 1)},
            {"name", 'n', "NAME", "name the profile", COR_TEXT(fitting.fit.name), .otherwise = "the columns"},
            COR_FITTING_OPTIONS,
        },
    .examples =
        {"corridor profile fit profiles/data/wind_2010_hourly.csv --column wind_speed_80m_m_per_s --states 8",
         "corridor profile fit profiles/data/choptank_river_daily_discharge.csv -c discharge_m3_per_s -k 6 "
         "-o river.json",
         "corridor profile fit log.csv --column traffic --words -o traffic.json",
         "corridor profile fit log.csv -c speed -c traffic --cuts speed=3,7 -o joint.json",
         "corridor profile fit new.csv -c traffic --prior traffic.json --weight 5 -o new.json"},
    .run = run_fit,
};

/* Writes a text that a function made, or reports that it could not. */
static enum cor_status write_take(char *text, const char *path, bool overwrite, struct cor_error *error) {
    enum cor_status status = text ? cor_output_text(path, text, overwrite, error) : COR_STATUS_MEMORY;
    free(text);
    return status;
}

static enum cor_status show(const struct cor_profile *profile, const struct request *request,
                            struct cor_error *error) {
    if (request->json) {
        struct cor_json_writer *w;
        double law[COR_PROFILE_STATES_MAX];
        char warnings[4096] = "";
        COR_TRY(cor_profile_stationary(profile, law, error));
        COR_TRY(cor_document_open("corridor-profile-show", 1, &w, error));
        cor_profile_warnings(profile, warnings, sizeof warnings);
        cor_json_put_string(w, "name", profile->name);
        cor_json_put_integer(w, "arcs", cor_profile_arcs(profile));
        cor_json_open_array(w, "states");
        for (uint32_t s = 0; s < profile->state_count; s++) {
            cor_json_open_object(w, NULL);
            cor_json_put_string(w, "name", profile->states[s]);
            cor_json_put_real(w, "stationary", law[s]);
            cor_json_put_real(w, "start", profile->start[s]);
            cor_json_close(w);
        }
        cor_json_close(w);
        cor_json_put_string(w, "warnings", warnings);
        cor_json_close(w);
        return cor_json_print_take(w, 1, stdout, error);
    }
    return write_take(request->dot ? cor_profile_dot(profile, error)
                                   : cor_profile_text(profile, cor_text_columns(stdout), error),
                      NULL, false, error);
}

static enum cor_exit run_show(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct request *request = arguments->request;
    COR_DESTROYED(cor_profile) struct cor_profile *profile = NULL;
    COR_FREED char *dot = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_profile_read(arguments->words[0], &profile, &error));
    COR_TRY_OUT(show(profile, request, &error));
    if (request->picture) {
        dot = request->graph ? cor_profile_dot(profile, &error) : cor_profile_heat_map(profile, &error);
        COR_TRY_OUT(dot ? COR_OK : COR_STATUS_MEMORY);
        COR_TRY_OUT(cor_output_drawing(request->picture, dot, request->force, &error));
    }
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_profile_show = {
    .name = "profile show",
    .summary = "print or draw a profile",
    .operands = "PROFILE.json",
    .takes = {1, 1, "needs one profile file"},
    .request_size = sizeof(struct request),
    .manual = "Prints the states of a profile with their shares in the long run and their likeliest "
              "successors, and warns of states that cannot be reached or left. Draws it with graphviz, as a "
              "heat map of its transitions, the states in their order, or as a graph.",
    .options =
        {
            {"draw", 0, "FILE", "write a heat map: .svg, .pdf, .png or .dot", COR_TEXT(picture)},
            {"graph", 0, NULL, "draw a graph instead of a heat map", COR_FLAG(graph)},
            {"force", 'f', NULL, "replace the picture if it exists", COR_FLAG(force)},
            {"dot", 0, NULL, "print the graph in Graphviz' language", COR_FLAG(dot)},
            {"json", 0, NULL, "print one JSON document", COR_FLAG(json)},
        },
    .examples = {"corridor profile show profiles/library/wind_2010.json",
                 "corridor profile show profiles/library/wind_2010.json --draw wind.svg",
                 "corridor profile show profiles/library/wind_2010.json --draw arcs.svg --graph"},
    .run = run_show,
};

/* What a profile can be written as. */
static const struct {
    const char *word;
    char *(*text)(const struct cor_profile *profile, struct cor_error *error);
} formats[] = {{"prism", cor_profile_prism},
               {"dot", cor_profile_dot},
               {"csv", cor_profile_csv},
               {"json", cor_profile_matrix},
               {"profile", cor_profile_file}};

static const char *format_word(size_t index) {
    return index < sizeof formats / sizeof *formats ? formats[index].word : NULL;
}

static enum cor_exit run_export(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct request *request = arguments->request;
    COR_DESTROYED(cor_profile) struct cor_profile *profile = NULL;
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_profile_read(arguments->words[0], &profile, &error));
    COR_TRY_OUT(
        write_take(formats[request->format].text(profile, &error), request->output, request->force, &error));
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_profile_export = {
    .name = "profile export",
    .summary = "write a profile for PRISM, Graphviz or a spreadsheet",
    .operands = "PROFILE.json",
    .takes = {1, 1, "needs one profile file"},
    .request_size = sizeof(struct request),
    .manual =
        "Writes the Markov chain of a profile: as a DTMC in PRISM's language (Storm reads it, too), with "
        "states as labels; as a graph for Graphviz; as a list of transitions in CSV, where an empty \"from\" "
        "stands for the first state; as a matrix in JSON; or as a profile file. What PRISM or Storm wrote "
        "(.tra, a "
        "model of one module with one variable) and CSV as above is read, too, here and by profile show. "
        "Probabilities read back to the last bit but in "
        "the graph, whose labels are for people. docs/look-up/profiles.md says what else to know.",
    .options =
        {
            {"format", 0, "NAME", "write this format", COR_WORD(format, format_word, 0, -1),
             .required = "needs --format NAME"},
            {"output", 'o', "FILE", "write this file; - is standard output", COR_TEXT(output),
             .otherwise = "-"},
            {"force", 'f', NULL, "replace the file if it exists", COR_FLAG(force)},
        },
    .examples =
        {"corridor profile export profiles/library/wind_2010.json --format prism -o wind.prism",
         "corridor profile export profiles/library/choptank_discharge.json --format dot | dot -Tsvg > c.svg",
         "corridor profile export chain.tra --format profile -o chain.json"},
    .run = run_export,
};
