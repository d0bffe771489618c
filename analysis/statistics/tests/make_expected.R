#!/usr/bin/env Rscript
# SPDX-License-Identifier: GPL-3.0-or-later
#
# make_expected.R > expected.h, beside depths.csv: numbers for the tests of this room. Made with R 4.2.2, survival 3.5-3
# and pROC 1.18.0 (Debian 12: r-base-core, r-cran-survival, r-cran-proc).
suppressMessages({library(survival); library(pROC)})
options(warn = -1)

number <- function(x) ifelse(is.na(x), "NAN", sprintf("%.15g", x))
row <- function(...) paste0("    {", paste(number(c(...)), collapse = ", "), "},\n")
array <- function(name, x) cat("static const double ", name, "[] = {", paste(number(x), collapse = ", "), "};\n", sep = "")
cat("/* SPDX-License-Identifier: GPL-3.0-or-later\n *\n * Made by make_expected.R; do not edit. */\n",
    "/* clang-format off */\n#include <math.h>\n\n", sep = "")

# successes, n, level, Wilson, Clopper-Pearson. R itself gives no Wilson interval in closed form: prop.test does.
cat("static const double proportions[][7] = {\n")
for (level in c(0.95, 0.8, 0.999))
  for (x in list(c(0, 1), c(1, 1), c(0, 10), c(10, 10), c(1, 10), c(7, 20), c(1, 700), c(350, 700), c(699, 700),
                 c(29222, 58443), c(500, 1e6), c(999999, 1e6)))
    cat(row(x, level, prop.test(x[1], x[2], conf.level = level, correct = FALSE)$conf.int,
            binom.test(x[1], x[2], conf.level = level)$conf.int))
cat("};\n")

# Kaplan-Meier. Freireich et al., Blood 21, 1963: remission under 6-MP and placebo, in weeks.
mp <- list(c(6,6,6,7,10,13,16,22,23,6,9,10,11,17,19,20,25,32,32,34,35), c(rep(1, 9), rep(0, 12)), 30)
placebo <- list(c(1,1,2,2,3,4,4,5,5,8,8,8,8,11,11,12,12,15,17,22,23), rep(1, 21), 20)
sets <- list(mp = mp, placebo = placebo, to_zero = list(c(1, 2, 2, 5), c(1, 1, 1, 1), 4),
             all_censored = list(c(3, 1, 2), c(0, 0, 0), 2.5), one_event = list(2, 1, 5), one_censored = list(2, 0, 2),
             at_zero = list(c(0, 0, 1.5, 3, 3), c(1, 0, 1, 0, 1), 3))
for (name in names(sets)) {
  set <- sets[[name]]
  curve <- survfit(Surv(set[[1]], set[[2]]) ~ 1, conf.type = "log-log")
  s <- summary(curve, censored = TRUE)
  edge <- s$surv == 1 | s$surv == 0 # no pointwise interval there
  array(paste0(name, "_time"), set[[1]])
  array(paste0(name, "_event"), set[[2]])
  cat("static const double ", name, "_steps[][8] = {\n", sep = "")
  for (i in seq_along(s$time))
    cat(row(s$time[i], s$n.risk[i], s$n.event[i], s$n.censor[i], s$surv[i], if (s$surv[i] == 0) NA else s$std.err[i],
            if (edge[i]) c(NA, NA) else c(s$lower[i], s$upper[i])))
  cat("};\n")
  t <- summary(curve, rmean = set[[3]])$table
  array(paste0(name, "_summary"), c(t["median"], t["0.95LCL"], t["0.95UCL"], set[[3]], t["rmean"], t["se(rmean)"]))
}

depths <- read.csv("depths.csv")
cat("/* Of each arm of depths.csv: S(100) with error and bounds, quantile .152 with bounds, restricted mean to 50 and its\n",
    " * error. */\n", sep = "")
cat("static const double depths_figures[][9] = {\n")
for (arm in 0:2) {
  curve <- survfit(Surv(depth, event) ~ 1, depths[depths$arm == arm, ], conf.type = "log-log")
  s <- summary(curve, times = 100)
  q <- quantile(curve, 0.152)
  t <- summary(curve, rmean = 50)$table
  cat(row(s$surv, s$std.err, s$lower, s$upper, q$quantile, q$lower, q$upper, t["rmean"], t["se(rmean)"]))
}
cat("};\n")

log_rank <- function(time, event, group) {
  test <- survdiff(Surv(time, event) ~ group)
  df <- sum(test$exp > 0) - 1
  c(test$chisq, df, pchisq(test$chisq, df, lower.tail = FALSE), test$exp)
}
array("log_rank_freireich", log_rank(c(mp[[1]], placebo[[1]]), c(mp[[2]], placebo[[2]]), rep(0:1, each = 21)))
array("log_rank_depths", log_rank(depths$depth, depths$event, depths$arm))
small <- list(time = c(1,1,2,2,2,3,4,4,5,6,7,7,7,8,9,9), event = c(1,0,1,1,1,0,1,1,0,1,1,0,1,1,0,1),
              group = c(0,1,2,2,0,1,3,0,1,2,3,3,0,1,2,1))
array("small_time", small$time); array("small_event", small$event); array("small_group", small$group)
array("log_rank_small", log_rank(small$time, small$event, small$group))

# Two samples, of values 0.5, 1, ... where tied.
set.seed(1)
samples <- list(tiny = list(1.5, 2.5), exact = list(c(1.1, 2.2, 5.5, 7.7, 8.1), c(0.3, 2.1, 3.3, 4.4, 6.6, 9.9, 10.5)),
  apart = list(c(1, 2, 3, 4), c(5, 6, 7, 8, 9)), limit = list(round(rnorm(20), 6), round(rnorm(20, 0.7), 6)),
  tied = list(c(1, 2, 2, 3, 3, 3, 4, 8), c(2, 3, 4, 4, 5, 5, 6)), large = list(round(rexp(60), 5), round(rexp(45, 1.6), 5)),
  coarse = list(rbinom(80, 6, 0.4), rbinom(50, 6, 0.55)), constant = list(c(2, 2, 2), c(2, 2)))
for (name in names(samples)) {
  a <- samples[[name]][[1]]; b <- samples[[name]][[2]]
  exact <- length(a) <= 20 && length(b) <= 20 && !anyDuplicated(c(a, b))
  w <- wilcox.test(a, b, exact = exact, correct = TRUE)
  curve <- roc(controls = b, cases = a, direction = "<", quiet = TRUE)
  error <- if (min(length(a), length(b)) > 1) sqrt(var(curve, method = "delong")) else NA
  array(paste0(name, "_a"), a); array(paste0(name, "_b"), b)
  cat("/* U, p, exact; A12, DeLong error, bounds on the logit scale */\n")
  area <- as.numeric(curve$auc)
  bounds <- if (is.na(error) || error == 0) c(NA, NA) else
    plogis(qlogis(area) + c(-1, 1) * qnorm(0.975) * error / (area * (1 - area)))
  array(paste0(name, "_test"), c(w$statistic, w$p.value, exact, area, error, bounds))
}

paired <- list(one = list(3, 1), exact = list(c(1.83,0.50,1.62,2.48,1.68,1.88,1.55,3.06,1.30), # Hollander and Wolfe, p. 29
  c(0.878,0.647,0.598,2.05,1.06,1.29,1.06,3.14,1.29)), limit = list(round(rnorm(50, 0.3), 6), rep(0, 50)),
  zeros = list(c(1, 5, 2, 7, 4, 9, 3, 3), c(0.5, 5, 3.25, 3, 4, 1, 2.125, 1)), tied = list(c(3, 4, 5, 6, 9, 9), c(2, 5, 3, 4, 5, 9)),
  large = list(round(rexp(80), 3), round(rexp(80), 3)))
for (name in names(paired)) {
  a <- paired[[name]][[1]]; b <- paired[[name]][[2]]
  exact <- length(a) <= 50 && !anyDuplicated(abs(a - b)) && all(a != b)
  # wilcox.test counts exactly below 50 pairs only; psignrank has no limit.
  if (exact) {
    v <- sum(rank(abs(a - b))[a > b])
    p <- min(1, 2 * min(psignrank(v, length(a)), psignrank(v - 1, length(a), lower.tail = FALSE)))
  } else {
    w <- wilcox.test(a, b, paired = TRUE, exact = FALSE, correct = TRUE)
    v <- w$statistic; p <- w$p.value
  }
  array(paste0("paired_", name, "_a"), a); array(paste0("paired_", name, "_b"), b)
  array(paste0("paired_", name, "_test"), c(v, p, exact))
}

cat("static const double mcnemar[][3] = {\n")
for (x in list(c(1, 0), c(0, 5), c(3, 9), c(9, 3), c(10, 10), c(41, 70), c(0, 700), c(3000, 3200)))
  cat(row(x, binom.test(x[1], sum(x))$p.value))
cat("};\n")
p <- c(0.01, NA, 0.04, 0.03, 0.005, 0.04, 0.9, 0.0001)
array("holm_p", p); array("holm_adjusted", p.adjust(p, "holm"))

described <- list(c(4, 1, 9, 2.5, 2.5, 7), c(1e9, 1e9 + 1, 1e9 + 2), c(0, 3), c(-1, 2, 5), 7)
cat("/* n, values up to 6, mean, sd, min, quartiles, max */\n")
cat("static const double described[][14] = {\n")
for (x in described)
  cat(row(length(x), c(x, rep(0, 6 - length(x))), mean(x), sd(x), quantile(x, c(0, 0.25, 0.5, 0.75, 1), type = 7)))
cat("};\n")
