import { BITS_A_SECOND, RATE } from './sound-levels.ts';

/** Times in microseconds, bytes in base64. */
export type MixPackets = {
  readonly packets: readonly {
    readonly data: string;
    readonly timestamp: number;
    readonly duration: number;
  }[];
  /** Decoder configuration; absent before the first packet. */
  readonly description?: string;
  readonly done: boolean;
};

/** Seconds mixed per call. */
const CALL_SECONDS = 30;
/** Seconds of sound that may be queued in the encoder. */
const MOST_WAITING = 4;

/** The samples as they are, in 32-bit floats. */
const PCM = 'pcm-f32';
/** Seconds of samples per call. */
const PCM_CALL_SECONDS = 5;

/** Returns the first codec that this browser can encode; `pcm-f32` needs no encoder. */
export async function firstSupported(codecs: readonly string[]): Promise<string | undefined> {
  for (const codec of codecs) {
    if (codec === PCM) return codec;
    const { supported } = await AudioEncoder.isConfigSupported(configOf(codec));
    if (supported) return codec;
  }
  return undefined;
}

function configOf(codec: string): AudioEncoderConfig {
  return { codec, sampleRate: RATE, numberOfChannels: 2, bitrate: BITS_A_SECOND };
}

/** Encodes a mix, a few seconds per call. */
export function encodeSound(
  mix: AsyncGenerator<Float32Array>,
  codec: string,
): { next(): Promise<MixPackets> } {
  return codec === PCM ? readSamples(mix) : encodePackets(mix, codec);
}

function readSamples(mix: AsyncGenerator<Float32Array>): { next(): Promise<MixPackets> } {
  let seconds = 0;
  return {
    async next() {
      const packets: MixPackets['packets'][number][] = [];
      while (packets.length < PCM_CALL_SECONDS) {
        const { value: piece, done } = await mix.next();
        if (done) return { packets, done };
        const duration = piece.length / 2 / RATE;
        const data = base64Of(piece) ?? '';
        packets.push({ data, timestamp: seconds * 1e6, duration: duration * 1e6 });
        seconds += duration;
      }
      return { packets, done: false };
    },
  };
}

function encodePackets(mix: AsyncGenerator<Float32Array>, codec: string): { next(): Promise<MixPackets> } {
  let packets: MixPackets['packets'][number][] = [];
  let description: string | undefined;
  let failure: unknown;
  let moment = 0;
  const encoder = new AudioEncoder({
    output(chunk, meta) {
      description ??= base64Of(meta?.decoderConfig?.description);
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      packets.push({
        data: base64Of(bytes) ?? '',
        timestamp: chunk.timestamp,
        duration: chunk.duration ?? 0,
      });
    },
    error: (error) => {
      failure = error;
    },
  });
  encoder.configure(configOf(codec));

  return {
    async next() {
      let done = false;
      for (let i = 0; i < CALL_SECONDS && !done; i += 1) {
        const piece = await mix.next();
        if (piece.done) done = true;
        else await add(piece.value);
      }
      if (done) await encoder.flush();
      if (failure) throw failure;
      const given = packets;
      packets = [];
      return { packets: given, ...(description === undefined ? {} : { description }), done };
    },
  };

  async function add(piece: Float32Array): Promise<void> {
    const numberOfFrames = piece.length / 2;
    const timestamp = Math.round((moment * 1e6) / RATE);
    const data = new AudioData({
      format: 'f32',
      sampleRate: RATE,
      numberOfChannels: 2,
      numberOfFrames,
      timestamp,
      data: new Float32Array(piece),
    });
    encoder.encode(data);
    data.close();
    moment += numberOfFrames;
    while (encoder.encodeQueueSize > MOST_WAITING)
      await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
  }
}

function base64Of(bytes: AllowSharedBufferSource | undefined): string | undefined {
  if (!bytes) return undefined;
  const view = ArrayBuffer.isView(bytes)
    ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    : new Uint8Array(bytes);
  let text = '';
  // More arguments at once would not fit on the stack.
  for (let i = 0; i < view.length; i += 32_768) text += String.fromCharCode(...view.subarray(i, i + 32_768));
  return btoa(text);
}
