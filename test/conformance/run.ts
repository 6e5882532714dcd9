import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startConformanceServer } from './server.ts';

/** Revisions whose frozen requirements the product meets whole. */
const REVISIONS = ['2025-11-25', '2026-07-28'];

const SUITE = import.meta.resolve('@modelcontextprotocol/conformance/package.json');
const BASELINE = fileURLToPath(new URL('baseline.yaml', import.meta.url));

const server = await startConformanceServer();
const results = await mkdtemp(join(tmpdir(), 'conformance-'));
try {
  for (const revision of REVISIONS) await run(revision);
} finally {
  await rm(results, { recursive: true });
  await server.close();
}

/** Runs the official suite against one revision; a failed requirement ends this process with an error. */
async function run(revision: string): Promise<void> {
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('dist/index.js', SUITE)),
      'server',
      ...['--url', server.url],
      ...['--requirements', revision],
      ...['--expected-failures', BASELINE],
      ...['--output-dir', join(results, revision)],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  const scenarios = summary(output, await notScored(revision));
  const failed = scenarios.filter(({ passed }) => !passed);
  if (code !== 0 || scenarios.length === 0 || failed.length > 0) {
    process.exitCode = 1;
    console.log(output);
  }
  console.log(`\nMCP conformance, requirements of ${revision}`);
  for (const { line, scored } of scenarios) console.log(`${line}${scored ? '' : ' (not scored)'}`);
  const scored = scenarios.filter((scenario) => scenario.scored);
  console.log(
    `${scored.filter((scenario) => scenario.passed).length} of ${scored.length} scored scenarios passed.`,
  );
}

function summary(output: string, unscored: readonly string[]) {
  const lines = output.slice(output.lastIndexOf('=== SUMMARY ===')).matchAll(/^([✓✗]) (\S+): .*$/gm);
  return [...lines].map(([line, mark, name = '']) => ({
    line,
    name,
    passed: mark === '✓',
    scored: !unscored.includes(name),
  }));
}

/** Extensions and scenarios younger than the revision: the suite runs them, but they are no requirement. */
async function notScored(revision: string): Promise<string[]> {
  const requirements = await readFile(new URL(`requirements/${revision}.yaml`, SUITE), 'utf8');
  return [...requirements.matchAll(/- scenario: (\S+)/g)].map(([, name = '']) => name);
}
