import { Fault } from '../../../src/errors.ts';
import { openDatabase } from '../../../src/platform/database/database.ts';

/** Opens the database and holds it until its stdin ends. Says `open`, or the key and the parameters of the refusal. */
const [dataDir = ''] = process.argv.slice(2);
try {
  const database = await openDatabase({ url: undefined, dataDir });
  process.stdout.write('open\n');
  process.stdin.resume().once('end', () => void database.close());
} catch (error) {
  if (!(error instanceof Fault)) throw error;
  process.stdout.write(`${error.key} ${JSON.stringify(error.params)}\n`);
}
