/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run told, a line a step, and drawn: of a system of rules, or of processes that show something. */
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

static enum cor_status add_cells(const struct cor_stabilize_system *system, const uint32_t *locals,
                                 struct cor_stabilize_tale *tale, struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    char value[64];
    for (uint32_t v = 0; v < tale->variable_count; v++)
        for (uint32_t p = 0; p < tale->process_count; p++) {
            const struct cor_rules_domain *domain = &rules->processes[p].domains[v];
            const uint32_t at = cor_rules_value(&rules->processes[p],
                                                cor_stabilize_system_variables_of(system, locals, p), v);
            cor_rules_text(domain, at, value, sizeof value);
            COR_TRY(cor_stabilize_tale_cell(tale, cor_strdup(value),
                                            domain->count < 2 ? 0 : (double)at / (domain->count - 1), error));
        }
    return COR_OK;
}

enum cor_status cor_stabilize_tale_cell(struct cor_stabilize_tale *tale, char *text, double tint,
                                        struct cor_error *error) {
    COR_TRY(cor_made(text, error));
    const enum cor_status status =
        COR_RESERVE(&tale->cells, &tale->cell_capacity, tale->cell_count + 1, error);
    if (status == COR_OK)
        tale->cells[tale->cell_count++] = (struct cor_stabilize_cell){text, tint};
    else
        free(text);
    return status;
}

enum cor_status cor_stabilize_tale_state(struct cor_stabilize_tale *tale,
                                         const struct cor_stabilize_state *state, struct cor_error *error) {
    struct cor_stabilize_state own = *state;
    enum cor_status status = cor_made(own.rest, error);
    if (status == COR_OK)
        status = COR_RESERVE(&tale->states, &tale->state_capacity, (size_t)tale->state_count + 1, error);
    if (status == COR_OK)
        tale->states[tale->state_count++] = own;
    else
        free(own.rest);
    return status;
}

void cor_stabilize_tale_fini(struct cor_stabilize_tale *tale) {
    for (size_t c = 0; c < tale->cell_count; c++)
        free(tale->cells[c].text);
    for (uint32_t s = 0; s < tale->state_count; s++)
        free(tale->states[s].rest);
    free(tale->cells);
    free(tale->states);
    *tale = (struct cor_stabilize_tale){.loop = COR_UNBOUNDED};
}

static const struct cor_stabilize_cell *cell(const struct cor_stabilize_tale *tale, uint32_t state,
                                             uint32_t variable, uint32_t process) {
    return &tale->cells[((size_t)state * tale->variable_count + variable) * tale->process_count + process];
}

char *cor_stabilize_tale_text(const struct cor_stabilize_tale *tale, uint32_t state) {
    char *text = cor_strdup("");
    for (uint32_t v = 0; v < tale->variable_count; v++)
        for (uint32_t p = 0; p < tale->process_count; p++)
            text = cor_join_take(text, p > 0 ? " " : "; ", cor_strdup(cell(tale, state, v, p)->text));
    return cor_join_take(text, "", cor_strdup(tale->states[state].rest));
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

void cor_stabilize_tale_name(struct cor_stabilize_tale *tale, const char *variable) {
    const size_t length = strlen(tale->label);
    snprintf(tale->label + length, sizeof tale->label - length, "%s%s",
             tale->variable_count++ > 0 ? "; " : "", variable);
}

enum cor_status cor_stabilize_tale_of(struct cor_stabilize_system *system,
                                      const struct cor_stabilize_way *way, struct cor_stabilize_tale *tale,
                                      struct cor_error *error) {
    const struct cor_process_rules *rules = cor_stabilize_system_rules(system);
    const bool is_loop = way->loop != COR_UNBOUNDED;
    char movers[400];
    *tale = (struct cor_stabilize_tale){.process_count = rules->definition.process_count,
                                        .first = first_shown(way),
                                        .step_count = way->count,
                                        .loop = way->loop,
                                        .has_mail = cor_stabilize_system_has_messages(system)};
    for (uint32_t v = 0; v < rules->variable_count; v++)
        cor_stabilize_tale_name(tale, rules->variables[v]);
    for (uint32_t i = tale->first; i <= way->count; i++) {
        cor_stabilize_system_put_movers(system, i < way->count ? way->movers[i] : 0, movers, sizeof movers);
        const size_t length = strlen(movers) + (tale->has_mail ? 0 : strlen(" move"));
        tale->width = length > tale->width ? length : tale->width;
    }
    for (uint32_t i = tale->first; i < way->count + is_loop; i++) {
        const uint32_t *locals = way->locals + (size_t)way->process_count * (i < way->count ? i : way->loop);
        struct cor_stabilize_state state = {
            .movers = i < way->count ? cor_stabilize_system_movers(system, way->movers[i]) : 0};
        enum cor_truth truth;
        const char *violated;
        COR_TRY(cor_stabilize_system_inside(system, locals, &truth, &violated, error));
        state.is_outside = violated != NULL;
        put_moved(system, i > 0 ? way->movers[i - 1] : 0, state.moved, sizeof state.moved);
        COR_TRY(cor_stabilize_system_reason(system, locals, &state, error));
        COR_TRY(add_cells(system, locals, tale, error));
        state.rest = cor_stabilize_system_rest(system, locals);
        COR_TRY(cor_stabilize_tale_state(tale, &state, error));
    }
    return COR_OK;
}

enum cor_status cor_stabilize_tell(const struct cor_stabilize_tale *tale, char **text,
                                   struct cor_error *error) {
    struct cor_bytes lines = {0};
    const char *said = "";
    char label[sizeof tale->label + 2];
    snprintf(label, sizeof label, "%s =", tale->label);
    const size_t width = strlen(label) > tale->width ? strlen(label) : tale->width;
    *text = NULL;
    if (tale->first > 0)
        cor_bytes_print(&lines, "  the last %u of %" PRIu32 " steps; --json has all in stabilize_run\n",
                        TURNS_SHOWN, tale->step_count);
    for (uint32_t i = 0; i < tale->state_count; i++) {
        const struct cor_stabilize_state *state = &tale->states[i];
        const bool is_again = tale->loop != COR_UNBOUNDED && i + 1 == tale->state_count;
        char again[40] = "";
        if (is_again && tale->loop == 0)
            snprintf(again, sizeof again, "   as at the beginning");
        else if (is_again)
            snprintf(again, sizeof again, "   as after %" PRIu32 " step%s", tale->loop,
                     tale->loop == 1 ? "" : "s");
        char *values = cor_stabilize_tale_text(tale, i);
        char *reason = state->part[0] == '\0'           ? cor_strdup("inside")
                       : !state->value[0]               ? cor_format("%s is violated", state->part)
                       : strcmp(state->part, said) != 0 ? cor_format("%s is %s", state->part, state->value)
                                                        : cor_strdup(state->value);
        said = state->part;
        const bool is_made = values && reason;
        if (is_made)
            cor_bytes_print(&lines, "  %-*s  %s   %s%s\n", (int)width + 1, i == 0 ? label : state->moved,
                            values, reason, again);
        free(values);
        free(reason);
        if (!is_made) {
            cor_bytes_fini(&lines);
            return cor_fail_memory(error);
        }
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

/* Of a loop the last state is its first once more. */
static uint32_t drawn_count(const struct cor_stabilize_tale *tale) {
    return tale->state_count - (tale->loop != COR_UNBOUNDED);
}

/* Several variables stand one below the other. */
static void draw_run(const struct cor_stabilize_tale *tale, FILE *file) {
    const uint32_t variables = tale->variable_count, count = drawn_count(tale);
    const double row = CELL * variables + 6, right = LEFT + CELL * tale->process_count;
    for (uint32_t p = 0; p < tale->process_count; p++)
        fprintf(file, "<text x=\"%d\" y=\"%d\" " MIDDLE ">%" PRIu32 "</text>\n",
                LEFT + CELL * (int)p + CELL / 2, TOP - 8, p);
    for (uint32_t i = 0; i < count; i++) {
        const double y = TOP + row * i;
        const struct cor_stabilize_state *state = &tale->states[i];
        fprintf(file, "<text x=\"%d\" y=\"%.0f\" " END ">%" PRIu32 "</text>\n", LEFT - 14, y + row / 2,
                tale->first + i);
        if (state->is_outside)
            fprintf(
                file,
                "<rect x=\"%.0f\" y=\"%.0f\" width=\"5\" height=\"%.0f\" class=\"v\" fill=\"#b3261e\"/>\n",
                right + 6, y, row - 6);
        if (tale->has_mail) {
            fprintf(file, "<text x=\"%.0f\" y=\"%.0f\">", right + 20, y + row / 2);
            cor_html_text(file, state->rest[0] ? state->rest + strlen("; ") : state->rest);
            fputs("</text>\n", file);
        }
        for (uint32_t p = 0; p < tale->process_count; p++) {
            const double x = LEFT + CELL * (double)p;
            for (uint32_t v = 0; v < variables; v++) {
                const struct cor_stabilize_cell *value = cell(tale, i, v, p);
                fprintf(file,
                        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" fill=\"#2b7bba\" "
                        "fill-opacity=\"%.2f\"/><text "
                        "x=\"%.0f\" y=\"%.0f\" " MIDDLE ">",
                        x + 1, y + CELL * v + 1, CELL - 2, CELL - 2, .05 + .45 * value->tint, x + CELL / 2.,
                        y + CELL * (v + .5) + 4);
                cor_html_text(file, value->text);
                fputs("</text>\n", file);
            }
            if (state->movers >> p & 1)
                fprintf(file,
                        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%.0f\" rx=\"9\" "
                        "class=\"r\" " LINE "\"" INK "\"/>\n",
                        x + 2.5, y + 2.5, CELL - 5, CELL * (double)variables - 5);
        }
    }
    if (tale->loop != COR_UNBOUNDED) {
        const uint32_t begin = tale->loop > tale->first ? tale->loop - tale->first : 0;
        fprintf(file, "<path d=\"M%d %.0f h-10 v%.0f h10\" class=\"l\" " LINE "\"" INK "\"/>\n", LEFT - 34,
                TOP + 2 + row * begin, row * (count - begin) - 8);
    }
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

enum cor_status cor_stabilize_draw(const struct cor_stabilize_tale *tale, const struct cor_stabilized *found,
                                   const char *title, char **svg, struct cor_error *error) {
    const double left = LEFT + CELL * (double)tale->process_count +
                        (tale->has_mail ? 380 : 80); /* what is under way stands between */
    const double height = TOP + (CELL * (double)tale->variable_count + 6) * drawn_count(tale) + 20;
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
    if (tale->first > 0)
        fprintf(file, " (the last %u of %" PRIu32 " steps)", TURNS_SHOWN, tale->step_count);
    fputs("</text>\n", file);
    draw_run(tale, file);
    if (found)
        draw_depth(found, found->asked, left, TOP + 14, file);
    fputs("</g>\n</svg>\n", file);
    const bool is_whole = !ferror(file);
    if (fclose(file) == 0 && is_whole)
        return COR_OK;
    free(*svg);
    *svg = NULL;
    return cor_fail_memory(error);
}
