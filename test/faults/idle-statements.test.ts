import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestApp } from '../support/app.ts';

test('an idle node sends at most 20 statements in 20 seconds', async () => {
  const app = await openTestApp();
  try {
    await Promise.all([app.jobs.start({ run: async () => null }), app.sync.start(), app.videos.start()]);
    app.webhooks.start({ presentVideo: (video) => video });
    // What a start does once.
    await delay(3_000);
    app.queriesSince();
    await delay(20_000);
    const sent = app.queriesSince();
    process.stdout.write(`${sent} statements\n`);
    expect(sent).toBeLessThanOrEqual(20);
  } finally {
    await app.close();
  }
});
