import type { Engine } from './engine.ts';
import { doubts, findings } from './findings.ts';
import { type Boundary, type Mover, moveAt } from './movers.ts';
import type { Trial } from './trial.ts';

const MOVERS: readonly Mover[] = ['sort', 'insertRow', 'deleteRow', 'insertColumn', 'moveColumn'];

/** Rows and columns move while runs go on; then they stay, and both sides have what people gave them. */
export async function movedTrial(trial: Trial, engine: Engine): Promise<string[]> {
  const { world, people, state, count } = trial;
  const { chance } = world;
  const done: string[] = [];
  await trial.run();
  for (let round = chance.pick([1, 1, 2]); round > 0; round--) {
    for (let deeds = chance.between(5, 30); deeds > 0; deeds--) people.act('rows');
    const movers = Array.from({ length: chance.pick([1, 2, 3, 3, 4, 5]) }, () => ({
      mover: chance.pick(MOVERS),
      boundary: someBoundary(trial),
    }));
    const moved = moveAt(trial, movers);
    await trial.run();
    done.push(...moved);
  }
  state.happens = () => {};
  await trial.run();
  const doubtful = await doubts(engine, trial);
  count.doubtful = Math.min(doubtful.size, 1);
  const wrong = [...findings(trial, doubtful), ...(await writesAgain(trial))];
  return wrong.length > 0 ? [`${world.direction}: ${done.join(', ')}`, ...wrong] : [];
}

/** Most often around a write to the sheet. */
function someBoundary({ world: { chance } }: Trial): Boundary {
  const moment = chance.pick(['before', 'before', 'after'] as const);
  return chance.happens(0.7)
    ? { of: 'writes', nth: chance.pick([1, 1, 1, 2, 3]), moment }
    : { of: 'all', nth: chance.between(1, 16), moment };
}

async function writesAgain(trial: Trial): Promise<string[]> {
  const { made } = trial.world.lane;
  const before = made.store + made.sheet;
  const { status, errors } = await trial.run();
  const writes = made.store + made.sheet - before;
  if (status === 'failed') return [JSON.stringify(errors)];
  return writes === 0 ? [] : [`${writes} writes where nothing had changed`];
}
