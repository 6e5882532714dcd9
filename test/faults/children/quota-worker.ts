import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Fault } from '../../../src/errors.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { createQuota } from '../../../src/quota/create-quota.ts';

/**
 * Reserves units and settles them from eight sides until it is killed, or told to stop by the end of its stdin. Says
 * `holding` once units are held that it never settles, `turn 17` for each try, and `delivered <reservation> <units>`
 * for what was delivered and charged in one transaction. With `hang` the first side holds for ever.
 */
const [dataDir = '', url = '', accountId = '', way = ''] = process.argv.slice(2);
const { sql, close } = await openDatabase({ url: url || undefined, dataDir });
const entitlements = { of: async () => ({ hooks: { plan: 'free', hooksLimit: 50, pastDue: false } }) };
const quota = createQuota({ sql, entitlements });
let stopped = false;
createInterface(process.stdin).once('close', () => {
  stopped = true;
});

let turns = 0;
const hanging = way === 'hang' ? await quota.reserve(accountId, { units: 5 }) : undefined;
if (hanging) say('holding');
await Promise.all(Array.from({ length: 8 }, work));
await close();

async function work(): Promise<void> {
  while (!stopped) {
    await once();
    say(`turn ${++turns}`);
  }
}

async function once(): Promise<void> {
  const units = 1 + upTo(5);
  const made = await quota.reserve(accountId, { units }).catch(exhausted);
  // The work, which takes this long or that; most of it fails, so that units come back and go on being fought for.
  await setTimeout(upTo(20));
  if (!made) return;
  const delivered = upTo(10) === 0 ? upTo(made.granted + 1) : 0;
  await sql`
    with charged as materialized (select done from quota_settle(${accountId}, ${made.id}, ${delivered}, now()))
    insert into deliveries (reservation, units)
    select ${made.id}, ${delivered}::int from charged where done and ${delivered}::int > 0`;
  if (delivered > 0) say(`delivered ${made.id} ${delivered}`);
}

function exhausted(error: unknown): undefined {
  if (error instanceof Fault && error.code === 'quota_exhausted') return undefined;
  throw error;
}

/** A whole number from 0, below this. */
function upTo(bound: number): number {
  return Math.floor(Math.random() * bound);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
