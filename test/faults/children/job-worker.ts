import { createInterface } from 'node:readline';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { aborted, caller, endOf, newJob, openAccount, openNode } from '../../jobs/workshop.ts';

/**
 * A process that runs jobs until it is killed, or told to stop by the end of its stdin. `hang` begins a job and never
 * ends it, `do` has its one effect and ends it. Without a job to follow it makes one and says `created <id>`. Says
 * `working <attempt>` for each attempt, and in the end the job as JSON.
 */
const [dataDir = '', url = '', way = 'do', follow = ''] = process.argv.slice(2);
const database = await openDatabase({ url: url || undefined, dataDir });
const { sql } = database;
await openAccount(database);
await sql`create table if not exists effects (job text primary key, times integer not null default 1)`;

const node = await openNode(database, {
  async work({ id, attempt }, { signal }) {
    say(`working ${attempt}`);
    if (way === 'hang') return aborted(signal);
    await sql`insert into effects (job) values (${id}) on conflict (job) do nothing`;
    return `done at attempt ${attempt}`;
  },
});
createInterface(process.stdin).once('close', async () => {
  await node.stop();
  await database.close();
});

if (follow === '') {
  const { id } = await node.jobs.create(caller, newJob('work'));
  say(`created ${id}`);
} else {
  const { status, attempt, result, error } = await ended(follow);
  const effects = await sql`select times from effects where job = ${follow}`;
  say(JSON.stringify({ status, attempt, result, error: error?.key ?? null, effects: effects.length }));
}

async function ended(id: string) {
  const job = await node.jobs.get(caller.accountId, id);
  for (;;) {
    const state = await endOf(node, job).catch(() => undefined);
    if (state) return state;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
