import { createInterface } from 'node:readline';
import { openDatabase, type Sql } from '../../../src/platform/database/database.ts';

/**
 * Writes from ten sides until it is killed, or told to stop by the end of its stdin. Says `open` first, then a line
 * for each write that was acknowledged: `note 17`, `gone 17`, `move`.
 */
const [dataDir = '', first = '0'] = process.argv.slice(2);
const { sql, close } = await openDatabase({ url: undefined, dataDir });
let stopped = false;
createInterface(process.stdin).once('close', () => {
  stopped = true;
});
say('open');

let next = Number(first);
await Promise.all(Array.from({ length: 10 }, (_, side) => write(sql, side)));
await close();

async function write(sql: Sql, side: number): Promise<void> {
  while (!stopped) {
    const id = next++;
    await sql`insert into notes (id, body) values (${id}, ${`from ${side} `.repeat(50)})`;
    say(`note ${id}`);
    if (id % 7 === 0) {
      await sql`delete from notes where id = ${id}`;
      say(`gone ${id}`);
    }
    if (id % 5 === 0) {
      await sql.begin(async (tx) => {
        await tx`update counters set value = value - ${side} where name = ${`c${id % 4}`}`;
        await tx`update counters set value = value + ${side} where name = ${`c${(id + 1) % 4}`}`;
      });
      say('move');
    }
    if (id % 400 === 0) await sql`checkpoint`;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
