/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures through gnuplot: scripts and data into a folder of their own, one process for all of them, and what
 * it drew back into memory. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "figure.h"

#include <corridor/array.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const endings[] = {"svg", "gp", "csv", "pdf"};
#define ENDINGS (sizeof endings / sizeof *endings)
#define LOG "gnuplot.log"

/* ---------------------------------------------------------------------------------------- files */

static char *join(const char *folder, const char *name, const char *ending) {
    return cor_format("%s/%s%s%s", folder, name, ending[0] ? "." : "", ending);
}

static enum cor_status write_file(const char *path, const char *text, struct cor_error *error) {
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!path)
        return cor_fail_memory(error);
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    bool failed = fputs(text, file) == EOF;
    if (fclose(file) != 0 || failed)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    return COR_OK;
}

/* The whole file; NULL if it cannot be read. */
static char *read_file(const char *path) {
    struct cor__text text;
    char buffer[16384];
    size_t size;
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file)
        return NULL;
    cor__text_begin(&text);
    while (text.file && (size = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, size, text.file);
    fclose(file);
    return cor__text_end(&text);
}

/* ------------------------------------------------------------------------------------ scripts */

/* How all figures look. */
static void put_common(FILE *file, const struct cor__figure *figure) {
    fprintf(file,
            "set encoding utf8\n"
            "set datafile separator comma\n"
            "set border 3 linecolor rgb '%s'\n"
            "set tics nomirror out scale 0.5 textcolor rgb '%s'\n"
            "set grid ytics linetype 1 linecolor rgb '%s'\n"
            "set key outside top left horizontal Left reverse samplen 1.6 spacing 1.1 textcolor rgb '%s'\n"
            "set xlabel offset 0,0.4 textcolor rgb '%s'\n"
            "set ylabel offset 1,0 textcolor rgb '%s'\n"
            "data = '%s.csv'\n",
            cor__colour(COR__COLOUR_AXIS), cor__colour(COR__COLOUR_INK), cor__colour(COR__COLOUR_GRID),
            cor__colour(COR__COLOUR_INK), cor__colour(COR__COLOUR_INK), cor__colour(COR__COLOUR_INK),
            figure->name);
}

static char *make_script(const struct cor__figure *figure, bool with_pdf) {
    struct cor__text text;
    cor__text_begin(&text);
    if (!text.file)
        return NULL;
    fprintf(text.file, "# gnuplot %s.gp draws %s.svg%s from %s.csv\n", figure->name, figure->name,
            with_pdf ? " and .pdf" : "", figure->name);
    fputs("reset\n", text.file);
    fprintf(text.file,
            "set terminal svg size %d,%d dynamic noenhanced font 'sans-serif,12' linewidth 1\n"
            "set output '%s.svg'\n",
            figure->width, figure->height, figure->name);
    put_common(text.file, figure);
    fputs(figure->script, text.file);
    if (with_pdf) /* 72 units an inch where the screen has 96 */
        fprintf(text.file,
                "set terminal pdfcairo size %.4f,%.4f noenhanced font 'sans-serif,9' linewidth 1\n"
                "set output '%s.pdf'\nreplot\n",
                figure->width / 96.0, figure->height / 96.0, figure->name);
    fputs("set output\n", text.file);
    return cor__text_end(&text);
}

static enum cor_status write_scripts(const struct cor__figures *figures, const char *folder, bool with_pdf,
                                     struct cor_error *error) {
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < figures->count && status == COR_OK; i++) {
        const struct cor__figure *figure = &figures->figure[i];
        char *script = make_script(figure, with_pdf), *path = join(folder, figure->name, "gp"),
             *data = join(folder, figure->name, "csv");
        status = script ? write_file(path, script, error) : cor_fail_memory(error);
        if (status == COR_OK)
            status = write_file(data, figure->data, error);
        free(script);
        free(path);
        free(data);
    }
    return status;
}

/* ------------------------------------------------------------------------------------ drawing */

/* Why gnuplot did not draw, in a line. */
static char *explain(const char *program, int code, const char *folder) {
    if (code == 127)
        return cor_format("%s is not installed (Debian package gnuplot-nox)", program);
    char *path = join(folder, LOG, ""), *log = read_file(path), *line = log;
    while (line && (*line == '\n' || *line == ' ' || *line == '^' || *line == '\t'))
        line++;
    char *said = cor_format("%s ended with code %d: %.*s", program, code, line ? (int)strcspn(line, "\n") : 0,
                            line ? line : "");
    free(path);
    free(log);
    return said;
}

static enum cor_status take_drawings(struct cor__figures *figures, const char *folder,
                                     struct cor_error *error) {
    for (size_t i = 0; i < figures->count; i++) {
        struct cor__figure *figure = &figures->figure[i];
        char *path = join(folder, figure->name, "svg"), *svg = read_file(path);
        figure->svg = svg ? cor__svg_inline(svg, figure) : NULL;
        free(path);
        free(svg);
        if (!figure->svg)
            return cor_fail(error, COR_STATUS_INTERNAL, figure->name, NULL, "gnuplot drew no picture");
    }
    return COR_OK;
}

static enum cor_status run_gnuplot(struct cor__figures *figures, const char *program, const char *folder,
                                   struct cor_error *error) {
    int code = 0;
    /* No settings of the user's own; then a script a figure. */
    char **arguments = cor_calloc(figures->count + 3, sizeof *arguments);
    char(*names)[COR__FIGURE_NAME + 4] = cor_calloc(figures->count, sizeof *names);
    char own_name[] = "gnuplot", defaults[] = "-d";
    enum cor_status status = arguments && names ? COR_OK : cor_fail_memory(error);
    for (size_t i = 0; i < figures->count && status == COR_OK; i++) {
        snprintf(names[i], sizeof names[i], "%s.gp", figures->figure[i].name);
        arguments[i + 2] = names[i];
    }
    if (status == COR_OK) {
        arguments[0] = own_name;
        arguments[1] = defaults;
        status = cor__run_program(program, arguments, folder, LOG, &code, error);
    }
    if (status == COR_OK && code == 0)
        status = take_drawings(figures, folder, error);
    else if (status == COR_OK && !(figures->trouble = explain(program, code, folder)))
        status = cor_fail_memory(error);
    free(arguments);
    free(names);
    return status;
}

/* ------------------------------------------------------------------------------------- folders */

static enum cor_status each_target(const struct cor__figures *figures, const char *from, const char *to,
                                   bool check_only, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct stat there;
    for (size_t i = 0; i < figures->count && status == COR_OK; i++)
        for (size_t e = 0; e < ENDINGS && status == COR_OK; e++) {
            char *target = join(to, figures->figure[i].name, endings[e]),
                 *source = join(from, figures->figure[i].name, endings[e]);
            if (!target || !source)
                status = cor_fail_memory(error);
            else if (check_only && lstat(target, &there) == 0)
                status = cor_fail(error, COR_STATUS_EXISTS, target,
                                  "name another folder, or say --force to replace it", "exists already");
            /* Without gnuplot there are scripts and data alone. */
            else if (!check_only && rename(source, target) != 0 && errno != ENOENT)
                status = cor_fail_errno(error, COR_STATUS_FILE, target, NULL, "cannot write");
            free(target);
            free(source);
        }
    return status;
}

static void remove_folder(const struct cor__figures *figures, const char *folder) {
    for (size_t i = 0; i < figures->count; i++)
        for (size_t e = 0; e < ENDINGS; e++) {
            char *path = join(folder, figures->figure[i].name, endings[e]);
            if (path)
                remove(path);
            free(path);
        }
    char *log = join(folder, LOG, "");
    if (log)
        remove(log);
    free(log);
    rmdir(folder);
}

static enum cor_status make_folder(const struct cor_report_options *options, char **folder,
                                   struct cor_error *error) {
    const char *above = options->figures ? options->figures : getenv("TMPDIR");
    if (!above || !*above)
        above = "/tmp";
    if (options->figures && mkdir(above, 0777) != 0 && errno != EEXIST)
        return cor_fail_errno(error, COR_STATUS_FILE, above, NULL, "cannot make the folder");
    *folder = cor_format("%s/.corridor-report-XXXXXX", above);
    if (!*folder)
        return cor_fail_memory(error);
    if (mkdtemp(*folder))
        return COR_OK;
    enum cor_status status =
        cor_fail_errno(error, COR_STATUS_FILE, above, NULL, "cannot make a folder in it");
    free(*folder);
    *folder = NULL;
    return status;
}

enum cor_status cor__draw(struct cor__figures *figures, const struct cor_report_options *options,
                          struct cor_error *error) {
    char *folder = NULL;
    if (figures->count == 0)
        return COR_OK;
    enum cor_status status = make_folder(options, &folder, error);
    if (status == COR_OK && options->figures && !options->replace)
        status = each_target(figures, folder, options->figures, true, error);
    if (status == COR_OK)
        status = write_scripts(figures, folder, options->figures != NULL, error);
    if (status == COR_OK)
        status = run_gnuplot(figures, options->gnuplot, folder, error);
    if (status == COR_OK && options->figures)
        status = each_target(figures, folder, options->figures, false, error);
    if (folder)
        remove_folder(figures, folder);
    free(folder);
    return status;
}
