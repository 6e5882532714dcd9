import { inPageCodecs } from './in-page-codecs.ts';
import { muxPackets } from './mux-packets.ts';
import type { OpenPage } from './open-page.ts';
import { type Done, type PaintedSpan, paintSpan } from './painted-span.ts';
import { PathUnusable } from './path-unusable.ts';
import type { Chunk, ChunkRequest } from './stage.ts';

type InPageChunk = Pick<Chunk, 'bytes' | 'painted'> & {
  /** Such as `HeadlessChrome/156.0.1 avc1.640028`. */
  readonly encoder: string;
};

/**
 * A span encoded by the browser itself: nothing else has to be installed, but it takes twice the bits, and the bytes are not
 * the same each time.
 * @throws PathUnusable when this browser or page does not do that; Fault video_failed.frame_time, .script, .crashed; and
 * the signal's reason
 */
export async function inPageChunk(page: OpenPage, request: ChunkRequest): Promise<InPageChunk> {
  const { composition, browser } = page;
  const { span, format, quality, signal, onFrame } = request;
  const configs = inPageCodecs(composition, format, quality);
  const sink = { kind: 'encoder', configs, fps: composition.fps } as const;
  const painting = await paintSpan(page, span, sink, signal);
  let reports: readonly Done[];
  try {
    reports = await takeAll(painting, onFrame);
  } finally {
    await painting.end();
  }
  const codec = reports.find((report) => report.kind === 'opened')?.codec;
  const packets = reports.filter((report) => report.kind === 'packet');
  const frames = span.to - span.from;
  if (codec === undefined || packets.length !== frames) {
    throw new PathUnusable(`the browser encoded ${packets.length} of ${frames} frames`);
  }
  const bytes = await muxPackets({ ...composition, codec, format, packets });
  const painted = reports.filter((report) => report.kind === 'frame').length;
  return { bytes, painted, encoder: `${browser.name} ${codec}` };
}

async function takeAll(painting: PaintedSpan, onFrame: ChunkRequest['onFrame']): Promise<readonly Done[]> {
  const reports: Done[] = [];
  let freed: number[] = [];
  let frames = 0;
  while (reports.at(-1)?.kind !== 'finished') {
    const taken = await painting.take(freed);
    // The encoder has its pictures already.
    freed = taken.flatMap((report) => (report.kind === 'frame' ? [report.slot] : []));
    for (const { kind } of taken) if (kind === 'frame' || kind === 'repeat') onFrame(++frames);
    reports.push(...taken);
  }
  return reports;
}
