/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Schedules of two-phase commit, executed: what a generator made is the same when it is executed again from
 * what was kept, event by event; generators say only what is possible; and what they do in a case is what the
 * weather says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <corridor/array.h>
#include <corridor/process_experiment.h>
#include <corridor/process_program.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPERIMENT                                                                                          \
    "{\"process\": {\"program\": \"two_phase\", \"count\": 4, \"network\": \"%s\"}, \"seed\": 5,"           \
    " \"cases\": 10, \"case\": 1000, \"generators\": [\"%s\"],"                                             \
    " \"faults\": [\"lose\", \"duplicate\", \"crash\", \"crash-torn\", \"crash-lost\", \"pause\", \"cut\"," \
    " \"jump\", \"drift\", \"disk-error\", \"part\"],"                                                      \
    " \"environment\": {\"states\": {\"storm\": {\"delay\": [1, 100], \"disk\": [1, 50], \"lose\": 0.1,"    \
    " \"duplicate\": 0.1, \"crash\": 0.4, \"torn\": 0.3, \"lost_cell\": 0.3, \"pause\": 0.3, \"cut\": 0.1," \
    " \"one_sided\": %s, \"jump\": 0.2, \"drift\": 0.2, \"disk_error\": 0.05, \"input\": 6,"                \
    " \"part\": 0.5, \"part_for\": [1, 20]}}},"                                                             \
    " \"corridor\": [\"structure observed\", \"attribute open: integer\", \"channel outcome\","             \
    " \"invariant few: all(a in agents: a.open < 1000000)\"]}"

/* All that a schedule of an experiment needs. */
struct setting {
    struct cor_process_experiment *experiment;
    struct cor_process_runner *runner, *again;
    struct cor_schedule_generator *generator;
    const struct cor_weather *weather;
    uint64_t heard; /* events of which the runner told */
};

static enum cor_status listen(void *data, const struct cor_cluster *cluster,
                              const struct cor_process_event *event, struct cor_error *error) {
    (void)cluster;
    (void)event;
    (void)error;
    ((struct setting *)data)->heard++;
    return COR_OK;
}

static struct setting open_setting(const char *network, const char *generator, const char *one_sided) {
    struct setting setting = {0};
    struct cor_error error = COR_NO_ERROR;
    char *text = cor_format(EXPERIMENT, network, generator, one_sided);
    assert_non_null(text);
    if (cor_process_experiment_parse(text, "test.json", NULL, &setting.experiment, &error) != COR_OK)
        fail_msg("%s: %s", error.place, error.cause);
    free(text);
    const struct cor_process_arm *arm = &setting.experiment->arms[0];
    const struct cor_process_setting run = cor_process_setting_of(setting.experiment, 0);
    assert_int_equal(cor_process_runner_create(&run, &setting.runner, &error), COR_OK);
    assert_int_equal(cor_process_runner_create(&run, &setting.again, &error), COR_OK);
    const struct cor_schedule_options options = cor_process_generator_options(arm);
    assert_int_equal(cor_schedule_generator_create(arm->generators[0],
                                                   cor_process_runner_cluster(setting.runner), &options,
                                                   &setting.generator, &error),
                     COR_OK);
    setting.weather = &arm->environment.weather[0];
    return setting;
}

static void close_setting(struct setting *setting) {
    cor_schedule_generator_destroy(setting->experiment->arms[0].generators[0], setting->generator);
    cor_process_runner_destroy(setting->runner);
    cor_process_runner_destroy(setting->again);
    cor_process_experiment_destroy(setting->experiment);
}

static void run_one(struct setting *setting, uint32_t sequence, struct cor_process_schedule *schedule,
                    struct cor_process_outcome *outcome) {
    const struct cor_stream_name name = cor_process_stream_name(setting->experiment, 0, sequence);
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_process_run(setting->runner, &name, setting->experiment->arms[0].generators[0],
                                     setting->generator, &setting->weather, 1, schedule, outcome, &error),
                     COR_OK);
}

static void a_schedule_that_was_kept_does_the_same_again(void **state) {
#define WORD(word) #word,
    static const char *const networks[] = {"fifo", "any"}, *const generators[] = {
                                                               COR_SCHEDULE_GENERATORS(WORD)};
#undef WORD
    (void)state;
    for (size_t n = 0; n < 2 * sizeof generators / sizeof *generators; n++) {
        struct setting setting = open_setting(networks[n % 2], generators[n / 2], n % 2 ? "true" : "false");
        struct cor_process_schedule schedule = {0}, executed = {0};
        struct cor_process_outcome first, second;
        struct cor_error error = COR_NO_ERROR;
        for (uint32_t s = 0; s < 30; s++) {
            const struct cor_stream_name name = cor_process_stream_name(setting.experiment, 0, s);
            run_one(&setting, s, &schedule, &first);
            assert_true(first.cases == 10 || first.end != COR_PROCESS_END_NONE);
            assert_true(first.events > 20);
            assert_int_equal(cor_process_replay(setting.again, &name, &schedule, &executed, &second, &error),
                             COR_OK);
            assert_memory_equal(&first, &second, sizeof first);
            assert_int_equal(schedule.count, executed.count);
            assert_memory_equal(schedule.events, executed.events, schedule.count * sizeof *schedule.events);
        }
        cor_process_schedule_fini(&schedule);
        cor_process_schedule_fini(&executed);
        close_setting(&setting);
    }
}

/* ---- what comes by itself */

/* What a naive look finds that comes next by itself. */
static struct cor_process_event find_next(const struct cor_cluster *cluster, uint32_t delay) {
    const uint64_t now = cor_cluster_now(cluster);
    struct cor_process_event best = {.tick = UINT64_MAX};
    uint64_t of_best[3] = {UINT64_MAX, 0, 0}; /* tick, rank of the kind, number */
    for (uint32_t p = 0; p < cor_cluster_process_count(cluster); p++) {
        const struct cor_process_standing *standing = cor_cluster_standing(cluster, p);
        for (uint32_t c = 0; standing->is_up && !standing->is_paused && c < 1000; c++) {
            struct cor_process_event event = {.process = (uint8_t)p, .tick = now};
            uint64_t of[3] = {now, 0, p};
            uint32_t count = 0;
            const uint32_t from = c / 100, index = c % 100;
            if (c == 999) {
                event.kind = COR_PROCESS_EVENT_DISK;
                if (standing->pending_writes == 0)
                    continue;
            } else if (c >= 900) {
                if (index >= COR_PROCESS_ALARMS_MAX || standing->due[index] == COR_PROCESS_NEVER)
                    continue;
                event.kind = COR_PROCESS_EVENT_TIME_OUT;
                event.what = (uint8_t)index;
                of[0] = standing->due[index] > now ? standing->due[index] : now;
                of[1] = 2;
                of[2] = p * UINT64_C(1000) + (standing->due[index] < UINT32_MAX ? 0 : 1);
            } else {
                if (from >= cor_cluster_process_count(cluster) || cor_cluster_is_cut(cluster, from, p))
                    continue;
                const struct cor_flight *flight = cor_cluster_flight(cluster, from, p, &count);
                if (index >= count)
                    continue;
                event.kind = COR_PROCESS_EVENT_DELIVER;
                event.peer = (uint8_t)from;
                event.what = flight[index].kind;
                for (uint32_t before = 0; before < index; before++)
                    event.ordinal += flight[before].kind == event.what;
                of[0] = flight[index].sent + delay > now ? flight[index].sent + delay : now;
                of[1] = 1;
                of[2] = flight[index].number;
            }
            event.tick = of[0];
            const bool is_less = of[0] != of_best[0]   ? of[0] < of_best[0]
                                 : of[1] != of_best[1] ? of[1] < of_best[1]
                                                       : of[2] < of_best[2];
            if (!is_less)
                continue;
            best = event;
            memcpy(of_best, of, sizeof of);
        }
    }
    return best;
}

struct hearing {
    const struct cor_process_runner *runner;
    struct cor_process_schedule heard;
    struct cor_process_event next; /* by the naive look, behind the last event */
    uint32_t delay, checked;
};

static enum cor_status hear_default(void *data, const struct cor_cluster *cluster,
                                    const struct cor_process_event *event, struct cor_error *error) {
    struct hearing *hearing = data;
    if (cor_process_runner_is_by_itself(hearing->runner) && hearing->heard.count > 0) {
        assert_memory_equal(event, &hearing->next, sizeof *event);
        hearing->checked++;
    }
    hearing->next = find_next(cluster, hearing->delay);
    return cor_process_schedule_add(&hearing->heard, event, error);
}

/* Drawn schedules, of which the time between some faults and inputs is left to itself: each event that comes
 * is the one that a naive look finds, the schedule keeps the defaults alone, and what came, listed, does the
 * same. */
static void what_comes_by_itself_is_what_is_due(void **state) {
    static const char *const networks[] = {"fifo", "any"};
    (void)state;
    uint32_t checked = 0, cut = 0;
    for (uint32_t s = 0; s < 60; s++) {
        struct setting setting = open_setting(networks[s % 2], "timed", "true");
        struct cor_process_schedule schedule = {0}, left = {0}, executed = {0};
        struct hearing hearing = {.runner = setting.again, .delay = s % 3 * 7};
        struct cor_process_outcome first, second;
        struct cor_error error = COR_NO_ERROR;
        const struct cor_stream_name name = cor_process_stream_name(setting.experiment, 0, s);
        run_one(&setting, s, &schedule, &first);
        for (size_t e = 0; e < schedule.count; e++) {
            struct cor_process_event event = schedule.events[e];
            const struct cor_process_event by_itself = {
                .tick = event.tick, .kind = COR_PROCESS_EVENT_DEFAULT, .ordinal = hearing.delay};
            const bool is_kept =
                event.kind >= COR_PROCESS_EVENT_INPUT && event.kind != COR_PROCESS_EVENT_TICK;
            if (e % 5 == 0 || e + 1 == schedule.count)
                assert_int_equal(cor_process_schedule_add(&left, &by_itself, &error), COR_OK);
            if (is_kept)
                assert_int_equal(cor_process_schedule_add(&left, &event, &error), COR_OK);
        }
        assert_int_equal(cor_process_replay(setting.again, &name, &left, &executed, &first, &error), COR_OK);
        assert_true(first.events > executed.count || first.events < 20);
        assert_true(executed.count <= left.count);
        /* Of these each happens: what is next behind one of them is so until the next one. */
        cor_process_runner_listen(setting.again, &(struct cor_process_listener){&hearing, hear_default});
        assert_int_equal(cor_process_replay(setting.again, &name, &executed, NULL, &second, &error), COR_OK);
        assert_memory_equal(&first, &second, sizeof first);
        cor_process_runner_listen(setting.again, NULL);
        assert_int_equal(cor_process_replay(setting.again, &name, &hearing.heard, NULL, &second, &error),
                         COR_OK);
        assert_int_equal(first.events, second.events);
        assert_int_equal(first.messages, second.messages);
        assert_int_equal(first.end, second.end);
        checked += hearing.checked;
        cut += first.is_cut_short;
        cor_process_schedule_fini(&schedule);
        cor_process_schedule_fini(&left);
        cor_process_schedule_fini(&executed);
        cor_process_schedule_fini(&hearing.heard);
        close_setting(&setting);
    }
    assert_true(checked > 1000);
    assert_int_equal(cut, 0);
}

static enum cor_status begin_nothing(struct cor_schedule_generator *generator,
                                     const struct cor_stream_name *name, struct cor_error *error) {
    (void)generator;
    (void)name;
    (void)error;
    return COR_OK;
}

/* Process 0 is up, so that it cannot start again; and time stands still. */
static enum cor_status ask_in_vain(struct cor_schedule_generator *generator,
                                   const struct cor_weather *weather, struct cor_process_event *event,
                                   struct cor_error *error) {
    (void)generator;
    (void)weather;
    (void)error;
    *event = (struct cor_process_event){.kind = COR_PROCESS_EVENT_RESTART};
    return COR_OK;
}

/* A schedule in which nothing ever happens comes to an end, and is no pass. */
static void who_asks_in_vain_for_ever_is_cut_short(void **state) {
    static const struct cor_schedule_generator_kind vain = {.begin = begin_nothing, .next = ask_in_vain};
    (void)state;
    struct setting setting = open_setting("any", "timed", "true");
    const struct cor_stream_name name = cor_process_stream_name(setting.experiment, 0, 1);
    struct cor_process_schedule schedule = {0};
    struct cor_process_outcome outcome;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(
        cor_process_run(setting.runner, &name, &vain, NULL, &setting.weather, 1, &schedule, &outcome, &error),
        COR_OK);
    assert_true(outcome.is_cut_short);
    assert_int_equal(outcome.events, 0);
    assert_int_equal(outcome.cases, 0);
    cor_process_schedule_fini(&schedule);
    close_setting(&setting);
}

/* A schedule keeps what happened; a generator that asks for what is not possible would be told of less. */
static void generators_ask_for_what_is_possible(void **state) {
    static const char *const generators[] = {"timed", "random"};
    (void)state;
    for (int g = 0; g < 2; g++) {
        struct setting setting = open_setting("any", generators[g], "true");
        const struct cor_schedule_generator_kind *kind = setting.experiment->arms[0].generators[0];
        const struct cor_stream_name name = cor_process_stream_name(setting.experiment, 0, 1);
        const struct cor_process_setting run = cor_process_setting_of(setting.experiment, 0);
        struct cor_cluster *cluster;
        struct cor_schedule_generator *generator;
        struct cor_error error = COR_NO_ERROR;
        const struct cor_schedule_options options = {.allowed = UINT64_MAX, .case_ticks = 1000};
        struct cor_weather weather = *setting.weather;
        uint64_t kinds = 0, before = 0, overtaken = 0;
        weather.join = weather.leave = 0.2;
        assert_int_equal(cor_cluster_create(&run.cluster, &cluster, &error), COR_OK);
        assert_int_equal(cor_schedule_generator_create(kind, cluster, &options, &generator, &error), COR_OK);
        assert_int_equal(cor_cluster_reset(cluster, &name, &error), COR_OK);
        assert_int_equal(kind->begin(generator, &name, &error), COR_OK);
        for (int e = 0; e < 30000; e++) {
            struct cor_process_event event;
            bool happened;
            assert_int_equal(kind->next(generator, &weather, &event, &error), COR_OK);
            assert_true(event.tick >= before);
            before = event.tick;
            assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
            if (cor_cluster_end(cluster, NULL, NULL) != COR_PROCESS_END_NONE)
                break;
            if (!happened && event.kind != COR_PROCESS_EVENT_CRASH_LOST) /* a cell that was never written */
                fail_msg("%s: event %d, %s of %u, is not possible", generators[g], e,
                         cor_process_event_kind_word((enum cor_process_event_kind)event.kind), event.process);
            kinds |= UINT64_C(1) << event.kind;
            overtaken += event.kind == COR_PROCESS_EVENT_DELIVER && event.ordinal > 0;
        }
        for (int k = 0; k < COR_PROCESS_EVENT_DEFAULT; k++)
            if (k != COR_PROCESS_EVENT_TICK && k != COR_PROCESS_EVENT_CRASH_LOST && !(kinds >> k & 1))
                fail_msg("%s never asks for %s", generators[g],
                         cor_process_event_kind_word((enum cor_process_event_kind)k));
        assert_true(overtaken > 0); /* the network is any */
        cor_schedule_generator_destroy(kind, generator);
        cor_cluster_destroy(cluster);
        close_setting(&setting);
    }
}

/* What comes first, looked for anew in all there is. Each message and each write takes as long as any other.
 */
enum { DISK = 5 };
struct naive {
    uint64_t
        written[4]; /* [process] since when its oldest write is under way; COR_PROCESS_NEVER: there is none */
};

static uint64_t later(uint64_t one, uint64_t other) {
    return one > other ? one : other;
}

static uint64_t first_due(const struct cor_cluster *cluster, uint32_t delay, struct naive *naive) {
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    const uint64_t now = cor_cluster_now(cluster);
    uint64_t first = COR_PROCESS_NEVER;
    for (uint32_t p = 0; p < 4; p++) {
        const struct cor_process_standing *standing = cor_cluster_standing(cluster, p);
        if (!standing->is_up || standing->is_paused)
            continue;
        for (uint32_t from = 0; from < 4; from++) {
            uint32_t count;
            const struct cor_flight *flight = cor_cluster_flight(cluster, from, p, &count);
            if (count > 0 && !cor_cluster_is_cut(cluster, from, p) &&
                later(flight->sent + delay, now) < first)
                first = later(flight->sent + delay, now); /* they are sent in order */
        }
        for (uint32_t alarm = 0; alarm < COR_PROCESS_ALARMS_MAX; alarm++)
            if ((overview->alarms[p] >> alarm & 1) && later(standing->due[alarm], now) < first)
                first = later(standing->due[alarm], now);
        if (standing->pending_writes == 0)
            naive->written[p] = COR_PROCESS_NEVER;
        else if (naive->written[p] == COR_PROCESS_NEVER)
            naive->written[p] = now;
        if (standing->pending_writes > 0 && later(naive->written[p] + DISK, now) < first)
            first = later(naive->written[p] + DISK, now);
    }
    return first;
}

/* Talks to itself, too, and now and then more than whoever looks on remembers. */
static void chat(void *me, const struct cor_process_host *host, uint32_t which) {
    (void)me;
    const uint64_t draw = host->random(host);
    host->set_alarm(host, which, 20 + draw % 50);
    for (uint32_t p = 0; p < host->count; p++)
        host->send(host, p, 0, NULL, 0);
    for (int again = 0; again < 70 && draw >> 60 == 0; again++)
        host->send(host, (host->self + 1) % host->count, 0, NULL, 0);
}

static void begin_to_chat(void *me, const struct cor_process_host *host,
                          const struct cor_process_stored *stored) {
    (void)stored;
    chat(me, host, 0);
}

static void answer_at_times(void *me, const struct cor_process_host *host, uint32_t from, uint32_t kind,
                            const void *bytes, uint32_t size) {
    (void)me;
    (void)kind;
    const uint64_t draw = host->random(host) % 8;
    if (draw < 2)
        host->send(host, draw == 0 ? from : host->self, 0, bytes, size);
}

static void show_nothing(const void *me, union cor_process_value *values) {
    (void)me;
    values[0].count = 0;
}

static struct cor_process_program *open_chat(void) {
    static const struct cor_process_attribute attributes[] = {{.name = "open", .type = COR_PROCESS_COUNT}};
    static const struct cor_process_message messages[] = {{.name = "word"}};
    static const struct cor_process program = {COR_PROCESS,
                                               .name = "chat",
                                               .version = "1",
                                               .state_size = 1,
                                               .attributes = attributes,
                                               .attribute_count = 1,
                                               .leader_attribute = 1, /* none */
                                               .messages = messages,
                                               .message_count = 1,
                                               .start = begin_to_chat,
                                               .receive = answer_at_times,
                                               .alarm = chat,
                                               .observe = show_nothing};
    struct cor_process_program *opened;
    struct cor_error error = COR_NO_ERROR;
    assert_int_equal(cor_process_adopt(&program, &opened, &error), COR_OK);
    return opened;
}

/* The generator timed keeps what it found; nothing comes later than all there is says, and nothing sooner. */
static void timed_lets_come_what_is_due(void **state) {
    (void)state;
    struct cor_process_program *chatting = open_chat();
    for (uint32_t run = 0; run < 40; run++) {
        struct setting setting = open_setting(run % 2 ? "any" : "fifo", "timed", "true");
        const struct cor_schedule_generator_kind *kind = setting.experiment->arms[0].generators[0];
        const struct cor_stream_name name = cor_process_stream_name(setting.experiment, 0, run);
        struct cor_process_setting definition = cor_process_setting_of(setting.experiment, 0);
        definition.cluster.flight_most = run % 4 < 2 ? 1 : 0; /* a link that is full loses its oldest */
        if (run % 8 >= 4)
            definition.cluster.program = chatting;
        const struct cor_schedule_options options = {
            .allowed = UINT64_MAX, .case_ticks = 1000, .is_fifo = run % 2 == 0};
        struct cor_weather weather[2] = {*setting.weather, *setting.weather};
        struct naive naive = {{COR_PROCESS_NEVER, COR_PROCESS_NEVER, COR_PROCESS_NEVER, COR_PROCESS_NEVER}};
        struct cor_cluster *cluster;
        struct cor_schedule_generator *generator;
        struct cor_error error = COR_NO_ERROR;
        for (int w = 0; w < 2; w++) {
            weather[w].delay[0] = weather[w].delay[1] = w == 0 ? 7 : 70;
            weather[w].disk[0] = weather[w].disk[1] = DISK;
            weather[w].duplicate = 0;
            weather[w].cut = weather[w].pause = w == 0 ? 0.5 : 2;
        }
        assert_int_equal(cor_cluster_create(&definition.cluster, &cluster, &error), COR_OK);
        assert_int_equal(cor_schedule_generator_create(kind, cluster, &options, &generator, &error), COR_OK);
        assert_int_equal(cor_cluster_reset(cluster, &name, &error), COR_OK);
        assert_int_equal(kind->begin(generator, &name, &error), COR_OK);
        for (int e = 0; e < 1000 && cor_cluster_end(cluster, NULL, NULL) == COR_PROCESS_END_NONE; e++) {
            struct cor_process_event event;
            bool happened;
            const struct cor_weather *now = &weather[e / 100 % 2];
            const uint64_t first = first_due(cluster, now->delay[0], &naive);
            assert_int_equal(kind->next(generator, now, &event, &error), COR_OK);
            const bool is_due =
                event.kind == COR_PROCESS_EVENT_DELIVER || event.kind == COR_PROCESS_EVENT_LOSE ||
                event.kind == COR_PROCESS_EVENT_TIME_OUT || event.kind == COR_PROCESS_EVENT_DISK ||
                event.kind == COR_PROCESS_EVENT_DISK_ERROR;
            if (event.tick > first || (is_due && event.tick < first))
                fail_msg("run %u, event %d: %s of %u at %llu, and something is due at %llu", run, e,
                         cor_process_event_kind_word((enum cor_process_event_kind)event.kind), event.process,
                         (unsigned long long)event.tick, (unsigned long long)first);
            if (event.kind == COR_PROCESS_EVENT_DISK || event.kind == COR_PROCESS_EVENT_DISK_ERROR ||
                event.kind == COR_PROCESS_EVENT_CRASH || event.kind == COR_PROCESS_EVENT_CRASH_TORN ||
                event.kind == COR_PROCESS_EVENT_CRASH_LOST)
                naive.written[event.process] = COR_PROCESS_NEVER; /* done, or gone */
            assert_int_equal(cor_cluster_happen(cluster, &event, &happened, &error), COR_OK);
        }
        cor_schedule_generator_destroy(kind, generator);
        cor_cluster_destroy(cluster);
        close_setting(&setting);
    }
    cor_process_close(chatting);
}

/* Expected numbers of a case, by the weather; six standard deviations of a Poisson count of as many. */
static void faults_come_as_often_as_the_weather_says(void **state) {
    enum { SEQUENCES = 400, CASES = 10 };
    (void)state;
    struct setting setting = open_setting("any", "timed", "true");
    struct cor_process_schedule schedule = {0};
    struct cor_process_outcome outcome;
    double counts[COR_PROCESS_EVENT_KIND_COUNT] = {0}, cases = 0;
    cor_process_runner_listen(setting.runner, &(struct cor_process_listener){&setting, listen});
    for (uint32_t s = 0; s < SEQUENCES; s++) {
        setting.heard = 0;
        run_one(&setting, s, &schedule, &outcome);
        assert_int_equal(setting.heard, outcome.events);
        cases += outcome.cases;
        for (size_t e = 0; e < schedule.count; e++)
            counts[schedule.events[e].kind]++;
    }
    assert_true(cases > SEQUENCES * CASES * 0.9);
    const double messages = counts[COR_PROCESS_EVENT_DELIVER] + counts[COR_PROCESS_EVENT_LOSE] +
                            counts[COR_PROCESS_EVENT_DUPLICATE];
    const struct {
        double count, expected;
    } figures[] = {
        {counts[COR_PROCESS_EVENT_LOSE], 0.1 * (messages - counts[COR_PROCESS_EVENT_DUPLICATE])},
        {counts[COR_PROCESS_EVENT_DISK_ERROR],
         0.05 * (counts[COR_PROCESS_EVENT_DISK] + counts[COR_PROCESS_EVENT_DISK_ERROR])},
    };
    for (size_t f = 0; f < sizeof figures / sizeof *figures; f++)
        if (fabs(figures[f].count - figures[f].expected) > 6 * sqrt(figures[f].expected))
            fail_msg("figure %zu: %.0f, expected %.0f", f, figures[f].count, figures[f].expected);
    /* Partitions that come while one lasts are none: 10 ticks of 1000. */
    const double parts = counts[COR_PROCESS_EVENT_PART], due = 0.5 * cases;
    if (parts > due + 6 * sqrt(due) || parts < 0.98 * due - 6 * sqrt(due))
        fail_msg("%.0f partitions, expected %.0f", parts, due);
    /* Crashes that come while a process is down are none: at most as many as the rate says, and most of them.
     */
    const double crashes = counts[COR_PROCESS_EVENT_CRASH] + counts[COR_PROCESS_EVENT_CRASH_TORN] +
                           counts[COR_PROCESS_EVENT_CRASH_LOST];
    assert_true(crashes < 0.4 * 4 * cases && crashes > 0.5 * 0.4 * 4 * cases);
    cor_process_schedule_fini(&schedule);
    close_setting(&setting);
}

/* What began before a case and ends in it: the case is not stable, the next one is. */
static void a_case_is_stable_if_all_were_well_from_its_begin(void **state) {
    static const char text[] =
        "{\"process\": {\"program\": \"two_phase\", \"count\": 2}, \"seed\": 5, \"cases\": 5, \"case\": 1000,"
        " \"corridor\": [\"structure observed\", \"temporal never: always (not stable)\"]}";
    static const uint8_t spans[][2] = {{COR_PROCESS_EVENT_CRASH, COR_PROCESS_EVENT_RESTART},
                                       {COR_PROCESS_EVENT_PAUSE, COR_PROCESS_EVENT_RESUME},
                                       {COR_PROCESS_EVENT_CUT, COR_PROCESS_EVENT_HEAL}};
    (void)state;
    for (size_t s = 0; s < sizeof spans / sizeof *spans; s++) {
        struct cor_process_event events[] = {{.kind = spans[s][0], .process = 1, .peer = 0, .tick = 100},
                                             {.kind = spans[s][1], .process = 1, .peer = 0, .tick = 1990},
                                             {.kind = COR_PROCESS_EVENT_TICK, .tick = 5000}};
        const struct cor_process_schedule schedule = {.events = events, .count = 3};
        struct cor_process_schedule executed = {0};
        struct cor_process_experiment *experiment;
        struct cor_process_runner *runner;
        struct cor_process_outcome outcome;
        struct cor_error error = COR_NO_ERROR;
        assert_int_equal(cor_process_experiment_parse(text, "test.json", NULL, &experiment, &error), COR_OK);
        const struct cor_process_setting run = cor_process_setting_of(experiment, 0);
        const struct cor_stream_name name = cor_process_stream_name(experiment, 0, 0);
        assert_int_equal(cor_process_runner_create(&run, &runner, &error), COR_OK);
        assert_int_equal(cor_process_replay(runner, &name, &schedule, &executed, &outcome, &error), COR_OK);
        assert_int_equal(executed.count, 3);
        assert_int_not_equal(outcome.violated, COR_NONE);
        assert_int_equal(outcome.cases, 3);
        cor_process_schedule_fini(&executed);
        cor_process_runner_destroy(runner);
        cor_process_experiment_destroy(experiment);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_schedule_that_was_kept_does_the_same_again),
        cmocka_unit_test(what_comes_by_itself_is_what_is_due),
        cmocka_unit_test(a_case_is_stable_if_all_were_well_from_its_begin),
        cmocka_unit_test(who_asks_in_vain_for_ever_is_cut_short),
        cmocka_unit_test(generators_ask_for_what_is_possible),
        cmocka_unit_test(timed_lets_come_what_is_due),
        cmocka_unit_test(faults_come_as_often_as_the_weather_says),
    };
    return cmocka_run_group_tests_name("process_run", tests, NULL, NULL);
}
