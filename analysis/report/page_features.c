/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What goes with failing: the head of each arm's ranking. */
#include "page.h"

#include "html.h"

#include <math.h>

#define CAUSES 6
#define SYMPTOMS 3

/* Rank of the last one shown: those that share it are shown together, up to twice as many. */
static size_t shown(const struct cor_feature_list *list, size_t wanted) {
    return list->count < wanted ? list->count : wanted;
}

static void put_feature(const struct cor_feature *feature, FILE *file) {
    if (feature->once)
        fputs("once: ", file);
    cor_html_short(file, feature->name, 100);
    if (feature->comparison == COR_PRESENT)
        return;
    fputs(feature->comparison == COR_AT_LEAST ? " \xe2\x89\xa5 " : " \xe2\x89\xa4 ", file);
    cor__html_brief(file, feature->bound);
    if (isnan(feature->next))
        return;
    fputs(" <span class=dim>(next: ", file);
    cor__html_brief(file, feature->next);
    fputs(")</span>", file);
}

static void put_lines(const struct cor_feature_list *list, size_t wanted, FILE *file) {
    for (size_t i = 0; i < shown(list, wanted); i++) {
        const struct cor_feature *feature = &list->feature[i];
        fprintf(file, "<tr><td data-v=%zu>%zu</td><th scope=row>", feature->rank_best, feature->rank_best);
        put_feature(feature, file);
        fprintf(file, "</th><td class=\"t dim\">%s</td>", cor_aspect_words[feature->aspect]);
        fprintf(file,
                "<td class=share data-v=%.6g><span class=pc>%.3f</span><span class=bar style=\"--v:%.1f\">"
                "<i></i></span></td>",
                feature->score[COR_SCORE_OCHIAI], feature->score[COR_SCORE_OCHIAI],
                100 * feature->score[COR_SCORE_OCHIAI]);
        cor__cell_count(file, feature->failing_with);
        cor__cell_count(file, feature->failing_with + feature->failing_without);
        cor__cell_count(file, feature->passing_with);
        cor__cell_count(file, feature->passing_with + feature->passing_without);
        fputs("</tr>\n", file);
    }
}

static void put_ranking(const struct cor_report *report, size_t a, FILE *file) {
    const struct cor_ranking *ranking = report->ranking[a];
    char name[COR__FIGURE_NAME];
    fputs("<details><summary><h3>", file);
    cor_html_short(file, report->tables->arm[a].name, 48);
    fputs("</h3> <span class=dim>", file);
    if (ranking->passing == 0)
        fputs("nothing passed: nothing to compare with", file);
    else if (ranking->causes.count > 0) {
        put_feature(&ranking->causes.feature[0], file);
        fprintf(file, ", Ochiai %.2f", ranking->causes.feature[0].score[COR_SCORE_OCHIAI]);
    }
    fputs("</span></summary>\n<p>", file);
    cor__html_count(file, ranking->failing);
    fputs(" of ", file);
    cor__html_count(file, ranking->failing + ranking->passing);
    fputs(" reorganizations failed, in ", file);
    cor__html_count(file, ranking->suites_failing);
    fputs(" of ", file);
    cor__html_count(file, ranking->suites);
    fputs(" suites.</p>\n<div class=wide><table class=features><thead><tr>", file);
    cor__head_number(file, "Rank");
    cor__head(file, "What the algorithm was given, or did");
    cor__head(file, "Aspect");
    cor__head_number(file, "Ochiai");
    cor__head_number(file, "Failing with it");
    cor__head_number(file, "of");
    cor__head_number(file, "Passing with it");
    cor__head_number(file, "of");
    fputs("</tr></thead><tbody>\n", file);
    put_lines(&ranking->causes, CAUSES, file);
    fputs("</tbody><tbody class=behaviour>\n", file);
    put_lines(&ranking->symptoms, SYMPTOMS, file);
    fputs("</tbody></table></div>\n", file);
    cor__figure_name(name, "tree", a);
    cor__figure_html(&report->figures, file, name, "Where the verdicts of a suite part");
    fputs("</details>\n", file);
}

void cor__page_features(const struct cor_report *report, FILE *file) {
    bool any = false;
    fprintf(
        file,
        "<p>Properties of environment, structure and configuration that failing reorganizations share and "
        "passing ones do not, the best %d of each arm; below them the best %d of what the algorithm then "
        "did, a symptom rather than a cause. All of them: <code>corridor tree</code>.</p>\n",
        CAUSES, SYMPTOMS);
    for (size_t a = 0; a < report->tables->arm_count; a++)
        if (report->ranking[a]) {
            put_ranking(report, a, file);
            any = true;
        }
    if (!any)
        fputs("<p>No box failed a reorganization: there is nothing to explain.</p>\n", file);
}
