import { createHash } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { Composition } from '../../../src/videos/composition/composition.ts';
import type { FrameEncoder } from '../../../src/videos/encode/frame-encoder.ts';
import { canvasFrames } from '../../../src/videos/frames/canvas-frames.ts';
import { createProbe } from '../../../src/videos/frames/capture-mode.ts';
import type { Span } from '../../../src/videos/frames/frames.ts';
import { inPageChunk } from '../../../src/videos/frames/in-page-chunk.ts';
import { createRenderSessions } from '../../../src/videos/frames/render-sessions.ts';
import { chunkGrid } from '../../../src/videos/render/chunks.ts';
import { readBuiltIns } from '../../../src/videos/templates/built-ins.ts';
import { silentLog } from '../../support/app.ts';
import { createComposedBuiltIns } from '../../support/composed-built-ins.ts';
import { findBrowser, launch, signal } from './session-support.ts';

/** Writes down what each frame looks like instead of encoding it. */
const hashes: FrameEncoder = {
  name: 'hashes 1',
  open() {
    const lines: string[] = [];
    return {
      async write(bytes) {
        lines.push(createHash('sha256').update(bytes).digest('hex').slice(0, 8));
      },
      async repeat() {
        lines.push(lines.at(-1) ?? '');
      },
      end: async () => Buffer.from(lines.join(' ')),
    };
  },
};

const sessions = createRenderSessions({
  ...{ findBrowser, launch, log: silentLog, encoder: hashes },
  modes: { probe: createProbe(), canvasFrames, inPageChunk },
});
const builtIns = await readBuiltIns();
const composed = createComposedBuiltIns(builtIns);
afterAll(() => composed.close());

/**
 * The hook in three scenes, which move as a whole while nothing in them moves: Chromium painted the second one standing still
 * after the self-check of the first chunk.
 */
async function scenes(): Promise<Composition> {
  const [hook] = builtIns.templates.filter(({ name }) => name === 'hook');
  if (!hook) throw new Error('there is no template hook');
  const sample = { points: ['Post at seven', 'Answer every comment', 'Come back tomorrow'] };
  const template = { ...hook, manifest: { ...hook.manifest, duration: 18, sample } };
  const made = await composed.compose(template, '9:16', { size: { width: 540, height: 960 } });
  const html = made.html.replaceAll(
    '--drift: calc(var(--scene-duration) + var(--push))',
    '--drift: var(--scene-duration)',
  );
  expect(html).not.toBe(made.html);
  return { ...made, html };
}

test.each([
  ['without scripts', false],
  ['with scripts', true],
])('chunks of one session have the frames of a session each: a page %s', async (_, scripts) => {
  const composition = { ...(await scenes()), scripts };
  const spans = chunkGrid({ from: 0, to: 300 }, composition);
  const together = await framesOf(composition, spans);
  const apart = await Promise.all(spans.map((span) => framesOf(composition, [span])));
  expect(together).toHaveLength(300);
  expect(together).toEqual(apart.flat());
});

/** The hash of each frame, of chunks made in one session. */
async function framesOf(composition: Composition, spans: readonly Span[]): Promise<string[]> {
  const session = await sessions.open(composition, signal);
  const frames: string[] = [];
  for (const span of spans) {
    const { bytes, engine } = await session.renderChunk({
      ...{ span, signal, format: 'mp4', quality: 'standard', onFrame: () => {} },
    });
    expect(engine.path).toBe('canvas');
    frames.push(...Buffer.from(bytes).toString().split(' '));
  }
  await session.close();
  return frames;
}
