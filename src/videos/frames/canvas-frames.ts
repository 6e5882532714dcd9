import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { PathUnusable } from './choose-path.ts';
import type { OpenPage } from './open-page.ts';
import { type Done, type PaintedSpan, paintSpan, SLOTS } from './painted-span.ts';
import { openRingFile } from './ring-file.ts';
import type { PixelFrame, Span } from './stage.ts';

/** One page of memory, so that slots begin at one. */
const HEADER = 4096;

/**
 * The frames of a span as I420: painted in the page onto a canvas, converted in a worker, and read from a file in the profile
 * of the browser, which both sides have in memory.
 * @throws PathUnusable when this browser or page does not do that; Fault video_failed.frame_time, .script, .crashed; and
 * the signal's reason
 */
export async function* canvasFrames(
  page: OpenPage,
  span: Span,
  signal: AbortSignal,
): AsyncGenerator<PixelFrame, void, undefined> {
  const name = `ring-${randomBytes(16).toString('hex')}`;
  const painted = await paintSpan(page, span, { kind: 'ring', name, header: HEADER }, signal);
  const ring = createRing(page, name);
  try {
    yield* takeFrames(painted, ring);
  } finally {
    await painted.end();
    await ring.close();
  }
}

async function* takeFrames(painted: PaintedSpan, ring: Ring): AsyncGenerator<PixelFrame, void, undefined> {
  let reading = readAhead([]);
  for (;;) {
    const done = await reading;
    const last = done.at(-1)?.kind;
    if (last !== 'frame' && last !== 'finished') reading = readAhead([]);
    for (const one of done) {
      if (one.kind === 'finished') return;
      if (one.kind === 'repeat') yield { frame: one.frame, bytes: ring.held(), repeat: true };
      if (one.kind !== 'frame') continue;
      const bytes = ring.turn();
      reading = readAhead([one.slot]);
      yield { frame: one.frame, bytes, repeat: false };
    }
  }

  function readAhead(freed: readonly number[]): Promise<readonly Done[]> {
    const reading = read(freed);
    // It is looked at when the frame before has been used.
    reading.catch(() => {});
    return reading;
  }

  async function read(freed: readonly number[]): Promise<readonly Done[]> {
    const done = await painted.take(freed);
    const last = done.at(-1);
    if (last?.kind === 'frame') await ring.read(last.slot);
    return done;
  }
}

type Ring = ReturnType<typeof createRing>;

function createRing({ composition: { width, height }, browser }: OpenPage, name: string) {
  const slotBytes = (width * height * 3) / 2;
  // One is in the hands of whoever takes the frames while the next is read into the other.
  let held = Buffer.alloc(slotBytes);
  let spare = Buffer.alloc(slotBytes);
  let file: FileHandle | undefined;
  let isClosed = false;
  return { held: () => held, read, turn, close };

  async function read(slot: number): Promise<void> {
    file ??= await openRingFile(browser.profile, { name, size: HEADER + SLOTS * slotBytes });
    if (!file) throw new PathUnusable('the file of the frames was not found in the profile');
    // Whoever took the frames may have gone while it was looked for.
    if (isClosed) return file.close();
    const { bytesRead } = await file.read(spare, 0, slotBytes, HEADER + slot * slotBytes);
    if (bytesRead !== slotBytes) throw new PathUnusable('the file of the frames is too short');
  }

  function turn(): Uint8Array {
    [held, spare] = [spare, held];
    return held;
  }

  async function close(): Promise<void> {
    isClosed = true;
    await file?.close();
  }
}
