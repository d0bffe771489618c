/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/world_program.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct server {
    system_layer__open *open;
    void *context;
    struct cor_live_world *world;                 /* owned; NULL: nobody greeted */
    struct cor_json_document *hello;              /* owned; */
    const char *test_agents[COR_TEST_AGENTS_MAX]; /* borrowed from it */
    struct system_layer__greeting greeting;
    bool is_reset;           /* it is, and well since */
    struct cor_bytes answer; /* the line that is written */
};

static const char *text_of(const struct server *server, uint32_t word) {
    return cor_words_text(server->world->declaration->words, word);
}

/* ---- what is said */

static void print_domain(struct server *server, const struct cor_domain *domain, const char *other) {
    struct cor_bytes *line = &server->answer;
    if (!domain || domain->type != COR_VALUE_TYPE_ENUMERATION) {
        cor_json_print_string(line, domain ? domain->name : other);
        return;
    }
    cor_bytes_print(line, "[");
    for (uint32_t w = 0; w < domain->word_count; w++) {
        cor_bytes_print(line, w > 0 ? "," : "");
        cor_json_print_string(line, text_of(server, domain->words[w]));
    }
    cor_bytes_print(line, "]");
}

static void print_types(struct server *server) {
    const struct cor_world_declaration *it = server->world->declaration;
    struct cor_bytes *line = &server->answer;
    cor_bytes_print(line, ",\"types\":{");
    for (uint32_t t = 0; t < it->type_count; t++) {
        const struct cor_entity_type *type = &it->types[t];
        const char *between = "";
        cor_bytes_print(line, "%s\"%s\":{", t > 0 ? "," : "", type->name);
        for (uint32_t p = 0; p < type->property_count; p++, between = ",") {
            const struct cor_world_property *property = &type->properties[p];
            cor_bytes_print(line, "%s\"%s\":", between, property->name);
            print_domain(server, property->domain,
                         property->domain ? NULL : it->types[property->refers].name);
        }
        if (type->parent != COR_NONE)
            cor_bytes_print(line, "%s\"in\":\"%s\"", between, it->types[type->parent].name);
        cor_bytes_print(line, "}");
    }
    cor_bytes_print(line, "}");
}

static void print_words(struct server *server, const char *key, const uint32_t *words, uint32_t count) {
    cor_bytes_print(&server->answer, ",\"%s\":[", key);
    for (uint32_t i = 0; i < count; i++) {
        cor_bytes_print(&server->answer, i > 0 ? "," : "");
        cor_json_print_string(&server->answer, text_of(server, words[i]));
    }
    cor_bytes_print(&server->answer, "]");
}

static void print_path(struct server *server, const struct cor_world_view *view,
                       const struct cor_shown_path *path) {
    const struct cor_world_declaration *it = server->world->declaration;
    const struct cor_action *action = &it->actions[path->action];
    struct cor_bytes *line = &server->answer;
    cor_bytes_print(line, "{\"from\":");
    cor_json_print_string(line, text_of(server, path->from));
    cor_bytes_print(line, ",\"to\":");
    cor_json_print_string(line, text_of(server, path->to));
    cor_bytes_print(line, ",\"do\":\"%s\"", action->name);
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        cor_bytes_print(line, ",\"%s\":", action->parameters[p].name);
        cor_world_value_print(line, it->words, action->parameters[p].domain,
                              view->arguments[path->value_start + p]);
    }
    cor_bytes_print(line, ",\"cost\":");
    cor_json_print_real(line, path->cost);
    cor_bytes_print(line, "}");
}

static void print_view(struct server *server, const struct cor_world_view *view) {
    struct cor_bytes *line = &server->answer;
    cor_bytes_print(line, ",\"tick\":%" PRIu64 ",\"entities\":[", view->tick);
    for (uint32_t e = 0; e < view->entity_count; e++) {
        cor_bytes_print(line, e > 0 ? "," : "");
        const struct cor_shown_entity *entity = &view->entities[e];
        const struct cor_world_declaration *it = server->world->declaration;
        const struct cor_entity_type *type = &it->types[entity->type];
        cor_bytes_print(line, "{\"id\":");
        cor_json_print_string(line, text_of(server, entity->identity));
        cor_bytes_print(line, ",\"type\":\"%s\"", type->name);
        if (entity->parent != COR_NONE) {
            cor_bytes_print(line, ",\"in\":");
            cor_json_print_string(line, text_of(server, entity->parent));
        }
        for (uint32_t v = entity->value_start; v < entity->value_start + entity->value_count; v++) {
            const struct cor_world_property *property = &type->properties[view->values[v].property];
            cor_bytes_print(line, ",\"%s\":", property->name);
            cor_world_value_print(line, it->words, property->domain, view->values[v].value);
        }
        cor_bytes_print(line, "}");
    }
    cor_bytes_print(line, "]");
    print_words(server, "gone", view->gone, view->gone_count);
    if (view->mode == COR_VIEW_CHANGES)
        print_words(server, "lost", view->lost, view->lost_count);
    else
        cor_bytes_print(line, ",\"all\":%s", view->mode == COR_VIEW_WHOLE ? "true" : "false");
    /* Cells, links, paths: of worlds that have such. */
    if (view->cell_count > 0) {
        cor_bytes_print(line, ",\"cells\":[");
        for (uint32_t c = 0; c < view->cell_count; c++) {
            const struct cor_shown_cell *cell = &view->cells[c];
            cor_bytes_print(line, "%s[%u,%u,%u,%s]", c > 0 ? "," : "", cell->column, cell->row, cell->floor,
                            cell->is_free ? "true" : "false");
        }
        cor_bytes_print(line, "]");
    }
    if (view->link_count > 0) {
        cor_bytes_print(line, ",\"links\":[");
        for (uint32_t l = 0; l < view->link_count; l++) {
            const uint32_t *lower = view->links[l].lower, *upper = view->links[l].upper;
            cor_bytes_print(line, "%s[%u,%u,%u,%u,%u,%u]", l > 0 ? "," : "", lower[0], lower[1], lower[2],
                            upper[0], upper[1], upper[2]);
        }
        cor_bytes_print(line, "]");
    }
    if (view->path_count > 0) {
        cor_bytes_print(line, ",\"paths\":[");
        for (uint32_t p = 0; p < view->path_count; p++) {
            cor_bytes_print(line, p > 0 ? "," : "");
            print_path(server, view, &view->paths[p]);
        }
        cor_bytes_print(line, "]");
    }
    if (view->covered_count > 0) {
        cor_bytes_print(line, ",\"covered\":[");
        for (uint32_t c = 0; c < view->covered_count; c++)
            cor_bytes_print(line, "%s%u", c > 0 ? "," : "", view->covered[c]);
        cor_bytes_print(line, "]");
    }
}

/* ---- what is asked */

static enum cor_status read_hello(struct server *server, const struct cor_json *hello,
                                  struct cor_error *error) {
    static const char *const keys[] = {"protocol", "seed", "setup", "agents", NULL};
    struct system_layer__greeting *greeting = &server->greeting;
    struct cor_json member;
    int64_t protocol;
    COR_TRY(cor_json_expect_object(hello, keys, error));
    COR_TRY(cor_json_need(hello, "protocol", &member, error));
    COR_TRY(cor_json_integer(&member, 1, 1, &protocol, error));
    *greeting = (struct system_layer__greeting){.test_agents = server->test_agents, .test_agent_count = 1};
    server->test_agents[0] = "t";
    if (cor_json_find(hello, "seed", &member))
        COR_TRY(cor_json_word(&member, &greeting->seed, error));
    if (cor_json_find(hello, "setup", &member)) /* ours are set up by their file */
        COR_TRY(cor_json_expect_array(&member, 0, 0, error));
    if (!cor_json_find(hello, "agents", &member))
        return COR_OK;
    COR_TRY(cor_json_expect_array(&member, 1, COR_TEST_AGENTS_MAX, error));
    greeting->test_agent_count = (uint32_t)cor_json_size(&member);
    for (uint32_t a = 0; a < greeting->test_agent_count; a++) {
        const struct cor_json name = cor_json_at(&member, a);
        COR_TRY(cor_json_string(&name, &server->test_agents[a], error));
    }
    return COR_OK;
}

/* One of the world's actions, and of the test agents that were greeted. */
static enum cor_status read_command(const struct server *server, const struct cor_json *request,
                                    uint32_t *test_agent, struct cor_world_command *command,
                                    struct cor_error *error) {
    const struct cor_world_declaration *it = server->world->declaration;
    const char *keys[4 + COR_WORLD_PARAMETERS_MAX] = {"id", "agent", "do"}, *text;
    struct cor_json member;
    COR_TRY(cor_json_need(request, "agent", &member, error));
    COR_TRY(cor_json_string(&member, &text, error));
    for (*test_agent = 0; *test_agent < server->greeting.test_agent_count; ++*test_agent)
        if (strcmp(server->test_agents[*test_agent], text) == 0)
            break;
    if (*test_agent == server->greeting.test_agent_count)
        return cor_json_fail(&member, error, NULL, "no test agent \"%.60s\" was greeted", text);
    COR_TRY(cor_json_need(request, "do", &member, error));
    COR_TRY(cor_json_string(&member, &text, error));
    COR_TRY(system_layer__find_action(it, &member, text, &command->action, error));
    const struct cor_action *action = &it->actions[command->action];
    for (uint32_t p = 0; p < action->parameter_count; p++)
        keys[3 + p] = action->parameters[p].name;
    COR_TRY(cor_json_expect_object(request, keys, error));
    for (uint32_t p = 0; p < action->parameter_count; p++) {
        COR_TRY(cor_json_need(request, keys[3 + p], &member, error));
        COR_TRY(cor_world_value_read(&member, it->words, action->parameters[p].domain, &command->arguments[p],
                                     error));
    }
    return COR_OK;
}

/* What is asked, as the members of the answer. */
static enum cor_status answer(struct server *server, struct cor_json_document **document,
                              struct cor_error *error) {
    const struct cor_json request = cor_json_root(*document);
    struct cor_json member;
    struct cor_world_view view = {0};
    struct cor_world_command command = {0};
    enum cor_system_trouble trouble = (enum cor_system_trouble)0;
    uint32_t test_agent = 0;
    if (cor_json_find(&request, "hello", &member)) {
        if (server->world)
            return cor_json_fail(&member, error, NULL, "it was greeted before");
        COR_TRY(read_hello(server, &member, error));
        cor_json_destroy(server->hello);
        server->hello = *document;
        *document = NULL;
        COR_TRY(server->open(server->context, &server->greeting, &server->world, error));
        const struct cor_world_declaration *it = server->world->declaration;
        struct cor_bytes *line = &server->answer;
        cor_bytes_print(line, ",\"world\":");
        cor_json_print_string(line, it->name);
        if (it->version[0]) {
            cor_bytes_print(line, ",\"version\":");
            cor_json_print_string(line, it->version);
        }
        print_types(server);
        cor_bytes_print(line, ",\"actions\":{");
        for (uint32_t a = COR_ACTION_FIRST; a < it->action_count; a++) {
            const struct cor_action *action = &it->actions[a];
            cor_bytes_print(line, "%s\"%s\":{", a > COR_ACTION_FIRST ? "," : "", action->name);
            for (uint32_t p = 0; p < action->parameter_count; p++) {
                cor_bytes_print(line, "%s\"%s\":", p > 0 ? "," : "", action->parameters[p].name);
                print_domain(server, action->parameters[p].domain, "entity");
            }
            cor_bytes_print(line, "}");
        }
        cor_bytes_print(line, "},\"entities\":{");
        for (uint32_t e = 0; e < it->entity_count; e++) {
            cor_bytes_print(line, e > 0 ? "," : "");
            cor_json_print_string(line, text_of(server, it->entities[e].identity));
            cor_bytes_print(line, ":\"%s\"", it->types[it->entities[e].type].name);
        }
        cor_bytes_print(line, "},\"can\":[%s]", it->has_paths ? "\"paths\"" : "");
        if (it->columns > 0)
            cor_bytes_print(line, ",\"grid\":[%u,%u,%u],\"step\":\"%s\"", it->columns, it->rows, it->floors,
                            it->actions[it->step].name);
        return COR_OK;
    }
    if (!server->world)
        return cor_json_fail(&request, error, NULL, "a hello comes first");
    if (cor_json_find(&request, "reset", &member)) {
        COR_TRY(server->world->kind->reset(server->world, &view, &trouble, error));
        server->is_reset = trouble == 0;
    } else {
        if (!server->is_reset)
            return cor_json_fail(&request, error, NULL, "a reset comes before the first action");
        COR_TRY(read_command(server, &request, &test_agent, &command, error));
        COR_TRY(server->world->kind->act(server->world, test_agent, &command, &view, &trouble, error));
        server->is_reset = trouble == 0;
    }
    if (trouble != 0)
        return cor_fail(error, COR_STATUS_INPUT, NULL, NULL, "it %s: %s",
                        system_layer__trouble_words(trouble), server->world->words);
    print_view(server, &view);
    return COR_OK;
}

/* A line, and its answer; *is_over behind bye. */
static enum cor_status serve_line(struct server *server, const char *line, FILE *out, bool *is_over,
                                  struct cor_error *error) {
    COR_DESTROYED(cor_json) struct cor_json_document *document = NULL;
    struct cor_error said = COR_NO_ERROR;
    struct cor_json id, bye;
    int64_t number;
    enum cor_status status = COR_OK;
    COR_TRY(cor_json_parse(line, "request", &document, error));
    const struct cor_json request = cor_json_root(document);
    COR_TRY(cor_json_need(&request, "id", &id, error));
    COR_TRY(cor_json_integer(&id, INT64_MIN, INT64_MAX, &number, error));
    *is_over = cor_json_find(&request, "bye", &bye);
    if (*is_over)
        return status;
    cor_bytes_clear(&server->answer);
    cor_bytes_print(&server->answer, "{\"id\":%" PRId64, number);
    const size_t begin = server->answer.size;
    if (answer(server, &document, &said) != COR_OK) {
        char text[1700];
        snprintf(text, sizeof text, "%.500s%s%.1000s", said.place, said.place[0] ? ": " : "", said.cause);
        server->answer.size = begin;
        cor_bytes_print(&server->answer, ",\"failed\":");
        cor_json_print_string(&server->answer, text);
    }
    cor_bytes_print(&server->answer, "}\n");
    if (server->answer.status != COR_OK)
        return cor_fail_memory(error);
    if (fwrite(server->answer.bytes, 1, server->answer.size, out) != server->answer.size || fflush(out) != 0)
        status = cor_fail_errno(error, COR_STATUS_FILE, "standard output", NULL, "nobody hears");
    return status;
}

enum cor_status system_layer__serve(system_layer__open *open, void *context, FILE *in, FILE *out,
                                    struct cor_error *error) {
    struct server server = {.open = open, .context = context};
    enum cor_status status = COR_OK;
    bool is_over = false;
    COR_FREED char *line = NULL;
    size_t room = 0;
    while (status == COR_OK && !is_over && getline(&line, &room, in) >= 0)
        status = serve_line(&server, line, out, &is_over, error);
    cor_live_world_close(server.world);
    cor_json_destroy(server.hello);
    cor_bytes_fini(&server.answer);
    return status;
}
