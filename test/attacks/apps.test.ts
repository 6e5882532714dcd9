import { readFile } from 'node:fs/promises';
import type { Client } from '@modelcontextprotocol/client';
import type { Browser } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectWithApps, ERAS } from '../mcp/support/app-clients.ts';
import { accessibilityFaults } from '../support/look.ts';
import { newKey, useRest } from '../support/server.ts';
import { HEADER, openPairs, type Pairs, stocked } from '../support/sync-pairs.ts';
import { startVideoServer, type VideoServer } from '../support/video-server.ts';
import { type Look, launchBrowser, type OpenApp, openApp } from './app-host.ts';

// Each app in a real browser, in a frame with the policy that the extension asks of hosts, against the real server.

const FAULTS = await readFile(new URL('app-faults.js', import.meta.url), 'utf8');

const LOOKS: readonly (readonly [string, Look])[] = [
  ['light and wide', { theme: 'light', width: 900 }],
  ['dark, in Spanish', { theme: 'dark', width: 720, locale: 'es-MX' }],
  ['on a phone', { theme: 'light', width: 360, locale: 'es' }],
  ['dark on a phone', { theme: 'dark', width: 360 }],
];

let pairs: Pairs;
let browser: Browser;
let client: Client;
let key: string;
let rest: ReturnType<typeof useRest>;
beforeAll(async () => {
  pairs = await openPairs();
  ({ key } = await newKey(pairs.app));
  rest = useRest(pairs.url, key);
  client = await connectWithApps(`${pairs.url}/mcp`, key, '2026-07-28');
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await client?.close();
  await pairs?.close();
});

async function open(
  tool: string,
  input: Record<string, unknown>,
  look?: Look,
  by = client,
): Promise<OpenApp> {
  const app = await openApp(browser, by, tool, input, look);
  onTestFinished(() => app.close());
  return app;
}

/** What keeps somebody from reading or using it, and what its policies had to stop. */
async function faultsOf({ frame, console: said, requests }: OpenApp): Promise<unknown> {
  const faults = await frame.evaluate(`${FAULTS}\nfaultsOf()`);
  return { faults, axe: await accessibilityFaults(frame), said, requests };
}
const NO_FAULTS = { faults: [], axe: [], said: [], requests: [] };

async function connect(query = '', era: (typeof ERAS)[number] = '2026-07-28', by = key): Promise<Client> {
  const other = await connectWithApps(`${pairs.url}/mcp${query}`, by, era);
  onTestFinished(() => other.close());
  return other;
}

async function call(name: string, input: object): Promise<void> {
  const run = (with_: object) =>
    client.callTool({ name: 'run_tool', arguments: { name, arguments: { ...input, ...with_ } } });
  const first = await run({});
  const confirmation = /cnf_[\w-]+/.exec(JSON.stringify(first.content))?.[0];
  const answer = confirmation ? await run({ confirmation }) : first;
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
}

let notes = 0;
/** A template whose main branch is one version ahead of production. */
async function newNote(): Promise<string> {
  const name = `note-${++notes}`;
  const environments = ['staging', 'production'];
  await call('create_template', {
    name,
    subject: 'Hello',
    html: '<p>One</p>\n<p>Hi {{name}}</p>',
    environments,
  });
  await call('update_template', { name, html: '<p>One</p>\n<p>Dear {{name}}</p>' });
  return name;
}

const production = async (name: string) => {
  const { body } = await rest('GET', `/v1/templates/${name}`);
  return (body['environments'] as { production: string }).production;
};

describe('the app of an email', () => {
  test('shows it, and renders it again with what the person fills in', async () => {
    const app = await open('render_template', { template: await newNote(), data: { name: 'Ana' } });
    expect(await app.text()).toContain('Hello');
    expect(await letterOf(app)).toContain('Hi Ana');
    await app.frame.click('summary');
    await app.frame.focus('#v-name');
    await app.page.keyboard.type(' Ruiz');
    await app.click('Render again');
    await expect.poll(() => letterOf(app)).toContain('Hi Ana Ruiz');
    expect(new Set(app.asked)).toEqual(new Set(['tools/call read_for_app']));
  });

  test.each(LOOKS)('reads well %s', async (_name, look) => {
    const app = await open('get_template', { name: 'receipt' }, look);
    expect(await faultsOf(app)).toEqual(NO_FAULTS);
    for (const label of ['Phone', 'Dark', 'Plain text', 'Teléfono', 'Oscuro', 'Texto plano'])
      if ((await app.text()).includes(label)) await app.click(label);
    expect(await faultsOf(app)).toEqual(NO_FAULTS);
  });

  test('shows its colors for the dark in the dark', async () => {
    const style = '@media (prefers-color-scheme: dark) { p { color: rgb(1, 2, 3) } }';
    const app = await open('render_template', { html: `<style>${style}</style><p>Hi</p>` });
    const color = () => inLetter(app, 'getComputedStyle(document.querySelector("p")).color');
    expect(await color()).toBe('rgb(0, 0, 0)');
    await app.click('Dark');
    await expect.poll(color).toBe('rgb(1, 2, 3)');
  });

  test('runs no script of it, sends none of its forms, and loads and opens nothing', async () => {
    const script =
      '<script>parent.postMessage({jsonrpc:"2.0",id:1,method:"tools/call"},"*");top.location="https://evil.example/1"</script>';
    await call('create_template', {
      name: 'hostile',
      html: `<html><head><meta http-equiv="refresh" content="0;url=https://evil.example/2">
        <link rel="preconnect" href="https://evil.example"><link rel="stylesheet" href="https://evil.example/3">
        <style>@import "https://evil.example/4"; p { background: url(https://evil.example/5) }
        @font-face { font-family: x; src: url(https://evil.example/6) } p { font-family: x }</style></head>
        <body>${script}<p onclick="alert(1)">Hi</p><img src="https://evil.example/7" onerror="alert(2)">
        <img src=x srcset="https://evil.example/8 2x"><svg><image href="https://evil.example/9"/></svg>
        <a href="https://evil.example/10" target="_top">a link</a><a href="javascript:alert(3)">script</a>
        <form action="https://evil.example/11"><button>send</button></form>
        <iframe src="https://evil.example/12"></iframe><object data="https://evil.example/13"></object>
        <video src="https://evil.example/14" autoplay></video></body></html>`,
      environments: ['production'],
    });
    const app = await open('render_template', { template: 'hostile' });
    const letter = await letterFrameOf(app);
    const { length: windows } = await browser.pages();
    expect(await letter.$$eval('script, iframe, object, link, meta[http-equiv]', (all) => all.length)).toBe(
      0,
    );
    for (const selector of ['a', 'p', 'button']) await letter.$(selector).then((one) => one?.click());
    await app.click('Phone');
    await app.click('Dark');
    expect(app.requests).toEqual([]);
    expect(app.asked).toEqual(['tools/call read_for_app', 'tools/call read_for_app']);
    expect([app.page.url(), letter.url()]).toEqual(['https://host.example/', 'about:srcdoc#']);
    expect((await browser.pages()).length).toBe(windows);
    expect(await app.text()).toContain('hostile');
  });

  test('shows texts of a template as texts in its own page', async () => {
    const html = '<p>{{name}}</p>';
    await call('create_template', {
      name: 'tags',
      subject: '<img src=x onerror=alert(1)>{{name}}',
      html,
      environments: ['production'],
    });
    const app = await open('render_template', { template: 'tags', data: { name: '<b>x</b>' } });
    expect(await app.frame.evaluate('document.querySelectorAll("main img, header b").length')).toBe(0);
    expect(await app.text()).toContain('<img src=x onerror=alert(1)>');
  });
});

/** The frame of the email in the app. */
async function letterFrameOf({ frame }: OpenApp) {
  await frame.waitForSelector('.letter iframe');
  const [letter] = frame.childFrames();
  if (!letter) throw new Error('The app shows no email.');
  return letter;
}

/** The sandbox keeps scripts out; the test's own come from outside of it. */
async function inLetter(app: OpenApp, script: string): Promise<unknown> {
  return (await letterFrameOf(app)).evaluate(script).catch(() => undefined);
}
const letterOf = (app: OpenApp) => inLetter(app, 'document.body.innerText');

describe('the app of a comparison', () => {
  test.each(ERAS)('promotes by a click exactly the version it shows: era %s', async (era) => {
    const name = await newNote();
    const app = await open('diff_versions', { template: name }, {}, await connect('', era));
    expect(await app.text()).toContain('v1.0.0');
    expect(await app.text()).toContain('Dear {{name}}');
    expect(await production(name)).toBe('v1.0.0');
    await app.click('Promote v1.0.1 to production');
    await app.frame.waitForSelector('.notice.ok');
    expect(await production(name)).toBe('v1.0.1');
    expect(app.asked.slice(3)).toEqual(['tools/call promote_confirmed', 'ui/update-model-context']);
    expect(app.requests).toEqual([]);
  });

  test('promotes nothing when customers see another version by now, and says so', async () => {
    const name = await newNote();
    const app = await open('diff_versions', { template: name });
    await call('update_template', { name, subject: 'Hello again' });
    await call('promote_template', { template: name, to: 'production', version: 'v1.0.2' });
    await app.click('Promote v1.0.1 to production');
    await expect.poll(() => app.text()).toContain('production changed to v1.0.2 during this promotion');
    expect(await production(name)).toBe('v1.0.2');
  });

  test.each(LOOKS)('reads well %s', async (_name, look) => {
    const app = await open('diff_versions', { template: await newNote() }, look);
    expect(await faultsOf(app)).toEqual(NO_FAULTS);
  });
});

describe('the app of hooks', () => {
  const HOOKS = {
    topic: 'Sourdough bread',
    hooks: [
      { text: 'Your sourdough is not flat. Your fridge is cold.', style: 'contrarian' },
      { text: 'Which sourdough step do you skip on Mondays?', style: 'question' },
    ],
    language: 'en',
  };
  const historyOf = async () => {
    const { body } = await rest('GET', '/api/v1/history');
    const [{ id }] = body['items'] as [{ id: string }];
    return (await rest('GET', `/api/v1/history/${id}`)).body['details'] as {
      copied: boolean;
      used: boolean;
    }[];
  };

  test('copies one, notes that it was used, and asks the model for more like it', async () => {
    const app = await open('generate_hooks', { ...BUILT_IN, count: 3 });
    const [hook] = await historyOf();
    expect(hook).toMatchObject({ copied: null, used: null });
    await app.click('I used it');
    await expect.poll(async () => (await historyOf())[0]?.used).toBe(true);
    await app.click('Copy');
    await expect.poll(async () => (await historyOf())[0]?.copied).toBe(true);
    await app.click('More like this (3 units)');
    await expect.poll(() => app.text()).toMatch(/[4-6] hooks/);
    expect(app.asked).toContain('tools/call generate_hooks');
    expect(app.requests).toEqual([]);
  });

  test('asks the model for more of those it wrote itself', async () => {
    const full = await connect('?toolsets=all');
    const app = await open('submit_hooks', HOOKS, {}, full);
    await app.click('More like this');
    await expect
      .poll(() => app.told)
      .toMatchObject([
        {
          method: 'ui/message',
          role: 'user',
          content: [{ type: 'text', text: expect.stringContaining('Your sourdough') }],
        },
      ]);
  });

  test.each(LOOKS)('reads well %s', async (_name, look) => {
    const app = await open('generate_hooks', { ...BUILT_IN, count: 3 }, look);
    expect(await faultsOf(app)).toEqual(NO_FAULTS);
  });
});

const BUILT_IN = { topic: 'sourdough bread at home', provider: 'builtin', language: 'en' };

describe('the app of a sync', () => {
  const given = {
    products: stocked({ A: 18, B: 3, C: 2 }),
    rows: [HEADER, ['A', 11], ['B', 12], ['C', 2], ['D', 5]],
  };
  const planOf = async (look?: Look) => {
    const pair = await pairs.open(given);
    const owner = await connect('', '2026-07-28', pair.key);
    return {
      pair,
      app: await open('preview_sync', { ...pair.ids, direction: 'sheet_to_store' }, look, owner),
    };
  };

  test('applies by a click the plan it shows, and takes it back by another', async () => {
    const { pair, app } = await planOf();
    expect((await app.text()).replace(/\s+/g, ' ')).toContain('was 18 11');
    expect(pair.stock()).toEqual({ A: 18, B: 3, C: 2 });
    await app.click('Write 2 changes');
    await app.click('Undo this run');
    await expect.poll(() => pair.stock()).toEqual({ A: 18, B: 3, C: 2 });
    await expect.poll(() => app.text()).toContain('Undo of a sync run');
    expect(app.asked.filter((one) => !one.endsWith('read_for_app'))).toEqual([
      'tools/call apply_plan',
      'ui/update-model-context',
      'tools/call undo_run',
      'ui/update-model-context',
    ]);
    expect(app.requests).toEqual([]);
  });

  test('writes nothing when the plan has been applied elsewhere, and says so', async () => {
    const { pair, app } = await planOf();
    const { body } = await pair.run({ direction: 'sheet_to_store' });
    expect(body['status']).toBe('partial');
    const written = pair.mutations();
    await app.click('Write 2 changes');
    await app.frame.waitForSelector('.failure:not(:empty)');
    expect(pair.mutations()).toBe(written);
  });

  test.each(LOOKS)('reads well %s', async (_name, look) => {
    const { app } = await planOf(look);
    expect(await faultsOf(app)).toEqual(NO_FAULTS);
  });
});

describe('the app of a video', () => {
  let server: VideoServer;
  let local: Client;
  beforeAll(async () => {
    server = await startVideoServer({ MCP_ENABLED: 'true' });
    local = await connectWithApps(`${server.url}/mcp`, undefined, '2026-07-28');
  });
  afterAll(async () => {
    await local?.close();
    await server?.close();
  });
  const VIDEO = { title: 'Bread at seven', duration: 1, width: 128, height: 128, fps: 10, quality: 'draft' };

  test('goes on playing when its picture comes later than the video', async () => {
    const late = Promise.withResolvers<void>();
    const read: Client['readResource'] = async (params, options) => {
      if (params.uri.endsWith('/poster')) await late.promise;
      return local.readResource(params, options);
    };
    const slow: Client = Object.assign(Object.create(local), { readResource: read });
    const app = await open('create_video', VIDEO, {}, slow);
    await app.click('Play');
    await app.frame.waitForSelector('video');
    late.resolve();
    await app.frame.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1000)));
    expect(await app.frame.$$eval('.stage > *', (all) => all.map(({ localName }) => localName))).toEqual([
      'video',
    ]);
  });

  test('shows how far it is, then its picture, plays it, and hands it over', async () => {
    const app = await open('create_video', VIDEO, {}, local);
    await app.click('Play');
    await app.frame.waitForSelector('video');
    expect(await app.frame.$eval('video', (video) => video.getAttribute('src')?.slice(0, 40))).toMatch(
      /^data:video\/mp4;base64,/,
    );
    await app.click('Download');
    await expect
      .poll(() => app.told)
      .toMatchObject([
        {
          method: 'ui/download-file',
          contents: [{ type: 'resource_link', uri: expect.stringMatching(/^video:\/\/vid_\w+\/file$/) }],
        },
      ]);
    expect(app.requests).toEqual([]);
  });

  test.each(LOOKS)('reads well %s', async (_name, look) => {
    const app = await open('create_video', VIDEO, look, local);
    expect(await faultsOf(app)).toEqual(NO_FAULTS);
    await app.frame.waitForSelector('.stage img', { timeout: 120_000 });
    expect(await faultsOf(app)).toEqual(NO_FAULTS);
  });
});

describe('every app', () => {
  test("takes its host's colors, and its language and light when they change", async () => {
    const variables = { '--color-text-primary': 'rgb(10, 20, 30)' };
    const app = await open('diff_versions', { template: await newNote() }, { variables });
    const color = () => app.frame.evaluate('getComputedStyle(document.querySelector("h1")).color');
    expect(await color()).toBe('rgb(10, 20, 30)');
    await app.page.evaluate('changeContext({ theme: "dark", locale: "es-ES" })');
    await expect.poll(() => app.text()).toContain('Promover v1.0.1 a producción');
    expect(await app.frame.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  });

  test('says what went wrong when its tool failed', async () => {
    const app = await open('diff_versions', { template: 'nobody' });
    expect(await app.text()).toContain('nobody');
    expect(app.asked).toEqual([]);
  });
});
