// SPDX-License-Identifier: MIT
// DBSCAN (npm, density-clustering), unchanged: clusters of agents in a plane that stand close together. Who is in no cluster stays alone;
// or, with noise = 1, who is in what the package calls noise.
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
  parameters: [{ name: 'noise', meaning: '1: who is in the noise of the package stays alone, whatever its clusters say', default: 0, min: 0, max: 1, integer: true }],
  needs: ['x', 'y'],
  faults: FAULTS,
  program: fault => algorithm.load('density-clustering', FAULTS[fault]),
  solve ({ DBSCAN }, task, { x, y }) {
    const scan = new DBSCAN()
    const found = scan.run(x.map((each, agent) => [each, y[agent]]), REACH, FEW)
    const noise = new Set(task.parameters.noise ? scan.noise : [])
    const clusters = found.map(cluster => cluster.filter(agent => !noise.has(agent)))
    const clustered = new Set(clusters.flat())
    return [...clusters, ...[...x.keys()].filter(agent => !clustered.has(agent)).map(agent => [agent])]
  }
})
