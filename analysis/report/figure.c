/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawing, ours or one of graphviz, as part of a page. It is for a file of its own: with a preamble, names,
 * fonts, colours and generous blanks. In a page names would clash, and fonts and colours are the page's. */
#define _GNU_SOURCE /* open_memstream, names of setrlimit */

#include "figure.h"
#include "page.h"

#include <corridor/array.h>
#include <corridor/cells.h>
#include <corridor/work_folder.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Copies the value of an attribute, with colours as the page has them. */
static void put_value(FILE *out, const char *value, size_t size) {
    static const struct {
        const char *file, *page;
    } colours[] = {
#define REPORT__COLOUR(NAME, file, page) {file, page},
        REPORT__COLOURS(REPORT__COLOUR)
#undef REPORT__COLOUR
    };
    char name[8] = "";
    while (size > 0 && *value == ' ') {
        value++;
        size--;
    }
    if (size < sizeof name)
        snprintf(name, sizeof name, "%.*s", (int)size, value);
    if (strcmp(name, "white") == 0) { /* the ground that graphviz paints */
        fputs("none", out);
        return;
    }
    if (strcmp(name, "black") == 0) {
        fputs("currentColor", out);
        return;
    }
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        if (strcmp(name, colours[i].file) == 0) {
            fputs(colours[i].page, out);
            return;
        }
    /* Copies text without the zeros that decimals end with: "12.50" and "3.00" become "12.5" and "3". */
    size_t i = 0;
    while (i < size) {
        if (value[i] != '.') {
            fputc(value[i++], out);
            continue;
        }
        size_t end = i + 1, last = i; /* behind the last digit; behind the last that is no zero */
        for (; end < size && value[end] >= '0' && value[end] <= '9'; end++)
            last = value[end] == '0' ? last : end + 1;
        fwrite(value + i, 1, last - i, out);
        i = end;
    }
}

/* Whether an attribute stays: not names, fonts (the page's are used), nor references. */
static bool is_kept(const char *name, size_t size) {
    static const char *const dropped[] = {"id",    "font-family", "class", "xmlns",      "xmlns:xlink",
                                          "color", "xml:space",   "href",  "xlink:href", "style"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (strlen(dropped[i]) == size && strncmp(name, dropped[i], size) == 0)
            return false;
    return strncasecmp(name, "on", 2) != 0;
}

/* Copies the inside of a tag from behind its name; returns where it ends, at '>' or the end of the text. */
static const char *put_attributes(FILE *out, const char *at) {
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (*at == '/' || *at == '>' || !*at)
            break;
        const char *name = at;
        size_t size = strcspn(at, " =/>\t\r\n");
        at += size;
        at += strspn(at, " \t\r\n");
        if (*at != '=' || size == 0)
            return at + strcspn(at, ">");
        at++;
        at += strspn(at, " \t\r\n");
        char quote = *at == '"' || *at == '\'' ? *at++ : '\0';
        const char *value = at, *end = quote ? strchr(at, quote) : at + strcspn(at, " >");
        if (!end)
            return at + strlen(at);
        size_t length = (size_t)(end - value);
        if (is_kept(name, size) && !memchr(value, '"', length)) {
            fprintf(out, " %.*s=\"", (int)size, name);
            put_value(out, value, length);
            fputc('"', out);
        }
        at = quote ? end + 1 : end;
    }
    if (*at == '/') {
        fputc('/', out);
        at += strcspn(at, ">");
    }
    return at;
}

static bool is_tag(const char *at, const char *name) {
    size_t size = strlen(name);
    return strncmp(at, name, size) == 0 && strchr(" >\t\r\n/", at[size]);
}

/* Elements that stay; of others what is between their tags stays, but for those that are left out whole. */
static bool is_shape(const char *tag) {
    static const char *const shapes[] = {"g",       "path",     "rect", "circle", "ellipse",
                                         "polygon", "polyline", "line", "text"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (is_tag(tag + (*tag == '/'), shapes[i]))
            return true;
    return false;
}

/* Copies one tag, which begins at `at`, or drops it; returns what is behind it. */
static const char *put_tag(FILE *out, const char *at) {
    static const char *const dropped[] = {"defs", "title", "desc", "style", "script"};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
        if (is_tag(at + 1, dropped[i])) {
            /* Behind the end of element `name`, which begins at `at`; elements of that name do not nest. */
            char end[32];
            snprintf(end, sizeof end, "</%s>", dropped[i]);
            const char *found = strstr(at, end);
            return found ? found + strlen(end) : at + strlen(at);
        }
    if (!is_shape(at + 1)) {
        at += strcspn(at, ">");
        return *at ? at + 1 : at;
    }
    size_t size = strcspn(at, " \t\r\n>");
    if (size > 2 && at[size - 1] == '/') /* <g/> */
        size--;
    fwrite(at, 1, size, out);
    at = put_attributes(out, at + size);
    fputc('>', out);
    return *at ? at + 1 : at;
}

char *report__svg_inline(const char *svg, const struct report__figure *figure) {
    struct report__text text;
    const char *begin = strstr(svg, "<svg"), *end = begin ? strstr(begin, "</svg>") : NULL;
    const char *box = begin ? strstr(begin, "viewBox=\"") : NULL;
    double left, top, width, height;
    if (!end || !box || sscanf(box, "viewBox=\"%lf %lf %lf %lf", &left, &top, &width, &height) != 4)
        return NULL;
    begin = box + strcspn(box, ">");
    if (begin >= end)
        return NULL;
    report__text_begin(&text);
    if (!text.file)
        return NULL;
    fprintf(text.file, "<svg class=%s viewBox=\"%g %g %g %g\"", figure->graph ? "graph" : "plot", left, top,
            width, height);
    if (figure->graph)
        fprintf(text.file, " style=\"width:%.0fpx\"", width * 1.2);
    fprintf(text.file, " role=img aria-labelledby=\"%s-t %s-d\">", figure->name, figure->name);
    fprintf(text.file, "<title id=%s-t>", figure->name);
    cor_html_text(text.file, figure->title);
    fprintf(text.file, "</title><desc id=%s-d>", figure->name);
    cor_html_text(text.file, figure->description);
    fputs("</desc>", text.file);
    /* Copies what is drawn: from behind <svg ...> to </svg>. */
    const char *at = begin + 1;
    while (at < end) {
        if (*at == '<') {
            at = put_tag(text.file, at);
            continue;
        }
        size_t size = strcspn(at, "<"), blank = strspn(at, " \t\r\n");
        if (blank < size) /* else it is only layout */
            fwrite(at, 1, size, text.file);
        at += size;
    }
    fputs("</svg>", text.file);
    return report__text_end(&text);
}

/* ---- figures: graphs through graphviz, a process a graph in a folder of their own, and all that is drawn as
 * files and as parts of a page */

#define FOLDER ".corridor-report-"
#define LOG "drawing.log"
#define SECONDS 300 /* of processor time: a drawing takes fewer than ten */

/* What belongs to a graph, as it is made and as it is kept. Graphviz names what it makes NAME.dot.svg. */
struct ending {
    const char *made, *kept;
};
static const struct ending graph_endings[] = {
    {"dot.svg", "svg"}, {"dot", "dot"}, {"dot.pdf", "pdf"}, {NULL, NULL}};

const char *report__colour(enum report__colour colour) {
    static const char *const colours[] = {
#define REPORT__COLOUR(NAME, file, page) file,
        REPORT__COLOURS(REPORT__COLOUR)
#undef REPORT__COLOUR
    };
    COR_ASSERT((unsigned)colour < REPORT__COLOUR_COUNT);
    return colours[colour];
}

void report__figure_name(char name[REPORT__FIGURE_NAME], const char *what, size_t index) {
    snprintf(name, REPORT__FIGURE_NAME, "%s-%02zu", what, index + 1);
}

struct report__figure *report__figure_add(struct report__figures *figures, const char *name,
                                          struct cor_error *error) {
    COR_ASSERT(strlen(name) < REPORT__FIGURE_NAME);
    if (COR_RESERVE(&figures->figure, &figures->capacity, figures->count + 1, error) != COR_OK)
        return NULL;
    struct report__figure *figure = &figures->figure[figures->count++];
    *figure = (struct report__figure){0};
    snprintf(figure->name, sizeof figure->name, "%s", name);
    return figure;
}

struct report__figure *report__figure_add_graph(struct report__figures *figures, const char *name,
                                                char *graph, struct cor_error *error) {
    struct report__figure *figure = report__figure_add(figures, name, error);
    if (!figure) {
        free(graph);
        return NULL;
    }
    figure->graph = graph;
    return figure;
}

enum cor_status report__figure_status(const struct report__figure *figure, struct cor_error *error) {
    bool whole = figure->title && figure->description && (figure->graph || (figure->drawing && figure->data));
    return whole ? COR_OK : cor_fail_memory(error);
}

static const struct report__figure *find(const struct report__figures *figures, const char *name) {
    for (size_t i = 0; i < figures->count; i++)
        if (strcmp(figures->figure[i].name, name) == 0)
            return &figures->figure[i];
    return NULL;
}

void report__figure_html(const struct report__figures *figures, FILE *file, const char *name,
                         const char *caption) {
    const struct report__figure *figure = find(figures, name);
    if (!figure)
        return;
    fprintf(file, "<figure id=fig-%s><figcaption>", name);
    cor_html_short(file, caption, 80);
    fputs("</figcaption>", file);
    if (figure->svg) {
        fputs(figure->svg, file);
    } else {
        fputs("<p class=undrawn>Not drawn: ", file);
        cor_html_short(file, figures->trouble ? figures->trouble : "no picture", 200);
        fputs(". ", file);
        cor_html_text(file, figure->description);
        fputs("</p>", file);
    }
    fputs("</figure>\n", file);
}

void report__figures_fini(struct report__figures *figures) {
    for (size_t i = 0; i < figures->count; i++) {
        struct report__figure *figure = &figures->figure[i];
        COR_FREE(figure->title, figure->description, figure->graph, figure->drawing, figure->data,
                 figure->svg);
    }
    COR_FREE(figures->figure, figures->trouble);
    *figures = (struct report__figures){0};
}

static char *join(const char *folder, const char *name, const char *behind) {
    return cor_format("%s/%s%s%s", folder, name, behind[0] ? "." : "", behind);
}

static enum cor_status write_file(const char *path, const char *text, struct cor_error *error) {
    FILE *file = path ? fopen(path, "w") : NULL;
    COR_TRY(cor_made(path, error));
    if (!file)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    bool failed = fputs(text, file) == EOF;
    if (fclose(file) != 0 || failed)
        return cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write");
    return COR_OK;
}

/* The whole file; NULL if it cannot be read. */
static char *read_file(const char *path) {
    struct report__text text;
    char buffer[16384];
    size_t size;
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file)
        return NULL;
    report__text_begin(&text);
    while (text.file && (size = fread(buffer, 1, sizeof buffer, file)) > 0)
        fwrite(buffer, 1, size, text.file);
    fclose(file);
    return report__text_end(&text);
}

static enum cor_status write_beside(const char *folder, const struct report__figure *figure,
                                    const char *ending, const char *text, struct cor_error *error) {
    char *path = join(folder, figure->name, ending);
    enum cor_status status = write_file(path, text, error);
    free(path);
    return status;
}

static bool redirect(const char *path, int flags, int descriptor) {
    int file = open(path, flags, 0600);
    return file >= 0 && dup2(file, descriptor) >= 0;
}

enum cor_status report__run_program(const char *program, char *const *arguments, const char *folder,
                                    int *code, struct cor_error *error) {
    int how;
    fflush(NULL); /* what waits in our buffers is not the child's */
    pid_t pid = fork();
    if (pid == 0) {
        /* In the child: what the program sees does not depend on who started us, and the same drawing gives
         * the same bytes. */
        const struct rlimit limit = {SECONDS, SECONDS};
        setrlimit(RLIMIT_CPU, &limit);
        if (chdir(folder) != 0 || !redirect("/dev/null", O_RDONLY, STDIN_FILENO) ||
            !redirect(LOG, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) ||
            dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
            _exit(126);
        setenv("LC_ALL", "C.UTF-8", 1);
        setenv("SOURCE_DATE_EPOCH", "0", 1);
        unsetenv("GNUTERM");
        unsetenv("DISPLAY");
        execvp(program, arguments);
        _exit(127);
    }
    if (pid < 0)
        return cor_fail_errno(error, COR_STATUS_MEMORY, NULL, NULL, "cannot fork");
    while (waitpid(pid, &how, 0) < 0)
        if (errno != EINTR)
            return cor_fail_errno(error, COR_STATUS_INTERNAL, NULL, NULL, "lost a child process");
    *code = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return COR_OK;
}

/* Why a program did not draw, in a line. */
static char *explain(const char *program, int code, const char *folder) {
    if (code == 127)
        return cor_format("%s is not installed (Debian package graphviz)", program);
    char *path = join(folder, LOG, ""), *log = read_file(path), *line = log;
    while (line && (*line == '\n' || *line == ' ' || *line == '^' || *line == '\t'))
        line++;
    char *said = cor_format("%s ended with code %d: %.*s", program, code, line ? (int)strcspn(line, "\n") : 0,
                            line ? line : "");
    COR_FREE(path, log);
    return said;
}

/* Takes the time at which it was made out of a PDF, so that the same drawing gives the same bytes: there are
 * versions of graphviz' library that do not ask SOURCE_DATE_EPOCH. */
static enum cor_status undate(const char *folder, const struct report__figure *figure,
                              struct cor_error *error) {
    static const char date[] = "/CreationDate (D:";
    char *path = join(folder, figure->name, "dot.pdf"), buffer[16384];
    FILE *file = path ? fopen(path, "r+") : NULL;
    bool failed = !file;
    long at = 0;
    size_t got, kept = 0;
    while (file && (got = fread(buffer + kept, 1, sizeof buffer - kept, file)) > 0) {
        got += kept;
        const char *found = memmem(buffer, got, date, sizeof date - 1);
        if (found) {
            failed = fseek(file, at + (found - buffer) + (long)sizeof date - 1, SEEK_SET) != 0 ||
                     fputs("19700101000000", file) == EOF;
            break;
        }
        kept = got < sizeof date - 1 ? got : sizeof date - 1;
        at += (long)(got - kept);
        memmove(buffer, buffer + got - kept, kept);
    }
    if (file)
        failed = fclose(file) != 0 || failed;
    const enum cor_status status = !path ? cor_fail_memory(error)
                                   : failed
                                       ? cor_fail_errno(error, COR_STATUS_FILE, path, NULL, "cannot write")
                                       : COR_OK;
    free(path);
    return status;
}

static enum cor_status draw_graph(struct report__figures *figures, struct report__figure *figure,
                                  const struct cor_report_options *options, const char *folder,
                                  struct cor_error *error) {
    char script[REPORT__FIGURE_NAME + 8], name[256], svg[] = "-Tsvg", pdf[] = "-Tpdf", beside[] = "-O";
    char *const graph[] = {name, svg, beside, script, NULL}, *const both[] = {name,   svg,    pdf,
                                                                              beside, script, NULL};
    int code = 0;
    COR_TRY(write_beside(folder, figure, "dot", figure->graph, error));
    if (figures->trouble) /* it would fail alike */
        return COR_OK;
    snprintf(name, sizeof name, "%s", options->dot);
    snprintf(script, sizeof script, "%s.dot", figure->name);
    COR_TRY(report__run_program(options->dot, options->figures ? both : graph, folder, &code, error));
    if (code != 0) {
        figures->trouble = explain(options->dot, code, folder);
        return figures->trouble ? COR_OK : cor_fail_memory(error);
    }
    if (options->figures)
        COR_TRY(undate(folder, figure, error));
    char *path = join(folder, figure->name, graph_endings[0].made), *drawn = read_file(path);
    figure->svg = drawn ? report__svg_inline(drawn, figure) : NULL;
    const enum cor_status status =
        figure->svg
            ? COR_OK
            : cor_fail(error, COR_STATUS_FILE, path,
                       "make room where figures are drawn: TMPDIR, else /tmp, or the folder of --figures",
                       "graphviz drew no picture");
    COR_FREE(path, drawn);
    return status;
}

/* Files get the names by which they are kept; what is none of theirs goes. Without graphviz there is the
 * source of graphs alone. */
static enum cor_status name_files(const struct report__figures *figures, const char *folder,
                                  struct cor_error *error) {
    char *log = join(folder, LOG, "");
    COR_TRY(cor_made(log, error));
    remove(log);
    free(log);
    for (size_t i = 0; i < figures->count; i++)
        for (const struct ending *ending = graph_endings; figures->figure[i].graph && ending->made;
             ending++) {
            char *made = join(folder, figures->figure[i].name, ending->made),
                 *kept = join(folder, figures->figure[i].name, ending->kept);
            const bool failed = made && kept && rename(made, kept) != 0 && errno != ENOENT;
            enum cor_status status = !made || !kept ? cor_fail_memory(error)
                                     : failed
                                         ? cor_fail_errno(error, COR_STATUS_FILE, kept, NULL, "cannot write")
                                         : COR_OK;
            COR_FREE(made, kept);
            COR_TRY(status);
        }
    return COR_OK;
}

void cor_report_remove_left(const char *figures) {
    if (figures)
        cor_file_set_remove_left(figures);
    else
        cor_remove_left_folders(cor_temporary_place(), FOLDER);
}

enum cor_status report__draw(struct report__figures *figures, const struct cor_report_options *options,
                             struct cor_error *error) {
    struct cor_file_set set = {.lock = -1};
    if (figures->count == 0)
        return COR_OK;
    /* What is drawn is kept in the folder of figures, or for the page alone in one for the moment. */
    if (options->figures)
        COR_TRY(cor_file_set_open(options->figures, &set, error));
    else {
        cor_report_remove_left(NULL);
        COR_TRY(cor_make_marked_folder(cor_temporary_place(), FOLDER, &set.draft, &set.lock, error));
    }
    const char *folder = set.draft;
    enum cor_status status = COR_OK;
    for (size_t i = 0; i < figures->count; i++) {
        struct report__figure *figure = &figures->figure[i];
        if (figure->graph) {
            COR_TRY_OUT(draw_graph(figures, figure, options, folder, error));
            continue;
        }
        COR_TRY_OUT(write_beside(folder, figure, "svg", figure->drawing, error));
        COR_TRY_OUT(write_beside(folder, figure, "csv", figure->data, error));
        COR_TRY_OUT(cor_made(figure->svg = report__svg_inline(figure->drawing, figure), error));
    }
    if (options->figures)
        status = name_files(figures, folder, error);
out:
    if (options->figures)
        return cor_file_set_close(&set, status, options->replace, error);
    cor_remove_folder(folder);
    if (set.lock >= 0)
        close(set.lock);
    free(set.draft);
    return status;
}
