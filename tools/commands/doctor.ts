import { parseArgs } from 'node:util';
import { command } from './command.ts';
import { examine, isHealthy, report } from './doctor/doctor.ts';

const USAGE = `Checks whether the server can work here: settings, database, schema, clock, secrets, folder, browser, ffmpeg, mail
and port. Says what it found and what to do. Exits with 1 if something is broken.

  npm run doctor [-- --json]`;

await command(USAGE, async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const findings = await examine();
  if (!isHealthy(findings)) process.exitCode = 1;
  return report(findings, values);
});
