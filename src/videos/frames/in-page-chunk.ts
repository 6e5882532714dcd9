import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import type { Timing } from '../composition/composition.ts';
import { ModeUnusable } from './capture-mode.ts';
import { type FrameLookahead, type SpanReport, startLookahead } from './frame-lookahead.ts';
import type { Chunk, ChunkRequest } from './frames.ts';
import { inPageCodecs } from './in-page-codecs.ts';
import type { OpenPage } from './open-page.ts';

type InPageChunk = Pick<Chunk, 'bytes' | 'painted'> & {
  /** Such as `HeadlessChrome/156.0.1 avc1.640028`. */
  readonly encoder: string;
};

/**
 * Encodes a span in the browser: needs no other program, but takes twice the bits, and the bytes differ between runs.
 * @throws ModeUnusable when this browser or page cannot do it; Fault video_failed.frame_time, .crashed; script_failed; and
 * the signal's reason
 */
export async function inPageChunk(page: OpenPage, request: ChunkRequest): Promise<InPageChunk> {
  const { composition, browser } = page;
  const { span, format, quality, signal, onFrame } = request;
  const configs = inPageCodecs(composition, format, quality);
  const sink = { kind: 'encoder', configs, fps: composition.fps } as const;
  const painting = await startLookahead(page, span, sink, signal);
  let reports: readonly SpanReport[];
  try {
    reports = await takeAll(painting, onFrame);
  } finally {
    await painting.end();
  }
  const codec = reports.find((report) => report.kind === 'opened')?.codec;
  const packets = reports.filter((report) => report.kind === 'packet');
  const frames = span.to - span.from;
  if (codec === undefined || packets.length !== frames) {
    throw new ModeUnusable(`the browser encoded ${packets.length} of ${frames} frames`);
  }
  const bytes = await muxPackets({ ...composition, codec, format, packets });
  const painted = reports.filter((report) => report.kind === 'frame').length;
  return { bytes, painted, encoder: `${browser.name} ${codec}` };
}

async function takeAll(
  painting: FrameLookahead,
  onFrame: ChunkRequest['onFrame'],
): Promise<readonly SpanReport[]> {
  const reports: SpanReport[] = [];
  let freed: number[] = [];
  let frames = 0;
  while (reports.at(-1)?.kind !== 'finished') {
    const taken = await painting.take(freed);
    // The encoder already has these frames.
    freed = taken.flatMap((report) => (report.kind === 'frame' ? [report.slot] : []));
    for (const { kind } of taken) if (kind === 'frame' || kind === 'repeat') onFrame(++frames);
    reports.push(...taken);
  }
  return reports;
}

type Packet = Extract<SpanReport, { kind: 'packet' }>;

type Stream = Pick<Timing, 'width' | 'height' | 'fps'> & {
  /** WebCodecs name of the codec, such as `avc1.640028`. */
  readonly codec: string;
  readonly format: ChunkRequest['format'];
  readonly packets: readonly Packet[];
};

/** Muxes packets of a browser's encoder into a file that starts at 0: fragmented MP4, or WebM. */
async function muxPackets({ packets, codec, format, fps, ...size }: Stream): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({
    target,
    format: format === 'mp4' ? new Mp4OutputFormat({ fastStart: 'fragmented' }) : new WebMOutputFormat(),
  });
  const source = new EncodedVideoPacketSource(family(codec));
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  const description = packets.find((packet) => packet.description !== undefined)?.description;
  const decoderConfig = {
    ...{ codec, codedWidth: size.width, codedHeight: size.height, colorSpace: BT709 },
    ...(description === undefined ? {} : { description: Buffer.from(description, 'base64') }),
  };
  for (const [index, { bytes, isKey }] of packets.entries()) {
    // Browser encoders do not reorder frames.
    const data = Buffer.from(bytes, 'base64');
    await source.add(new EncodedPacket(data, isKey ? 'key' : 'delta', index / fps, 1 / fps), {
      decoderConfig,
    });
  }
  await output.finalize();
  if (!target.buffer) throw new Error('the file was not finished');
  return new Uint8Array(target.buffer);
}

const BT709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

function family(codec: string): 'avc' | 'vp9' | 'vp8' {
  if (codec.startsWith('avc1')) return 'avc';
  return codec.startsWith('vp09') ? 'vp9' : 'vp8';
}
