// SPDX-License-Identifier: MIT
// DBSCAN (npm, density-clustering), unchanged: clusters of agents in a plane that stand close together. Who is in no cluster stays alone.
'use strict'
const algorithm = require('./algorithm.js')
const FAULTS = {
  asks_three: {
    meaning: 'who else is near is asked of the first three of a cluster alone',
    file: 'density-clustering/lib/DBSCAN.js',
    from: 'neighbors = this._mergeArrays(neighbors, neighbors2);',
    to: 'if (i < 3) neighbors = this._mergeArrays(neighbors, neighbors2);'
  }
}
const REACH = 15
const FEW = 3 // so many within reach, itself included, are a crowd

algorithm.run({
  name: 'dbscan',
  version: algorithm.version('density-clustering'),
  summary: 'clusters of agents that stand close, by DBSCAN',
  needs: ['x', 'y'],
  faults: FAULTS,
  program: fault => algorithm.load('density-clustering', FAULTS[fault]),
  solve ({ DBSCAN }, task, { x, y }) {
    const clusters = new DBSCAN().run(x.map((each, agent) => [each, y[agent]]), REACH, FEW)
    const clustered = new Set(clusters.flat())
    return [...clusters, ...[...x.keys()].filter(agent => !clustered.has(agent)).map(agent => [agent])]
  }
})
