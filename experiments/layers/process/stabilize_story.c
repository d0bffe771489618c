/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run of a system of rules told, a line a step, and drawn. */
#include <corridor/process_stabilize.h>

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/cells.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TURNS_SHOWN 1000u

enum cor_status cor_stabilize_way_add(struct cor_stabilize_way *way, const uint32_t *locals, uint64_t movers,
                                      struct cor_error *error) {
    const size_t processes = way->process_count, at = way->count * processes;
    COR_TRY(COR_RESERVE(&way->locals, &way->local_capacity, at + processes, error));
    COR_TRY(COR_RESERVE(&way->movers, &way->mover_capacity, (size_t)way->count + 1, error));
    memcpy(way->locals + at, locals, processes * sizeof *locals);
    way->movers[way->count++] = movers;
    return COR_OK;
}

void cor_stabilize_way_fini(struct cor_stabilize_way *way) {
    free(way->locals);
    free(way->movers);
    *way = (struct cor_stabilize_way){.loop = COR_UNBOUNDED};
}

enum cor_status cor_stabilize_way_of(const struct cor_stabilize_system *system,
                                     const struct cor_space_run *run, struct cor_stabilize_way *way,
                                     struct cor_error *error) {
    uint32_t locals[COR_RULES_PROCESSES_MAX];
    *way = (struct cor_stabilize_way){.process_count = cor_stabilize_system_digits(system),
                                      .loop = run->is_loop ? 0 : COR_UNBOUNDED};
    for (uint32_t i = 0; i < run->count; i++) {
        cor_stabilize_system_locals(system, run->items[i].state, locals);
        COR_TRY(cor_stabilize_way_add(way, locals, run->items[i].movers, error));
    }
    return COR_OK;
}

/* Of a longer way the end is told and drawn. */
static uint32_t first_shown(const struct cor_stabilize_way *way) {
    return way->count > TURNS_SHOWN ? way->count - TURNS_SHOWN : 0;
}

static const uint32_t *state_at(const struct cor_stabilize_way *way, uint32_t step) {
    return way->locals + (size_t)way->process_count * step;
}

static char *values_text(const struct cor_stabilize_system *system, const uint32_t *locals) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    char *text = cor_strdup(""), value[64];
    for (uint32_t v = 0; v < rules->variable_count; v++)
        for (uint32_t p = 0; p < rules->definition.process_count; p++) {
            cor_rules_text(&rules->processes[p].domains[v],
                           cor_rules_value(&rules->processes[p],
                                           cor_stabilize_system_variables_of(system, locals, p), v),
                           value, sizeof value);
            text = cor_join_take(text, p > 0 ? " " : "; ", cor_strdup(value));
        }
    return cor_join_take(text, "", cor_stabilize_system_rest(system, locals));
}

void cor_stabilize_put_movers(uint64_t movers, char *text, size_t size) {
    text[0] = '\0';
    for (; movers != 0; movers &= movers - 1)
        snprintf(text + strlen(text), size - strlen(text), "%s%d", text[0] ? " " : "",
                 __builtin_ctzll(movers));
}

/* "0 2 move", or what happened. */
static void put_moved(const struct cor_stabilize_system *system, uint64_t movers, char *text, size_t size) {
    cor_stabilize_system_put_movers(system, movers, text, size);
    if (!cor_stabilize_system_has_messages(system))
        snprintf(text + strlen(text), size - strlen(text), " move%s",
                 __builtin_popcountll(movers) == 1 ? "s" : "");
}

enum cor_status cor_stabilize_tell(struct cor_stabilize_system *system, const struct cor_stabilize_way *way,
                                   char **text, struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    char part[200], value[40], said[200] = "", movers[400], label[200] = "";
    const bool is_loop = way->loop != COR_UNBOUNDED;
    const uint32_t first = first_shown(way);
    struct cor_bytes lines = {0};
    size_t width = 0;
    *text = NULL;
    for (uint32_t v = 0; v < rules->variable_count; v++)
        snprintf(label + strlen(label), sizeof label - strlen(label), "%s%s", v > 0 ? "; " : "",
                 rules->variables[v]);
    snprintf(label + strlen(label), sizeof label - strlen(label), " =");
    if (first > 0)
        cor_bytes_print(&lines, "  the last %u of %" PRIu32 " steps; --json has all in stabilize_run\n",
                        TURNS_SHOWN, way->count);
    for (uint32_t i = first; i <= way->count; i++) {
        cor_stabilize_system_put_movers(system, i < way->count ? way->movers[i] : 0, movers, sizeof movers);
        const size_t length =
            strlen(movers) + (cor_stabilize_system_has_messages(system) ? 0 : strlen(" move"));
        width = length > width ? length : width;
    }
    width = strlen(label) > width ? strlen(label) : width;
    for (uint32_t i = first; i < way->count + is_loop; i++) {
        const uint32_t *locals = state_at(way, i < way->count ? i : way->loop);
        const uint64_t moved = i > 0 ? way->movers[i - 1] : 0;
        char again[40] = "";
        put_moved(system, moved, movers, sizeof movers);
        if (i == way->count && way->loop == 0)
            snprintf(again, sizeof again, "   as at the beginning");
        else if (i == way->count)
            snprintf(again, sizeof again, "   as after %" PRIu32 " step%s", way->loop,
                     way->loop == 1 ? "" : "s");
        const enum cor_status status =
            cor_stabilize_system_reason(system, locals, part, sizeof part, value, sizeof value, error);
        char *values = status == COR_OK ? values_text(system, locals) : NULL;
        if (!values) {
            cor_bytes_fini(&lines);
            return status != COR_OK ? status : cor_fail_memory(error);
        }
        const bool is_new = strcmp(part, said) != 0;
        char *reason = part[0] == '\0' ? cor_strdup("inside")
                       : !value[0]     ? cor_format("%s is violated", part)
                       : is_new        ? cor_format("%s is %s", part, value)
                                       : cor_strdup(value);
        snprintf(said, sizeof said, "%s", part);
        cor_bytes_print(&lines, "  %-*s  %s   %s%s\n", (int)width + 1, i == first ? label : movers, values,
                        reason ? reason : "", again);
        free(values);
        free(reason);
    }
    *text = cor_bytes_text_take(&lines, error);
    return *text ? COR_OK : COR_STATUS_MEMORY;
}

/* ---- the picture */

#define CELL 34
#define LEFT 90
#define TOP 50

/* Colours are those that pages know (REPORT__COLOURS), which take over shapes and attributes alone. */
#define INK "#1f2328"
#define MIDDLE "class=\"m\" text-anchor=\"middle\""
#define END "class=\"e\" text-anchor=\"end\""
#define LINE "fill=\"none\" stroke-width=\"2\" stroke="

/* Several variables stand one below the other. */
static enum cor_status draw_run(struct cor_stabilize_system *system, const struct cor_stabilize_way *way,
                                FILE *file, struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    const uint32_t processes = rules->definition.process_count, variables = rules->variable_count;
    const uint32_t first = first_shown(way);
    const double row = CELL * variables + 6, right = LEFT + CELL * processes;
    for (uint32_t p = 0; p < processes; p++)
        fprintf(file, "<text x=\"%d\" y=\"%d\" " MIDDLE ">%" PRIu32 "</text>\n",
                LEFT + CELL * (int)p + CELL / 2, TOP - 8, p);
    for (uint32_t i = first; i < way->count; i++) {
        const double y = TOP + row * (i - first);
        const uint32_t *locals = state_at(way, i);
        enum cor_truth truth;
        const char *violated;
        COR_TRY(cor_stabilize_system_inside(system, locals, &truth, &violated, error));
        fprintf(file, "<text x=\"%d\" y=\"%.0f\" " END ">%" PRIu32 "</text>\n", LEFT - 14, y + row / 2, i);
        if (violated)
            fprintf(
                file,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"5\" height=\"%.0f\" class=\"v\" fill=\"#b3261e\"/>\n",
                right + 6, y, row - 6);
        if (cor_stabilize_system_has_messages(system)) {
            char *rest = cor_stabilize_system_rest(system, locals);
            COR_TRY(cor_made(rest, error));
            fprintf(file, "<text x=\"%.0f\" y=\"%.0f\">", right + 20, y + row / 2);
            cor_html_text(file, rest[0] ? rest + strlen("; ") : rest);
            fputs("</text>\n", file);
            free(rest);
        }
        for (uint32_t p = 0; p < processes; p++) {
            const double x = LEFT + CELL * (double)p;
            for (uint32_t v = 0; v < variables; v++) {
                const uint32_t value = cor_rules_value(
                    &rules->processes[p], cor_stabilize_system_variables_of(system, locals, p), v);
                const uint32_t count = rules->processes[p].domains[v].count;
                char name[64];
                cor_rules_text(&rules->processes[p].domains[v], value, name, sizeof name);
                fprintf(file,
                        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"#2b7bba\" "
                        "fill-opacity=\"%.2f\"/><text "
                        "x=\"%.0f\" y=\"%.0f\" " MIDDLE ">",
                        x + 1, y + CELL * v + 1, CELL - 2, CELL - 2,
                        .05 + (count < 2 ? 0 : .45 * value / (count - 1)), x + CELL / 2.,
                        y + CELL * (v + .5) + 4);
                cor_html_text(file, name);
                fputs("</text>\n", file);
            }
            if (cor_stabilize_system_movers(system, way->movers[i]) >> p & 1)
                fprintf(file,
                        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%.0f\" rx=\"9\" "
                        "class=\"r\" " LINE "\"" INK "\"/>\n",
                        x + 2.5, y + 2.5, CELL - 5, CELL * (double)variables - 5);
        }
    }
    if (way->loop != COR_UNBOUNDED) {
        const uint32_t begin = way->loop > first ? way->loop : first;
        fprintf(file, "<path d=\"M%d %.0f h-10 v%.0f h10\" class=\"l\" " LINE "\"" INK "\"/>\n", LEFT - 34,
                TOP + 2 + row * (begin - first), row * (way->count - begin) - 8);
    }
    return COR_OK;
}

/* The share of states that are surely back within k steps. */
static void draw_depth(const struct cor_stabilized *found, uint32_t size, double left, double top,
                       FILE *file) {
    const double width = 260, height = 140, most = found->depth_count > 1 ? found->depth_count - 1 : 1;
    fprintf(file,
            "<text x=\"%.0f\" y=\"%.0f\" class=\"t\" font-weight=\"bold\">share of states surely back within "
            "so many steps</text>\n"
            "<path d=\"M%.0f %.0f v%.0f h%.0f\" class=\"a\" fill=\"none\" stroke=\"#8b949e\"/>\n<text "
            "x=\"%.0f\" y=\"%.0f\" "
            "" END ">1</text><text x=\"%.0f\" y=\"%.0f\" " END ">0</text><text x=\"%.0f\" "
            "y=\"%.0f\" " MIDDLE ">%" PRIu32 "</text>\n<path d=\"",
            left, top - 14, left, top, height, width, left - 6, top + 6, left - 6, top + height, left + width,
            top + height + 16, found->depth_count - 1);
    for (uint32_t d = 0; d < found->depth_count; d++)
        fprintf(file, "%s%.1f %.1f", d > 0 ? " L" : "M", left + width * d / most,
                top + height * (1 - (double)found->depth[d] / size));
    fputs("\" class=\"c\" " LINE "\"#0b5cad\"/>\n", file);
}

enum cor_status cor_stabilize_draw(struct cor_stabilize_system *system, const struct cor_stabilize_way *way,
                                   const struct cor_stabilized *found, const char *title, char **svg,
                                   struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    const double left =
        LEFT + CELL * (double)rules->definition.process_count +
        (cor_stabilize_system_has_messages(system) ? 380 : 80); /* what is under way stands between */
    const double height =
        TOP + (CELL * (double)rules->variable_count + 6) * (way->count - first_shown(way)) + 20;
    size_t size;
    *svg = NULL;
    FILE *file = open_memstream(svg, &size);
    COR_TRY(cor_made(file, error));
    const double wide = left + (found ? 300 : 0), high = found && height < 260 ? 260 : height;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f "
            "%.0f\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<g font-family=\"sans-serif\" "
            "font-size=\"12\" fill=\"" INK "\">\n<text x=\"%d\" y=\"20\" class=\"t\" font-weight=\"bold\">",
            wide, high, wide, high, LEFT);
    cor_html_text(file, title);
    if (first_shown(way) > 0)
        fprintf(file, " (the last %u of %" PRIu32 " steps)", TURNS_SHOWN, way->count);
    fputs("</text>\n", file);
    enum cor_status status = draw_run(system, way, file, error);
    if (found)
        draw_depth(found, found->asked, left, TOP + 14, file);
    fputs("</g>\n</svg>\n", file);
    const bool is_whole = !ferror(file);
    if ((fclose(file) != 0 || !is_whole) && status == COR_OK)
        status = cor_fail_memory(error);
    if (status == COR_OK)
        return COR_OK;
    free(*svg);
    *svg = NULL;
    return status;
}
