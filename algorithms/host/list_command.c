/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "commands.h"
#include "output.h"

#include <corridor/cells.h>
#include <corridor/host.h>
#include <corridor/json.h>
#include <corridor/mechanism_host.h>
#include <corridor/monitors.h>

#include <string.h>

#define LISTED_MOST 64

struct request {
    bool json;
};

/* A name, and what it means beside it. */
static void print_named(const char *name, const char *meaning) {
    const int used = cor_print("    %-18s ", name);
    cor_print_text(stdout, meaning, (size_t)used, (size_t)used);
}

static void print_head(const char *name, const char *version, const char *what, const char *summary) {
    cor_print("%s %s (%s)\n", name, version, what);
    cor_print_text(stdout, summary, 0, 2);
}

static void print_parameters(const struct cor_parameter *parameters, uint32_t count) {
    if (count > 0)
        puts("  parameters (default, range):");
    for (const struct cor_parameter *p = parameters; p && p < parameters + count; p++) {
        const int used = cor_print("    %-18s ", p->name);
        char text[512];
        snprintf(text, sizeof text, "%.10g in %.10g..%.10g %s%s; %s", p->value, p->min, p->max,
                 p->is_integer ? "" : "(real) ", p->unit && strcmp(p->unit, "1") != 0 ? p->unit : "",
                 p->meaning);
        cor_print_text(stdout, text, (size_t)used, (size_t)used);
    }
}

static void print_family(const char *title, enum cor_family family) {
    cor_print("%s\n", title);
    for (const struct cor_term *term = cor_terms(family); term->word; term++)
        print_named(term->word, term->meaning);
}

/* What works beside algorithms ("mechanisms"), and what watches in the place of the system's own monitor
 * ("monitor": {"algorithm": ..}). */
static void print_others(void) {
    const struct cor_mechanism *mechanism;
    const struct cor_monitor *monitor;
    for (size_t i = 0; (mechanism = cor_mechanism_builtin(i)); i++) {
        print_head(mechanism->name, mechanism->version, "built-in mechanism", mechanism->summary);
        print_parameters(mechanism->parameters, cor_parameter_count(mechanism->parameters));
        if (mechanism->faults)
            puts("  faults:");
        for (const struct cor_fault *fault = mechanism->faults; fault && fault->name; fault++)
            print_named(fault->name, fault->meaning);
        puts("");
    }
    for (size_t i = 0; (monitor = cor_monitor_builtin(i)); i++) {
        print_head(monitor->name, monitor->version, "built-in monitor", monitor->summary);
        puts("  faults:");
        for (const struct cor_monitor_name *fault = monitor->faults; fault && fault->name; fault++)
            print_named(fault->name, fault->meaning);
        puts("");
    }
}

/* Algorithms that are named: all of the registry, unless there are some. */
struct wanted {
    const struct cor_algorithm *algorithms[LISTED_MOST];
    uint32_t count;
};

static bool is_wanted(const struct wanted *wanted, const struct cor_algorithm *algorithm) {
    for (uint32_t i = 0; i < wanted->count; i++)
        if (wanted->algorithms[i] == algorithm)
            return true;
    return wanted->count == 0;
}

static void put_fault(struct cor_json_writer *w, const char *name, const char *meaning) {
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "name", name);
    cor_json_put_string(w, "meaning", meaning);
    cor_json_close(w);
}

static void put_parameters(struct cor_json_writer *w, const struct cor_parameter *parameters,
                           uint32_t count) {
    cor_json_open_array(w, "parameters");
    for (uint32_t i = 0; i < count; i++) {
        const struct cor_parameter *p = &parameters[i];
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "name", p->name);
        cor_json_put_string(w, "meaning", p->meaning);
        cor_json_put_string(w, "unit", p->unit);
        cor_json_put_real(w, "default", p->value);
        cor_json_put_real(w, "min", p->min);
        cor_json_put_real(w, "max", p->max);
        cor_json_put_bool(w, "integer", p->is_integer != 0);
        cor_json_close(w);
    }
    cor_json_close(w);
}

static void open_named(struct cor_json_writer *w, const char *name, const char *version,
                       const char *summary) {
    cor_json_open_object(w, NULL);
    cor_json_put_string(w, "name", name);
    cor_json_put_string(w, "version", version);
    cor_json_put_string(w, "summary", summary);
}

static void put_family(struct cor_json_writer *w, const char *key, enum cor_family family) {
    cor_json_open_array(w, key);
    for (const struct cor_term *term = cor_terms(family); term->word; term++)
        cor_json_put_string(w, NULL, term->word);
    cor_json_close(w);
}

static enum cor_status print_json(const struct cor_registry *registry, const struct wanted *wanted,
                                  struct cor_error *error) {
    struct cor_json_writer *w;
    COR_TRY(cor_document_open("corridor-list", 1, &w, error));
    cor_json_open_array(w, "algorithms");
    for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
        const struct cor_algorithm *a = cor_registry_at(registry, i);
        if (!is_wanted(wanted, a))
            continue;
        cor_json_open_object(w, NULL);
        cor_json_put_string(w, "name", a->name);
        cor_json_put_string(w, "version", a->version);
        cor_json_put_string(w, "origin", cor_registry_origin(registry, i));
        cor_json_put_string(w, "summary", a->summary);
        cor_json_put_string(w, "budget_unit", a->budget_unit);
        cor_json_open_array(w, "faults");
        for (uint32_t j = 0; j < cor_algorithm_fault_count(a); j++)
            put_fault(w, a->faults[j].name, a->faults[j].meaning);
        cor_json_close(w);
        put_parameters(w, a->parameters, cor_algorithm_parameter_count(a));
        cor_json_open_array(w, "constraints");
        for (uint32_t j = 0; a->constraints && a->constraints[j]; j++)
            cor_json_put_string(w, NULL, a->constraints[j]);
        cor_json_close(w);
        cor_json_open_array(w, "needs");
        for (uint32_t j = 0; a->needs && a->needs[j]; j++)
            cor_json_put_string(w, NULL, a->needs[j]);
        cor_json_close(w);
        cor_json_open_array(w, "counters");
        for (uint32_t j = 0; j < cor_algorithm_counter_count(a); j++)
            cor_json_put_string(w, NULL, a->counters[j].name);
        cor_json_close(w);
        cor_json_close(w);
    }
    cor_json_close(w);
    const struct cor_mechanism *mechanism;
    const struct cor_monitor *monitor;
    cor_json_open_array(w, "mechanisms");
    for (size_t i = 0; (mechanism = cor_mechanism_builtin(i)); i++) {
        open_named(w, mechanism->name, mechanism->version, mechanism->summary);
        put_parameters(w, mechanism->parameters, cor_parameter_count(mechanism->parameters));
        cor_json_open_array(w, "faults");
        for (const struct cor_fault *fault = mechanism->faults; fault && fault->name; fault++)
            put_fault(w, fault->name, fault->meaning);
        cor_json_close(w);
        cor_json_close(w);
    }
    cor_json_close(w);
    cor_json_open_array(w, "monitors");
    for (size_t i = 0; (monitor = cor_monitor_builtin(i)); i++) {
        open_named(w, monitor->name, monitor->version, monitor->summary);
        cor_json_open_array(w, "faults");
        for (const struct cor_monitor_name *fault = monitor->faults; fault && fault->name; fault++)
            put_fault(w, fault->name, fault->meaning);
        cor_json_close(w);
        cor_json_close(w);
    }
    cor_json_close(w);
    put_family(w, "monitor_faults", COR_FAMILY_MONITOR_FAULT);
    put_family(w, "adoption_faults", COR_FAMILY_ADOPTION_FAULT);
    put_family(w, "result_faults", COR_FAMILY_RESULT_FAULT);
    put_family(w, "agent_faults", COR_FAMILY_CRASH_FAULT);
    put_family(w, "mails", COR_FAMILY_MAIL);
    put_family(w, "measures", COR_FAMILY_MEASURE);
    cor_json_close(w);
    return cor_json_print_take(w, 1, stdout, error);
}

static enum cor_exit run(const struct cor_arguments *arguments) {
    struct cor_error error = COR_NO_ERROR;
    const struct request *request = arguments->request;
    COR_DESTROYED(cor_registry) struct cor_registry *registry = NULL;
    struct wanted wanted = {.count = 0};
    enum cor_status status = COR_OK;
    COR_TRY_OUT(cor_registry_create(&(struct cor_isolation_definition){0}, &registry, &error));
    for (; wanted.count < (uint32_t)arguments->word_count; wanted.count++)
        COR_TRY_OUT(cor_registry_find(registry, arguments->words[wanted.count],
                                      &wanted.algorithms[wanted.count], &error));
    if (request->json) {
        COR_TRY_OUT(print_json(registry, &wanted, &error));
    } else {
        for (uint32_t i = 0; i < cor_registry_size(registry); i++) {
            if (!is_wanted(&wanted, cor_registry_at(registry, i)))
                continue;
            const struct cor_algorithm *a = cor_registry_at(registry, i);
            print_head(a->name, a->version, cor_registry_origin(registry, i), a->summary);
            char promises[256];
            snprintf(promises, sizeof promises, "budget in %s%s%s%s%s%s%s%s", a->budget_unit,
                     a->capabilities & COR_LIMITS ? "; keeps limits on size and number" : "",
                     a->capabilities & COR_ANYTIME ? "; anytime" : "",
                     a->capabilities & COR_COVERS ? "; makes coverings" : "",
                     a->capabilities & COR_NESTS ? "; makes hierarchies" : "",
                     a->capabilities & COR_AIMS ? "; goes with objectives" : "",
                     a->capabilities & COR_AIMS_BY_BLOCK ? "; goes with objectives that add up" : "",
                     a->capabilities & COR_COMES_AND_GOES ? "; takes agents that come and go" : "");
            cor_print_text(stdout, promises, 0, 2);
            if (cor_algorithm_fault_count(a) > 0)
                puts("  faults:");
            for (uint32_t k = 0; k < cor_algorithm_fault_count(a); k++)
                print_named(a->faults[k].name, a->faults[k].meaning);
            print_parameters(a->parameters, cor_algorithm_parameter_count(a));
            for (uint32_t k = 0; a->constraints && a->constraints[k]; k++)
                cor_print("    %s\n", a->constraints[k]);
            for (uint32_t k = 0; a->needs && a->needs[k]; k++)
                cor_print("%s%s%s", k > 0 ? ", " : "  needs the attributes ", a->needs[k],
                          a->needs[k + 1] ? "" : "\n");
            if (cor_algorithm_counter_count(a) > 0)
                puts("  white-box counters:");
            for (uint32_t k = 0; k < cor_algorithm_counter_count(a); k++)
                print_named(a->counters[k].name, a->counters[k].meaning);
            puts("");
        }
        if (wanted.count <= 0) {
            print_others();
            print_family("faults of the monitor (\"monitor\": {\"fault\": ...}):", COR_FAMILY_MONITOR_FAULT);
            print_family("faults of adoption (\"adoption\": {\"fault\": ...}):", COR_FAMILY_ADOPTION_FAULT);
            print_family("faults of the result (\"result\": {\"fault\": ...}):", COR_FAMILY_RESULT_FAULT);
            print_family("faults of agents (\"agents\": {\"fault\": ...}):", COR_FAMILY_CRASH_FAULT);
            print_family("mail schedules (\"mail\": {\"mode\": ...}):", COR_FAMILY_MAIL);
            print_family("measures of dissimilarity (\"invariant\": {\"measure\": ...}):",
                         COR_FAMILY_MEASURE);
        }
    }
out:
    return status == COR_OK ? COR_EXIT_DONE : cor_report(&error);
}

const struct cor_command cor_command_list = {
    .name = "list",
    .summary = "list algorithms and faults",
    .operands = "[ALGORITHM ...]",
    .takes = {0, LISTED_MOST, "shows at most 64 algorithms at once"},
    .request_size = sizeof(struct request),
    .manual = "Lists what experiment files can name; or only the algorithms that are given, by name or by "
              "the path of a module or program, which is loaded, or asked who it is, and checked.",
    .options = {{"json", 0, NULL, "print one JSON document", COR_FLAG(json)}},
    .examples = {"corridor list", "corridor list psopp",
                 "corridor list ./my_algorithm.so   # is my module usable?"},
    .run = run,
};
