import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChildren } from './children.ts';
import { findGenerator } from './load.ts';
import { loadAverage } from './machine.ts';
import { startAll } from './mcp/contestants.ts';
import { sessionKilobytes } from './mcp/session-memory.ts';
import { readPlan } from './read-plan.ts';
import { type Measurement, type Ratio, ratioOf, rowsOf, sentence, table } from './results.ts';
import { runRounds } from './rounds.ts';
import { runBench } from './run-bench.ts';

const USAGE = `Measures MCP's tools/call and tools/list over HTTP beside the REST route and beside minimal servers of both SDKs.

  npm run bench:mcp -- [--rounds 5] [--seconds 4] [--connections 8] [--before CHECKOUT] [--json FILE]`;

/** What is compared, and the least it should be. */
const RATIOS = [
  ['stallhand tools/call 2025', 'stallhand rest', 0.5],
  ['stallhand tools/call 2026', 'stallhand rest', 0.5],
  ['stallhand tools/call 2025', 'sdk-1 tools/call 2025', 2],
  ['stallhand tools/call 2026', 'sdk-2 tools/call 2026', 2],
  ['stallhand tools/list 2025', 'sdk-1 tools/list 2025', 2],
  ['stallhand tools/list 2026', 'sdk-2 tools/list 2026', 2],
] as const;

const WORK = ['rest', 'tools/call 2025', 'tools/call 2026', 'tools/list 2025', 'tools/list 2026'];

await runBench(async (signal) => {
  const { plan, json, before } = readPlan({ seconds: '4', connections: '8' }, USAGE);
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-mcp-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const children = cleanUp.use(createChildren(folder, signal));
  const contestants = await startAll({ children, folder, signal }, before);
  const measurements = await runRounds(contestants, plan, findGenerator(), signal);
  const ratios = RATIOS.map(([of, to, bar]) => ({ ...ratioOf(measurements, of, to), bar }));
  console.log(`\n${table(rowsOf(measurements))}\n`);
  for (const ratio of ratios) console.log(`${sentence(ratio)}, bar ${ratio.bar}`);
  const toBefore = ratiosToBefore(measurements);
  for (const ratio of toBefore) console.log(sentence(ratio));
  const sessionKb = await sessionKilobytes({ children, folder, signal });
  console.log(`A session of revision 2025-11-25 keeps ${sessionKb.toFixed(0)} kB, bar 40`);
  if (json)
    writeFileSync(
      json,
      `${JSON.stringify({ plan, load: loadAverage(), ratios, toBefore, sessionKb, measurements }, null, 2)}\n`,
    );
});

/** Of each kind of work that the other checkout does, too. */
function ratiosToBefore(measurements: readonly Measurement[]): Ratio[] {
  return WORK.map((work) => ratioOf(measurements, `stallhand ${work}`, `before ${work}`)).filter(
    ({ rounds }) => rounds.length > 0,
  );
}
