/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures through gnuplot and graphviz: scripts and data into a folder of their own, a process a figure, and
 * what it drew back into memory. */
#define _GNU_SOURCE /* open_memstream, mkdtemp, names of setrlimit */
#include "figure.h"

#include "html.h"

#include <corridor/array.h>
#include <corridor/cells.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOG "drawing.log"
#define SECONDS 300 /* of processor time: a drawing takes fewer than ten */

/* What belongs to a figure, as it is made and as it is kept. Graphviz names what it makes NAME.dot.svg. */
struct ending {
    const char *made, *kept;
};
static const struct ending plot_endings[] = {
    {"svg", "svg"}, {"gp", "gp"}, {"csv", "csv"}, {"pdf", "pdf"}, {NULL, NULL}};
static const struct ending graph_endings[] = {
    {"dot.svg", "svg"}, {"dot", "dot"}, {"dot.pdf", "pdf"}, {NULL, NULL}};

static const struct ending *endings_of(const struct cor__figure *figure) {
    return figure->graph ? graph_endings : plot_endings;
}

const char *cor__colour(enum cor__colour colour) {
    static const char *const colours[] = {
#define COR__COLOUR(NAME, file, page) file,
        COR__COLOURS(COR__COLOUR)
#undef COR__COLOUR
    };
    COR_ASSERT((unsigned)colour < COR__COLOUR_COUNT);
    return colours[colour];
}

void cor__text_begin(struct cor__text *text) {
    *text = (struct cor__text){0};
    text->file = open_memstream(&text->text, &text->size);
}

char *cor__text_end(struct cor__text *text) {
    bool failed = !text->file || ferror(text->file);
    if (text->file && fclose(text->file) != 0)
        failed = true;
    if (failed) {
        free(text->text);
        text->text = NULL;
    }
    return text->text;
}

void cor__figure_name(char name[COR__FIGURE_NAME], const char *what, size_t index) {
    snprintf(name, COR__FIGURE_NAME, "%s-%02zu", what, index + 1);
}

struct cor__figure *cor__figure_add(struct cor__figures *figures, const char *name, int width, int height,
                                    struct cor_error *error) {
    COR_ASSERT(strlen(name) < COR__FIGURE_NAME);
    if (COR_RESERVE(&figures->figure, &figures->capacity, figures->count + 1, error) != COR_OK)
        return NULL;
    struct cor__figure *figure = &figures->figure[figures->count++];
    *figure = (struct cor__figure){.width = width, .height = height};
    snprintf(figure->name, sizeof figure->name, "%s", name);
    return figure;
}

struct cor__figure *cor__figure_add_graph(struct cor__figures *figures, const char *name, char *graph,
                                          struct cor_error *error) {
    struct cor__figure *figure = cor__figure_add(figures, name, 0, 0, error);
    if (!figure) {
        free(graph);
        return NULL;
    }
    figure->graph = true;
    figure->script = graph;
    return figure;
}

enum cor_status cor__figure_status(const struct cor__figure *figure, struct cor_error *error) {
    bool whole = figure->title && figure->description && figure->script && (figure->data || figure->graph);
    return whole ? COR_OK : cor_fail_memory(error);
}

static const struct cor__figure *find(const struct cor__figures *figures, const char *name) {
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->figure[i].name, name) == 0)
            return &figures->figure[i];
    return NULL;
}

void cor__figure_html(const struct cor__figures *figures, FILE *file, const char *name, const char *caption) {
    const struct cor__figure *figure = find(figures, name);
    if (!figure)
        return;
    fprintf(file, "<figure id=fig-%s><figcaption>", name);
    cor_html_short(file, caption, 80);
    fputs("</figcaption>", file);
    const char *trouble = figures->trouble[figure->graph];
    if (figure->svg) {
        fputs(figure->svg, file);
    } else {
        fputs("<p class=undrawn>Not drawn: ", file);
        cor_html_short(file, trouble ? trouble : "no picture", 200);
        fputs(". ", file);
        cor_html_text(file, figure->description);
        fputs("</p>", file);
    }
    fputs("</figure>\n", file);
}

void cor__figures_fini(struct cor__figures *figures) {
    for (size_t i = 0; i < figures->count; i++) {
        struct cor__figure *figure = &figures->figure[i];
        free(figure->title);
        free(figure->description);
        free(figure->script);
        free(figure->data);
        free(figure->svg);
    }
    free(figures->figure);
    free(figures->trouble[0]);
    free(figures->trouble[1]);
    *figures = (struct cor__figures){0};
}

void cor__gnuplot_text(FILE *file, const char *text, size_t characters) {
    fputc('\'', file);
    for (; *text && characters > 0; characters--) {
        uint32_t code;
        size_t size = cor_utf8_code(text, &code);
        /* Single quotes end the string; the others mean something to gnuplot in other places. */
        if (size == 0 || (unsigned char)*text < ' ' || strchr("'\"`\\@\x7f", *text))
            fputc('?', file);
        else
            fwrite(text, 1, size, file);
        text += size > 0 ? size : 1;
    }
    if (*text)
        fputs("\xe2\x80\xa6", file);
    fputc('\'', file);
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
            "maxrows 1 textcolor rgb '%s'\n"
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

static enum cor_status write_beside(const char *folder, const struct cor__figure *figure, const char *ending,
                                    const char *text, struct cor_error *error) {
    char *path = join(folder, figure->name, ending);
    enum cor_status status = write_file(path, text, error);
    free(path);
    return status;
}

static enum cor_status write_plot(const struct cor__figure *figure, const char *folder, bool with_pdf,
                                  struct cor_error *error) {
    char *script = make_script(figure, with_pdf);
    enum cor_status status =
        script ? write_beside(folder, figure, "gp", script, error) : cor_fail_memory(error);
    free(script);
    COR_TRY(status);
    return write_beside(folder, figure, "csv", figure->data, error);
}

static enum cor_status write_scripts(const struct cor__figures *figures, const char *folder, bool with_pdf,
                                     struct cor_error *error) {
    for (size_t i = 0; i < figures->count; i++) {
        const struct cor__figure *figure = &figures->figure[i];
        COR_TRY(figure->graph ? write_beside(folder, figure, "dot", figure->script, error)
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
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot fork");
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
    char *path = join(folder, figure->name, endings_of(figure)[0].made), *svg = read_file(path);
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

/* What is done with each file of a figure. */
typedef enum cor_status visit(const char *made, const char *kept, struct cor_error *error);

static enum cor_status must_be_new(const char *made, const char *kept, struct cor_error *error) {
    struct stat there;
    (void)made;
    return lstat(kept, &there) != 0
               ? COR_OK
               : cor_fail(error, COR_STATUS_EXISTS, kept, "name another folder, or say --force to replace it",
                          "exists already");
}

/* Without the program that draws there are scripts and data alone. */
static enum cor_status keep(const char *made, const char *kept, struct cor_error *error) {
    return rename(made, kept) == 0 || errno == ENOENT
               ? COR_OK
               : cor_fail_errno(error, COR_STATUS_FILE, kept, NULL, "cannot write");
}

static enum cor_status discard(const char *made, const char *kept, struct cor_error *error) {
    (void)kept;
    (void)error;
    remove(made);
    return COR_OK;
}

static enum cor_status visit_files(const struct cor__figures *figures, const char *folder, const char *to,
                                   visit *visit_file, struct cor_error *error) {
    for (size_t i = 0; i < figures->count; i++)
        for (const struct ending *ending = endings_of(&figures->figure[i]); ending->made; ending++) {
            char *made = join(folder, figures->figure[i].name, ending->made),
                 *kept = join(to, figures->figure[i].name, ending->kept);
            enum cor_status status = made && kept ? visit_file(made, kept, error) : cor_fail_memory(error);
            free(made);
            free(kept);
            COR_TRY(status);
        }
    return COR_OK;
}

static void remove_folder(const struct cor__figures *figures, const char *folder) {
    char *log = join(folder, LOG, "");
    if (visit_files(figures, folder, folder, discard, NULL) == COR_OK && log)
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
        COR_TRY_OUT(visit_files(figures, folder, options->figures, must_be_new, error));
    COR_TRY_OUT(write_scripts(figures, folder, options->figures != NULL, error));
    COR_TRY_OUT(draw_all(figures, options, folder, error));
    if (options->figures)
        COR_TRY_OUT(visit_files(figures, folder, options->figures, keep, error));
out:
    remove_folder(figures, folder);
    free(folder);
    return status;
}
