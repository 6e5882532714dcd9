import { rm, stat } from 'node:fs/promises';
import {
  EncodedVideoPacketSource,
  FilePathTarget,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import { type Mp4Index, writeFaststart } from './mp4-faststart.ts';
import { type EncodedChunk, isCompatible, readChunk } from './read-chunk.ts';
import { openSound } from './sound-packets.ts';

export type JoinOptions = {
  /** Consecutive chunks, all made by one engine. One at a time is in memory. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Path of the sound, in MP4 or WebM; it is cut at the last frame. */
  readonly sound?: string | undefined;
  readonly fps: number;
  /** Path of the output; a temporary file beside it has `.draft` in its name. */
  readonly path: string;
  readonly signal: AbortSignal;
};

/** `seconds` is `frames / fps`. */
export type Joined = { readonly frames: number; readonly seconds: number; readonly bytes: number };

/**
 * Joins chunks and sound into one file that plays while it loads, without encoding again. Equal chunks make equal
 * bytes: no date is written. mediabunny reads and writes the packets; its Conversion is not used, since it takes one
 * input file only.
 * @throws Error when a chunk is incomplete or made by another engine than the first; the signal's reason
 */
export async function join(options: JoinOptions): Promise<Joined> {
  const { path, fps } = options;
  const draft = `${path}.draft`;
  try {
    const { frames, index } = await write(options, draft);
    if (frames === 0) throw new Error('a video has at least one piece');
    await writeFaststart({ from: draft, to: path, index });
    return { frames, seconds: frames / fps, bytes: (await stat(path)).size };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

type Written = { readonly frames: number; readonly index: Mp4Index | undefined };

async function write({ chunks, sound, fps, signal }: JoinOptions, draft: string): Promise<Written> {
  let film: OutputFile | undefined;
  let frames = 0;
  try {
    for await (const bytes of chunks) {
      signal.throwIfAborted();
      const piece = await readChunk(bytes, fps);
      film ??= await openOutput({ first: piece, sound, fps, draft });
      await film.add(piece, frames);
      frames += piece.frames.length;
    }
    return { frames, index: await film?.end(frames) };
  } catch (error) {
    await film?.cancel();
    throw error;
  } finally {
    film?.close();
  }
}

type OutputOptions = Pick<JoinOptions, 'sound' | 'fps'> & {
  readonly first: EncodedChunk;
  readonly draft: string;
};

type OutputFile = {
  /** Adds the frames of a chunk, the first of them at the given frame of the video. */
  add(piece: EncodedChunk, at: number): Promise<void>;
  /** Returns the index of an MP4; a WebM plays while it loads as it is. */
  end(frames: number): Promise<Mp4Index | undefined>;
  cancel(): Promise<void>;
  /** Closes the sound file. */
  close(): void;
};

async function openOutput({ first, sound: soundPath, fps, draft }: OutputOptions): Promise<OutputFile> {
  const sound = soundPath === undefined ? undefined : await openSound(soundPath, first.format);
  let index: Mp4Index | undefined;
  const onMoov = (bytes: Uint8Array, position: number) => {
    index = { bytes: bytes.slice(), position };
  };
  const format =
    first.format === 'mp4' ? new Mp4OutputFormat({ fastStart: false, onMoov }) : new WebMOutputFormat();
  const output = new Output({ format, target: new FilePathTarget(draft) });
  const source = new EncodedVideoPacketSource(first.codec);
  output.addVideoTrack(source, { frameRate: fps });
  if (sound) output.addAudioTrack(sound.source);
  await output.start();

  return {
    async add(piece, at) {
      if (!isCompatible(first, piece)) throw new Error('the pieces of a video were not made by one encoder');
      for (const { packet, place } of piece.frames) {
        const timestamp = (at + place) / fps;
        const timed = packet.clone({ timestamp, duration: 1 / fps });
        await source.add(timed, { decoderConfig: first.config });
        await sound?.addUntil(timestamp);
      }
    },
    async end(frames) {
      source.close();
      await sound?.endAt(frames / fps);
      await output.finalize();
      return index;
    },
    cancel: () => output.cancel(),
    close: () => sound?.close(),
  };
}
