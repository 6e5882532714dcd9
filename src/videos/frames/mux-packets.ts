import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import type { Timing } from '../composition/composition.ts';
import type { Done } from './painted-span.ts';
import type { ChunkRequest } from './stage.ts';

type Packet = Extract<Done, { kind: 'packet' }>;

type Stream = Pick<Timing, 'width' | 'height' | 'fps'> & {
  /** As WebCodecs names it, such as `avc1.640028`. */
  readonly codec: string;
  readonly format: ChunkRequest['format'];
  readonly packets: readonly Packet[];
};

/** Puts what an encoder of the browser made into a file: a fragmented MP4, or WebM, that begins at 0. */
export async function muxPackets({ packets, codec, format, fps, ...size }: Stream): Promise<Uint8Array> {
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
    // No encoder of a browser changes the order of frames.
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
