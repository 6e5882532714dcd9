// Runs in a worker created from text, so it can import only types.
import type { EncoderSink, Report, RingSink, WorkerCommand, WorkerReport } from './messages.ts';

/** Destination of a converted frame. */
type Sink = {
  readonly opened: Report;
  /** `bytes` are I420 and may be reused when the promise resolves. */
  take(
    bytes: Uint8Array<ArrayBuffer>,
    place: { readonly frame: number; readonly slot: number },
  ): Promise<void>;
  /** Repeats the previous frame. */
  repeat(bytes: Uint8Array<ArrayBuffer>, frame: number): Promise<void>;
  finish(): Promise<void>;
};
type Opening = Extract<WorkerCommand, { kind: 'open' }>;
type Work = { execute(command: Exclude<WorkerCommand, Opening>): Promise<void> };

const PAGE_BYTES = 65_536;
// Frames queued in the encoder, so that it never waits.
const ENCODER_AHEAD = 2;

const work = Promise.withResolvers<Work>();
let turn: Promise<unknown> = Promise.resolve();
addEventListener('message', ({ data }: MessageEvent<WorkerCommand>) => {
  // Sequential: reading a frame is asynchronous, and commands arrive in the meantime.
  turn = turn.then(() => (data.kind === 'open' ? open(data) : execute(data))).catch(fail);
});

async function open(opening: Opening): Promise<void> {
  const { sink } = opening;
  const opened = sink.kind === 'ring' ? await openRing(sink, opening) : await openEncoder(sink, opening);
  work.resolve(await createWork(opening, opened));
  report(opened.opened);
}

async function execute(command: Exclude<WorkerCommand, Opening>): Promise<void> {
  return (await work.promise).execute(command);
}

function fail(error: unknown): void {
  report({ kind: 'unusable', reason: String(error) });
}

function report(what: WorkerReport): void {
  postMessage(what);
}

async function createWork({ width, height, converter }: Opening, sink: Sink): Promise<Work> {
  const pixels = width * height * 4;
  const planes = (width * height * 3) / 2;
  const memory = new WebAssembly.Memory({ initial: Math.ceil((pixels + planes) / PAGE_BYTES) });
  const code = Uint8Array.fromBase64(converter);
  const { instance } = await WebAssembly.instantiate(code, { env: { memory } });
  // WebAssembly exports are typed as unknown functions.
  const convert = instance.exports['convert'] as (...numbers: number[]) => void;
  const source = new Uint8Array(memory.buffer, 0, pixels);
  const target = new Uint8Array(memory.buffer, pixels, planes);
  return { execute };

  async function execute(command: Exclude<WorkerCommand, Opening>): Promise<void> {
    switch (command.kind) {
      case 'frame':
        await read(command.picture);
        await sink.take(target, command);
        return report({ kind: 'frame', frame: command.frame, slot: command.slot });
      case 'repeat':
        await sink.repeat(target, command.frame);
        return report({ kind: 'repeat', frame: command.frame });
      case 'finish':
        await sink.finish();
        return report({ kind: 'finished' });
    }
  }

  async function read(picture: VideoFrame): Promise<void> {
    const { format, codedWidth, codedHeight } = picture;
    if (codedWidth !== width || codedHeight !== height)
      throw new Error(`a frame of ${codedWidth}×${codedHeight}`);
    // The fourth byte is ignored: the frame is opaque.
    if (!format || !/^(?:BGR|RGB)[AX]$/.test(format)) throw new Error(`a frame of format ${format}`);
    const [layout] = await picture.copyTo(source);
    picture.close();
    report({ kind: 'copied' });
    if (layout?.offset !== 0) throw new Error('a frame that does not begin at its beginning');
    convert(0, layout.stride, width, height, Number(format.startsWith('B')), pixels);
  }
}

async function openRing({ name, header }: RingSink, { width, height, slots }: Opening): Promise<Sink> {
  const slotBytes = (width * height * 3) / 2;
  const folder = await navigator.storage.getDirectory();
  const file = await folder.getFileHandle(name, { create: true });
  const handle = await file.createSyncAccessHandle();
  handle.truncate(header + slots * slotBytes);
  handle.write(new TextEncoder().encode(name), { at: 0 });
  return {
    opened: { kind: 'opened' },
    async take(bytes, { slot }) {
      const written = handle.write(bytes, { at: header + slot * slotBytes });
      if (written !== slotBytes) throw new Error(`only ${written} bytes of a frame could be written`);
    },
    // The host still has the frame.
    async repeat() {},
    async finish() {
      handle.close();
    },
  };
}

async function openEncoder({ configs, fps }: EncoderSink, { width, height }: Opening): Promise<Sink> {
  const config = await firstSupported(configs);
  const frameMs = 1_000_000 / fps;
  let isFirst = true;
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => report(packet(chunk, metadata?.decoderConfig?.description)),
    error: fail,
  });
  encoder.configure(config);
  return {
    opened: { kind: 'opened', codec: config.codec },
    take: (bytes, { frame }) => encode(bytes, frame),
    repeat: encode,
    async finish() {
      await encoder.flush();
      encoder.close();
    },
  };

  async function encode(bytes: Uint8Array<ArrayBuffer>, frame: number): Promise<void> {
    while (encoder.encodeQueueSize >= ENCODER_AHEAD) {
      await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
    }
    const picture = new VideoFrame(bytes, {
      ...{ format: 'I420', codedWidth: width, codedHeight: height },
      ...{ timestamp: Math.round(frame * frameMs), duration: Math.round(frameMs) },
      colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false },
    });
    encoder.encode(picture, { keyFrame: isFirst });
    isFirst = false;
    picture.close();
  }
}

async function firstSupported(configs: EncoderSink['configs']): Promise<VideoEncoderConfig> {
  for (const config of configs) {
    const { supported } = await VideoEncoder.isConfigSupported(config);
    if (supported) return config;
  }
  throw new Error(`the browser encodes none of ${configs.map(({ codec }) => codec).join(', ')}`);
}

function packet(chunk: EncodedVideoChunk, description: AllowSharedBufferSource | undefined): Report {
  const bytes = new Uint8Array(chunk.byteLength);
  chunk.copyTo(bytes);
  return {
    ...{ kind: 'packet', timestamp: chunk.timestamp, isKey: chunk.type === 'key', bytes: bytes.toBase64() },
    ...(description === undefined ? {} : { description: base64(description) }),
  };
}

function base64(source: AllowSharedBufferSource): string {
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return bytes.toBase64();
}
