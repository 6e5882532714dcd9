import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/cli.ts';
import { freshLogin } from '../../cli/device-login.ts';
import { newBrowser, newPerson, type Person, signInAs, WIDE_LIMITS } from '../support/oauth-person.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { testProgram, testTerminal } from './terminal.ts';

let app: ServedApp;
let ana: Person;

beforeAll(async () => {
  app = await openServedApp({ RATE_LIMITS: WIDE_LIMITS });
  ana = await newPerson(app.url, 'ana');
});
afterAll(() => app.close());

// A login looks every five seconds whether the person has agreed, so these wait beside each other.

/** The command on one machine, and the person with a browser on another. */
async function login(button: 'allow' | 'deny') {
  const { terminal, said } = testTerminal();
  const program = testProgram(terminal);
  const running = run(['login', '--url', app.url], program);
  await expect.poll(() => said.err, { timeout: 20_000 }).toContain('Open ');
  const address = /Open (\S+)/.exec(said.err)?.[1] ?? '';
  const code = /the code (\S+)/.exec(said.err)?.[1] ?? '';
  const browser = newBrowser(app.url);
  const typing = await browser.open(address);
  expect(typing.text).toContain(`value="${code}"`);
  const confirm = await browser.submit(typing, '=');
  expect(confirm.text).toContain(code);
  const consent = await signInAs(browser, await browser.submit(confirm, 'confirm=yes'), ana);
  const end = await browser.submit(consent, `action=${button}`);
  return { program, said, end, exit: await running };
}

test.concurrent('login without a key shows an address and a code, and ends when the person has agreed', async () => {
  const { program, said, end, exit } = await login('allow');
  expect([exit, end.status, said.out]).toEqual([undefined, 200, `Signed in to ${app.url}.\n`]);
  const file = join(program.config.folder, 'stallhand', 'login.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await run(['templates', 'list'], program)).toBe(0);

  // Two commands at once, after the token has ended: one gets another, and both go on.
  const kept = JSON.parse(await readFile(file, 'utf8'));
  await program.logins.write({ ...kept, refresh: { ...kept.refresh, at: 0 } });
  const [one, two] = await Promise.all([freshLogin(program.logins), freshLogin(program.logins)]);
  expect(one?.token).toBe(two?.token);
  expect(one?.token).not.toBe(kept.token);
  expect(await run(['templates', 'list'], program)).toBe(0);
}, 60_000);

test.concurrent('a sign-in that has ended is told from a wrong command line by its exit code', async () => {
  const { program, said } = await login('allow');
  const kept = await program.logins.read();
  if (!kept) throw new Error('not signed in');
  await program.logins.write({ ...kept, refresh: { token: 'ended', at: 0 } });
  expect(await run(['templates', 'list'], program)).toBe(3);
  expect(said.err).toContain(`Your sign-in to ${app.url} has ended. Run 'stallhand login' again.`);
  expect(await run(['templates', 'lost'], program)).toBe(2);
}, 60_000);

test.concurrent('a login that the person cancels keeps nothing', async () => {
  const { program, said, exit } = await login('deny');
  expect([exit, said.err.split('\n').at(-2)]).toEqual([3, 'The sign-in was canceled in the browser.']);
  expect(await program.logins.read()).toBeUndefined();
}, 60_000);
