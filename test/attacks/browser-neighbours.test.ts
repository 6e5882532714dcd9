import { afterAll, expect, test } from 'vitest';
import { Fault } from '../../src/errors.ts';
import { A4, openTestBrowser, patient, until } from '../platform/browser/support.ts';

const browser = openTestBrowser({}, 3);
afterAll(() => browser.close());

const BLUR = `<style>div{filter:blur(100px);padding:1px}</style>${'<div>'.repeat(300)}text`;
const INVOICE = '<h1>Invoice</h1><p>Total 12.00</p>';
const shots = [800, 375].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

test('a neighbor prints while another account posts previews that never end, and waits for none of them', async () => {
  const events: string[] = [];
  const print = () => browser.print(INVOICE, A4, { ...patient, accountId: 'neighbor' });
  await print();
  await until(() => browser.state().busy === 0);
  const attacks = Array.from({ length: 8 }, () =>
    browser.screenshot(BLUR, shots, { ...patient, accountId: 'attacker' }).then(
      () => events.push('attack done'),
      (error: unknown) => events.push(error instanceof Fault ? error.key : String(error)),
    ),
  );
  // Two of three pages are held, and the third is not, however many wait.
  expect(browser.state()).toMatchObject({ busy: 2, waiting: 6 });
  for (let count = 0; count < 5; count++) {
    await print();
    events.push('printed');
  }
  expect(events).toEqual(Array(5).fill('printed'));
  await Promise.all(attacks);
  const ends = new Set(events.slice(5));
  expect([...ends].filter((end) => !['attack done', 'render_limit.browser_time'].includes(end))).toEqual([]);
});

test('an account whose calls would wait long is told when to come back, and another is served', async () => {
  const narrow = openTestBrowser({ screenshotTimeoutMs: 1_000, waitMs: 2_500 }, 2);
  const attack = () => narrow.screenshot(BLUR, shots, { ...patient, accountId: 'attacker' });
  // What one such call takes is known from the first.
  await expect(attack()).rejects.toMatchObject({ key: 'render_limit.browser_time' });
  await until(() => narrow.state().busy === 0);
  const ends = Array.from({ length: 6 }, () => attack().catch((error: Fault) => error));
  const last = await ends[5];
  expect(last).toMatchObject({ key: 'unavailable.browser_busy', retryAfterSeconds: expect.any(Number) });
  expect((await narrow.print(INVOICE, A4, { ...patient, accountId: 'neighbor' })).pages).toBe(1);
  await Promise.all(ends);
  await narrow.close();
});
