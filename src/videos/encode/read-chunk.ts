import { BufferSource, type EncodedPacket, EncodedPacketSink, Input, MP4, WEBM } from 'mediabunny';

/** The encoded frames of one chunk. */
export type EncodedChunk = {
  readonly format: 'mp4' | 'webm';
  readonly codec: (typeof CODECS)[number];
  readonly config: VideoDecoderConfig;
  /** In decoding order, each with the index of its frame in the chunk, from 0. */
  readonly frames: readonly PlacedFrame[];
};

type PlacedFrame = { readonly packet: EncodedPacket; readonly place: number };

const CODECS = ['avc', 'vp9', 'vp8'] as const;

const BT709 = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;

/** Reads a chunk. @throws Error when it is not a closed stream of consecutive frames */
export async function readChunk(bytes: Uint8Array, fps: number): Promise<EncodedChunk> {
  const chunk = await readFrames(bytes, fps);
  if (chunk.frames.some(({ place }) => place >= chunk.frames.length))
    throw new Error('a piece of the video has a gap in it');
  return chunk;
}

/** Reads a chunk that may have gaps between its frames. @throws Error when it is not a closed stream of frames */
export async function readFrames(bytes: Uint8Array, fps: number): Promise<EncodedChunk> {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4, WEBM] });
  try {
    const track = await input.getPrimaryVideoTrack();
    const config = await track?.getDecoderConfig();
    const name = await track?.getCodec();
    const codec = CODECS.find((one) => one === name);
    if (!track || !config || !codec) throw new Error('a piece of the video has no frames in it');
    const packets = await Array.fromAsync(new EncodedPacketSink(track).packets());
    return {
      format: (await input.getFormat()) === MP4 ? 'mp4' : 'webm',
      codec,
      // The stream has it too, but not every encoder's container does.
      config: { ...config, colorSpace: BT709 },
      frames: placedFrames(packets, fps),
    };
  } finally {
    input.dispose();
  }
}

/** True when one decoder can decode both without being reconfigured. */
export function isCompatible(one: EncodedChunk, other: EncodedChunk): boolean {
  return (
    one.format === other.format && one.codec === other.codec && decoderSetup(one).equals(decoderSetup(other))
  );
}

// A chunk may start late by the frames its encoder holds back; the first packet is the frame shown first.
function placedFrames(packets: readonly EncodedPacket[], fps: number): PlacedFrame[] {
  const first = packets[0]?.timestamp ?? 0;
  const frames = packets.map((packet) => ({ packet, place: Math.round((packet.timestamp - first) * fps) }));
  const places = new Set(frames.map(({ place }) => place));
  const isOrdered = frames.every(({ place }) => place >= 0);
  if (!isOrdered || places.size !== frames.length)
    throw new Error('two frames of a piece of the video are at one place');
  if (packets[0]?.type !== 'key') throw new Error('a piece of the video does not begin with a key frame');
  return frames;
}

/** What the container says for the decoder; of H.264, avcC. Empty where there is none. */
export function decoderSetup({ config }: Pick<EncodedChunk, 'config'>): Buffer {
  const { description } = config;
  if (!description) return Buffer.alloc(0);
  if (ArrayBuffer.isView(description))
    return Buffer.from(description.buffer, description.byteOffset, description.byteLength);
  return Buffer.from(description);
}
