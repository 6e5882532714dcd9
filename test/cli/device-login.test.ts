import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/cli.ts';
import { freshLogin, signInByDevice } from '../../cli/device-login.ts';
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
async function login(button: 'allow' | 'deny', person: Person = ana) {
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
  const consent = await signInAs(browser, await browser.submit(confirm, 'confirm=yes'), person);
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

test.concurrent('logout ends the connection at the server, and says so', async () => {
  const { program, said } = await login('allow');
  const kept = await program.logins.read();
  expect(await run(['logout'], program)).toBeUndefined();
  expect(said.out).toContain(`Signed out. This machine is no longer connected to ${app.url}.\n`);
  expect(await program.logins.read()).toBeUndefined();
  const headers = { authorization: `Bearer ${kept?.token}` };
  expect((await fetch(`${app.url}/v1/templates`, { headers })).status).toBe(401);
}, 60_000);

test.concurrent('logout without the server signs out, and says how to end the connection later', async () => {
  const ben = await newPerson(app.url, 'ben');
  const { program, said } = await login('allow', ben);
  const kept = await program.logins.read();
  if (!kept) throw new Error('not signed in');
  // No one listens there.
  await program.logins.write({ ...kept, url: 'http://127.0.0.1:9' });
  expect(await run(['logout'], program)).toBeUndefined();
  expect(said.out).toContain('Signed out on this machine, but http://127.0.0.1:9 could not be reached');
  expect(await program.logins.read()).toBeUndefined();

  // What it says to do works, for a person who has signed in by email.
  await program.logins.write({ url: app.url, token: ben.token });
  said.out = '';
  await run(['connected-apps', 'list', '--json'], program);
  const [own] = JSON.parse(said.out).items;
  said.out = '';
  await run(['connected-apps', 'revoke', own.id, '--yes'], program);
  expect(said.out).toBe('deleted: true\n');
}, 60_000);

test.concurrent('logout at a server that refuses says that it refused', async () => {
  const { program, said } = await login('allow');
  const kept = await program.logins.read();
  if (!kept) throw new Error('not signed in');
  // A page of the same server that has no connections to end.
  await program.logins.write({ ...kept, url: `${app.url}/elsewhere` });
  expect(await run(['logout'], program)).toBeUndefined();
  expect(said.out).toContain(
    `Signed out on this machine, but ${app.url}/elsewhere refused to end the connection.`,
  );
  expect(await program.logins.read()).toBeUndefined();
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
  const { program, said, end, exit } = await login('deny');
  expect(end.text).toContain('<h1>Not connected</h1>');
  expect([exit, said.err.split('\n').at(-2)]).toEqual([
    3,
    "The sign-in was canceled in the browser. To try again, run 'stallhand login'.",
  ]);
  expect(await program.logins.read()).toBeUndefined();
}, 60_000);

/** A server that answers each poll with the next of these; undefined breaks the connection. */
async function servePolls(
  answers: readonly ([number, object] | undefined)[],
  begun: [number, object] = [200, STARTED],
) {
  const polls = [...answers];
  const server = createServer((req, res) => {
    const answer = req.url === '/device' ? begun : polls.shift();
    if (!answer) return void res.destroy();
    res.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const metadata = {
    issuer: url,
    device_authorization_endpoint: `${url}/device`,
    token_endpoint: `${url}/token`,
    scopes_supported: ['templates:read'],
  };
  const { terminal } = testTerminal();
  return signInByDevice(url, metadata, terminal)
    .then(
      ({ token }) => token,
      (error: Error) => error.message,
    )
    .finally(() => server.close());
}

const STARTED = {
  ...{ device_code: 'd', user_code: 'ABCD-EFGH', verification_uri: 'http://127.0.0.1/device' },
  ...{ interval: 0.01, expires_in: 600 },
};
const pending = [400, { error: 'authorization_pending' }] as [number, object];
const signedIn = [200, { access_token: 'oat_x', refresh_token: 'ort_x', expires_in: 3600 }] as [
  number,
  object,
];

test.concurrent('a login goes on while the server restarts, and polls later when it is told to slow down', async () => {
  const slow = [400, { error: 'slow_down' }] as [number, object];
  const begun = Date.now();
  expect(await servePolls([pending, undefined, [503, {}], slow, signedIn])).toBe('oat_x');
  expect(Date.now() - begun).toBeGreaterThan(5_000);
}, 30_000);

test.concurrent.for([
  [[400, { error: 'expired_token' }], "The code has expired. Run 'stallhand login' again."],
  [
    [400, { error: 'invalid_grant', error_description: 'grant request is invalid' }],
    'The server did not sign you in: grant request is invalid',
  ],
] as [[number, object], string][])('a login that ends with %j says so', async ([answer, said]) => {
  expect(await servePolls([pending, answer])).toBe(said);
});

test.concurrent('a login that the server does not begin says why', async () => {
  const limited = [429, { detail: 'Too many requests. Try again in 5 seconds.' }] as [number, object];
  expect(await servePolls([], limited)).toBe(
    'The server did not sign you in: Too many requests. Try again in 5 seconds.',
  );
});
