import { afterAll, beforeAll, expect, test } from 'vitest';
import { productRegistry } from '../../tools/index.ts';
import { createRunJob } from '../../tools/jobs/run-job.ts';
import { silentLog } from '../support/app.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, useRest } from '../support/server.ts';

let app: ServedApp;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());

test('/ready answers 503 until database and queue answer, and says which browser serves without its place', async () => {
  const ask = useRest(app.url);
  const idle = { running: false, busy: 0, waiting: 0 };
  const before = await ask('GET', '/ready');
  expect([before.status, before.body]).toEqual([
    503,
    {
      status: 'not_ready',
      database: 'ok',
      engine: app.database.engine,
      queue: 'down',
      files: 'ok',
      browser: idle,
      draining: false,
    },
  ]);
  await app.jobs.start({ run: createRunJob({ app, registry: productRegistry(), log: silentLog }) });
  const picture = { template: 'welcome', data: { name: 'Ana' }, format: 'png' };
  await useRest(app.url, (await newKey(app)).key)('POST', '/v1/export', { body: picture });
  const after = await ask('GET', '/ready');
  expect([after.status, after.body]).toEqual([
    200,
    {
      ...before.body,
      status: 'ready',
      queue: 'ok',
      browser: { ...idle, running: true, busy: expect.any(Number), name: expect.stringMatching(/^[^/\\]+$/) },
    },
  ]);
});
