import { pino } from 'pino';
import { createApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { SCOPES } from '../src/identity/caller.ts';
import { givePlan } from '../test/support/plans.ts';

/** Makes accounts on the largest plan in a server's database, before it starts; returns a key to each. */
export async function createCustomers(
  settings: Readonly<Record<string, string>>,
  count: number,
): Promise<string[]> {
  const app = await createApp({ config: readConfig(settings), log: pino({ level: 'silent' }) });
  try {
    const keys: string[] = [];
    for (let number = 1; number <= count; number++) {
      const { id } = await app.accounts.create(`shop ${number}`);
      await givePlan(app, id, 'enterprise');
      keys.push((await app.keys.create(id, 'bench', SCOPES, null)).key);
    }
    return keys;
  } finally {
    await app.close();
  }
}
