import { createSocket } from 'node:dgram';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { launchControl, startListener, until } from '../../platform/browser/support.ts';
import { attempts, SCRIPT_VECTORS } from './script-vectors.ts';
import { closePages, composition, findBrowser, open, signal } from './session-support.ts';

let listener: Awaited<ReturnType<typeof startListener>>;
const packets = createSocket('udp4');
let heardPackets = 0;

beforeAll(async () => {
  listener = await startListener();
  packets.on('message', () => heardPackets++);
  await new Promise<void>((resolve) => packets.bind(0, '127.0.0.1', resolve));
});
afterEach(closePages);
afterAll(async () => {
  packets.close();
  await listener.close();
});

/** What html alone has of asking for something, without a script; `{http}` is the address of the listener. */
const HTML_VECTORS = {
  'css-link': '<link rel="stylesheet" href="{http}/css-link">',
  import: '<style>@import url("{http}/import")</style>',
  font: '<style>@font-face{font-family:F;src:url("{http}/font")}p{font-family:F}</style><p>x</p>',
  background: '<div style="background:url({http}/background);width:9px;height:9px"></div>',
  img: '<img src="{http}/img">',
  source: '<picture><source srcset="{http}/source"><img></picture>',
  svg: '<svg><image href="{http}/svg" width="9" height="9"/></svg>',
  use: '<svg><use href="{http}/use#x"/></svg>',
  mask: '<div style="mask-image:url({http}/mask);width:9px;height:9px;background:red"></div>',
  cursor: '<div style="cursor:url({http}/cursor),auto">x</div>',
  poster: '<video poster="{http}/poster"></video>',
  video: '<video src="{http}/video" autoplay muted></video>',
  audio: '<audio src="{http}/audio" autoplay></audio>',
  iframe: '<iframe src="{http}/iframe"></iframe>',
  srcdoc: `<iframe srcdoc="<img src='{http}/srcdoc'>"></iframe>`,
  object: '<object data="{http}/object"></object>',
  embed: '<embed src="{http}/embed">',
  prefetch: '<link rel="prefetch" href="{http}/prefetch">',
  preload: '<link rel="preload" as="image" href="{http}/preload">',
  preconnect: '<link rel="preconnect" href="{http}"><link rel="dns-prefetch" href="{http}">',
  base: '<base href="{http}/base/"><img src="x.png">',
  refresh: '<meta http-equiv="refresh" content="0;url={http}/refresh">',
  handler: '<img src="data:," onerror="fetch(`{http}/handler`)">',
  script: '<script>fetch("{http}/script")</script>',
};

test('HTML without scripts reaches no server, whatever it requests', async () => {
  const { refresh, ...others } = HTML_VECTORS;
  for (const html of [Object.values(others).join('\n'), refresh]) {
    const opening = open(composition(html.replaceAll('{http}', `http://${listener.host}`)));
    // Everything was asked for by the time it is refused.
    await expect(opening).rejects.toMatchObject({
      key: html === refresh ? 'video_failed.navigated' : 'video_failed.asset',
    });
  }
  expect(listener.asked).toEqual([]);
});

/** These make no sound when they are refused. */
const SILENT = ['css-image', 'track', 'embed', 'preconnect', 'manifest', 'icon', 'speculation'];
/** These seem to work, but nothing comes of them: the browser takes them and lets nothing out. */
const SEEMING = ['beacon', 'webrtc', 'frame', 'frame-document', 'form', 'link'];
/** These would take the page away, and are tried alone. */
const LEAVING = ['location', 'refresh', 'download'] as const;

test('a template with scripts reaches no server, whatever it tries', async () => {
  const page = await open(composition(script(names().filter((name) => !isLeaving(name))), { scripts: true }));
  const outcomes = async (): Promise<Record<string, string>> => {
    const expression = 'JSON.stringify(globalThis.outcomes)';
    return JSON.parse((await page.cdp.send('Runtime.evaluate', { expression })).result.value);
  };
  await page.cdp.send('Runtime.evaluate', { expression: 'tryAll()' });
  const expected = names().filter((name) => !isLeaving(name));
  await until(
    async () => Object.values(await outcomes()).filter((one) => one === 'waits').length <= SILENT.length,
  );
  expect(await outcomes()).toEqual(
    Object.fromEntries(
      expected.map((name) => [
        name,
        SILENT.includes(name) ? 'waits' : SEEMING.includes(name) ? 'done' : 'refused',
      ]),
    ),
  );
  for (let frame = 1; frame < 5; frame++) await page.seek(frame, signal);
  expect([listener.asked, heardPackets]).toEqual([[], 0]);
});

test.each(LEAVING)('a script that navigates by %s ends its video and reaches no server', async (name) => {
  const page = await open(composition(script([name]), { scripts: true }));
  await page.cdp.send('Runtime.evaluate', { expression: 'tryAll()' });
  await expect(page.gone).rejects.toMatchObject({ key: 'video_failed.navigated' });
  expect(listener.asked).toEqual([]);
});

test('the same script reaches the server from an unrestricted browser: the attempts are real', async () => {
  const control = await launchControl(await findBrowser());
  const heard = (name: string) => listener.asked.some((url) => url.startsWith(`/${name}`));
  const areHeard = (some: readonly Name[]) => some.every((name) => UNHEARD.includes(name) || heard(name));
  const attempt = async (some: readonly Name[]) => {
    const page = await control.newPage();
    await page.goto(`http://${listener.host}/page`);
    await page.setContent(composition(script(some), {}).html, { waitUntil: 'domcontentloaded' });
    await page.evaluate('tryAll()');
    await Promise.race([until(() => areHeard(some)), new Promise((resolve) => setTimeout(resolve, 10_000))]);
  };
  try {
    for (const some of [names().filter((name) => !isLeaving(name)), ...LEAVING.map((name) => [name])]) {
      // A browser that is short of time leaves out what is only a hint, such as speculation.
      for (let tries = 0; tries < 3 && !areHeard(some); tries++) await attempt(some);
    }
    expect(names().filter((name) => !heard(name))).toEqual(UNHEARD);
    await until(() => heardPackets > 0);
  } finally {
    await control.close();
    listener.asked.length = 0;
  }
}, 90_000);

/** No request of HTTP, or none that a browser without windows makes; the packets of WebRTC are heard on their own. */
const UNHEARD: string[] = [
  ...['webrtc', 'service-worker', 'preconnect', 'manifest', 'icon', 'download', 'transport', 'notification'],
];

type Name = keyof typeof SCRIPT_VECTORS;

// The keys of an object that is written out above are its own.
const names = () => Object.keys(SCRIPT_VECTORS) as Name[];

const isLeaving = (name: Name) => LEAVING.some((leaving) => leaving === name);

function script(some: readonly Name[]): string {
  return `<script>${attempts(some, `http://${listener.host}`, `127.0.0.1:${packets.address().port}`)}</script>`;
}
