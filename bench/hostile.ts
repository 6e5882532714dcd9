import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createHostilePartials,
  HOSTILE_RENDERS,
  HOSTILE_SOURCES,
} from '../test/support/hostile-templates.ts';
import { createChildren } from './children.ts';

// Entry: how long hostile templates hold a server, and how long /health waits meanwhile. Milliseconds, as a client sees them.

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const ROUNDS = 5;

const folder = mkdtempSync(join(tmpdir(), 'stallhand-hostile-'));
try {
  await using children = createChildren(folder, new AbortController().signal);
  const { url } = await children.start('server', [join(ROOT, 'http/main.ts')], {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
  });
  const send = (method: string, path: string, body: object) =>
    fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await createHostilePartials(send);
  await send('POST', '/v1/render', { html: 'warm' });
  const attacks = [
    ...HOSTILE_RENDERS.map(
      ([name, html, data]) => [name, () => send('POST', '/v1/render', { html, data })] as const,
    ),
    ...HOSTILE_SOURCES.map(([name, html]) => [name, () => send('POST', '/v1/validate', { html })] as const),
  ];
  console.log(`worst of ${ROUNDS} rounds      attack ms  health ms`);
  for (const [name, attack] of attacks) {
    const rounds: Awaited<ReturnType<typeof measure>>[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(attack, url));
    const worst = (key: 'attack' | 'health') => Math.max(...rounds.map((one) => one[key])).toFixed(0);
    console.log(name.slice(0, 40).padEnd(41), worst('attack').padStart(8), worst('health').padStart(10));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(attack: () => Promise<Response>, url: string) {
  let running = true;
  const health = (async () => {
    let worst = 0;
    do {
      const begin = performance.now();
      await (await fetch(`${url}/health`)).text();
      worst = Math.max(worst, performance.now() - begin);
    } while (running);
    return worst;
  })();
  const begin = performance.now();
  await (await attack()).text();
  const elapsed = performance.now() - begin;
  running = false;
  return { attack: elapsed, health: await health };
}
