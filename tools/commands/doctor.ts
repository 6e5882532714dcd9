import { parseArgs } from 'node:util';
import { command } from './command.ts';
import { examine, isHealthy, report } from './doctor/doctor.ts';
import { DOES } from './doctor/usage.ts';

const USAGE = `${DOES}

  npm run doctor [-- --json]`;

await command(USAGE, async () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false } } });
  const findings = await examine();
  if (!isHealthy(findings)) process.exitCode = 1;
  return report(findings, values);
});
// A check that got no answer would keep the process.
process.exit();
