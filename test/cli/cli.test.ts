import { mkdtemp, readdir, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/cli.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey } from '../support/server.ts';
import { testProgram, testTerminal } from './terminal.ts';

let app: ServedApp;
let key: string;

beforeAll(async () => {
  app = await openServedApp();
  ({ key } = await newKey(app));
});
afterAll(() => app.close());

type Options = { answers?: string[]; language?: string; apiKey?: string };

/** What a command prints, and its exit code. */
async function stallhand(
  words: readonly string[],
  { answers = [], language = 'en', apiKey = key }: Options = {},
) {
  const { terminal, said } = testTerminal({ answers });
  const code = await run(words, testProgram(terminal, { url: app.url, apiKey, language }));
  return { ...said, code };
}

test('a list is a table, with names first, and --json is the whole answer', async () => {
  const table = await stallhand(['templates', 'list']);
  expect(table.out.split('\n')[0]).toMatch(/^name +kind +description/);
  expect(table.out).toContain('welcome');
  const json = await stallhand(['templates', 'list', '--json']);
  expect(JSON.parse(json.out).items.map((item: { name: string }) => item.name)).toContain('welcome');
});

test('--out writes the file an operation makes, or the body that fits its name', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stallhand-'));
  const pdf = join(folder, 'welcome.pdf');
  expect((await stallhand(['templates', 'export', 'welcome', '--format', 'pdf', '--out', pdf])).code).toBe(0);
  expect((await readFile(pdf)).subarray(0, 5).toString()).toBe('%PDF-');
  const html = join(folder, 'welcome.html');
  await stallhand(['templates', 'render', 'welcome', '--data.name', 'Ana', '--out', html]);
  expect(await readFile(html, 'utf8')).toContain('Ana');
  expect(await readdir(folder)).toEqual(['welcome.html', 'welcome.pdf']);
});

test.for([
  ['nothing wrong', ['templates', 'get', 'welcome'], 0],
  ['an input the server refuses', ['templates', 'create', '--name', '../etc', '--html', 'x'], 2],
  ['a wrong flag', ['templates', 'get', 'welcome', '--no-such-flag'], 2],
  ['a wrong key', ['templates', 'get', 'welcome', '--token', 'sh_live_wrong'], 3],
  ['a template that is not there', ['templates', 'get', 'nope'], 4],
  ['a name that is taken', ['templates', 'create', '--name', 'welcome', '--html', 'x'], 5],
] as const)('%s ends with its own exit code', async ([, words, code]) => {
  expect((await stallhand(words)).code).toBe(code);
});

test('a server that does not answer is named, and ends with 1', async () => {
  const { code, err } = await stallhand(['templates', 'list', '--server', 'http://127.0.0.1:9']);
  expect(code).toBe(1);
  expect(err).toBe(
    "No Stallhand server answers at http://127.0.0.1:9. Check the address, or start one with 'stallhand serve'.\n",
  );
});

test('an error names the command to use next, not an HTTP request, in both languages', async () => {
  const english = await stallhand(['branches', 'get', 'welcome', 'nope']);
  expect(english.err).toContain("'stallhand branches list welcome'");
  const spanish = await stallhand(['branches', 'get', 'welcome', 'nope'], { language: 'es' });
  expect(spanish.err).toContain("'stallhand branches list welcome'");
  expect(spanish.err).not.toBe(english.err);
});

test('a field at fault is named as its flag', async () => {
  const { err } = await stallhand(['videos', 'create', '--title', 'Mug', '--duration', '-1']);
  expect(err).toContain('--duration');
});

test('what cannot be undone is asked first; without an answer nothing is sent', async () => {
  await stallhand(['templates', 'create', '--name', 'spare', '--html', 'x']);
  const alone = await stallhand(['templates', 'delete', 'spare']);
  expect([alone.code, alone.err]).toEqual([
    2,
    "'stallhand templates delete' asks before it does this. Add --yes where no one can answer.\n",
  ]);
  expect((await stallhand(['templates', 'delete', 'spare'], { answers: ['n'] })).code).toBe(2);
  expect((await stallhand(['templates', 'get', 'spare'])).code).toBe(0);
  expect((await stallhand(['templates', 'delete', 'spare'], { answers: ['y'] })).code).toBe(0);
  expect((await stallhand(['templates', 'get', 'spare'])).code).toBe(4);
});

test('--dry-run shows the request of an operation that has none of its own, and sends nothing', async () => {
  const { out, code } = await stallhand([
    'templates',
    'create',
    '--name',
    'later',
    '--html',
    '<p>x</p>',
    '--dry-run',
  ]);
  expect([code, out]).toEqual([0, 'POST /v1/templates\n{\n  "name": "later",\n  "html": "<p>x</p>"\n}\n']);
  expect((await stallhand(['templates', 'get', 'later'])).code).toBe(4);
});

test('a login is kept for its person alone, and its key is sent to no other server', async () => {
  const { terminal, said } = testTerminal({ answers: [key] });
  const program = testProgram(terminal);
  expect(await run(['login', app.url, '--email'], program)).toBeUndefined();
  expect(said.questions).toEqual(['API key, or your email address: ']);
  expect(said.out).toBe(`Signed in to ${app.url}.\n`);
  const file = join(program.config.folder, 'stallhand', 'login.json');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await run(['templates', 'get', 'welcome'], program)).toBe(0);
  const other = await openServedApp();
  expect(await run(['templates', 'list', '--server', other.url], program)).toBe(3);
  await other.close();
  await run(['logout'], program);
  expect(await program.logins.read()).toBeUndefined();
});

test('a login to a server that needs none says how to use it, and one to no server that there is none', async () => {
  const open = await openServedApp({ AUTH_MODE: 'open' });
  const { terminal, said } = testTerminal();
  expect(await run(['login', open.url], testProgram(terminal))).toBe(2);
  expect(said.err).toBe(
    `${open.url} needs no sign-in. Use it with --server ${open.url}, or set STALLHAND_URL.\n`,
  );
  await open.close();
  const { terminal: other, said: heard } = testTerminal();
  expect(await run(['login', open.url], testProgram(other))).toBe(1);
  expect(heard.err).toContain(`No Stallhand server answers at ${open.url}.`);
});

test('a login with a key that the server does not know keeps nothing', async () => {
  const { terminal } = testTerminal({ answers: ['sh_live_wrong'] });
  const program = testProgram(terminal);
  expect(await run(['login', app.url, '--email'], program)).toBe(3);
  expect(await program.logins.read()).toBeUndefined();
});

test('control characters from the server do not reach the terminal', async () => {
  await stallhand([
    'templates',
    'create',
    '--name',
    'sly',
    '--html',
    'x',
    '--description',
    'red\u001b[31m\u0007',
  ]);
  const { out } = await stallhand(['templates', 'get', 'sly']);
  expect(out).toContain('description: red [31m');
});

test('help of a command comes from its tool: flags, their values, examples', async () => {
  const { out, code } = await stallhand(['templates', 'render', '--help']);
  expect(code).toBe(0);
  expect(out).toContain('stallhand templates render [TEMPLATE] [FLAGS]');
  expect(out).toContain('--on-missing fallback|error|keep');
  expect(out).toContain(`stallhand templates render welcome --data '{"name":"Ana"}'`);
  expect(out).toContain("use 'stallhand templates export'");
});

test.for([['stores'], ['stores', '--help'], ['store', '-h'], ['help', 'stores']])(
  "'%s' lists what can be done with stores",
  async (words) => {
    expect(await stallhand(words)).toMatchObject({
      code: 0,
      err: '',
      out: `Usage
  stallhand stores VERB [FLAGS]

Verbs
  connect  Connect a store
  list     List stores
  get      Get a store
  update   Update a store
  delete   Disconnect a store
  test     Test a store connection

Flags of a command: 'stallhand stores VERB --help'.
`,
    });
  },
);

test('tools finds commands by words', async () => {
  expect((await stallhand(['tools', 'roll', 'back'])).out).toContain('templates rollback');
  expect((await stallhand(['tools', 'zeppelin'])).out).toBe(
    "No command has these words. 'stallhand tools' lists all commands.\n",
  );
});
