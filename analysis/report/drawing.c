/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures through gnuplot and graphviz: scripts and data into a folder of their own, one process a program
 * for all of them, and what it drew back into memory. */
#define _DEFAULT_SOURCE /* mkdtemp, names of setrlimit */
#include "figure.h"

#include <corridor/array.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENDINGS 4
#define LOG "drawing.log"
#define SECONDS 300 /* of processor time: a drawing takes fewer than ten */

/* What belongs to a figure. Graphviz names what it makes NAME.dot.svg. */
static const char *const plot_endings[ENDINGS] = {"svg", "gp", "csv", "pdf"};
static const char *const graph_endings[ENDINGS] = {"dot.svg", "dot", "dot.pdf", "dot"};
static const char *const graph_targets[ENDINGS] = {"svg", "dot", "pdf", "dot"};

static const char *ending(const struct cor__figure *figure, size_t e) {
    return figure->graph ? graph_endings[e] : plot_endings[e];
}

static const char *target_ending(const struct cor__figure *figure, size_t e) {
    return figure->graph ? graph_targets[e] : plot_endings[e];
}

static char *join(const char *folder, const char *name, const char *behind) {
    return cor_format("%s/%s%s%s", folder, name, behind[0] ? "." : "", behind);
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

/* How all figures look. */
static void put_common(FILE *file, const struct cor__figure *figure) {
    fprintf(file,
            "set encoding utf8\n"
            "set datafile separator comma\n"
            "set border 3 linecolor rgb '%s'\n"
            "set tics nomirror out scale 0.5 textcolor rgb '%s'\n"
            "set grid ytics linetype 1 linecolor rgb '%s'\n"
            "set key at screen 0.02, screen 0.985 left top horizontal Left reverse samplen 1.4 width -2 "
            "maxrows 1 "
            "textcolor rgb '%s'\n"
            "set tmargin 2.4\n"
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
                "set terminal pdfcairo size %.4f,%.4f noenhanced font 'sans-serif,12' fontscale 0.55 "
                "linewidth 1\n"
                "set output '%s.pdf'\nreplot\n",
                figure->width / 96.0, figure->height / 96.0, figure->name);
    fputs("set output\n", text.file);
    return cor__text_end(&text);
}

static enum cor_status write_plot(const struct cor__figure *figure, const char *folder, bool with_pdf,
                                  struct cor_error *error) {
    char *script = make_script(figure, with_pdf), *path = join(folder, figure->name, "gp"),
         *data = join(folder, figure->name, "csv");
    enum cor_status status = script ? write_file(path, script, error) : cor_fail_memory(error);
    if (status == COR_OK)
        status = write_file(data, figure->data, error);
    free(script);
    free(path);
    free(data);
    return status;
}

static enum cor_status write_graph(const struct cor__figure *figure, const char *folder,
                                   struct cor_error *error) {
    char *path = join(folder, figure->name, "dot");
    enum cor_status status = write_file(path, figure->script, error);
    free(path);
    return status;
}

static enum cor_status write_scripts(const struct cor__figures *figures, const char *folder, bool with_pdf,
                                     struct cor_error *error) {
    for (size_t i = 0; i < figures->count; i++) {
        const struct cor__figure *figure = &figures->figure[i];
        COR_TRY(figure->graph ? write_graph(figure, folder, error)
                              : write_plot(figure, folder, with_pdf, error));
    }
    return COR_OK;
}

static bool redirect(const char *path, int flags, int descriptor) {
    int file = open(path, flags, 0600);
    return file >= 0 && dup2(file, descriptor) >= 0;
}

/* In the child: what the program sees does not depend on who started us, and the same drawing gives the same
 * bytes. */
static void become(const char *program, char *const *arguments, const char *folder) {
    const struct rlimit limit = {SECONDS, SECONDS};
    setrlimit(RLIMIT_CPU, &limit);
    if (chdir(folder) != 0 || !redirect("/dev/null", O_RDONLY, STDIN_FILENO) ||
        !redirect(LOG, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        _exit(126);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("SOURCE_DATE_EPOCH", "0", 1);
    unsetenv("GNUTERM");
    unsetenv("DISPLAY");
    execvp(program, arguments);
    _exit(127);
}

enum cor_status cor__run_program(const char *program, char *const *arguments, const char *folder, int *code,
                                 struct cor_error *error) {
    int how;
    fflush(NULL); /* what waits in our buffers is not the child's */
    pid_t pid = fork();
    if (pid == 0)
        become(program, arguments, folder);
    if (pid < 0)
        return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "cannot fork");
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "lost a child process");
    *code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return COR_OK;
}

/* Why a program did not draw, in a line. */
static char *explain(const char *program, bool graph, int code, const char *folder) {
    if (code == 127)
        return cor_format("%s is not installed (Debian package %s)", program,
                          graph ? "graphviz" : "gnuplot-nox");
    char *path = join(folder, LOG, ""), *log = read_file(path), *line = log;
    while (line && (*line == '\n' || *line == ' ' || *line == '^' || *line == '\t'))
        line++;
    char *said = cor_format("%s ended with code %d: %.*s", program, code, line ? (int)strcspn(line, "\n") : 0,
                            line ? line : "");
    free(path);
    free(log);
    return said;
}

static enum cor_status take_drawing(struct cor__figure *figure, const char *folder, struct cor_error *error) {
    char *path = join(folder, figure->name, ending(figure, 0)), *svg = read_file(path);
    figure->svg = svg ? cor__svg_inline(svg, figure) : NULL;
    free(path);
    free(svg);
    return figure->svg ? COR_OK
                       : cor_fail(error, COR_STATUS_INTERNAL, figure->name, NULL, "%s drew no picture",
                                  figure->graph ? "graphviz" : "gnuplot");
}

/* A process a figure: within one, gnuplot's pictures depend a little on those that it drew before. */
static enum cor_status draw(struct cor__figures *figures, struct cor__figure *figure,
                            const struct cor_report_options *options, const char *folder,
                            struct cor_error *error) {
    const char *program = figure->graph ? options->dot : options->gnuplot;
    char script[COR__FIGURE_NAME + 8], name[256], plain[] = "-d", svg[] = "-Tsvg", pdf[] = "-Tpdf",
                                                  beside[] = "-O";
    char *const plot[] = {name, plain, script, NULL}; /* -d: no settings of a user's own */
    char *const graph[] = {name, svg, beside, script, NULL}, *const both[] = {name,   svg,    pdf,
                                                                              beside, script, NULL};
    int code = 0;
    snprintf(name, sizeof name, "%s", program);
    snprintf(script, sizeof script, "%s.%s", figure->name, figure->graph ? "dot" : "gp");
    enum cor_status status = cor__run_program(program,
                                              !figure->graph     ? plot
                                              : options->figures ? both
                                                                 : graph,
                                              folder, &code, error);
    if (status != COR_OK || code == 0)
        return status == COR_OK ? take_drawing(figure, folder, error) : status;
    figures->trouble[figure->graph] = explain(program, figure->graph, code, folder);
    return figures->trouble[figure->graph] ? COR_OK : cor_fail_memory(error);
}

static enum cor_status draw_all(struct cor__figures *figures, const struct cor_report_options *options,
                                const char *folder, struct cor_error *error) {
    for (size_t i = 0; i < figures->count; i++)
        if (!figures->trouble[figures->figure[i].graph]) /* else the next would fail alike */
            COR_TRY(draw(figures, &figures->figure[i], options, folder, error));
    return COR_OK;
}

static enum cor_status each_target(const struct cor__figures *figures, const char *from, const char *to,
                                   bool check_only, struct cor_error *error) {
    enum cor_status status = COR_OK;
    struct stat there;
    for (size_t i = 0; i < figures->count && status == COR_OK; i++)
        for (size_t e = 0; e < ENDINGS && status == COR_OK; e++) {
            const struct cor__figure *figure = &figures->figure[i];
            char *target = join(to, figure->name, target_ending(figure, e)),
                 *source = join(from, figure->name, ending(figure, e));
            if (!target || !source)
                status = cor_fail_memory(error);
            else if (check_only && lstat(target, &there) == 0)
                status = cor_fail(error, COR_STATUS_EXISTS, target,
                                  "name another folder, or say --force to replace it", "exists already");
            /* Without the program that draws there are scripts and data alone. */
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
            char *path = join(folder, figures->figure[i].name, ending(&figures->figure[i], e));
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
    COR_TRY(make_folder(options, &folder, error));
    enum cor_status status = COR_OK;
    if (options->figures && !options->replace)
        COR_TRY_OUT(each_target(figures, folder, options->figures, true, error));
    COR_TRY_OUT(write_scripts(figures, folder, options->figures != NULL, error));
    COR_TRY_OUT(draw_all(figures, options, folder, error));
    if (options->figures)
        COR_TRY_OUT(each_target(figures, folder, options->figures, false, error));
out:
    remove_folder(figures, folder);
    free(folder);
    return status;
}
