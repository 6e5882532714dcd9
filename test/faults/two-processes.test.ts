import { afterAll, expect, test } from 'vitest';
import { newFolder, startProcess, startRefused } from './server-process.ts';

const folder = await newFolder();
afterAll(() => folder.remove());

test('a second process on one folder refuses, naming the first, which goes on unharmed', async () => {
  const first = await startProcess(folder.path);
  const created = await first.rest('POST', '/v1/templates', { body: { name: 'before', html: 'x' } });
  const seconds = await Promise.all([startRefused(folder.path), startRefused(folder.path)]);
  for (const { exitCode, says } of seconds) {
    expect(exitCode).toBe(1);
    expect(says).toContain(`Process ${first.pid} is using the database in ${folder.path}`);
    expect(says).toContain('DATABASE_URL');
  }
  const after = await first.rest('POST', '/v1/templates', { body: { name: 'after', html: 'x' } });
  expect([created.status, after.status]).toEqual([201, 201]);
  await first.kill();
});

test('the folder of a killed process is free for the next, with everything in it', async () => {
  const next = await startProcess(folder.path);
  for (const name of ['before', 'after'])
    expect((await next.rest('GET', `/v1/templates/${name}`)).status).toBe(200);
  await next.kill();
});
