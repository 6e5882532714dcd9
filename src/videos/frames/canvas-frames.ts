import { randomBytes } from 'node:crypto';
import { type FrameLookahead, type SpanReport, startLookahead } from './frame-lookahead.ts';
import type { PixelFrame, Span } from './frames.ts';
import type { OpenPage } from './open-page.ts';
import { openSharedRing, RING_HEADER_BYTES, type SharedRing } from './shared-ring-buffer.ts';

/**
 * The frames of a span as I420: painted onto a canvas in the page, converted in a worker, and read from a file in the
 * browser's profile that both sides have in memory.
 * @throws ModeUnusable when this browser or page cannot do it; Fault video_failed.frame_time, .crashed; script_failed; and
 * the signal's reason
 */
export async function* canvasFrames(
  page: OpenPage,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<PixelFrame, void, undefined> {
  const name = `ring-${randomBytes(16).toString('hex')}`;
  const painted = await startLookahead(page, span, { kind: 'ring', name, header: RING_HEADER_BYTES }, signal);
  const ring = openSharedRing(page, name);
  try {
    yield* takeFrames(painted, ring);
  } finally {
    await painted.end();
    await ring.close();
  }
}

async function* takeFrames(
  painted: FrameLookahead,
  ring: SharedRing,
): AsyncGenerator<PixelFrame, void, undefined> {
  let reading = readAhead([]);
  for (;;) {
    const done = await reading;
    const last = done.at(-1)?.kind;
    if (last !== 'frame' && last !== 'finished') reading = readAhead([]);
    for (const one of done) {
      if (one.kind === 'finished') return;
      if (one.kind === 'repeat') yield { frame: one.frame, bytes: ring.current(), repeat: true };
      if (one.kind !== 'frame') continue;
      const bytes = ring.swap();
      reading = readAhead([one.slot]);
      yield { frame: one.frame, bytes, repeat: false };
    }
  }

  function readAhead(freed: readonly number[]): Promise<readonly SpanReport[]> {
    const reading = read(freed);
    // The rejection is handled when this read is awaited.
    reading.catch(() => {});
    return reading;
  }

  async function read(freed: readonly number[]): Promise<readonly SpanReport[]> {
    const done = await painted.take(freed);
    const last = done.at(-1);
    if (last?.kind === 'frame') await ring.read(last.slot);
    return done;
  }
}
