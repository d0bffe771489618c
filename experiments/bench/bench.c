/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The benchmark: rows with limits and yardsticks, and curves of how cost grows. docs/evidence/benchmarks.md
 * keeps the figures. */
#include "setting.h"
#include "timing.h"

#include <corridor/heap.h>
#include <corridor/work_folder.h>

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The table: name, unit, better, what limits are on, must, aim, yardstick, function. */
#define LESS BENCH_LESS, BENCH_ON_VALUE
#define MORE BENCH_MORE, BENCH_ON_VALUE
#define RATIO BENCH_MORE, BENCH_ON_RATIO
#define LESS_RATIO BENCH_LESS, BENCH_ON_RATIO

static const struct bench_row environment[] = {
    {"transitions of environment chains", "M/s", RATIO, 3, 3.5,
     "gsl_ran_discrete with taus2, eight chains in turn", bench_transitions},
    {0},
};

static const struct bench_row framework[] = {
    {"framework, algorithm random, log on: CPU of a case", "us", LESS_RATIO, 1.25, 1.1,
     "a plain C loop over the same columns", bench_framework},
    {"the same, beside a loop that keeps no total of all values", "us", LESS, NAN, NAN,
     "the plain C loop without the running total", bench_framework},
    {"the framework's case, agents with one attribute", "us", LESS_RATIO, 1.02, 1, "agents without",
     bench_attributes},
    {"the same, with five attributes", "us", LESS_RATIO, 1.2, 1.05, "agents without", bench_attributes},
    {"framework, the trigger as a text: CPU of a case over the built-in one's", "x", LESS, 1.3, 1.05,
     "the built-in trigger", bench_text},
    {"framework, continuous with equal clocks and no durations: CPU of a case over a stepwise one's", "x",
     LESS, 2, 1.2, "stepwise", bench_continuous},
    {0},
};

static const struct bench_row algorithms[] = {
    {"PSOPP, n = 500, mixed: to what version 0.1 finds with 1,000 moves", "us", LESS, 228, 137, NULL,
     bench_psopp_quality},
    {"the same, 30,000 moves", "us", LESS, 6490, 3894, NULL, bench_psopp_quality},
    {"PSOPP, n = 500, last resort: to what version 0.1 finds with 1,000 moves", "us", LESS, 210, 126, NULL,
     bench_psopp_quality},
    {"the same, 30,000 moves", "us", LESS, 6727, 4036, NULL, bench_psopp_quality},
    {"PSOPP moves per core, the paper's configuration law", "M/s", MORE, NAN, NAN, NULL, bench_psopp_law},
    {"SPADA, n = 500, k = 22, A = 10, E = I = 5: reorganization", "us", LESS, 500, 250, NULL,
     bench_spada_mail},
    {"SPADA, the same: delivered message", "ns", LESS, 25, 12, NULL, bench_spada_mail},
    {"SPADA, the same, mail mode pct of depth 3: reorganization, over its messages", "ns", LESS, NAN, NAN,
     "mail in order", bench_spada_one_by_one},
    {"the same, mail mode bounded, two messages wait", "ns", LESS, NAN, NAN, "mail in order",
     bench_spada_one_by_one},
    {0},
};

static const struct bench_row log_rows[] = {
    {"log with walks, without solutions: bytes of a case", "B", LESS, 32, 26, NULL, bench_log},
    {"log: its CPU as a share of the framework's", "%", LESS, 25, 15,
     "raw write and fdatasync of the same bytes, journal and file", bench_log},
    {"merging, reading back included: CPU of a case", "us", LESS, 0.36, 0.18, NULL, bench_log},
    {0},
};

static const struct bench_row planning[] = {
    {"configurations from the paper's constraints", "1/s", RATIO, 100, NAN,
     "z3, incremental: push, check, model, pop for each", bench_configurations},
    {"the same, beside what one writes for this model alone", "1/s", RATIO, NAN, 1,
     "a loop in C that draws until all holds", bench_configurations},
    {0},
};

static const struct bench_row expressions[] = {
    {"guard of 4 comparisons (15 nodes): evaluated", "ns", LESS, 100, 50, NULL, bench_guards},
    {"the same: degree of violation", "ns", LESS, 100, NAN, NULL, bench_guards},
    {"guard of 12 comparisons over 20 variables (53 nodes): evaluated", "ns", LESS, 200, 100, NULL,
     bench_guards},
    {"the same: degree of violation", "ns", LESS, NAN, NAN, NULL, bench_guards},
    {0},
};

static const struct bench_row temporal[] = {
    {"temporal always p: states", "M/s", MORE, 15, 45, NULL, bench_temporal},
    {"temporal always (p implies eventually q)", "M/s", MORE, 8, 12, NULL, bench_temporal},
    {"temporal always (p implies eventually[0, 3] q)", "M/s", MORE, 12, 30, NULL, bench_temporal},
    {0},
};

#define PLAIN "a loop in C for this ring alone, which finds the longest way"
static const struct bench_row stabilizing[] = {
    {"a ring of 7 gone through, one moves, a corridor judging: states", "M/s", RATIO, 0.2, 0.6, PLAIN,
     bench_stabilize},
    {"the same, any of those that can move: steps", "M/s", RATIO, 0.3, 0.6, PLAIN, bench_stabilize},
    {"a ring of 10, states drawn: the longest way found, of 124", "steps", MORE, 75, 105, NULL,
     bench_stabilize},
    {"which took", "s", LESS, 60, NAN, NULL, bench_stabilize},
    {"a ring of 8 gone through, 16.8 million states, three daemons", "s", LESS_RATIO, 3, 1.4, PLAIN,
     bench_stabilize},
    {"a ring of 4 over messages, 160,000 states, any comes next: states", "M/s", MORE, 0.3, 1, NULL,
     bench_stabilize},
    {"a ring of 7 in Python, from the call to the verdict: CPU", "s", LESS, 1, 0.4, NULL, bench_stabilize},
    {"structures of 8 agents, SPADA, 4,140 starts x 10", "s", LESS, 30, 10, NULL, bench_structures},
    {0},
};

static const struct bench_row processes[] = {
    {"libraft, 3 servers, a corridor watching: messages", "M/s", MORE, 1, 2.5, NULL, bench_processes},
    {"the same, 5 servers", "M/s", MORE, 1, 2.5, NULL, bench_processes},
    {"starting 3 servers anew", "us", LESS, 15, 6, NULL, bench_processes},
    {"the same, 5 servers", "us", LESS, 25, 9, NULL, bench_processes},
    {"shrinking a schedule of Figure 8", "s", LESS, 1, 0.1, NULL, bench_processes},
    {"a branch of it behind 200 events, in a cell", "us", LESS, 20, 2, NULL, bench_processes},
    {"its curve, 100 moments of 1000 futures of 30 events", "s", LESS, 60, 10, NULL, bench_processes},
    {"splitting at six levels, from snapshots", "s", LESS_RATIO, 0.2, 0.05, "executed again",
     bench_processes},
    {"a storm of pings among 16 processes, in virtual time: messages", "M/s", RATIO, 5, 20,
     "SimGrid, each message as long under way", bench_storm},
    {"the same storm, a corridor watching", "M/s", MORE, NAN, NAN, NULL, bench_storm},
    {"the same storm, two traps besides", "M/s", RATIO, NAN, NAN, "without traps", bench_storm},
    {0},
};

static const struct bench_row observed[] = {
    {"observed, 3 invariants, 3 agents: an event that changes nothing", "ns", LESS, 20, 12, NULL,
     bench_observed},
    {"the same: 40 % of the events change something", "ns", LESS, 300, 100, NULL, bench_observed},
    {"the same, 5 agents", "ns", LESS, 300, 120, NULL, bench_observed},
    {"the same, 100 agents", "ns", LESS, 3000, 1000, NULL, bench_observed},
    {0},
};

static const struct bench_row histories[] = {
    {"52 published histories of a register, read and judged", "ms", LESS, 100, 20, NULL, bench_histories},
    {"a million calls of five clients on 100 keys", "s", LESS, 2, 0.5, NULL, bench_histories},
    {"which took memory", "kB", LESS, NAN, NAN, NULL, bench_histories},
    {"nine clients that write at once, and one that reads", "ms", LESS_RATIO, 2, 1.5, "eight",
     bench_histories},
    {0},
};

static const struct bench_row navigation[] = {
    {"A* corner to corner, 256x256, 20 % walls", "ms", LESS, 7, 2, "a flood of the same grids", bench_paths},
    {"the same, over a flood", "ms", LESS_RATIO, NAN, 3, "a flood of the same grids", bench_paths},
    {"exploration of 128x128, a maze, view radius 4, whole run", "ms", LESS, 80, 20, NULL, bench_exploration},
    {"the same, 20 % walls", "ms", LESS, 80, 20, NULL, bench_exploration},
    {0},
};

static const struct bench_row test_agents[] = {
    {"test-agent cycles: 200 entities with 5 properties, 4 of them change", "k/s", MORE, 250, 860,
     "aplib 1.8 (Java 17), measured once: 5-9", bench_test_agents},
    {"the same: all 200 are shown, 4 of them changed", "k/s", MORE, NAN, NAN, NULL, bench_test_agents},
    {"a question about all 200", "us", LESS, NAN, NAN, NULL, bench_test_agents},
    {"round trip to a world by pipe", "us", LESS, 40, 15, NULL, bench_world_by_pipe},
    {"seq of 20,000 goals, a cycle each: a goal", "ns", LESS_RATIO, 1.5, 1.1, "a goal of seq of 200",
     bench_goals},
    {0},
};

static const struct bench_row proofs[] = {
    {"proof, partitioning, 2..8 agents, 5 constraints, all questions: wall", "s", LESS, 10, 1, NULL,
     bench_proofs},
    {"reason, 1000 agents in 40 organizations: a size", "ms", LESS, 5, 0.5, NULL, bench_proofs},
    {"the same: a sum", "ms", LESS, 5, 0.5, NULL, bench_proofs},
    {"the same: a difference of means", "ms", LESS, 5, 0.5, NULL, bench_proofs},
    {0},
};

#define PAPER_004 "paper 004, as published (2.4 GHz Core 2 Duo, Comet)"
static const struct bench_row planners[] = {
    {"chi-RPT, counter t3, depth 2: decision, median", "us", LESS, 100, 10, PAPER_004, bench_decisions},
    {"the same: worst", "us", LESS, 1000, 100, PAPER_004, bench_decisions},
    {"chi-RPT, Inres t8, depth 2: decision, median", "us", LESS, 100, 10, PAPER_004, bench_decisions},
    {"the same: worst", "us", LESS, 1000, 100, PAPER_004, bench_decisions},
    {"chi-RPT, Inres t5, depth 2: decision, median", "us", LESS, 100, 10, PAPER_004, bench_decisions},
    {"the same: worst", "us", LESS, 1000, 100, PAPER_004, bench_decisions},
    {"chi-RPT, billing_synth t13, depth 2: decision, median", "us", LESS, 1000, 100, PAPER_004,
     bench_decisions},
    {"the same: worst", "us", LESS, 5000, 1000, PAPER_004, bench_decisions},
    {"search, counter t3: decision, median", "us", LESS, 100, 10, PAPER_004, bench_searches},
    {"the same: worst", "us", LESS, 8200, 1000, PAPER_004, bench_searches},
    {"search, Inres t8: decision, median", "us", LESS, 100, 10, PAPER_004, bench_searches},
    {"the same: worst", "us", LESS, 1000, 100, PAPER_004, bench_searches},
    {"search, billing_synth t13: decision, median", "us", LESS, 100, 10, PAPER_004, bench_searches},
    {"the same: worst", "us", LESS, NAN, NAN, PAPER_004, bench_searches},
    {"search, counter3_100 t3: states expanded", "k/s", MORE, 100, 300, NULL, bench_expansions},
    {"search, counter3_32000 t3 (10^14 states), proven optimum: wall", "s", LESS, 10, 1, NULL,
     bench_vast_counter},
    {"the same: memory, z3 included", "MB", LESS, 256, 64, NULL, bench_vast_counter},
    {"search, billing_synth t13 (10^31 states), proven optimum: wall", "s", LESS, 10, 1, NULL,
     bench_vast_billing},
    {"the same: memory, z3 included", "MB", LESS, 256, 64, NULL, bench_vast_billing},
    {"search, billing_hard t13 (10^31 states), proven optimum: wall", "s", LESS, 10, 1, NULL,
     bench_vast_hard},
    {"the same: memory, z3 included", "MB", LESS, 256, 64, NULL, bench_vast_hard},
    {"off-line constraints, counter t3, complete", "ms", LESS, 3000, 100, PAPER_004, bench_rings},
    {"off-line constraints, Inres t8, complete", "ms", LESS, 100, 10, PAPER_004, bench_rings},
    {"off-line constraints, Inres t5, complete", "ms", LESS, 100, 10, PAPER_004, bench_rings},
    {0},
};
#undef PAPER_004

static const struct bench_row combinations[] = {
    {"covering array for pairs, 3^4: rows", "", LESS, 9, 9, NULL, bench_combine_small},
    {"the same, 3^13", "", LESS, 15, 15, NULL, bench_combine_small},
    {"the same, 2^100", "", LESS, 10, 10, NULL, bench_combine_small},
    {"the same, 4^15 3^17 2^29", "", LESS, 29, 29, NULL, bench_combine_large},
    {"the same, 4^1 3^39 2^35", "", LESS, 21, 21, NULL, bench_combine_large},
    {"the same, 10^20", "", LESS, 190, 186, NULL, bench_combine_large},
    {"35 published models with constraints: rows in sum", "", LESS, NAN, NAN, NULL,
     bench_combine_constrained},
    {"the same: models as small as the best published", "", MORE, 21, NAN, NULL, bench_combine_constrained},
    {"the same: the slowest, generated and checked", "s", LESS, 1.5, 1, NULL, bench_combine_constrained},
    {"ten parameters of 7 values behind one switch", "s", LESS, 0.25, 0.2, NULL, bench_combine_switch},
    {0},
};

static const struct bench_row commands[] = {
    {"two workers over one, wall", "x", MORE, 1.92, 1.97, NULL, bench_two_workers},
    {"cold start: one suite of ten sequences, and tables: wall", "ms", LESS, 50, 30, NULL, bench_cold_start},
    {0},
};

static const struct bench_row decisions[] = {
    {"P of PSOPP to within 0.01 at 95 %, 9,604 sequences of 500 cases: half the CPU", "s", LESS, 12, 6,
     "PSOPP's reorganizations alone", bench_decision},
    {0},
};

static const struct bench_row many[] = {
    {"10^5 tiny suites, run and merged: 2 workers, wall", "s", LESS, 60, 30, NULL, bench_many_suites},
    {"a tiny suite in a journal, one sync for 512: wall", "us", LESS, 100, 30, NULL, bench_many_suites},
    {"the same: bytes in the journal", "B", LESS, NAN, NAN, NULL, bench_many_suites},
    {"resuming where all 10^5 are stored: wall", "s", LESS, 10, 3, NULL, bench_many_suites},
    {"merging 10^5 tiny suites: rows", "M/s", MORE, 1, 2, NULL, bench_many_suites},
    {"looking at the seal: wall of 100 MB", "ms", LESS, 100, 30, NULL, bench_many_suites},
    {0},
};

#define ALONE "the loop alone, a sample of the same tests"
#define MEDIAN "events left over the fewest known, the median"
static const struct bench_row shrinking[] = {
    {"20 failures of libraft by Figure 8, 3 servers: " MEDIAN, "x", LESS, 2, 1.2, NULL,
     bench_shrinking_schedules},
    {"the same: the slowest", "s", LESS, 60, 1, NULL, bench_shrinking_schedules},
    {"the same of 5 servers: " MEDIAN, "x", LESS, 2, 1.2, NULL, bench_shrinking_schedules},
    {"the same: the slowest", "s", LESS, 60, 1, NULL, bench_shrinking_schedules},
    {"20 failures of happn-swim by a pause: " MEDIAN, "x", LESS, 2, 1.2, NULL, bench_shrinking_schedules},
    {"the same: the slowest", "s", LESS, 60, 10, NULL, bench_shrinking_schedules},
    {0}};
#undef MEDIAN

static const struct bench_row searching[] = {
    {"shrinking failures of the demo: executions", "k/s", RATIO, NAN, 0.9, ALONE, bench_shrinking},
    {"searching the demo's F5, random: test cases", "k/s", RATIO, NAN, 0.9, ALONE, bench_searching},
    {"the same, coverage", "k/s", RATIO, 0.7, 0.9, ALONE, bench_searching},
    {"the same, directed", "k/s", RATIO, 0.7, 0.9, ALONE, bench_searching},
    {0},
};
#undef ALONE

static const struct bench_row units[] = {
    {"agents: cases a second and core, judged and recorded: interpreter", "1/s", MORE, 200000, 1000000, NULL,
     bench_units},
    {"the same: module in a process of its own", "1/s", MORE, 50000, NAN, NULL, bench_units},
    {"the same: program in Python", "1/s", MORE, 10000, 30000, NULL, bench_units},
    {0},
};

static const struct bench_row guests[] = {
    {"a reorganization of 10 agents by an example, wall: in this process", "us", LESS, NAN, NAN, NULL,
     bench_guests},
    {"the same: in a cell", "us", LESS, 2.5, 2, "the same algorithm in this process", bench_guests},
    {"the same: in a cell, a fresh process each time", "us", LESS, 250, 150,
     "the same algorithm in this process", bench_guests},
    {"the same: program in C", "us", LESS, NAN, NAN, "the same algorithm in this process", bench_guests},
    {"the same: program in Python", "us", LESS, NAN, NAN, "the same algorithm in this process", bench_guests},
    {"a reorganization of 100 agents by an example, wall: in this process", "us", LESS, NAN, NAN, NULL,
     bench_guests},
    {"the same: in a cell", "us", LESS, NAN, 3, "the same algorithm in this process", bench_guests},
    {"the same: in a cell, a fresh process each time", "us", LESS, 250, 150,
     "the same algorithm in this process", bench_guests},
    {"the same: program in C", "us", LESS, NAN, NAN, "the same algorithm in this process", bench_guests},
    {"the same: program in Python", "us", LESS, NAN, NAN, "the same algorithm in this process", bench_guests},
    {"a reorganization of 1000 agents by an example, wall: in this process", "us", LESS, NAN, NAN, NULL,
     bench_guests},
    {"the same: in a cell", "us", LESS, NAN, NAN, "the same algorithm in this process", bench_guests},
    {"the same: in a cell, a fresh process each time", "us", LESS, 250, 150,
     "the same algorithm in this process", bench_guests},
    {"the same: program in C", "us", LESS, NAN, NAN, "the same algorithm in this process", bench_guests},
    {"the same: program in Python", "us", LESS, NAN, NAN, "the same algorithm in this process", bench_guests},
    {"a function of Python in process, beside the function itself, CPU: 10 agents", "us", LESS, 12, 5, NULL,
     bench_python},
    {"the same: 100 agents", "us", LESS, 20, 10, NULL, bench_python},
    {"import corridor, beside the interpreter, CPU", "ms", LESS, 60, 30, NULL, bench_python},
    {0},
};

static const struct bench_row campaign[] = {
    {"campaign of the paper, merged, with tables: 2 workers, wall", "s", LESS, 45, 25, NULL, bench_campaign},
    {"coverage of all cases of the campaign, from the walks", "s", LESS, 1, 0.5, NULL, bench_campaign},
    {"greatest resident memory of a worker, the campaign", "MB", LESS, 20, 16, NULL, bench_campaign},
    {"the same of the planning process", "MB", LESS, 64, NAN, NULL, bench_campaign},
    {0},
};

static const struct bench_row growth[] = {
    {"10^6 agents, one sequence of 20 cases, and tables: wall", "s", LESS, NAN, NAN, NULL, bench_million},
    {"the same: greatest resident memory of the worker", "MB", LESS, NAN, NAN, NULL, bench_million},
    {0},
};

static const struct bench_row peers[] = {
    {"a case of 500 agents without reorganization: numpy", "us", LESS, NAN, NAN, "Corridor",
     bench_peers_step},
    {"the same: Octave", "us", LESS, NAN, NAN, "Corridor", bench_peers_step},
    {"the same: AgentScript", "us", LESS, NAN, NAN, "Corridor", bench_peers_step},
    {"PSOPP, 500 agents, 1,000 moves: numpy", "us", LESS, NAN, NAN, "Corridor", bench_peers_search},
    {0},
};

#define AGENTS \
    { 10, 30, 100, 300, 1000, 3000, 10000, 30000, 100000 }
#define CACHES "as far as can be told without hardware counters"

static const struct bench_sweep sweeps[] = {
    {"agents",
     AGENTS,
     bench_agents,
     {{"a case without a reorganization", "us a case", NULL},
      {"a case with a reorganization by random", "us a case",
       "nearly the same per agent from 30 to 30,000; beyond, the same functions reach at random into columns "
       "that outgrow the caches, " CACHES},
      {"generating a suite with its pilot of 50 cases", "us a suite", NULL},
      {"memory of a suite at work, algorithm random", "kB", NULL}}},
    {"agents",
     AGENTS,
     bench_agents_spada,
     {{"a reorganization by SPADA", "us",
       "the same functions take the time; each message costs more once the agents, 600 bytes each, outgrow "
       "the caches, " CACHES},
      {"a message delivered to SPADA", "ns", NULL},
      {"memory of a suite at work, SPADA", "kB", NULL}}},
    {"agents",
     AGENTS,
     bench_agents_psopp,
     {{"a reorganization by PSOPP, four particles, one move", "us", NULL},
      {"a move of PSOPP, 20,000 moves a reorganization", "ns",
       "an improvement is kept by copying the position, which is O(agents)"},
      {"memory of a particle of PSOPP", "kB", NULL}}},
    {"groups",
     {1, 10, 100, 1000, 10000},
     bench_groups,
     {{"a case of 10,000 agents at one place", "us a case", NULL}}},
    {"chains",
     {1, 10, 100, 1000, 10000},
     bench_chains,
     {{"a case of 10,000 agents in as many groups as chains", "us a case", NULL}}},
    {"partitions",
     {1, 10, 100, 1000, 5000},
     bench_partitions,
     {{"a case of 10,000 agents", "us a case", NULL}}},
    {"states",
     {2, 4, 8, 16, 32, 64},
     bench_states,
     {{"a case of 10,000 agents, 35 chains", "us a case", NULL},
      {"drawing a random profile", "us",
       "a profile is a matrix, states by states, and its stationary law a system of so many equations: "
       "states^3. Once for each environment and suite, and 64 states are the most"}}},
    {"suites",
     {1, 10, 100, 1000, 10000},
     bench_suites,
     {{"running tiny suites and merging them, one worker, CPU", "ms", NULL},
      {"their tables, CPU", "ms", NULL},
      {"memory of the planning process", "kB", NULL}}},
    {"workers",
     {1, 2},
     bench_workers,
     {{"CPU of 12 suites, PSOPP", "s", "the same work: it should stay what it is"}}},
    {0},
};

static const struct bench_row corridors[] = {
    {"sizes, number and kind of 1,000 agents, as a text over the oracle's checks: 25 organizations", "x",
     LESS, 3, 1.5, "the oracle's checks", bench_corridors},
    {"the same: 100 organizations", "x", LESS, 3, 1.5, "the oracle's checks", bench_corridors},
    {0},
};

static const struct bench_part bench_parts[] = {
    {"environment", "transitions of environment chains", environment, NULL, BENCH_ALWAYS},
    {"framework", "a case with an algorithm that costs next to nothing", framework, NULL, BENCH_ALWAYS},
    {"algorithms", "PSOPP's moves, SPADA's reorganizations and messages", algorithms, NULL, BENCH_ALWAYS},
    {"log", "bytes and time of what is written down", log_rows, NULL, BENCH_ALWAYS},
    {"planning", "configurations from the constraints", planning, NULL, BENCH_ALWAYS},
    {"expressions", "guards of models: evaluated, degrees of violation", expressions, NULL, BENCH_ALWAYS},
    {"temporal", "formulas of time, state by state", temporal, NULL, BENCH_ALWAYS},
    {"observed", "a corridor beside a run that is observed, event by event", observed, NULL, BENCH_ALWAYS},
    {"histories", "calls of clients: linearizable?", histories, NULL, BENCH_ALWAYS},
    {"stabilize", "Dijkstra's ring as a program of rules; SPADA from any structure", stabilizing, NULL,
     BENCH_ALWAYS},
    {"processes", "Debian's libraft as a program under test", processes, NULL, BENCH_ALWAYS},
    {"navigation", "paths on grids, exploration until nothing is left", navigation, NULL, BENCH_ALWAYS},
    {"test_agents", "views merged into what a test agent believes, conditions asked", test_agents, NULL,
     BENCH_ALWAYS},
    {"proofs", "what is proved of a corridor's text, reasons of violations", proofs, NULL, BENCH_ALWAYS},
    {"corridors", "structures judged by a corridor as a text", corridors, NULL, BENCH_ALWAYS},
    {"planners", "decisions of chi-RPT and of search, off-line constraints, models of 10^14 states and more",
     planners, NULL, BENCH_ALWAYS},
    {"combinations", "rows and seconds of covering arrays", combinations, NULL, BENCH_ALWAYS},
    {"commands", "two workers over one, cold start", commands, NULL, BENCH_ALWAYS},
    {"decisions", "a property of the demo's PSOPP, beside the algorithm alone", decisions, NULL,
     BENCH_ALWAYS},
    {"many", "10^5 tiny suites: journals, resuming, merging, the seal", many, NULL, BENCH_ALWAYS},
    {"shrinking", "failing schedules of programs that others wrote, made small: minutes", shrinking, NULL,
     BENCH_UNLESS_QUICK},
    {"searching", "executions of shrinking and searching, beside the loop alone", searching, NULL,
     BENCH_ALWAYS},
    {"units", "cases of an agent's units: interpreter, module, program", units, NULL, BENCH_ALWAYS},
    {"guests", "a reorganization in process, in a cell, by a program in C and in Python", guests, NULL,
     BENCH_ALWAYS},
    {"campaign", "the paper's campaign, its tables, its memory: minutes", campaign, NULL, BENCH_UNLESS_QUICK},
    {"growth", "curves over agents, groups, chains, states, partitions, suites, workers", growth, sweeps,
     BENCH_ALWAYS},
    {"peers", "the same work in numpy, Octave, AgentScript: only where it is asked for", peers, NULL,
     BENCH_ASKED},
    {0},
};

enum { PARTS_MOST = 27 };

static const char help[] =
    "bench - measures Corridor\n"
    "\n"
    "Usage: bench [options]\n"
    "\n"
    "Prints rows with what they must keep and what they aim at, and curves of how cost grows, as the "
    "Markdown\n"
    "of docs/evidence/benchmarks.md, which says what the rows mean; writes both as JSON. Run on a machine "
    "that does\n"
    "nothing else.\n"
    "\n"
    "Options:\n"
    "      --only NAME     only this part; may be repeated (--list)\n"
    "      --list          the parts\n"
    "      --quick         without the campaign of the paper\n"
    "      --peers         numpy, Octave and AgentScript at the same work, and nothing else; AgentScript is "
    "fetched by npm\n"
    "      --source DIR    source directory (default: .)\n"
    "      --output FILE   the JSON (default: build/bench.json)\n"
    "  -h, --help          this text\n"
    "\n"
    "Exit code: 0, also if rows do not hold; 1 if something went wrong.\n";

struct options {
    struct bench_places places;
    const char *output;
    bool quick, chosen[PARTS_MOST], any_chosen;
};

static void list_parts(void) {
    for (const struct bench_part *part = bench_parts; part->name; part++)
        printf("%-12s %s\n", part->name, part->what);
}

static void choose(struct options *options, const char *name) {
    for (size_t i = 0; bench_parts[i].name; i++)
        if (strcmp(bench_parts[i].name, name) == 0) {
            options->chosen[i] = options->any_chosen = true;
            return;
        }
    fprintf(stderr, "bench: there is no part %s; there are:\n", name);
    list_parts();
    exit(1);
}

static void read_options(int argc, char **argv, struct options *options) {
    static const struct option known[] = {
        {"only", required_argument, NULL, 'p'},   {"list", no_argument, NULL, 'l'},
        {"quick", no_argument, NULL, 'q'},        {"peers", no_argument, NULL, 'e'},
        {"source", required_argument, NULL, 's'}, {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},         {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "h", known, NULL)) != -1;)
        switch (option) {
        case 'p':
            choose(options, optarg);
            break;
        case 'l':
            list_parts();
            exit(0);
        case 'e':
            choose(options, "peers");
            break;
        case 'q':
            options->quick = true;
            break;
        case 's':
            options->places.source = optarg;
            break;
        case 'o':
            options->output = optarg;
            break;
        case 'h':
            fputs(help, stdout);
            exit(0);
        default:
            exit(1);
        }
    if (optind < argc) {
        fprintf(stderr, "bench: %s: takes options only; bench --help\n", argv[optind]);
        exit(1);
    }
}

int main(int argc, char **argv) {
    cor_heap_begin(); /* as the program does */
    struct options options = {.places = {.source = "."}, .output = "build/bench.json"};
    const struct bench_part *wanted[PARTS_MOST + 1] = {NULL};
    size_t count = 0;
    read_options(argc, argv, &options);
    for (size_t i = 0; bench_parts[i].name; i++) {
        COR_ASSERT(i < PARTS_MOST);
        if (options.any_chosen ? options.chosen[i]
                               : bench_parts[i].when == BENCH_ALWAYS ||
                                     (bench_parts[i].when == BENCH_UNLESS_QUICK && !options.quick))
            wanted[count++] = &bench_parts[i];
    }
    struct cor_error error = COR_NO_ERROR;
    options.places.corridor = CORRIDOR_PROGRAM;
    bench_must(cor_make_folder_beside(options.output, &options.places.folder, &error), &error);
    struct bench_report *report = bench_report_create();
    bench_report_rows(report, wanted, &options.places);
    bench_report_curves(report, wanted, &options.places);
    bench_report_end(report);
    bench_report_write(report, options.output);
    bench_report_destroy(report);
    cor_remove_folder(options.places.folder);
    free(options.places.folder);
    return 0;
}
