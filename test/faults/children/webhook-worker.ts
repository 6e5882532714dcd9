import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../../src/platform/database/database.ts';
import { openWebhooks } from '../../webhooks/workshop.ts';

/**
 * Makes changes, each in one transaction with its event, and sends events until it is killed, or told to stop by the end of
 * its stdin. Every third change is rolled back. Says `change 17` for each. With `send` it changes nothing, and says
 * `sent` when nothing waits.
 */
const [dataDir = '', url = '', accountId = '', port = '', ca = '', way = ''] = process.argv.slice(2);
const { sql, close } = await openDatabase({ url: url || undefined, dataDir });
const webhooks = await openWebhooks(
  { sql },
  {
    post: {
      ca,
      maxMs: 500,
      isAllowed: (address, to) => address === '127.0.0.1' && to === Number(port),
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    },
    delays: Array(100).fill(0.1),
    claimSeconds: 1,
  },
);
// Claims of a process that was killed end without a notification.
const looks = setInterval(webhooks.work, 200);
let stopped = false;
createInterface(process.stdin).once('close', () => {
  stopped = true;
});

for (let count = 1; !stopped; count++) {
  if (way === 'change') await change(count);
  else if (!(await isWaiting())) process.stdout.write('sent\n');
  await setTimeout(way === 'change' ? 5 : 200);
}
clearInterval(looks);
await webhooks.close();
await close();

async function isWaiting(): Promise<boolean> {
  const rows = await sql`select from webhook_deliveries where status = 'waiting' limit 1`;
  return rows.length > 0;
}

async function change(count: number): Promise<void> {
  const rolledBack = count % 3 === 0;
  await sql
    .begin(async (tx) => {
      const [row] = await tx`insert into changes (is_real) values (${!rolledBack}) returning id`;
      const data = tx.json({ id: Number(row?.['id']), is_real: !rolledBack });
      await tx`select emit_event(${accountId}, 'branch.merged', ${data})`;
      if (rolledBack) throw new Error('rolled back');
    })
    .catch((error: unknown) => {
      if (!rolledBack) throw error;
    });
  process.stdout.write(`change ${count}\n`);
}
