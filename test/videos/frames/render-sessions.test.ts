import { PNG } from 'pngjs';
import { afterEach, expect, test } from 'vitest';
import type { Composition } from '../../../src/videos/composition/composition.ts';
import type { FrameEncoder, PixelFormat } from '../../../src/videos/encode/frame-encoder.ts';
import { canvasFrames } from '../../../src/videos/frames/canvas-frames.ts';
import { createProbe, ModeUnusable } from '../../../src/videos/frames/capture-mode.ts';
import type { Quality, RenderSession, Span } from '../../../src/videos/frames/frames.ts';
import { inPageChunk } from '../../../src/videos/frames/in-page-chunk.ts';
import type { SessionDeps } from '../../../src/videos/frames/open-session.ts';
import { createRenderSessions } from '../../../src/videos/frames/render-sessions.ts';
import { silentLog } from '../../support/app.ts';
import { COLOURS, composition, findBrowser, launch, signal } from './session-support.ts';

const opened: RenderSession[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((stage) => stage.close()));
});

/** Writes down what it is given instead of encoding it. */
const notebook: FrameEncoder = {
  name: 'notebook 1',
  open({ pixels, signal }) {
    const lines: string[] = [];
    return {
      async write(bytes) {
        signal.throwIfAborted();
        lines.push(note(pixels, bytes));
      },
      async repeat() {
        lines.push(lines.at(-1) ?? '');
      },
      end: async () => Buffer.from(lines.join(' ')),
    };
  },
};

test('a page paints itself onto a canvas, and every frame is the requested one', async () => {
  const stage = await open(composition(COLOURS));
  const told: number[] = [];
  const { bytes, ...chunk } = await render(stage, { from: 8, to: 22 }, 'standard', told);
  expect(String(bytes)).toBe('red red lime lime lime lime lime lime lime lime lime lime blue blue');
  expect(chunk).toEqual({
    painted: 3,
    engine: {
      path: 'canvas',
      browser: expect.stringMatching(/Chrome\/[\d.]+$/),
      encoder: 'notebook 1',
    },
  });
  expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  const later = await render(stage, { from: 22, to: 24 });
  expect([String(later.bytes), later.painted]).toEqual(['blue blue', 1]);
});

test.each<[string, Composition, Partial<SessionDeps['modes']>, string]>([
  [
    'has a canvas of its own',
    composition(`${COLOURS}<canvas hidden></canvas>`),
    {},
    'the page has a canvas of its own',
  ],
  [
    'makes a canvas by script',
    composition(`${COLOURS}<script>document.body.append(document.createElement('can' + 'vas'))</script>`, {
      scripts: true,
    }),
    {},
    'the page has a canvas of its own',
  ],
  [
    'does not paint itself in this browser',
    composition(COLOURS),
    {
      probe: { ...createProbe(), painting: async () => ({ canvas: false, reason: 'too old' }) },
    },
    'too old',
  ],
  [
    'stops painting itself',
    composition(COLOURS),
    {
      async *canvasFrames() {
        yield { frame: 8, bytes: new Uint8Array((160 * 90 * 3) / 2), repeat: false };
        throw new ModeUnusable('the file of the frames was not found in the profile');
      },
    },
    'the file of the frames was not found in the profile',
  ],
  [
    'crashes the browser while it is painted',
    composition(
      `<style>b { transform-style: preserve-3d } b::before { position: absolute; content: 'a' }</style><b>b</b>`,
    ),
    {},
    'the browser crashed while it painted the page',
  ],
  [
    'paints something else than it shows',
    composition(COLOURS),
    {
      async *canvasFrames(_page, { from, to }) {
        const grey = new Uint8Array((160 * 90 * 3) / 2).fill(128);
        for (let frame = from; frame < to; frame++) yield { frame, bytes: grey, repeat: frame > from };
      },
    },
    'frame 10 differs from the screenshot: 12 dB',
  ],
])(
  'a page that %s falls back to screenshots, and the reason is recorded',
  async (_what, one, modes, reason) => {
    const stage = await open(one, { modes: { ...MODES, ...modes } });
    const chunk = await render(stage, { from: 8, to: 12 });
    expect(String(chunk.bytes)).toBe('jpeg jpeg jpeg jpeg');
    expect(chunk.engine).toEqual({
      ...{ path: 'screenshot', reason, encoder: 'notebook 1' },
      browser: expect.stringMatching(/Chrome/),
    });
    expect((await render(stage, { from: 12, to: 13 })).engine).toEqual(chunk.engine);
  },
);

test('a draft, or a video on a machine without an encoder, is encoded by the browser', async () => {
  const draft = await render(await open(composition(COLOURS)), { from: 0, to: 12 }, 'draft');
  expect([draft.engine.path, draft.engine.reason, draft.painted]).toEqual(['in_page', 'it is a draft', 2]);
  const bare = await render(await open(composition(COLOURS), { encoder: undefined }), { from: 0, to: 12 });
  expect([bare.engine.path, bare.engine.reason]).toEqual(['in_page', 'no encoder is installed']);
  expect(Buffer.from(bare.bytes).subarray(4, 8).toString()).toBe('ftyp');
});

test('without an encoder, the screenshot fallback fails with what to install', async () => {
  const stage = await open(composition('<canvas></canvas>'), { encoder: undefined });
  await expect(render(stage, { from: 0, to: 2 })).rejects.toMatchObject({
    key: 'not_configured.painting',
    params: { reason: 'the page has a canvas of its own' },
  });
});

test('without an encoder, a transparent video fails with what to install, also as a draft', async () => {
  const stage = await open(composition(COLOURS, { transparent: true }), { encoder: undefined });
  await expect(render(stage, { from: 0, to: 2 }, 'draft')).rejects.toMatchObject({
    key: 'not_configured.transparent',
  });
});

test('a still is one frame as shown, before and after the video is painted', async () => {
  const stage = await open(composition(COLOURS));
  const colours = async () => {
    const names: string[] = [];
    for (const frame of [25, 3, 15]) names.push(pixel(await stage.still(frame, 'png', signal)));
    return names;
  };
  expect(await colours()).toEqual(['0,0,255', '255,0,0', '0,255,0']);
  await render(stage, { from: 0, to: 30 });
  expect(await colours()).toEqual(['0,0,255', '255,0,0', '0,255,0']);
  expect(note('jpeg', await stage.still(3, 'jpeg', signal))).toBe('jpeg');
});

test('a page with scripts is reopened for an earlier frame', async () => {
  const counting = `<p style="position:absolute;inset:0;margin:0"></p><script>
    const seen = new Set(); video.onFrame(({ frame }) => { seen.add(frame); document.querySelector('p').style.background = seen.size > 10 ? 'lime' : 'red' })
  </script>`;
  const stage = await open(composition(counting, { scripts: true }));
  const whole = String((await render(stage, { from: 0, to: 20 })).bytes);
  expect(whole).toBe([...Array(10).fill('red'), ...Array(10).fill('lime')].join(' '));
  expect(String((await render(stage, { from: 8, to: 12 })).bytes)).toBe('red red lime lime');
});

test('an aborted chunk ends immediately', async () => {
  const stage = await open(composition(COLOURS));
  const leaving = new AbortController();
  const onFrame = (done: number) => {
    if (done === 3) leaving.abort(new Error('canceled'));
  };
  await expect(
    stage.renderChunk({
      span: { from: 0, to: 30 },
      ...{ format: 'mp4', quality: 'standard', signal: leaving.signal, onFrame },
    }),
  ).rejects.toThrow('canceled');
});

test('the fingerprint has the engine, the browser, the encoder and the fonts', async () => {
  const stages = createRenderSessions({ ...PARTS, encoder: notebook });
  expect(await stages.fingerprint()).toMatch(
    /^engine \d+-[0-9a-f]{12}; \w*Chrome\/[\d.]+ [\w-]+; notebook 1; inter [\d.]+, fraunces [\d.]+$/,
  );
});

const MODES: SessionDeps['modes'] = { probe: createProbe(), canvasFrames, inPageChunk };
const PARTS = { findBrowser, launch, log: silentLog, modes: MODES, encoder: notebook };

async function open(one: Composition, parts: Partial<SessionDeps> = {}) {
  const stage = await createRenderSessions({ ...PARTS, ...parts }).open(one, signal);
  opened.push(stage);
  return stage;
}

function render(stage: RenderSession, span: Span, quality: Quality = 'standard', told: number[] = []) {
  const onFrame = (done: number) => void told.push(done);
  return stage.renderChunk({ span, format: 'mp4', quality, signal, onFrame });
}

function note(pixels: PixelFormat, bytes: Uint8Array): string {
  if (pixels === 'jpeg') return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'jpeg' : 'no picture';
  const names: Record<number, string> = { 63: 'red', 173: 'lime', 32: 'blue' };
  return names[bytes[0] ?? 0] ?? String(bytes[0]);
}

const pixel = (png: Uint8Array) => PNG.sync.read(Buffer.from(png)).data.subarray(0, 3).join(',');
