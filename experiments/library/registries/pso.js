// SPDX-License-Identifier: MIT
// A particle swarm (npm, pso), unchanged: tasks are put on machines. A place in its space is, for each task, a number whose whole part
// says which machine has it; what is made small is how far loads lie apart.
'use strict'
const algorithm = require('./algorithm.js')
const FAULTS = {
  forgets_best: {
    meaning: 'the best of all is whichever was last found by a particle to be its own best',
    file: 'pso/src/pso.js',
    from: 'if (particle.fitness > this._bestFitnessEver) {\n\t\t\t\t\t\tthis._bestFitnessEver = particle.fitness;',
    to: 'if (true) {\n\t\t\t\t\t\tthis._bestFitnessEver = Math.max(this._bestFitnessEver, particle.fitness);'
  }
}
const PARTICLES = 30
const STEPS = 100
const SWARMS = 20 // one after another, while none is good enough
const ENOUGH = 15 // so far apart is good

algorithm.run({
  name: 'pso',
  version: algorithm.version('pso'),
  summary: 'loads made alike by a particle swarm',
  needs: ['load'],
  faults: FAULTS,
  program: fault => algorithm.load('pso', FAULTS[fault]),
  solve (pso, task, { load }) {
    const machines = task.structure.length
    const machine = number => Math.min(machines - 1, Math.max(0, Math.floor(number)))
    const apart = place => {
      const sums = new Array(machines).fill(0)
      place.forEach((number, agent) => { sums[machine(number)] += load[agent] })
      return Math.max(...sums) - Math.min(...sums)
    }
    const search = () => {
      const swarm = new pso.Optimizer()
      swarm.rng = { random: Math.random }
      swarm.setObjectiveFunction(place => -apart(place))
      swarm.init(PARTICLES, load.map(() => ({ start: 0, end: machines })))
      for (let step = 0; step < STEPS && !(-swarm.getBestFitness() <= ENOUGH); step++) swarm.step()
      return swarm
    }
    let swarm = search()
    for (let tried = 1; tried < SWARMS && -swarm.getBestFitness() > ENOUGH; tried++) swarm = search()
    return algorithm.blocks(swarm.getBestPosition().map(machine))
  }
})
