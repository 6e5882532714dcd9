import { expect, test } from 'vitest';
import { newFolder, startAndKill, startProcess } from './server-process.ts';

const INSTANTS = 10;

test(`kill -9 at ${INSTANTS} instants of the first start: the next start works, with every starter template`, async () => {
  const measured = await newFolder();
  const begin = performance.now();
  await (await startProcess(measured.path)).kill();
  const whole = performance.now() - begin;
  await measured.remove();
  for (let instant = 1; instant <= INSTANTS; instant++) {
    const folder = await newFolder();
    await startAndKill(folder.path, (whole * instant) / (INSTANTS + 1));
    const server = await startProcess(folder.path);
    for (const template of ['welcome', 'receipt', 'password-reset', 'product-launch']) {
      const { status, body } = await server.rest('POST', '/v1/render', {
        body: { template, fixture: 'sample' },
      });
      expect([instant, template, status, body['environment']]).toEqual([
        instant,
        template,
        200,
        'production',
      ]);
    }
    await server.kill();
    await folder.remove();
  }
});
