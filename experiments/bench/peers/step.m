% SPDX-License-Identifier: GPL-3.0-or-later
% A case of the test model in Octave: all agents change, the invariant is looked at (experiments/bench/peers.c).
% Usage: octave-cli step.m PROBLEM ANSWER. The answer: seconds of processor time for a case, sum of all values, alarms.
names = argv();
file = fopen(names{1});
x = fscanf(file, "%f");
fclose(file);
agents = x(1); groups = x(2); chains = x(3); cases = x(4); threshold = x(5);
at = 6;
group = zeros(agents, 1);
[chain, states, relevant_at, next_at, level_at] = deal(zeros(groups, 1));
relevant = []; table = []; level = [];
for g = 1:groups
  first = x(at); last = x(at + 1); chain(g) = x(at + 2) + 1;
  environment = x(at + 3); kinds = x(at + 4); states(g) = x(at + 5);
  at += 6;
  group(first + 1:last) = g;
  relevant_at(g) = numel(relevant) + 1; next_at(g) = numel(table) + 1; level_at(g) = numel(level) + 1;
  relevant = [relevant; x(at:at + environment - 1)]; at += environment;
  table = [table; x(at:at + kinds * states(g) - 1)]; at += kinds * states(g);
  level = [level; x(at:at + states(g) - 1)]; at += states(g);
end
columns = reshape(x(at:at + 4 * agents - 1), 4, agents)'; at += 4 * agents;
state = columns(:, 1); value = columns(:, 2); inertia = columns(:, 3); partition = columns(:, 4) + 1;
walk = reshape(x(at:at + cases * chains - 1), chains, cases);
sizes = accumarray(partition, 1);
sums = accumarray(partition, value);
alarms = 0;
began = cputime();
for i = 1:cases
  environment = walk(:, i);
  row = next_at + relevant(relevant_at + environment(chain)) .* states;
  state = table(row(group) + state);
  step = inertia .* (level(level_at(group) + state) - value);
  value += step;
  sums += accumarray(partition, step);
  means = sums ./ sizes;
  alarms += max(means) - min(means) > threshold;
end
seconds = (cputime() - began) / cases;
file = fopen(names{2}, "w");
fprintf(file, "%.9g %.17g %d\n", seconds, sum(value), alarms);
fclose(file);
