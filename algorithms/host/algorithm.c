/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An algorithm as data: what it declares, and whether that can be used, which runs none of its code; and
 * those that are built in. */
#define _GNU_SOURCE /* dl_iterate_phdr */

#include "algorithm.h"
#include "columns.h"
#include "describe.h"

#include <corridor/array.h>
#include <corridor/bytes.h>
#include <corridor/host.h>
#include <corridor/loader.h>

#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <link.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#define NAME_LONGEST 63u
#define LIST_LONGEST 1000u /* parameters, faults, counters */
#define BUCKETS_MOST (UINT32_C(1) << 16)

/* The name of entry `index` of a list whose entries are `stride` bytes and begin with their name. */
static const char *listed(const void *list, size_t stride, uint32_t index) {
    const char *name;
    memcpy(&name, (const char *)list + stride * index, sizeof name);
    return name;
}

static uint32_t length_of(const void *list, size_t stride) {
    uint32_t count = 0;
    while (list && listed(list, stride, count))
        count++;
    return count;
}

uint32_t cor_parameter_count(const struct cor_parameter *list) {
    return length_of(list, sizeof *list);
}

uint32_t cor_algorithm_parameter_count(const struct cor_algorithm *algorithm) {
    return cor_parameter_count(algorithm->parameters);
}

uint32_t cor_algorithm_fault_count(const struct cor_algorithm *algorithm) {
    return length_of(algorithm->faults, sizeof *algorithm->faults);
}

uint32_t cor_algorithm_counter_count(const struct cor_algorithm *algorithm) {
    return length_of(algorithm->counters, sizeof *algorithm->counters);
}

int cor_algorithm_parameter(const struct cor_algorithm *algorithm, const char *name) {
    for (int i = 0; algorithm->parameters && algorithm->parameters[i].name; i++)
        if (strcmp(algorithm->parameters[i].name, name) == 0)
            return i;
    return -1;
}

bool cor_algorithm_makes(const struct cor_algorithm *algorithm, enum cor_organized kind) {
    return kind == COR_PARTITIONING ||
           algorithm->capabilities & (kind >= COR_HIERARCHY ? COR_NESTS : COR_COVERS);
}

const char *cor_algorithm_fault_name(const struct cor_algorithm *algorithm, uint32_t fault) {
    if (fault == 0)
        return "none";
    COR_ASSERT(fault <= cor_algorithm_fault_count(algorithm));
    return algorithm->faults[fault - 1].name;
}

enum cor_status cor_algorithm_fault(const struct cor_algorithm *algorithm, const char *name, uint32_t *fault,
                                    struct cor_error *error) {
    *fault = 0;
    if (!name || strcmp(name, "none") == 0)
        return COR_OK;
    for (uint32_t i = 0; algorithm->faults && algorithm->faults[i].name; i++)
        if (strcmp(algorithm->faults[i].name, name) == 0) {
            *fault = i + 1;
            return COR_OK;
        }
    uint32_t count = cor_algorithm_fault_count(algorithm);
    const char **names = cor_calloc((size_t)count + 2, sizeof *names);
    COR_TRY(cor_made(names, error));
    names[0] = "none";
    for (uint32_t i = 0; i < count; i++)
        names[i + 1] = algorithm->faults[i].name;
    char known[1024];
    cor_known_names(name, names, known, sizeof known);
    free(names);
    return cor_fail(error, COR_STATUS_INPUT, NULL, known, "algorithm \"%s\" has no fault \"%s\"",
                    algorithm->name, name);
}

bool cor_algorithm_is_name(const char *name) {
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return length > 0 && length <= NAME_LONGEST && name[length] == '\0' && name[0] >= 'a' && name[0] <= 'z';
}

/* What the checks below share. */
struct check {
    const char *origin;
    struct cor_error *error;
};

static enum cor_status unusable(const struct check *check, const char *what, const char *name,
                                const char *remedy) {
    return cor_fail(check->error, COR_STATUS_PLUGIN, check->origin, remedy, "%s \"%s\" cannot be used", what,
                    name ? name : "(none)");
}

static enum cor_status check_names(const struct check *check, const char *what, const void *list,
                                   size_t stride) {
    for (uint32_t i = 0; list && listed(list, stride, i); i++) {
        const char *name = listed(list, stride, i);
        if (i >= LIST_LONGEST)
            return unusable(check, what, name, "end the list with an entry whose name is NULL");
        if (!cor_algorithm_is_name(name))
            return unusable(check, what, name, "names are [a-z][a-z0-9_]*, at most 63 characters");
        for (uint32_t before = 0; before < i; before++)
            if (strcmp(listed(list, stride, before), name) == 0)
                return unusable(check, what, name, "give each a name of its own");
    }
    return COR_OK;
}

enum cor_status host__parameters_check(const struct cor_parameter *list, const char *origin,
                                       struct cor_error *error) {
    const struct check *check = &(struct check){origin, error};
    COR_TRY(check_names(check, "parameter", list, sizeof *list));
    for (; list && list->name; list++) {
        int finite = isfinite(list->min) && isfinite(list->max) && isfinite(list->value);
        if (!finite || list->value < list->min || list->value > list->max)
            return unusable(check, "parameter", list->name, "its default lies within min .. max, all finite");
        if (list->is_integer && (floor(list->value) != list->value || floor(list->min) != list->min))
            return unusable(check, "parameter", list->name, "default and min of an integer are integers");
        if (!list->unit || !list->meaning)
            return unusable(check, "parameter", list->name, "say its unit and meaning");
    }
    return COR_OK;
}

static enum cor_status check_counters(const struct check *check, const struct cor_counter *list) {
    COR_TRY(check_names(check, "counter", list, sizeof *list));
    for (; list && list->name; list++) {
        if (list->bucket_count < 1 || list->bucket_count > BUCKETS_MOST)
            return unusable(check, "counter", list->name, "it has 1 .. 65536 buckets");
        if (!list->meaning)
            return unusable(check, "counter", list->name, "say its meaning");
    }
    return COR_OK;
}

/* One of the three shapes of plugin.h, whole; NULL if it is, else what is wrong. */
static const char *shape_trouble(const struct cor_algorithm *a) {
    if (!a->result)
        return "it has no result()";
    if (a->step && (a->wake || a->receive))
        return "it has both step() and wake() or receive()";
    if (!a->wake != !a->receive)
        return "wake() and receive() go together";
    if ((a->step || a->wake) && !a->begin)
        return "it has no begin()";
    if (a->begin && !a->step && !a->wake)
        return "it has begin(), but neither step() nor wake()";
    if (a->restart && !a->wake)
        return "restart() is for algorithms that have wake()";
    if (a->agent_size > 0 && !a->wake)
        return "agent_size is for algorithms that have wake()";
    if ((a->capabilities & COR_ANYTIME) && !a->step && !a->wake)
        return "COR_ANYTIME is for algorithms that have step() or wake()";
    if (a->capabilities &
        ~(uint32_t)(COR_ANYTIME | COR_KEEPS | COR_LIMITS | COR_COVERS | COR_NESTS | COR_AIMS))
        return "it claims a capability of a newer version";
    return NULL;
}

/* What plugin.h asks of an algorithm beyond its version: names, ranges, shape. */
enum cor_status host__algorithm_check(const struct cor_algorithm *algorithm, const char *origin,
                                      struct cor_error *error) {
    struct check check = {origin, error};
    if (!algorithm->name || !cor_algorithm_is_name(algorithm->name))
        return unusable(&check, "algorithm", algorithm->name,
                        "names are [a-z][a-z0-9_]*, at most 63 characters");
    if (!algorithm->version || !algorithm->summary || !algorithm->budget_unit)
        return unusable(&check, "algorithm", algorithm->name, "say its version, summary and budget_unit");
    const char *trouble = shape_trouble(algorithm);
    if (trouble)
        return cor_fail(error, COR_STATUS_PLUGIN, origin,
                        "fill in one of the three shapes of <corridor/plugin.h>",
                        "algorithm \"%s\" has no usable shape: %s", algorithm->name, trouble);
    COR_TRY(host__parameters_check(algorithm->parameters, origin, error));
    COR_TRY(check_counters(&check, algorithm->counters));
    const struct cor_fault *list = algorithm->faults;
    COR_TRY(check_names(&check, "fault", list, sizeof *list));
    for (; list && list->name; list++)
        if (strcmp(list->name, "none") == 0 || !list->meaning)
            return unusable(&check, "fault", list->name, "say its meaning; \"none\" is taken");
    COR_TRY(check_names(&check, "message", algorithm->messages, sizeof *algorithm->messages));
    for (uint32_t i = 0; algorithm->needs && algorithm->needs[i]; i++) {
        char name[COR_NEED_SIZE], unit[COR_NEED_SIZE];
        if (i >= LIST_LONGEST || !cor_algorithm_need(algorithm->needs[i], name, unit))
            return unusable(&check, "need", algorithm->needs[i],
                            "\"name\" or \"name [unit]\" of a column; end the list with NULL");
    }
    return COR_OK;
}

static enum cor_status check_copy(const void *copy, const char *origin, struct cor_error *error) {
    return host__algorithm_check(copy, origin, error);
}

/* What version 1.0 had; an algorithm that has less is cut off. */
#define SIZE_LEAST (offsetof(struct cor_algorithm, end) + sizeof(void (*)(void)))

const struct cor_module_kind host__algorithm_kind = {.symbol = COR_ALGORITHM_SYMBOL,
                                                     .what = "an algorithm",
                                                     .first_fields = "COR_ALGORITHM",
                                                     .header = "<corridor/plugin.h>",
                                                     .magic = COR_PLUGIN_MAGIC,
                                                     .major = COR_PLUGIN_MAJOR,
                                                     .minor = COR_PLUGIN_MINOR,
                                                     .size = sizeof(struct cor_algorithm),
                                                     .size_least = SIZE_LEAST,
                                                     .check = check_copy};

/* The built-in algorithms, in the order a user sees them; each is a library named in CMakeLists.txt. */
#define COR_BUILTINS(X) \
    X(psopp) X(spada) X(random) X(deal) X(exchange) X(exact) X(greedy_cover) X(balanced_tree)

#define COR_DECLARE(name) extern const struct cor_algorithm cor_algorithm_##name;
COR_BUILTINS(COR_DECLARE)
#undef COR_DECLARE

const struct cor_algorithm *host__builtin(uint32_t index) {
    static const struct cor_algorithm *const builtins[] = {
#define COR_LIST(name) &cor_algorithm_##name,
        COR_BUILTINS(COR_LIST)
#undef COR_LIST
    };
    return index < sizeof builtins / sizeof *builtins ? builtins[index] : NULL;
}

/* ---- loader */

/* The version words come first in every version, so they can be read before anything else is believed. */
enum cor_status cor_module_copy(const struct cor_module_kind *kind, const void *exported, const char *origin,
                                void *copy, struct cor_error *error) {
    uint32_t head[4];
    memcpy(head, exported, sizeof head);
    uint32_t magic = head[0], major = head[1], minor = head[2], size = head[3];
    char remedy[256];
    snprintf(remedy, sizeof remedy, "its first fields are %s of %s", kind->first_fields, kind->header);
    if (magic != kind->magic)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "\"%s\" is not %s: it begins with 0x%08X, not with 0x%08X", kind->symbol, kind->what,
                        magic, kind->magic);
    if (major == kind->major && minor <= kind->minor && (size < kind->size_least || size > kind->size))
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "struct_size is %u, but version %u.%u has %zu bytes", size, major, minor, kind->size);
    snprintf(remedy, sizeof remedy, "rebuild it against the %s of this version", kind->header);
    if (major != kind->major || minor > kind->minor)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, remedy,
                        "built for plug-in version %u.%u, but this is %u.%u", major, minor, kind->major,
                        kind->minor);
    memset(copy, 0, kind->size);
    memcpy(copy, exported, size);
    return kind->check(copy, origin, error);
}

static enum cor_status no_symbol(const struct cor_module_kind *kind, const char *path,
                                 struct cor_error *error) {
    char remedy[128];
    snprintf(remedy, sizeof remedy, "see %s", kind->header);
    return cor_fail(error, COR_STATUS_PLUGIN, path, remedy, "the module exports no constant \"%s\"",
                    kind->symbol);
}

enum cor_status cor_module_is_there(const char *path, struct cor_error *error) {
    if (access(path, F_OK) == 0)
        return COR_OK;
    return cor_fail_errno(error, COR_STATUS_FILE, path,
                          path[0] == '~' ? "write the home folder out: ~ stands for nothing here" : NULL,
                          "cannot open");
}

enum cor_status cor_module_open(const struct cor_module_kind *kind, const char *path, void **handle,
                                void *copy, struct cor_error *error) {
    *handle = NULL;
    if (strchr(path, '/'))
        COR_TRY(cor_module_is_there(path, error));
    *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*handle)
        return cor_fail(error, COR_STATUS_PLUGIN, path, NULL, "cannot load the module: %s", dlerror());
    const void *exported = dlsym(*handle, kind->symbol);
    enum cor_status status =
        exported ? cor_module_copy(kind, exported, path, copy, error) : no_symbol(kind, path, error);
    if (status != COR_OK) {
        cor_module_close(*handle);
        *handle = NULL;
    }
    return status;
}

void cor_module_settle(void) {
    static bool may_ring = true; /* false once calls are forbidden, for good: no alarm can be set then */
    const struct itimerval never = {{0, 0}, {0, 0}};
    sigset_t none;
    if (may_ring && setitimer(ITIMER_REAL, &never, NULL) != 0)
        may_ring = errno != EPERM;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fesetenv(FE_DFL_ENV);
    const char *locale = setlocale(LC_ALL, NULL); /* asking costs a hundredth of setting */
    if (!locale || strcmp(locale, "C") != 0)
        setlocale(LC_ALL, "C");
    umask(077);
}

/* Where the loop below looks. */
struct search {
    uintptr_t function, *origin;
    struct cor_module_piece *pieces;
    uint32_t most, count;
};

/* Writable pieces of one loaded object; what becomes read-only after loading (RELRO) is none. */
static void list_pieces(const struct dl_phdr_info *info, struct search *search) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), relro_end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            relro_end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
    for (int i = 0; i < info->dlpi_phnum && search->count < search->most; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_LOAD || !(header->p_flags & PF_W))
            continue;
        uintptr_t start = info->dlpi_addr + header->p_vaddr, end = start + header->p_memsz;
        start = relro_end > start && relro_end <= end ? relro_end : start;
        start = start / page * page;
        end = (end + page - 1) / page * page;
        if (end > start)
            search->pieces[search->count++] = (struct cor_module_piece){(void *)start, end - start};
    }
}

/* The object that holds the function; not the program itself. */
static int look_at(struct dl_phdr_info *info, size_t size, void *subject) {
    struct search *search = subject;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || search->function < start ||
            search->function >= start + info->dlpi_phdr[i].p_memsz)
            continue;
        if (getauxval(AT_PHDR) != (uintptr_t)info->dlpi_phdr) {
            *search->origin = info->dlpi_addr;
            list_pieces(info, search);
        }
        return 1;
    }
    return 0;
}

uint32_t cor_module_variables(uintptr_t function, struct cor_module_piece *pieces, uint32_t most,
                              uintptr_t *origin) {
    struct search search = {.function = function, .origin = origin, .pieces = pieces, .most = most};
    dl_iterate_phdr(look_at, &search);
    return search.count;
}

void cor_module_close(void *handle) {
    if (handle)
        dlclose(handle);
}

/* ---- describe */

static enum cor_progress no_call(void) {
    COR_ASSERT(false && "code of an algorithm that is loaded elsewhere");
    return COR_FAILED;
}

static enum cor_progress no_begin(void *state, const struct cor_task *task, const struct cor_host *host) {
    (void)state, (void)task, (void)host;
    return no_call();
}

static enum cor_progress no_step(void *state, const struct cor_task *task, const struct cor_host *host,
                                 uint64_t units) {
    (void)state, (void)task, (void)host, (void)units;
    return no_call();
}

static enum cor_progress no_turn(const struct cor_agent *me, const struct cor_rules *rules,
                                 const struct cor_host *host) {
    (void)me, (void)rules, (void)host;
    return no_call();
}

static enum cor_progress no_receive(const struct cor_agent *me, const struct cor_rules *rules,
                                    const struct cor_host *host, const struct cor_message *message) {
    (void)me, (void)rules, (void)host, (void)message;
    return no_call();
}

static void no_end(void *state, const struct cor_host *host) {
    (void)state, (void)host;
    no_call();
}

const struct cor_algorithm host__elsewhere = {
    COR_ALGORITHM,      .begin = no_begin, .step = no_step, .wake = no_turn,    .receive = no_receive,
    .result = no_begin, .adopt = no_begin, .end = no_end,   .restart = no_turn,
};

/* Which functions there are: a bit each, in this order. */
enum { BEGIN, STEP, WAKE, RECEIVE, RESULT, ADOPT, END, RESTART };

static uint32_t functions_of(const struct cor_algorithm *a) {
    return (uint32_t)(a->begin != NULL) << BEGIN | (uint32_t)(a->step != NULL) << STEP |
           (uint32_t)(a->wake != NULL) << WAKE | (uint32_t)(a->receive != NULL) << RECEIVE |
           (uint32_t)(a->result != NULL) << RESULT | (uint32_t)(a->adopt != NULL) << ADOPT |
           (uint32_t)(a->end != NULL) << END | (uint32_t)(a->restart != NULL) << RESTART;
}

static void give_functions(struct cor_algorithm *algorithm, uint32_t functions) {
#define GIVE(BIT, function) algorithm->function = functions >> BIT & 1 ? host__elsewhere.function : NULL
    GIVE(BEGIN, begin);
    GIVE(STEP, step);
    GIVE(WAKE, wake);
    GIVE(RECEIVE, receive);
    GIVE(RESULT, result);
    GIVE(ADOPT, adopt);
    GIVE(END, end);
    GIVE(RESTART, restart);
#undef GIVE
}

/* What a description begins with; lists and texts follow, in the order of struct cor_algorithm. */
struct head {
    uint32_t functions, capabilities;
    uint64_t state_size, agent_size;
    uint32_t parameters, constraints, counters, faults, needs; /* lengths */
};

size_t host__description_write(const struct cor_algorithm *a, void *bytes, size_t capacity) {
    struct cor_bytes pen = cor_bytes_into(bytes, capacity);
    struct head head = {.functions = functions_of(a),
                        .capabilities = a->capabilities,
                        .state_size = a->state_size,
                        .agent_size = a->agent_size,
                        .parameters = cor_algorithm_parameter_count(a),
                        .counters = cor_algorithm_counter_count(a),
                        .faults = cor_algorithm_fault_count(a)};
    while (a->constraints && a->constraints[head.constraints])
        head.constraints++;
    while (a->needs && a->needs[head.needs])
        head.needs++;
    cor_bytes_put(&pen, &head, sizeof head);
    cor_bytes_put_text(&pen, a->name);
    cor_bytes_put_text(&pen, a->version);
    cor_bytes_put_text(&pen, a->summary);
    cor_bytes_put_text(&pen, a->budget_unit);
    for (uint32_t i = 0; i < head.parameters; i++) {
        const struct cor_parameter *p = &a->parameters[i];
        cor_bytes_put_real(&pen, p->value);
        cor_bytes_put_real(&pen, p->min);
        cor_bytes_put_real(&pen, p->max);
        cor_bytes_put_number(&pen, p->is_integer == COR_OPTION ? COR_OPTION : p->is_integer != 0, 1);
        cor_bytes_put_text(&pen, p->name);
        cor_bytes_put_text(&pen, p->unit);
        cor_bytes_put_text(&pen, p->meaning);
    }
    for (uint32_t i = 0; i < head.constraints; i++)
        cor_bytes_put_text(&pen, a->constraints[i]);
    for (uint32_t i = 0; i < head.counters; i++) {
        cor_bytes_put_number(&pen, a->counters[i].bucket_count, 4);
        cor_bytes_put_text(&pen, a->counters[i].name);
        cor_bytes_put_text(&pen, a->counters[i].meaning);
    }
    for (uint32_t i = 0; i < head.faults; i++) {
        cor_bytes_put_text(&pen, a->faults[i].name);
        cor_bytes_put_text(&pen, a->faults[i].meaning);
    }
    for (uint32_t i = 0; i < head.needs; i++)
        cor_bytes_put_text(&pen, a->needs[i]);
    return pen.size;
}

/* Texts point into the copy of the bytes that is read. */
static const char *get_text(struct cor_bytes_reader *reading) {
    const char *text = cor_bytes_take_text(reading);
    reading->failed = reading->failed || !cor_is_printable(text);
    return reading->failed ? "?" : text;
}

/* The lists of an algorithm, each with its last, empty entry; then the bytes. */
struct lists {
    struct cor_parameter *parameters;
    const char **constraints;
    struct cor_counter *counters;
    struct cor_fault *faults;
    const char **needs;
};

static void get_lists(struct cor_bytes_reader *reading, const struct head *head, const struct lists *lists) {
    for (uint32_t i = 0; i < head->parameters && !reading->failed; i++) {
        struct cor_parameter *p = &lists->parameters[i];
        p->value = cor_bytes_take_real(reading);
        p->min = cor_bytes_take_real(reading);
        p->max = cor_bytes_take_real(reading);
        const uint64_t whole = cor_bytes_take_number(reading, 1);
        p->is_integer = whole == COR_OPTION ? COR_OPTION : whole != 0;
        p->name = get_text(reading);
        p->unit = get_text(reading);
        p->meaning = get_text(reading);
    }
    for (uint32_t i = 0; i < head->constraints && !reading->failed; i++)
        lists->constraints[i] = get_text(reading);
    for (uint32_t i = 0; i < head->counters && !reading->failed; i++) {
        lists->counters[i].bucket_count = (uint32_t)cor_bytes_take_number(reading, 4);
        lists->counters[i].name = get_text(reading);
        lists->counters[i].meaning = get_text(reading);
    }
    for (uint32_t i = 0; i < head->faults && !reading->failed; i++) {
        lists->faults[i].name = get_text(reading);
        lists->faults[i].meaning = get_text(reading);
    }
    for (uint32_t i = 0; i < head->needs && !reading->failed; i++)
        lists->needs[i] = get_text(reading);
}

enum cor_status host__description_read(const void *bytes, size_t size, const char *origin,
                                       struct host__description *description, struct cor_error *error) {
    struct head head = {0};
    struct lists lists;
    char *copy = NULL;
    *description = (struct host__description){.memory = NULL};
    if (size >= sizeof head)
        memcpy(&head, bytes, sizeof head);
    /* Each entry of a list has a byte at least. */
    if (size < sizeof head || head.parameters > size || head.constraints > size || head.counters > size ||
        head.faults > size || head.needs > size)
        return cor_fail(error, COR_STATUS_PLUGIN, origin, NULL, "what the module says of itself is garbled");
    size_t parameters = ((size_t)head.parameters + 1) * sizeof *lists.parameters,
           constraints = ((size_t)head.constraints + 1) * sizeof *lists.constraints,
           counters = ((size_t)head.counters + 1) * sizeof *lists.counters,
           faults = ((size_t)head.faults + 1) * sizeof *lists.faults,
           needs = ((size_t)head.needs + 1) * sizeof *lists.needs;
    unsigned char *made = description->memory =
        cor_calloc(1, parameters + constraints + counters + faults + needs + size);
    COR_TRY(cor_made(made, error));
    lists.parameters = (void *)made;
    lists.constraints = (void *)(made + parameters);
    lists.counters = (void *)(made + parameters + constraints);
    lists.faults = (void *)(made + parameters + constraints + counters);
    lists.needs = (void *)(made + parameters + constraints + counters + faults);
    copy = (char *)made + parameters + constraints + counters + faults + needs;
    memcpy(copy, bytes, size);
    struct cor_bytes_reader reading = cor_bytes_reader(copy, size);
    reading.at = sizeof head;
    struct cor_algorithm *a = &description->algorithm;
    *a = (struct cor_algorithm){COR_ALGORITHM,
                                .capabilities = head.capabilities,
                                .state_size = head.state_size,
                                .agent_size = head.agent_size,
                                .parameters = lists.parameters,
                                .constraints = lists.constraints,
                                .counters = lists.counters,
                                .faults = lists.faults,
                                .needs = lists.needs};
    a->name = get_text(&reading);
    a->version = get_text(&reading);
    a->summary = get_text(&reading);
    a->budget_unit = get_text(&reading);
    get_lists(&reading, &head, &lists);
    give_functions(a, head.functions);
    if (!reading.failed)
        return COR_OK;
    host__description_fini(description);
    return cor_fail(error, COR_STATUS_PLUGIN, origin, "use UTF-8 without control characters in its texts",
                    "what the module says of itself is garbled");
}

void host__description_fini(struct host__description *description) {
    free(description->memory);
    *description = (struct host__description){.memory = NULL};
}

/* ---- columns */

const struct cor_value_column host__value_column = {.name = "value", .unit = "", .max = 1};

static size_t aligned(size_t bytes) {
    return (bytes + 15) / 16 * 16;
}

size_t host__columns_bytes(const struct cor_rules *rules) {
    if (!rules->columns)
        return 0;
    size_t bytes = rules->value_count * sizeof *rules->columns;
    for (uint32_t c = 0; c < rules->value_count; c++) {
        const struct cor_value_column *column = &rules->columns[c];
        bytes += strlen(column->name) + strlen(column->unit) + 2;
        bytes += column->word_count > 0 ? ((size_t)column->word_count + 1) * sizeof(char *) : 0;
        for (uint32_t w = 0; w < column->word_count; w++)
            bytes += strlen(column->words[w]) + 1;
    }
    return aligned(bytes);
}

/* A block under way: lists of words follow the columns, texts the lists. */
struct pen {
    unsigned char *room;
    uintptr_t base;
    size_t lists, texts;
};

static const char *put_text(struct pen *pen, const char *text) {
    const size_t at = pen->texts, size = strlen(text) + 1;
    memcpy(pen->room + at, text, size);
    pen->texts += size;
    return (const char *)(pen->base + at);
}

static const char *const *put_words(struct pen *pen, const struct cor_value_column *column) {
    if (column->word_count == 0)
        return NULL;
    const size_t at = pen->lists;
    const char **list = (void *)(pen->room + at);
    pen->lists += ((size_t)column->word_count + 1) * sizeof *list;
    for (uint32_t w = 0; w < column->word_count; w++)
        list[w] = put_text(pen, column->words[w]);
    list[column->word_count] = NULL;
    return (const char *const *)(pen->base + at);
}

void host__columns_write(const struct cor_rules *rules, void *room, uintptr_t base) {
    struct cor_value_column *columns = room;
    struct pen pen = {room, base, rules->value_count * sizeof *columns, 0};
    pen.texts = pen.lists;
    for (uint32_t c = 0; c < rules->value_count; c++)
        if (rules->columns[c].word_count > 0)
            pen.texts += ((size_t)rules->columns[c].word_count + 1) * sizeof(char *);
    for (uint32_t c = 0; c < rules->value_count; c++) {
        struct cor_value_column column = rules->columns[c];
        column.name = put_text(&pen, column.name);
        column.unit = put_text(&pen, column.unit);
        column.words = put_words(&pen, &column);
        columns[c] = column;
    }
}

const struct cor_value_column *host__columns_settle(void *block, uint32_t count) {
    struct cor_value_column *columns = block;
    const uintptr_t base = (uintptr_t)block;
    for (uint32_t c = 0; c < count; c++) {
        struct cor_value_column *column = &columns[c];
        column->name = (const char *)(base + (uintptr_t)column->name);
        column->unit = (const char *)(base + (uintptr_t)column->unit);
        if (column->word_count == 0)
            continue;
        const char **list = (const char **)(base + (uintptr_t)column->words);
        for (uint32_t w = 0; w < column->word_count; w++)
            list[w] = (const char *)(base + (uintptr_t)list[w]);
        column->words = list;
    }
    return columns;
}

bool cor_algorithm_need(const char *need, char name[COR_NEED_SIZE], char unit[COR_NEED_SIZE]) {
    const char *open = strstr(need, " [");
    const size_t length = open ? (size_t)(open - need) : strlen(need), all = strlen(need);
    unit[0] = '\0';
    if (length == 0 || length >= COR_NEED_SIZE || all >= COR_NEED_SIZE)
        return false;
    snprintf(name, COR_NEED_SIZE, "%.*s", (int)length, need);
    if (!open)
        return strpbrk(name, " []") == NULL;
    if (all < length + 4 || need[all - 1] != ']')
        return false;
    snprintf(unit, COR_NEED_SIZE, "%.*s", (int)(all - length - 3), open + 2);
    return strpbrk(name, " []") == NULL && strpbrk(unit, "[]") == NULL;
}
