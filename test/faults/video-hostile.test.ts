import { createSocket } from 'node:dgram';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchControl, startListener, until } from '../platform/browser/support.ts';
import { hasOpenssl, startTlsServer, type TlsServer } from '../platform/guarded-fetch/tls-server.ts';
import { type Json, startVideoServer, tone, type VideoServer } from '../support/video-server.ts';
import { attempts, SCRIPT_VECTORS } from '../videos/frames/script-vectors.ts';
import { findBrowser } from '../videos/frames/session-support.ts';

/** What html alone has of asking for something; `{http}` is the address of the listener. */
const HTML_VECTORS = {
  img: '<img src="{http}/img">',
  srcset: '<img srcset="{http}/srcset 1x">',
  source: '<picture><source srcset="{http}/source"><img></picture>',
  background: '<div style="background:url({http}/background);width:9px;height:9px"></div>',
  'css-escape':
    '<style>div { width: 9px; height: 9px; background: \\75 rl({http}/css-escape) }</style><div></div>',
  'css-variable':
    '<style>div { --u: url({http}/css-variable); width: 9px; height: 9px; background: var(--u) }</style><div></div>',
  'css-link': '<link rel="stylesheet" href="{http}/css-link">',
  'css-import': '<style>@import "{http}/css-import";</style>',
  font: '<style>@font-face { font-family: F; src: url({http}/font) } p { font-family: F }</style><p>x</p>',
  mask: '<div style="mask-image:url({http}/mask);width:9px;height:9px;background:red"></div>',
  content: '<style>p::before { content: url({http}/content) }</style><p></p>',
  svg: '<svg><image href="{http}/svg" width="9" height="9"/></svg>',
  'svg-use': '<svg><use href="{http}/svg-use#x"/></svg>',
  'svg-filter':
    '<svg><filter id="f"><feImage href="{http}/svg-filter"/></filter><rect width="9" height="9" filter="url(#f)"/></svg>',
  'svg-set': '<svg><image width="9" height="9"><set attributeName="href" to="{http}/svg-set"/></image></svg>',
  shadow: '<div><template shadowrootmode="open"><img src="{http}/shadow"></template></div>',
  body: '<table background="{http}/body"><tr><td>x</td></tr></table>',
  input: '<input type="image" src="{http}/input">',
  poster: '<video poster="{http}/poster"></video>',
  audio: '<audio src="{http}/audio" autoplay></audio>',
  iframe: '<iframe src="{http}/iframe"></iframe>',
  object: '<object data="{http}/object"></object>',
  embed: '<embed src="{http}/embed">',
  base: '<base href="{http}/base/"><img src="x.png">',
  preload: '<link rel="preload" as="image" href="{http}/preload">',
  refresh: '<meta http-equiv="refresh" content="0;url={http}/refresh">',
  handler: '<svg onload="fetch(`{http}/handler`)"></svg><b onanimationstart="fetch(`{http}/handler`)">x</b>',
  script: '<script>fetch("{http}/script")</script>',
} as const;

/** How those end that are not refused for their address as it is: when the template is saved, when it is painted, or not. */
const OUTCOMES: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['css-import', 'iframe', 'object', 'embed', 'script'].map((name) => [name, /^422 template_invalid$/]),
  ),
  'svg-set': /^failed '.*svg-set' can't be read as an image/,
  base: /^failed 'x\.png' is a path without a host/,
  preload: /^completed$/,
  refresh: /^completed$/,
  handler: /^completed$/,
};

describe.runIf(hasOpenssl() && process.platform === 'linux')('a hostile template', () => {
  const packets = createSocket('udp4');
  let heardPackets = 0;
  let listener: Awaited<ReturnType<typeof startListener>>;
  // The same for https, of which not even a connection may come.
  const inside = createServer(() => connections++);
  let connections = 0;
  let peer: TlsServer;
  let server: VideoServer;
  beforeAll(async () => {
    listener = await startListener();
    packets.on('message', () => heardPackets++);
    await new Promise<void>((resolve) => packets.bind(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    // One of the Internet, which leads inside.
    peer = await startTlsServer(({ url = '' }, res) =>
      res
        .writeHead(302, { location: url === '/tls' ? `https://${insideHost()}/` : `${http()}/redirect` })
        .end(),
    );
    server = await startVideoServer({}, peer);
  });
  afterAll(async () => {
    packets.close();
    inside.close();
    await server?.close();
    await peer?.close();
    await listener?.close();
  });

  const http = () => `http://${listener.host}`;
  // A TCP server that listens has an address with a port.
  const insideHost = () => `127.0.0.1:${(inside.address() as AddressInfo).port}`;
  const silence = () => expect([listener.asked, heardPackets, connections]).toEqual([[], 0, 0]);

  /** What becomes of a page: the code with which it is not taken, or else how its video ended. */
  async function outcomeOf(
    name: string,
    inner: string,
    manifest: Json = {},
    body: Json = {},
  ): Promise<string> {
    const html = `<!doctype html><div id="stage">${inner}</div>`;
    const saving = { body: { html, manifest: { title: name, ...manifest } } };
    const saved = await server.rest('PUT', `/video-templates/${name}`, saving);
    if (saved.status >= 300) return `${saved.status} ${saved.body['code'] ?? typeOf(saved.body)}`;
    const video = await server.make({ template: name, ...body });
    const { message = '' } = (video['error'] ?? {}) as { message?: string };
    return `${video['status']} ${message}`.trim();
  }

  test.each(Object.entries(HTML_VECTORS))('without scripts reaches no server by %s', async (name, inner) => {
    const outcome = await outcomeOf(name, inner.replaceAll('{http}', http()));
    silence();
    expect(outcome).toMatch(OUTCOMES[name] ?? /^failed '.*' is not an HTTPS URL/);
  });

  test.each<[string, (host: string) => [inner: string, body?: Json]]>([
    ['an address of this machine', (host) => [`<img src="https://${host}/x.png">`]],
    [
      'an address of this machine, as a number',
      (host) => [`<img src="https://${host.replace('127.0.0.1', '2130706433')}/x.png">`],
    ],
    [
      'a name of this machine',
      (host) => [`<img src="https://${host.replace('127.0.0.1', 'localhost')}/x.png">`],
    ],
    ['an address without a scheme', (host) => [`<img src="//${host}/x.png">`]],
    ['a redirect', () => ['<img src="https://cdn.example.test/x.png">']],
    ['a redirect to https', () => ['<img src="https://cdn.example.test/tls">']],
    ['its data', (host) => ['<img src="{{title}}">', { title: `https://${host}/x.png` }]],
    ['a sound of its own', (host) => [`<audio src="https://${host}/x.mp3"></audio>`]],
    ['a sound of the request', (host) => ['x', { audio: [{ src: `https://${host}/x.mp3` }] }]],
    ['a file', () => ['<img src="file:///etc/passwd">']],
    ['a webhook', (host) => ['x', { webhook_url: `https://${host}/hook` }]],
  ])('has nothing fetched from inside by %s', async (_how, given) => {
    const [inner, body = {}] = given(insideHost());
    const outcome = await outcomeOf('inside', inner, {}, body);
    silence();
    expect(outcome).toMatch(
      body['webhook_url'] ? /^completed$/ : /^failed '.*' (points to a private network|is not an HTTPS URL)/,
    );
  });

  test('with scripts reaches no server, whatever it tries before and at its frames', async () => {
    const run = 'tryAll(); video.onFrame(({ frame }) => { if (frame === 2) tryAll() })';
    const inner = `<b>x</b><script>${script(names().filter((name) => !isLeaving(name)))} ${run}</script>`;
    const outcome = await outcomeOf('scripted', inner, { scripts: true }, { audio: [{ src: tone(0.2) }] });
    silence();
    expect(outcome).toMatch(/^(completed|failed ('.*' can't be read|The page navigated away))/);
  });

  test.each(LEAVING)('with scripts that leaves by %s reaches no server', async (name) => {
    const run = 'video.onFrame(({ frame }) => { if (frame === 2) tryAll() })';
    const inner = `<b>x</b><script>${script([name])} ${run}</script>`;
    const outcome = await outcomeOf('leaving', inner, { scripts: true });
    silence();
    expect(outcome).toMatch(/^failed The page navigated away/);
  });

  test('of the same html is heard from a browser that is let: the ways are real', async () => {
    const control = await launchControl(await findBrowser());
    const heard = (name: string) => listener.asked.some((url) => url.startsWith(`/${name}`));
    const unheard: string[] = [];
    try {
      for (const [name, inner] of Object.entries(HTML_VECTORS)) {
        const page = await control.newPage();
        await page.goto(`${http()}/page`);
        await page.setContent(inner.replaceAll('{http}', http()), { waitUntil: 'domcontentloaded' });
        await expect
          .poll(() => heard(name), { message: name, timeout: 3_000, interval: 20 })
          .toBe(true)
          .catch(() => unheard.push(name));
      }
      expect(unheard).toEqual([]);
      const socket = connect({ host: '127.0.0.1', port: Number(insideHost().split(':')[1]) });
      await until(() => connections > 0);
      socket.destroy();
    } finally {
      await control.close();
    }
  });

  function script(some: readonly Name[]): string {
    return attempts(some, http(), `127.0.0.1:${packets.address().port}`);
  }
});

/** These would take the page away, and are tried alone. That the others are heard elsewhere, isolation.test.ts shows. */
const LEAVING = ['location', 'refresh', 'download'] as const;

type Name = keyof typeof SCRIPT_VECTORS;

// The keys of an object that is written out are its own.
const names = () => Object.keys(SCRIPT_VECTORS) as Name[];

const isLeaving = (name: Name) => LEAVING.some((leaving) => leaving === name);

function typeOf({ detail }: Json): string {
  const [first] = Array.isArray(detail) ? detail : [];
  return String(first?.type);
}
