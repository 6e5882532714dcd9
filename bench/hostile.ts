import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOSTILE_MAILS } from '../test/support/hostile-mails.ts';
import {
  createHostilePartials,
  HOSTILE_RENDERS,
  HOSTILE_SOURCES,
} from '../test/support/hostile-templates.ts';
import { createChildren } from './children.ts';

// Entry: how long a server takes for hostile templates and mails, and how long /health takes at the same
// time. Milliseconds, as a client measures them.

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const ROUNDS = 5;
/** A browser that is kept busy is given 15 s, so mails are sent less often. */
const MAIL_ROUNDS = 1;

type Attack = readonly [name: string, send: () => Promise<Response>];

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
  await report(ROUNDS, url, [
    ...HOSTILE_RENDERS.map(
      ([name, html, data]): Attack => [name, () => send('POST', '/v1/render', { html, data })],
    ),
    ...HOSTILE_SOURCES.map(([name, html]): Attack => [name, () => send('POST', '/v1/validate', { html })]),
  ]);
  const mails = HOSTILE_MAILS.map((mail, index) => ({ ...mail, template: `hostile-${index}` }));
  for (const { template, html } of mails) await send('POST', '/v1/templates', { name: template, html });
  const gentle = { html: '<img src="//x.test">', devices: ['mobile'], color_schemes: ['light'] };
  await send('POST', '/v1/preview', gentle);
  await send('POST', '/v1/lint', gentle);
  await report(
    MAIL_ROUNDS,
    url,
    mails.flatMap(({ name, template, html, data }): Attack[] => [
      [`lint: ${name}`, () => send('POST', '/v1/lint', { html, data })],
      [`pdf: ${name}`, () => send('POST', '/v1/export', { template, data, format: 'pdf' })],
      [`preview: ${name}`, () => send('POST', '/v1/preview', { ...gentle, html, data })],
    ]),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function report(rounds: number, url: string, attacks: readonly Attack[]): Promise<void> {
  console.log(`${`worst of ${rounds}`.padEnd(50)} status  attack ms  health ms`);
  for (const [name, attack] of attacks) {
    const measured: Awaited<ReturnType<typeof measure>>[] = [];
    for (let round = 0; round < rounds; round++) measured.push(await measure(attack, url));
    const worst = (key: 'attack' | 'health') => Math.max(...measured.map((one) => one[key])).toFixed(0);
    const status = String(measured[0]?.status);
    console.log(
      name.slice(0, 50).padEnd(50),
      status.padStart(6),
      worst('attack').padStart(10),
      worst('health').padStart(10),
    );
  }
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
  const answer = await attack();
  await answer.arrayBuffer();
  const elapsed = performance.now() - begin;
  running = false;
  return { status: answer.status, attack: elapsed, health: await health };
}
