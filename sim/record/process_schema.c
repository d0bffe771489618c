/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <corridor/process_schema.h>

COR_PROCESS_TABLES(COR_EACH_COLUMNS, )
static const struct cor_table_schema tables[] = {COR_PROCESS_TABLES(COR_EACH_TABLE, )};
static const struct cor_vector_schema vectors[] = {COR_PROCESS_VECTORS(COR_EACH_VECTOR, )};
static const struct cor_catalog_schema catalogs[] = {COR_PROCESS_CATALOGS(COR_EACH_CATALOG, )};
static const struct cor_offset_column offsets[] = {
    {COR_PROCESS_TABLE_SEQUENCES, offsetof(struct cor_process_sequence_row, why_start),
     COR_PROCESS_VECTOR_TEXT},
};
COR_LAYER_FITS(COR_PROCESS_)

static const struct cor_ending_source ending = {
    .sequence = "sequence",
    .number = "case",
    .verdict = "verdict",
    .failed = COR_VERDICT_FAILED,
    .failed_case = "violated_case",
    .cut = "cut",
    .open = "open",
    .whole = "whole",
    .ways = (const char *const[]){"violated", "end", NULL},
    .lawful = "name an arm with generators timed, random, burst or swarm",
};

static const struct cor_property_source asked = {
    .of = "schedules",
    .one = "schedule",
    .drawn = "weather and events",
    .cut_by = "the limit on events cut",
    .cut_remedy = ": raise \"events\" of the experiment",
    .tables = {COR_PROCESS_TABLE_CASES, COR_PROCESS_TABLE_SEQUENCES, COR_PROCESS_TABLE_MET,
               COR_PROCESS_TABLE_TRAPS},
    .ending = &ending,
    .own = (const char *const[]){"case", "failed", NULL},
    .conditions = COR_PROCESS_CATALOG_TRAP,
    .limit = "cases",
    .usual = 40,
    .log = "log",
    .log_words = (const char *const[]){"cases", "events", NULL},
    .inputs = "name numbers of states of the environment: --input storm.lose=0:0.3",
    .instead =
        "name the condition as a trap (\"traps\" of the experiment); what went wrong is said by failed, "
        "violated == 'NAME' and end == 'NAME'",
};

const struct cor_layer_schema cor_process_schema = {
    .name = "process",
    .holds = "schedules of distributed programs",
    .view = "processes",
    .suites = "suites",
    .suites_default = 4,
    .format = COR_process_FORMAT_NAME,
    .major = COR_PROCESS_FORMAT_MAJOR,
    .minor = COR_LAYER_MINOR(COR_PROCESS_),
    .names_once = true,
    .twins_of = COR_PROCESS_CATALOG_MESSAGE,
    .main_table = "/sequences",
    COR_LAYER_LISTS(COR_PROCESS_),
    .asked = &asked,
};
