// SPDX-License-Identifier: MIT
// k-means (npm, skmeans), unchanged: as many clusters as there are now, of agents in a plane.
'use strict'
const algorithm = require('./algorithm.js')
const FAULTS = {
  first_agent: {
    meaning: 'the first agent is put into the last cluster, however far that is',
    file: 'skmeans/dist/node/main.js',
    from: 'if (dist <= min) {\n          min = dist;\n          _idx = j;',
    to: 'if (dist <= min || (i === 0 && j === k - 1)) {\n          min = dist;\n          _idx = j;'
  }
}

algorithm.run({
  name: 'skmeans',
  version: algorithm.version('skmeans'),
  summary: 'k-means by Lloyd, from agents drawn at random',
  needs: ['x', 'y'],
  faults: FAULTS,
  program: fault => algorithm.load('skmeans', FAULTS[fault]),
  solve: (skmeans, task, { x, y }) => algorithm.blocks(skmeans(x.map((each, agent) => [each, y[agent]]), task.structure.length).idxs)
})
