import type { EncodedPacketSink, Input, InputVideoTrack, VideoSample, VideoSampleSink } from 'mediabunny';
import { vp8Frames } from './vp8-frames.ts';

/** A clip whose frames can be decoded. */
export type OpenClip = {
  /** In pixels, upright. */
  readonly width: number;
  readonly height: number;
  /** Degrees clockwise by which its frames are turned to be upright. */
  readonly rotation: number;
  readonly isTransparent: boolean;
  /** Seconds from its first frame to the end of its last. */
  readonly duration: number;
  /** Where a moment of the clip, in seconds, is in its file. A moment before the first frame shows the first frame. */
  placeOf(moment: number): number;
  /** Decodes the frames from the one at a place on, or from one before it, in order and a few ahead; the caller closes them. */
  framesFrom(place: number): AsyncGenerator<VideoSample, void, unknown>;
};

/** A clip that cannot be decoded; the host knows it by this name. */
export class ClipFailed extends Error {
  override name = 'ClipFailed';
}

/** Larger than any common camera: 4096 × 2304. */
export const MAX_CLIP_PIXELS = 4_096 * 2_304;

/**
 * Opens a clip at an address that answers ranges. Only what is shown of it is read.
 * @throws ClipFailed
 */
export async function openClip(address: string): Promise<OpenClip> {
  const { ALL_FORMATS, CustomSource, EncodedPacketSink, Input, VideoSampleSink } = await loadMediabunny();
  const size = await sizeOf(address);
  const source = new CustomSource({
    getSize: () => size,
    read: (start, end) => readRange(address, start, end),
    prefetchProfile: 'fileSystem',
  });
  const input = new Input({ source, formats: ALL_FORMATS });
  try {
    return await describeClip(input, { VideoSampleSink, EncodedPacketSink });
  } catch (error) {
    throw error instanceof ClipFailed ? error : new ClipFailed(String(error));
  }
}

type Library = {
  readonly VideoSampleSink: typeof VideoSampleSink;
  readonly EncodedPacketSink: typeof EncodedPacketSink;
};

async function describeClip(input: Input, library: Library): Promise<OpenClip> {
  const track = await input.getPrimaryVideoTrack();
  if (!track) throw new ClipFailed('no picture');
  if (!(await track.canDecode())) throw new ClipFailed(`codec ${await track.getCodec()}`);
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  if (width * height > MAX_CLIP_PIXELS) throw new ClipFailed(`${width} × ${height}`);
  const zero = await zeroOf(input);
  const first = await track.getFirstTimestamp();
  const frames = new library.VideoSampleSink(track);
  const packets = new library.EncodedPacketSink(track);
  const isVp8 = (await track.getCodec()) === 'vp8';
  return {
    ...{ width, height },
    rotation: await track.getRotation(),
    isTransparent: await track.canBeTransparent(),
    duration: (await endOf(track)) - zero,
    placeOf: (moment) => Math.max(first, moment + zero),
    framesFrom: (place) => (isVp8 ? vp8Frames(place, { frames, packets }) : frames.samples(place)),
  };
}

/** Where the clock of a file begins: recordings of streams begin at any time. Times before 0 are cut by every player. */
async function zeroOf(input: Input): Promise<number> {
  return Math.max(0, await input.getFirstTimestamp());
}

async function endOf(track: InputVideoTrack): Promise<number> {
  return (await track.getDurationFromMetadata()) ?? (await track.computeDuration());
}

/** Loaded with the first clip: pages without one do not need it. */
async function loadMediabunny(): Promise<typeof import('mediabunny')> {
  const address = new URL('../mediabunny.js', import.meta.url).href;
  return import(address);
}

async function sizeOf(address: string): Promise<number> {
  const answer = await requestRange(address, 0, 1);
  const [, size] = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '') ?? [];
  if (size === undefined) throw new ClipFailed('no size');
  return Number(size);
}

async function readRange(address: string, start: number, end: number): Promise<Uint8Array> {
  return (await requestRange(address, start, end)).bytes();
}

async function requestRange(address: string, start: number, end: number): Promise<Response> {
  const answer = await fetch(address, { headers: { range: `bytes=${start}-${end - 1}` } });
  if (answer.status !== 206) throw new ClipFailed('no such file');
  return answer;
}
