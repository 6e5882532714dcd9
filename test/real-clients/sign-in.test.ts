import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../support/app.ts';
import { newBrowser, newPerson, type Person, signInAs, WIDE_LIMITS } from '../support/oauth-person.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { installClients, REAL_CLIENTS, type RealClient } from './clients.ts';
import { startScriptedModel, toolNames } from './model.ts';

const CLIENTS = REAL_CLIENTS.filter(({ remote }) => remote !== undefined);

/** Where Claude Code and Codex publish who they are; opencode registers instead. */
const PUBLISHED = [
  'https://claude.ai/oauth/claude-code-client-metadata',
  'https://chatgpt.com/oauth/codex/client.json',
];

/** The default list without the two tools that change production, which the person did not tick. */
const LISTED = 22;

let app: TestApp;
let server: TestServer;
let ana: Person;
let installed: string;
let home: string;

beforeAll(async () => {
  installed = await installClients();
  const env = { RATE_LIMITS: WIDE_LIMITS };
  app = await openTestApp(env);
  server = await startTestServer(app, env, { fetchClientMetadata });
  ana = await newPerson(server.url, 'ana');
}, 600_000);
afterAll(async () => {
  await server.close();
  await app.close();
});
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'stallhand-sign-in-'));
});
afterEach(() => rm(home, { recursive: true, maxRetries: 10, retryDelay: 100 }));

/** The documents of both, in the form that client ID metadata documents have. */
async function fetchClientMetadata(url: string): Promise<unknown> {
  if (!PUBLISHED.includes(url)) throw new Error(`${url} is not a client of this test`);
  return {
    client_id: url,
    client_name: 'A client',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'none',
  };
}

/** A folder with the program that clients start to open an address. It writes the address down. */
async function fakeBrowser(): Promise<{ readonly path: string; opened(): Promise<string> }> {
  const path = join(home, 'bin');
  await mkdir(path);
  await writeFile(join(path, 'xdg-open'), '#!/bin/sh\necho "$1" > "$HOME/opened"\n', { mode: 0o755 });
  return {
    path,
    opened: () =>
      readFile(join(home, 'opened'), 'utf8').then(
        (said) => said.trim(),
        () => '',
      ),
  };
}

function start(client: RealClient, args: readonly string[], more: Readonly<Record<string, string>>) {
  const program = join(installed, 'node_modules/.bin', client.bin);
  // Claude Code signs in on a terminal only, which `script` is.
  const line = [program, ...args].join(' ');
  const [command, words] = more['BROWSER'] ? ['script', ['-qec', line, '/dev/null']] : [program, args];
  return spawn(command, words, {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test.each(CLIENTS)('$name $package signs in by its own command, then lists and calls', async (client) => {
  const model = await startScriptedModel([{ tool: 'list_templates', input: { q: 'welcome' } }]);
  const { signIn, prepare } = client.remote ?? expect.unreachable();
  try {
    const { args, env } = prepare(`${server.url}/mcp`, home, model.url);
    const { path, opened } = await fakeBrowser();
    const PATH = `${path}${delimiter}${process.env['PATH']}`;
    const signingIn = start(client, signIn, { ...env, PATH, BROWSER: join(path, 'xdg-open') });
    const ended = Promise.all([text(signingIn.stdout), text(signingIn.stderr), once(signingIn, 'exit')]);
    await expect.poll(opened, { timeout: 60_000 }).not.toBe('');

    const address = new URL(await opened());
    const back = new URL(address.searchParams.get('redirect_uri') ?? '');
    const browser = newBrowser(server.url, [back.origin]);
    const consent = await signInAs(browser, await browser.open(address), ana);
    const end = await browser.submit(consent, 'action=allow');
    expect([end.status, end.url.origin]).toEqual([200, back.origin]);
    const [said, , [code]] = await ended;
    expect(code, said).toBe(0);

    const working = start(client, args, env);
    const [answer, , [left]] = await Promise.all([
      text(working.stdout),
      text(working.stderr),
      once(working, 'exit'),
    ]);
    expect({
      code: left,
      isDone: answer.includes('DONE'),
      tools: toolNames(model.received[0]).length,
      isFound: model.received.at(-1)?.includes('welcome@production'),
    }).toEqual({ code: 0, isDone: true, tools: LISTED, isFound: true });
  } finally {
    await model.close();
  }
});
