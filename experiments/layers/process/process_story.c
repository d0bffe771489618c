/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The story of a schedule: what happens, event by event, in sentences or as a sequence diagram. */
#include "internal.h"

#include <corridor/process_story.h>

#include <corridor/array.h>
#include <corridor/diagram.h>
#include <corridor/minimize_history.h>
#include <corridor/observed.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 80

#define VALUE_MOST 60 /* bytes of what a message holds, that are told */

/* A message that is on its way, or an event that was told. */
struct message {
    uint64_t number;
    uint8_t kind;
    uint32_t line;              /* of the event in which it was sent; 0: before the first */
    char value[VALUE_MOST + 5]; /* what it holds, its beginning; empty: that is not known */
};

struct line {
    struct cor_process_event event;
    size_t number;  /* in the schedule, of what happened, from 1; what comes by itself has its default's */
    uint32_t sent;  /* of a message: the line in which it was sent */
    char *sentence; /* owned; without the end */
    char *changes;  /* owned; "role leader, term 2"; NULL: none */
    char *value, *said; /* owned; what its message held, what the process said of it; NULL: nothing */
    uint64_t lost;      /* messages that a cut link lost */
    bool is_by_itself, is_quiet; /* it comes by itself; and nothing is said of it but that it comes */
};

struct story {
    const struct cor_process_runner *runner;
    struct cor_process_schedule executed; /* so far */
    const struct cor_process *program;
    const struct cor_corridor *corridor;
    uint32_t count;
    struct line *lines; /* owned */
    size_t line_count, line_capacity;
    struct mail {
        struct message *messages; /* owned */
        size_t count, capacity;
    } * mail;                             /* owned; [from * count + to] */
    uint32_t explained, alarms_explained; /* bit k: what messages, alarms of kind k mean was told */
    uint64_t lost;                        /* messages, so far */
    struct cor_process_outcome outcome;
    char *calls; /* owned; few of a history that have no order, drawn; NULL: it is no such violation */
};

/* ---- what is told */

/* What the program calls an alarm; NULL: it has a number alone. */
static const struct cor_process_name *name_of_alarm(const struct cor_process *program, uint32_t alarm) {
    return alarm < program->alarm_count ? &program->alarms[alarm] : NULL;
}

char *process_layer__tell_members(const struct cor_process_set *set) {
    char *text = cor_strdup("");
    COR_SET_EACH(p, set)
        text = cor_join_take(text, text && text[0] ? ", " : "", cor_format("%u", p));
    return text;
}

static char *tell_partition(const struct cor_process_event *event, uint32_t count) {
    struct cor_process_set one, other;
    uint8_t order[COR_PROCESSES_MAX];
    if (event->what == COR_PARTITION_RING) {
        char *ring = cor_strdup("");
        cor_process_ring(event->ordinal, count, order);
        for (uint32_t p = 0; p < count; p++)
            ring = cor_join_take(ring, p > 0 ? ", " : "", cor_format("%u", order[p]));
        return cor_join_take(cor_format("Each process is cut off from all but the nearest %u on either side "
                                        "of it in the ring",
                                        (count / 2 + 1) / 2),
                             " ", ring);
    }
    cor_process_groups(event, count, &one, &other);
    const struct cor_process_set apart = cor_set_without(one, other), both = cor_set_both(one, other);
    const bool is_lone = cor_set_size(&apart) <= 1;
    char *text = cor_join_take(cor_strdup(is_lone ? "Process" : "Processes"), " ",
                               process_layer__tell_members(&apart));
    other = cor_set_without(other, one);
    text = cor_join_take(text, is_lone ? " is cut off from " : " are cut off from ",
                         event->what == COR_PARTITION_ALONE ? cor_strdup("all others")
                                                            : process_layer__tell_members(&other));
    return cor_set_is_empty(both) ? text
                                  : cor_join_take(text, "; both reach ", process_layer__tell_members(&both));
}

char *cor_process_tell_event(const struct cor_process *program, uint32_t count,
                             const struct cor_process_event *event) {
    const unsigned process = event->process, peer = event->peer, what = event->what;
    switch ((enum cor_process_event_kind)event->kind) {
    case COR_PROCESS_EVENT_DELIVER:
        return cor_format("Process %u gets \"%s\" from process %u", process, program->messages[what].name,
                          peer);
    case COR_PROCESS_EVENT_LOSE:
        return cor_format("A message \"%s\" from process %u to process %u is lost",
                          program->messages[what].name, peer, process);
    case COR_PROCESS_EVENT_DUPLICATE:
        return cor_format("Process %u gets \"%s\" from process %u, which will come again", process,
                          program->messages[what].name, peer);
    case COR_PROCESS_EVENT_TIME_OUT:
        return name_of_alarm(program, what)
                   ? cor_format("Alarm \"%s\" of process %u is due", program->alarms[what].name, process)
                   : cor_format("Alarm %u of process %u is due", what, process);
    case COR_PROCESS_EVENT_DISK:
        return cor_format("What process %u wrote first is on its disk", process);
    case COR_PROCESS_EVENT_DISK_ERROR:
        return cor_format("What process %u wrote first does not get to its disk", process);
    case COR_PROCESS_EVENT_INPUT:
        return cor_format("Process %u is asked for \"%s\"", process, program->inputs[what].name);
    case COR_PROCESS_EVENT_CRASH:
        return cor_format("Process %u crashes", process);
    case COR_PROCESS_EVENT_CRASH_TORN:
        return cor_format("Process %u crashes while it writes: a part is on its disk", process);
    case COR_PROCESS_EVENT_CRASH_LOST:
        return cor_format("Process %u crashes, and its cell %u is as it was before it was written", process,
                          what);
    case COR_PROCESS_EVENT_RESTART:
        return cor_format("Process %u starts again", process);
    case COR_PROCESS_EVENT_PAUSE:
        return cor_format("Process %u stands still", process);
    case COR_PROCESS_EVENT_RESUME:
        return cor_format("Process %u goes on", process);
    case COR_PROCESS_EVENT_CUT:
        return cor_format("The link from process %u to process %u is cut", peer, process);
    case COR_PROCESS_EVENT_HEAL:
        return cor_format("The link from process %u to process %u works again", peer, process);
    case COR_PROCESS_EVENT_JUMP:
        return cor_format("The clock of process %u jumps %s by %u ticks", process, what ? "back" : "ahead",
                          (unsigned)event->ordinal);
    case COR_PROCESS_EVENT_DRIFT:
        return cor_format("The clock of process %u goes at %u thousandths of its speed", process,
                          (unsigned)event->ordinal);
    case COR_PROCESS_EVENT_PART:
        return tell_partition(event, count);
    case COR_PROCESS_EVENT_UNITE:
        return cor_strdup("The partition is over");
    case COR_PROCESS_EVENT_JOIN:
        return cor_format("Process %u comes, with nothing stored", process);
    case COR_PROCESS_EVENT_LEAVE:
        return cor_format("Process %u leaves for good", process);
    case COR_PROCESS_EVENT_DEFAULT:
        return cor_format("What comes by itself comes up to %" PRIu64, event->tick);
    case COR_PROCESS_EVENT_LOSE_ALL:
        return cor_format("What process %u has sent to process %u, and sends up to %" PRIu64 ", is lost",
                          peer, process, event->tick + event->ordinal);
    case COR_PROCESS_EVENT_TICK:
    case COR_PROCESS_EVENT_KIND_COUNT:
        break;
    }
    return cor_format("Time goes on to %" PRIu64, event->tick);
}

static char *tell_value(const struct cor_process_attribute *attribute, union cor_process_value value) {
    return cor_join_take(cor_strdup(attribute->name), " ", process_layer__value_text(attribute, value));
}

char *process_layer__value_text(const struct cor_process_attribute *attribute,
                                union cor_process_value value) {
    char *set = NULL;
    switch ((enum cor_process_attribute_type)attribute->type) {
    case COR_PROCESS_REAL:
        return cor_format("%.6g", value.real);
    case COR_PROCESS_WORD:
        return cor_strdup(attribute->words[value.count]);
    case COR_PROCESS_SET:
        set = cor_strdup("{");
        for (uint32_t p = 0; p < 64; p++)
            if (value.count >> p & 1)
                set = cor_join_take(set, set[strlen(set) - 1] == '{' ? "" : " ", cor_format("%u", p));
        return cor_join_take(set, "", cor_strdup("}"));
    case COR_PROCESS_COUNT:
        break;
    }
    return cor_format("%" PRIu64, value.count);
}

/* So much of a text as is told; a character that is cut goes. */
static void cut_value(char value[VALUE_MOST + 5], const char *bytes, uint32_t size) {
    const bool is_cut = size > VALUE_MOST;
    if (size == 4 && memcmp(bytes, "null", 4) == 0)
        return;
    size = is_cut ? (uint32_t)cor_text_fit(bytes, VALUE_MOST) : size;
    snprintf(value, VALUE_MOST + 5, "%.*s%s", (int)size, bytes, is_cut ? " .." : "");
    cor_make_printable(value);
}

/* Messages of a process that were sent by now: those in flight, with the line in which each was sent. */
static enum cor_status follow_mail(struct story *story, const struct cor_cluster *cluster, uint32_t from,
                                   uint32_t line, struct cor_error *error) {
    for (uint32_t to = 0; to < story->count; to++) {
        struct mail *mail = &story->mail[from * story->count + to];
        uint32_t count;
        size_t known = 0, left = 0;
        const struct cor_flight *flight = cor_cluster_flight(cluster, from, to, &count);
        COR_TRY(COR_RESERVE(&mail->messages, &mail->capacity, mail->count + count, error));
        for (uint32_t m = 0; m < count; m++) { /* both are in the order of sending */
            while (known < mail->count && mail->messages[known].number < flight[m].number)
                known++;
            const bool is_known = known < mail->count && mail->messages[known].number == flight[m].number;
            struct message message = {.number = flight[m].number, .kind = flight[m].kind, .line = line};
            if (is_known)
                message = mail->messages[known];
            else if (cor_cluster_sends_texts(cluster))
                cut_value(message.value, flight[m].bytes, flight[m].size);
            known += is_known;
            mail->messages[left++] = message;
        }
        mail->count = left;
    }
    return COR_OK;
}

static struct message find_sent(const struct story *story, const struct cor_process_event *event) {
    const struct mail *mail = &story->mail[event->peer * story->count + event->process];
    uint32_t left = event->ordinal;
    for (size_t m = 0; m < mail->count; m++)
        if (mail->messages[m].kind == event->what && left-- == 0)
            return mail->messages[m];
    return (struct message){.line = 0};
}

/* What the message or alarm of an event means (NULL: nobody says), where it comes first. */
static enum cor_status explain(struct line *line, const char *meaning, uint32_t *explained,
                               struct cor_error *error) {
    const uint32_t bit = UINT32_C(1) << line->event.what;
    meaning = meaning && meaning[0] ? meaning : NULL;
    if (meaning && !(*explained & bit))
        line->sentence = cor_join_take(line->sentence, " ", cor_format("(%s)", meaning));
    line->is_quiet = line->is_quiet && (!meaning || (*explained & bit));
    *explained |= bit;
    return cor_made(line->sentence, error);
}

/* A line for an event, with what its message or alarm means; NULL: memory is out. */
static struct line *put_line(struct story *story, const struct cor_process_event *event,
                             struct cor_error *error) {
    if (COR_RESERVE(&story->lines, &story->line_capacity, story->line_count + 1, error) != COR_OK)
        return NULL;
    struct line *line = &story->lines[story->line_count++];
    const bool is_by_itself = cor_process_runner_is_by_itself(story->runner);
    *line = (struct line){.event = *event,
                          .number = story->executed.count,
                          .is_by_itself = is_by_itself,
                          .is_quiet = is_by_itself,
                          .sentence = cor_process_tell_event(story->program, story->count, event)};
    if (cor_made(line->sentence, error) != COR_OK)
        return NULL;
    bool is_again = event->kind != COR_PROCESS_EVENT_RESTART;
    for (size_t i = 0; i + 1 < story->line_count; i++)
        is_again = is_again || (story->lines[i].event.process == event->process &&
                                cor_process_event_is_crash(story->lines[i].event.kind));
    if (!is_again) /* the first start of one that starts later */
        line->sentence[strlen(line->sentence) - strlen(" again")] = '\0';
    if (event->kind <= COR_PROCESS_EVENT_DUPLICATE) {
        const struct message message = find_sent(story, event);
        line->sent = message.line;
        if (message.value[0]) {
            line->value = cor_strdup(message.value);
            line->sentence = cor_join_take(line->sentence, " with ", cor_strdup(message.value));
            if (cor_made(line->value ? line->sentence : NULL, error) != COR_OK)
                return NULL;
        }
        if (explain(line, story->program->messages[event->what].meaning, &story->explained, error) != COR_OK)
            return NULL;
    }
    const struct cor_process_name *alarm =
        event->kind == COR_PROCESS_EVENT_TIME_OUT ? name_of_alarm(story->program, event->what) : NULL;
    if (alarm && explain(line, alarm->meaning, &story->alarms_explained, error) != COR_OK)
        return NULL;
    return line;
}

static enum cor_status hear(void *data, const struct cor_cluster *cluster,
                            const struct cor_process_event *event, struct cor_error *error) {
    struct story *story = data;
    uint32_t changed;
    const union cor_process_value *values = cor_cluster_values(cluster, event->process, &changed);
    struct line *line = put_line(story, event, error);
    if (!line)
        return COR_STATUS_MEMORY;
    const struct cor_cluster_overview *overview = cor_cluster_overview(cluster);
    line->lost = overview->lost - story->lost;
    story->lost = overview->lost;
    if (line->lost > 0)
        line->sentence = cor_join_take(
            line->sentence, "; ",
            cor_format("%" PRIu64 " %s lost", line->lost, line->lost > 1 ? "messages are" : "message is"));
    COR_TRY(cor_made(line->sentence, error));
    size_t told_count;
    const struct cor_told *told = cor_cluster_told(cluster, &told_count);
    for (size_t t = 0; t < told_count; t++)
        if (told[t].kind == COR_TOLD_SAID) {
            char *said = cor_strdup(cor_cluster_text(cluster, told[t].texts[0]));
            line->said = line->said ? cor_join_take(line->said, "; ", said) : said;
            COR_TRY(cor_made(line->said, error));
        }
    for (uint32_t a = 0; a < story->program->attribute_count; a++) {
        if (!(changed >> a & 1))
            continue;
        char *value = tell_value(&story->program->attributes[a], values[a]);
        line->changes = line->changes ? cor_join_take(line->changes, ", ", value) : value;
        COR_TRY(cor_made(line->changes, error));
    }
    line->is_quiet = line->is_quiet && !line->changes && line->lost == 0;
    for (uint32_t from = 0; from < story->count; from++)
        COR_TRY(follow_mail(story, cluster, from, (uint32_t)story->line_count, error));
    return COR_OK;
}

/* Of what does not come by itself: `events` of the schedule, how many happened. */
static size_t count_listed(const struct cor_process_schedule *schedule) {
    size_t count = 0;
    for (size_t e = 0; e < schedule->count; e++)
        count += schedule->events[e].kind != COR_PROCESS_EVENT_DEFAULT;
    return count;
}

static size_t count_happened(const struct story *story) {
    size_t count = 0;
    for (size_t l = 0; l < story->line_count; l++)
        count += !story->lines[l].is_by_itself;
    return count;
}

/* `events` of the schedule: where nothing fails, those that did not happen are told, since nothing may fail
 * for want of them. */
static char *tell_end(const struct story *story, size_t events) {
    const struct cor_process_outcome *outcome = &story->outcome;
    if (outcome->violated != COR_NONE)
        return cor_format("%s is violated: %s", story->corridor->constraints[outcome->violated].name,
                          outcome->sentence);
    if (outcome->end != COR_PROCESS_END_NONE)
        return cor_strdup(outcome->sentence);
    const size_t happened = count_happened(story);
    return happened < events
               ? cor_format(
                     "Nothing is violated; %zu of %zu events did not happen, for they were not possible.",
                     events - happened, events)
               : cor_strdup("Nothing is violated.");
}

/* ---- as text */

/* Words in lines of COLUMNS at most, `at` columns of which are filled; those behind the first are indented.
 */
static void put_wrapped(FILE *file, const char *text, int at, int indent) {
    bool begins = true; /* a line */
    while (*text) {
        const int length = (int)strcspn(text, " \n");
        if (length > 0 && !begins && at + 1 + length > COLUMNS) {
            at = indent;
            begins = true;
            fprintf(file, "\n%*s", indent, "");
        }
        if (length > 0) {
            at += fprintf(file, "%s%.*s", begins ? "" : " ", length, text);
            begins = false;
        }
        text += length;
        text += *text != '\0';
    }
    fputc('\n', file);
}

static char *join_times(char *text, char *what, uint32_t times) {
    return times == 0 ? text
                      : cor_join_take(cor_join_take(text, text[0] ? ", " : "", what), " ",
                                      times == 1 ? cor_strdup("once") : cor_format("%u times", times));
}

/* Lines of which nothing is said but that they come: how often what came. NULL: memory is out. */
static char *tell_quiet(const struct story *story, size_t from, size_t to) {
    uint32_t messages[UINT8_MAX + 1] = {0}, alarms[UINT8_MAX + 1] = {0}, writes = 0;
    char *text = cor_strdup("");
    for (size_t l = from; l < to; l++) {
        const struct cor_process_event *event = &story->lines[l].event;
        if (event->kind == COR_PROCESS_EVENT_DISK)
            writes++;
        else
            ++*(event->kind == COR_PROCESS_EVENT_DELIVER ? &messages[event->what] : &alarms[event->what]);
    }
    for (uint32_t k = 0; text && k <= UINT8_MAX; k++)
        if (messages[k] > 0)
            text = join_times(text, cor_format("\"%s\"", story->program->messages[k].name), messages[k]);
    for (uint32_t k = 0; text && k <= UINT8_MAX; k++)
        if (alarms[k] > 0) {
            const struct cor_process_name *name = name_of_alarm(story->program, k);
            text = join_times(text, name ? cor_format("alarm \"%s\"", name->name) : cor_format("alarm %u", k),
                              alarms[k]);
        }
    if (text && writes > 0)
        text = join_times(text, cor_strdup("a write"), writes);
    return cor_join_take(cor_strdup("By itself comes, and changes nothing that is shown:"), " ", text);
}

/* Behind the lines from there on of which nothing is said but that they come. */
static size_t end_of_quiet(const struct story *story, size_t from) {
    while (from < story->line_count && story->lines[from].is_quiet)
        from++;
    return from;
}

/* A line whole; NULL: memory is out. */
static char *tell_line(const struct line *line) {
    char *text = cor_join_take(cor_strdup(line->sentence), line->changes ? ": " : "",
                               cor_strdup(line->changes ? line->changes : ""));
    return line->said ? cor_join_take(text, "", cor_format(" (%s).", line->said))
                      : cor_join_take(text, "", cor_strdup("."));
}

#define FOLD_LEAST 3u /* times that something comes in a row, of which it is said how often; */
#define FOLD_MOST 8u  /* its lines at most */

static bool is_again(const struct line *a, const struct line *b) {
    return !a->changes && !b->changes && !a->is_quiet && !b->is_quiet &&
           strcmp(a->sentence, b->sentence) == 0 &&
           strcmp(a->said ? a->said : "", b->said ? b->said : "") == 0;
}

/* How often the same comes in a row from there on: *round lines, of which nothing is shown. */
static size_t count_rounds(const struct story *story, size_t from, size_t *round) {
    for (*round = 1; *round <= FOLD_MOST; ++*round) {
        size_t equal = 0;
        while (from + equal + *round < story->line_count &&
               is_again(&story->lines[from + equal], &story->lines[from + equal + *round]))
            equal++;
        if (equal >= (FOLD_LEAST - 1) * *round)
            return 1 + equal / *round;
    }
    return *round = 1;
}

/* Each event with its number and its tick, which none is longer than the last one's; numbers are those of
 * `why`. false: memory is out. */
static bool write_text(const struct story *story, const char *end, FILE *file) {
    const uint64_t last = story->line_count > 0 ? story->lines[story->line_count - 1].event.tick : 0;
    const int digits = snprintf(NULL, 0, "%" PRIu64, last), width = digits > 4 ? digits : 4;
    if (story->line_count > 0)
        fprintf(file, "     %*s\n", width, "tick");
    size_t round, times = 1, left = 0; /* of a fold: its lines that are still to be told */
    for (size_t l = 0; l < story->line_count; l++) {
        const size_t quiet = end_of_quiet(story, l), behind = quiet > l ? quiet - 1 : l;
        const bool goes_on = l > 0 && story->lines[l - 1].number == story->lines[behind].number;
        char *text = quiet > l + 1 ? cor_join_take(tell_quiet(story, l, quiet), "", cor_strdup("."))
                                   : tell_line(&story->lines[behind]);
        l = behind;
        if (!text)
            return false;
        int begun = goes_on ? fprintf(file, "%4s", "") : fprintf(file, "%3zu.", story->lines[l].number);
        begun += fprintf(file, " %*" PRIu64 "  ", width, story->lines[l].event.tick);
        put_wrapped(file, text, begun, width + 7);
        free(text);
        if (left == 0 && times == 1 && (times = count_rounds(story, l, &round)) > 1)
            left = round;
        if (times > 1 && --left == 0) {
            l += (times - 1) * round;
            fprintf(file, "%*s  .. and %zu times more, up to %" PRIu64 ".\n", width + 5, "", times - 1,
                    story->lines[l].event.tick);
            times = 1;
        }
    }
    put_wrapped(file, end, 0, 0);
    if (story->calls)
        fprintf(file, "\n%s", story->calls);
    return true;
}

/* ---- as JSON */

static enum cor_status write_json(const struct story *story, const char *end, char **text,
                                  struct cor_error *error) {
    struct cor_json_writer *writer;
    COR_TRY(cor_json_writer_create(&writer, error));
    cor_json_open_object(writer, NULL);
    cor_json_open_array(writer, "events");
    for (size_t l = 0; l < story->line_count; l++) {
        const struct line *line = &story->lines[l];
        const struct cor_process_event *event = &line->event;
        cor_json_open_object(writer, NULL);
        cor_json_put_integer(writer, "number", (int64_t)line->number);
        cor_json_put_integer(writer, "tick", (int64_t)event->tick);
        cor_json_put_string(writer, "event",
                            cor_process_event_kind_word((enum cor_process_event_kind)event->kind));
        if (event->kind != COR_PROCESS_EVENT_PART && event->kind != COR_PROCESS_EVENT_UNITE)
            cor_json_put_integer(writer, "process", event->process);
        if (event->kind <= COR_PROCESS_EVENT_DUPLICATE) {
            cor_json_put_integer(writer, "peer", event->peer);
            cor_json_put_string(writer, "message", story->program->messages[event->what].name);
            cor_json_put_integer(writer, "sent", line->sent);
        }
        if (event->kind == COR_PROCESS_EVENT_TIME_OUT && name_of_alarm(story->program, event->what))
            cor_json_put_string(writer, "alarm", story->program->alarms[event->what].name);
        if (line->is_by_itself)
            cor_json_put_bool(writer, "by_itself", true);
        if (line->lost > 0)
            cor_json_put_integer(writer, "lost", (int64_t)line->lost);
        if (line->value)
            cor_json_put_string(writer, "value", line->value);
        if (line->said)
            cor_json_put_string(writer, "said", line->said);
        cor_json_put_string(writer, "sentence", line->sentence);
        cor_json_put_string(writer, "changes", line->changes);
        cor_json_close(writer);
    }
    cor_json_close(writer);
    cor_json_put_string(writer, "failed", cor_process_outcome_word(story->corridor, &story->outcome));
    cor_json_put_string(writer, "end", end);
    cor_json_close(writer);
    return cor_json_text_take(writer, 2, text, error);
}

/* ---- as a sequence diagram */

/* What stands beside an event that is no message. */
static const char *name_of_event(const struct cor_process *program, const struct cor_process_event *event) {
    const struct cor_process_name *alarm =
        event->kind == COR_PROCESS_EVENT_TIME_OUT ? name_of_alarm(program, event->what) : NULL;
    if (alarm)
        return alarm->name;
    return event->kind == COR_PROCESS_EVENT_INPUT
               ? program->inputs[event->what].name
               : cor_process_event_kind_word((enum cor_process_event_kind)event->kind);
}

static int turn_of(const struct cor_process_event *event) {
    if (event->kind == COR_PROCESS_EVENT_RESTART || event->kind == COR_PROCESS_EVENT_JOIN)
        return 1;
    return event->kind == COR_PROCESS_EVENT_LEAVE || cor_process_event_is_crash(event->kind) ? -1 : 0;
}

static struct cor_diagram_row row_of(const struct story *story, const struct line *line) {
    const struct cor_process_event *event = &line->event;
    const enum cor_process_event_kind kind = (enum cor_process_event_kind)event->kind;
    const bool is_message = event->kind <= COR_PROCESS_EVENT_DUPLICATE;
    return (struct cor_diagram_row){
        .is_message = is_message,
        .is_bad = is_message ? kind == COR_PROCESS_EVENT_LOSE : cor_process_event_is_fault(kind),
        .life = event->process,
        .from = event->peer,
        .sent = line->sent,
        .turns = turn_of(event),
        .when = cor_format("%zu. %" PRIu64, line->number, event->tick),
        .what = cor_strdup(is_message ? story->program->messages[event->what].name
                                      : name_of_event(story->program, event)),
        .note = line->changes || line->said
                    ? cor_format("%u: %s%s%s", event->process, line->changes ? line->changes : "",
                                 line->changes && line->said ? "; " : "", line->said ? line->said : "")
                    : cor_strdup("")};
}

/* ---- calls */

static enum cor_status draw_calls(struct story *story, const struct cor_observed *observed,
                                  struct cor_error *error) {
    const uint32_t violated = story->outcome.violated;
    struct cor_history_verdict verdict;
    struct cor_history *history =
        violated == COR_NONE ? NULL : cor_observed_history(observed, violated, &verdict);
    if (!history)
        return COR_OK;
    const bool is_sequential = story->corridor->constraints[violated].asks == COR_SEQUENTIAL;
    struct cor_bytes text = {0};
    bool *relaxed = cor_calloc(history->count, sizeof *relaxed);
    enum cor_status status = cor_made(relaxed, error);
    if (status == COR_OK)
        status = cor_history_minimize(history, is_sequential, COR_HISTORY_STEPS, &verdict, relaxed, error);
    if (status == COR_OK)
        status = cor_history_explain(history, relaxed, is_sequential, &text, NULL, error);
    free(relaxed);
    if (status == COR_OK)
        status = cor_made(story->calls = cor_bytes_text_take(&text, error), error);
    cor_bytes_fini(&text);
    return status;
}

/* ---- all of it */

static enum cor_status write_story(const struct story *story, size_t events, enum cor_story_form form,
                                   char **text, struct cor_error *error) {
    size_t size;
    char *end = tell_end(story, events);
    enum cor_status status = cor_made(end, error);
    if (status == COR_OK && form == COR_STORY_JSON)
        status = write_json(story, end, text, error);
    else if (status == COR_OK && form == COR_STORY_TEXT) {
        FILE *file = open_memstream(text, &size);
        const bool is_whole = file && write_text(story, end, file) && !ferror(file);
        if ((file && fclose(file) != 0) || !is_whole) {
            free(*text);
            *text = NULL;
        }
        status = cor_made(*text, error);
    } else if (status == COR_OK) {
        struct cor_diagram diagram = {story->count, cor_calloc(story->count, sizeof *diagram.lives),
                                      story->line_count, cor_calloc(story->line_count, sizeof *diagram.rows),
                                      end};
        for (uint32_t p = 0; diagram.lives && p < story->count; p++)
            diagram.lives[p] = cor_format("process %u", p);
        for (size_t l = 0; diagram.rows && l < story->line_count; l++)
            diagram.rows[l] = row_of(story, &story->lines[l]);
        status = cor_diagram_text_take(&diagram, text, error);
    }
    free(end);
    return status;
}

static void story_fini(struct story *story) {
    for (size_t l = 0; l < story->line_count; l++)
        COR_FREE(story->lines[l].sentence, story->lines[l].changes, story->lines[l].value,
                 story->lines[l].said);
    for (size_t l = 0; l < (size_t)story->count * story->count; l++)
        free(story->mail[l].messages);
    cor_process_schedule_fini(&story->executed);
    COR_FREE(story->lines, story->calls, story->mail);
}

enum cor_status cor_process_story(struct cor_process_runner *runner, const struct cor_stream_name *name,
                                  const struct cor_process_schedule *schedule,
                                  const struct cor_process_death *death, enum cor_story_form form,
                                  char **text, struct cor_error *error) {
    const struct cor_cluster *cluster = cor_process_runner_cluster(runner);
    struct story story = {.runner = runner,
                          .program = cor_cluster_program(cluster),
                          .corridor = cor_process_runner_corridor(runner),
                          .count = cor_cluster_process_count(cluster)};
    *text = NULL;
    COR_TRY(cor_made(story.mail = cor_calloc((size_t)story.count * story.count, sizeof *story.mail), error));
    cor_process_runner_listen(runner, &(struct cor_process_listener){&story, hear});
    enum cor_status status =
        cor_process_replay(runner, name, schedule, &story.executed, &story.outcome, error);
    cor_process_runner_listen(runner, NULL);
    story.executed.count += death && death->event; /* it was not the runner that executed it */
    if (status == COR_OK && death && death->event)
        status = put_line(&story, death->event, error) ? COR_OK : COR_STATUS_MEMORY;
    if (death)
        story.outcome = death->outcome;
    if (status == COR_OK)
        status = draw_calls(&story, cor_process_runner_observed(runner), error);
    if (status == COR_OK)
        status = write_story(&story, count_listed(schedule), form, text, error);
    story_fini(&story);
    return status;
}

const char *cor_process_outcome_word(const struct cor_corridor *corridor,
                                     const struct cor_process_outcome *outcome) {
    return outcome->violated != COR_NONE ? corridor->constraints[outcome->violated].name
                                         : cor_process_end_word(outcome->end);
}
