import type { Engine } from './engine.ts';
import { doubts, findings } from './findings.ts';
import type { Trial } from './trial.ts';

const FAULTED = 0.25;
/** How often somebody does something before or after a call. */
const LIVELY = 0.35;
const OUTAGES = 0.3;

/** Faults and people, then neither: one more run has both sides the same, and the one after it writes nothing. */
export async function converge(trial: Trial, engine: Engine): Promise<string[]> {
  const { world, people, state, count } = trial;
  state.faulted = FAULTED;
  if (world.direction === 'two_way') await trial.run();
  for (let deeds = world.chance.between(5, 60); deeds > 0; deeds--) people.act('rows');
  if (world.chance.happens(OUTAGES)) state.outAfter = world.chance.between(0, 3);
  state.lively = LIVELY;
  people.sold.clear();
  const before = world.store();
  const { id } = await trial.run();
  const isWatched = world.direction === 'sheet_to_store' && count.failed === 0;
  const wrong = isWatched ? lostSales(trial, before, await setBy(engine, id)) : [];
  state.faulted = 0;
  state.lively = 0;
  await trial.run();
  const doubtful = await doubts(engine, trial);
  count.doubtful = Math.min(doubtful.size, 1);
  if (doubtful.size > 0 && count.failed === 0) wrong.push(`${doubtful.size} in doubt without an outage`);
  wrong.push(...findings(trial, doubtful));
  return [...wrong, ...(await writesAgain(trial))];
}

async function writesAgain(trial: Trial): Promise<string[]> {
  const { made } = trial.world.lane;
  const before = made.store + made.sheet;
  const { status, errors } = await trial.run();
  const writes = made.store + made.sheet - before;
  if (status === 'failed') return [JSON.stringify(errors)];
  return writes === 0 ? [] : [`${writes} writes where nothing had changed`];
}

/** What was sold between reading and writing is off what the sheet says; where nothing was written, off what there was. */
function lostSales(
  { world, people }: Trial,
  before: ReturnType<Trial['world']['store']>,
  set: ReadonlySet<string>,
): string[] {
  return [...world.store()].flatMap(([sku, { inventory_quantity: quantity }]) => {
    const from = (set.has(sku) ? people.truth : before).get(sku);
    const right = Number(from?.inventory_quantity) - (people.sold.get(sku) ?? 0);
    return Number(quantity) === right ? [] : [`${sku} has ${quantity} after the sales, not ${right}`];
  });
}

/** Whose quantities a run has set. */
async function setBy({ sql }: Engine, runId: string): Promise<Set<string>> {
  const rows = await sql<{ key: string }[]>`
    select key from sync_changes where run_id = ${runId} and field = 'inventory_quantity' and state = 'applied'`;
  return new Set(rows.map(({ key }) => key));
}
