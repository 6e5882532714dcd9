import { parseArgs } from 'node:util';
import { migrate, migrationState } from '../../src/platform/database/migrations.ts';
import type { OperatorCommand } from './road/operator-command.ts';

const USAGE = `Applies pending database migrations. With --status, only says which are pending: exit code 0 in both cases.

  npm run migrate
  npm run migrate -- --status`;

export const migrateCommand: OperatorCommand = {
  usage: USAGE,
  async run(words, { database }) {
    const { values } = parseArgs({ args: [...words], options: { status: { type: 'boolean' } } });
    const { sql } = await database();
    if (values.status) {
      const { applied, pending } = await migrationState(sql);
      const left = pending.length === 0 ? 'none pending' : `pending: ${pending.join(', ')}`;
      return `${applied} migrations applied, ${left}.`;
    }
    const applied = await migrate(sql);
    return applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.';
  },
};
