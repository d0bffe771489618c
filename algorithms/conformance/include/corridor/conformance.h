/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conformance kit: what plugin.h asks of an algorithm, and process.h of a distributed program, held
 * against one, check by check. Each check runs in processes of its own, so whatever is done there is a
 * finding. Of a distributed program a task is a schedule, and its agents are processes. */
#ifndef CORRIDOR_CONFORMANCE_H
#define CORRIDOR_CONFORMANCE_H

#include <corridor/built.h>
#include <corridor/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* X(name, meaning), in the order they are run. Those from `survives` on are asked of distributed programs
 * alone, but `works`, which is asked of mechanisms and monitors (and parameters of mechanisms); of all it is
 * asked: loads, repeatable, clock, addresses, environment, uninitialised. */
#define COR_CONFORMANCE_CHECKS(X)                                                                           \
    X(loads, "it is loaded, or started, and what it declares can be used")                                  \
    X(results, "without a fault it gives a partitioning of all agents, or declines with a reason")          \
    X(repeatable, "a task or schedule gives one outcome: again, after others, with all else fresh")         \
    X(clock, "the outcome is the same at another time")                                                     \
    X(addresses, "the outcome is the same in a process that lies elsewhere in memory")                      \
    X(environment, "the outcome is the same with other environment variables, locale and time zone")        \
    X(uninitialised, "the outcome is the same whatever fresh memory and the stack hold")                    \
    X(steps, "how the budget is cut into steps does not show")                                              \
    X(budget, "no more is spent than the budget allows")                                                    \
    X(sizes, "1 and 2 agents, one partition, all alone, and up to 100000 agents are answered or declined")  \
    X(limits,                                                                                               \
      "limits on size and number, impossible ones too, are answered or declined; with COR_LIMITS, kept")    \
    X(parameters, "every parameter at both ends of its range is answered or declined")                      \
    X(values, "equal, huge, tiny, infinite and missing values are answered or declined")                    \
    X(faults, "each fault counts what becomes of it, and shows in nothing before it is activated")          \
    X(counters, "counters are counted within their buckets")                                                \
    X(anytime, "interim solutions are partitionings, and looking at them changes nothing")                  \
    X(keeps, "what is kept is all that passes from one reorganization to the next")                         \
    X(garbled, "whatever it is said to have kept, it gives a partitioning or declines")                     \
    X(memory, "at any memory limit it gives the same outcome or ends as out of memory")                     \
    X(read_only, "the task and the rules are read, within their bounds, and never written")                 \
    X(mail, "under every mail schedule it comes to an end with a partitioning, or what is left of one")     \
    X(restarts, "agents that crash and come back do not bring it down")                                     \
    X(decentralized, "handlers touch nothing but their own agent, and talk by mail alone")                  \
    X(kinds, "with COR_COVERS or COR_NESTS, it makes structures of these kinds, or declines with a reason") \
    X(aims, "with COR_AIMS, or by block, it makes the objective of a task small, or makes nothing small")   \
    COR_WITH_PROCESS(                                                                                        \
    X(survives, "processes do not end by themselves, whatever is late, lost, doubled, cut, paused or down") \
    X(extremes, "nor where writes are torn, cells lost, disks in error, clocks set ahead and back")         \
    X(lives, "a life of a process, from start to crash, is the same told again where no other has been")    \
    X(variables, "no variable of the module is written: a crash would not forget it")                       \
    X(looks, "observe() shows the same twice, and changes nothing")                                         \
    X(alone, "nobody but the host is asked: no clock, file, thread, random number, memory that is kept"))  \
    X(works, "a mechanism does its work, a monitor looks, whatever the values, structures and faults are")

/* Index of a check in the list. */
enum cor_conformance_check {
#define COR_CONFORMANCE_NAME(name, meaning) COR_CHECK_OF_##name,
    COR_CONFORMANCE_CHECKS(COR_CONFORMANCE_NAME)
#undef COR_CONFORMANCE_NAME
        COR_CONFORMANCE_COUNT
};
#define COR_CHECK_FIRST_OF_PROGRAMS (COR_CHECK_OF_aims + 1) /* that distributed programs alone are asked */

/* Its name and meaning; NULL behind the last. */
const char *cor_conformance_name(size_t check);
const char *cor_conformance_meaning(size_t check);

/* What is to be checked: what it is itself, or what the caller says it is. */
enum cor_conformance_kind {
    COR_CONFORMANCE_UNKNOWN, /* asked for: names and modules are looked at, other programs are greeted */
    COR_CONFORMANCE_ALGORITHM,
    COR_CONFORMANCE_PROCESS, /* a distributed program */
    COR_CONFORMANCE_BESIDE   /* what works beside algorithms: a mechanism, or a monitor; never said */
};

/* What came of a check. */
enum cor_conformance_verdict {
    COR_CONFORMANCE_NOT_RUN, /* not asked for, the algorithm could not be loaded, or the run was stopped */
    COR_CONFORMANCE_HELD,
    COR_CONFORMANCE_BROKEN,
    COR_CONFORMANCE_NOT_APPLICABLE, /* `said` has the reason */
    COR_CONFORMANCE_UNDECIDED       /* nothing is broken, but not all was answered: `said` has what was not */
};

/* One check of one algorithm. BROKEN: a task of `agents` agents with `seed` shows it again. */
struct cor_conformance_finding {
    enum cor_conformance_verdict verdict;
    uint64_t trials; /* tasks tried */
    uint32_t agents; /* BROKEN: of the smallest task it broke with; 0: with none in particular */
    uint64_t seed;
    char *said;   /* owned; BROKEN: the evidence, one sentence; NULL: nothing */
    char *remark; /* owned; what a reader should know, NULL: nothing */
    double seconds;
};

/* What the kit found of one algorithm; filled by cor_conformance_run, also where that fails, and freed by
 * cor_conformance_report_fini. Findings are indexed by enum cor_conformance_check. */
struct cor_conformance_report {
    char *asked; /* owned; what was asked for: a name or a path */
    char *name, *version,
        *shape; /* owned, NULL if it could not be loaded; "one-shot", "centralised", "processes" .. */
    enum cor_conformance_kind told; /* what it is, as the caller said */
    enum cor_conformance_kind kind; /* of what was checked, also if it could not be loaded; UNKNOWN: a program
                                       that said nothing by which it could be told */
    bool is_stopped; /* `doing` ended the run: the check that was under way, and those behind it, have not run
                      */
    struct cor_conformance_finding finding[COR_CONFORMANCE_COUNT];
};

/* How far a run is. */
struct cor_conformance_progress {
    const char *check;    /* the name of the one that runs, */
    size_t number, count; /* the how manieth, from 1, of how many that are asked */
    uint64_t trials;      /* tasks or schedules that it has begun */
};

/* What is to be checked, and how; all borrowed for the run. */
struct cor_conformance_definition {
    const char
        *algorithm; /* as for cor_registry_find, cor_process_open, cor_registry_mechanism or a monitor */
    enum cor_conformance_kind kind;
    /* The program that is started for every check, with these words in front of the kit's own; it hands those
     * to cor_conformance_child. */
    const char *program;
    const char *const *words; /* ends with NULL */
    const char *only;         /* name of a check, NULL: all */
    uint32_t agents;          /* only tasks of so many agents, 0: all */
    int64_t seed;             /* only tasks of that seed, -1: all */
    double cpu_seconds;       /* that a check may take */
    /* Called with `self` at each check and each of its tasks, and several times a second while one is waited
     * for; false ends the run. NULL: nobody wants to know. */
    bool (*doing)(void *self, const struct cor_conformance_progress *progress);
    void *self;
};

/* Runs the checks. What the algorithm does is in the report; the status is about the kit itself. */
enum cor_status cor_conformance_run(const struct cor_conformance_definition *definition,
                                    struct cor_conformance_report *report,
                                    struct cor_error *error) COR_MUST_USE;

/* Whether what is to be checked is a command with words, not the path of a file, which may have blanks, too.
 */
bool cor_conformance_is_command(const char *text);

/* Mechanisms and monitors that are built in, by name, NULL behind the last; and whether that is one. */
const char *cor_conformance_beside(size_t index);
bool cor_conformance_is_beside(const char *name);

/* Distributed programs that are built in, by name, NULL behind the last; and whether that is one. */
const char *cor_conformance_program(size_t index);
bool cor_conformance_is_program(const char *name);

/* Is it of a distributed program? */
bool cor_conformance_is_of_processes(const struct cor_conformance_report *report);

/* Checks that are broken. */
size_t cor_conformance_broken(const struct cor_conformance_report *report);

/* Frees what the report holds. Idempotent. */
void cor_conformance_report_fini(struct cor_conformance_report *report);

/* Runs one check in this process, which was started for it: writes lines to standard output. The exit code of
 * the process. */
int cor_conformance_child(int count, char *const *words);

#endif
