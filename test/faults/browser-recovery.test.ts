import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Browser } from '../../src/platform/browser/browser.ts';
import {
  A4,
  browserProcesses,
  openTestBrowser,
  patient,
  profiles,
  renderersOf,
  until,
} from '../platform/browser/support.ts';
import { firstLine } from '../support/processes.ts';

const opened: Browser[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((browser) => browser.close()));
});

function open(...settings: Parameters<typeof openTestBrowser>): Browser {
  const browser = openTestBrowser(...settings);
  opened.push(browser);
  return browser;
}

/** Takes the browser some hundred milliseconds. */
const SLOW = '<table><tr><td>cell</td></tr></table>'.repeat(6_000);

/** Eight to the ninth copies of a rectangle: no browser comes to an end of it. */
const ENDLESS = `<svg><defs><rect id="u0" width="1" height="1"/>${Array.from(
  { length: 9 },
  (_, level) => `<g id="u${level + 1}">${`<use href="#u${level}"/>`.repeat(8)}</g>`,
).join('')}</defs><use href="#u9"/></svg>`;

test('the browser starts with the first work and not before', async () => {
  const browser = open();
  expect(browser.state()).toEqual({ running: false, waiting: 0, busy: 0 });
  await browser.print('<p>x', A4, patient);
  expect(browser.state()).toMatchObject({ running: true, executable: expect.any(String), waiting: 0 });
});

test('a print whose browser is killed is made in another one', async () => {
  const browser = open();
  await browser.print('<p>x', A4, patient);
  const before = await browserProcesses();
  // One account holds at most all pages but one.
  const other = { ...patient, accountId: 'other' };
  const prints = [browser.print(SLOW, A4, patient), browser.print(SLOW, A4, other)];
  await until(() => browser.state().busy === 2);
  for (const { pid } of before) process.kill(pid, 'SIGKILL');
  expect((await Promise.all(prints)).map(({ pages }) => pages > 10)).toEqual([true, true]);
  expect((await browser.print('<p>x', A4, patient)).pages).toBe(1);
});

test('a print whose page is killed is made in another one, and the browser stays', async () => {
  const browser = open({}, 1);
  await browser.print('<p>x', A4, patient);
  const main = (await browserProcesses()).find(({ command }) => !command.includes('--type='));
  const print = browser.print(SLOW, A4, patient);
  for (const { pid } of renderersOf(await browserProcesses())) process.kill(pid, 'SIGKILL');
  expect((await print).pages).toBeGreaterThan(10);
  expect((await browserProcesses()).map(({ pid }) => pid)).toContain(main?.pid);
});

test('a page that ends its process each time is refused after the second, and the next one is printed', async () => {
  const browser = open({}, 1);
  await browser.print('<p>x', A4, patient);
  const print = browser.print(SLOW, A4, patient).catch((error) => error);
  let over = false;
  void print.finally(() => {
    over = true;
  });
  await until(async () => {
    for (const { pid } of renderersOf(await browserProcesses())) kill(pid);
    return over;
  });
  expect(await print).toMatchObject({ key: 'render_limit.browser_crash' });
  expect((await browser.print('<p>x', A4, patient)).pages).toBe(1);
});

test('a page that never ends is ended after its time, and nothing of it goes on working', async () => {
  const browser = open({ printTimeoutMs: 1_000 }, 2);
  const endless = browser.print(ENDLESS, A4, patient).catch((error) => error);
  const beside = browser.print('<p>x', A4, patient);
  expect((await beside).pages).toBe(1);
  expect(await endless).toMatchObject({ key: 'render_limit.browser_time', params: { limit: 1_000 } });
  expect((await browser.print('<p>x', A4, patient)).pages).toBe(1);
  await until(() => browser.state().busy === 0);
  // One page is kept; a second may be the spare process that Chromium keeps ready.
  await until(async () => renderersOf(await browserProcesses()).length <= 3);
});

test('a request that comes when too many wait is refused, with the time to retry', async () => {
  const browser = open({ waiting: 1 }, 1);
  const [first, second] = [browser.print(SLOW, A4, patient), browser.print('<p>x', A4, patient)];
  await expect(browser.print('<p>x', A4, patient)).rejects.toMatchObject({
    key: 'unavailable.browser_busy',
    retryAfterSeconds: 5,
  });
  expect(browser.state()).toMatchObject({ busy: 1, waiting: 1 });
  expect([(await first).pages > 1, (await second).pages]).toEqual([true, 1]);
});

test('a caller who goes away frees the place, at work or waiting', async () => {
  const browser = open({ waiting: 1 }, 1);
  const [atWork, waiting] = [new AbortController(), new AbortController()];
  const first = browser.print(ENDLESS, A4, atWork).catch((error) => error);
  const second = browser.print('<p>x', A4, waiting).catch((error) => error);
  waiting.abort(new Error('second went away'));
  expect(await second).toMatchObject({ message: 'second went away' });
  const third = browser.print('<p>x', A4, patient);
  atWork.abort(new Error('first went away'));
  expect(await first).toMatchObject({ message: 'first went away' });
  expect((await third).pages).toBe(1);
});

test('pages and browsers past their limit are replaced while work goes on', async () => {
  const browser = open({ pageUses: 2, browserUses: 5 }, 2);
  const prints = Array.from({ length: 12 }, () => browser.print('<p>x', A4, patient));
  expect((await Promise.all(prints)).map(({ pages }) => pages)).toEqual(Array(12).fill(1));
  await browser.print('<p>x', A4, patient);
  await until(async () => mains(await browserProcesses()) === 1);
});

test('a browser without work is closed, and starts again for the next', async () => {
  const browser = open({ idleMs: 1 });
  await browser.print('<p>x', A4, patient);
  await until(async () => (await browserProcesses()).length === 0);
  expect(browser.state().running).toBe(false);
  expect((await browser.print('<p>x', A4, patient)).pages).toBe(1);
});

test('closing leaves neither a process nor a profile, and ends what is at work', async () => {
  const before = await profiles();
  const browser = open({}, 1);
  await browser.print('<p>x', A4, patient);
  const prints = [browser.print(ENDLESS, A4, patient), browser.print('<p>x', A4, patient)];
  const errors = prints.map((print) => print.catch((error) => error.key));
  await until(() => browser.state().waiting === 1);
  await browser.close();
  expect(await Promise.all(errors)).toEqual(['unavailable.browser_stopped', 'unavailable.browser_stopped']);
  expect(await browserProcesses()).toEqual([]);
  expect((await profiles()).filter((name) => !before.includes(name))).toEqual([]);
  await expect(browser.print('<p>x', A4, patient)).rejects.toMatchObject({
    key: 'unavailable.browser_stopped',
  });
});

test('when our process is killed, the browser ends too', async () => {
  const script = fileURLToPath(new URL('../platform/browser/print-forever.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'ignore'] });
  expect(await firstLine(child)).toBe('printed');
  const started = await browserProcesses(child.pid);
  expect(started.length).toBeGreaterThan(1);
  child.kill('SIGKILL');
  await once(child, 'exit');
  await until(() => started.every(({ pid }) => !runs(pid)));
});

const mains = (processes: readonly { command: string }[]) =>
  processes.filter(({ command }) => !command.includes('--type=')).length;

// It may have ended between being listed and being killed.
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {}
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
