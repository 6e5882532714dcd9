import type { OperatorCommand } from '../road/operator-command.ts';
import { checkOpen } from './check-database.ts';

/** What `doctor` asks the server that has the database open: its findings, as JSON. */
export const databaseCommand: OperatorCommand = {
  usage: 'Used by doctor.',
  async run(_words, { config, database }) {
    const how = `in use by process ${process.pid}`;
    return JSON.stringify(await checkOpen(await database(), config, { how }));
  },
};
