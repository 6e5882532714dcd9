import type { VideoSample } from 'mediabunny';
import type { Origins } from '../origins.ts';
import { createCanvasCopies } from './canvas-copies.ts';
import { type ClipCanvas, createClipCanvas } from './clip-canvas.ts';
import { clipElements, clipSource, defaultStyle, extendSelectors, replaceElement } from './clip-elements.ts';
import { type ClipUse, clipSeconds } from './clip-times.ts';
import { clipUse } from './clip-use.ts';
import { ClipFailed, type OpenClip, openClip } from './open-clip.ts';

/** The clips of a page, each on a canvas. */
export type Clips = {
  /** Shows every displayed clip at a frame; true when any shows another image than before. @throws ClipFailed */
  show(frame: number, origins: Origins): Promise<boolean>;
};

type Timing = { readonly fps: number; readonly frames: number };

/**
 * Opens the clips of a page and puts canvases in the place of their elements.
 * In: the elements of clips on the stage. Out: canvases that show a clip at any frame. Invariant: a frame shows the
 * same picture whatever was shown before.
 * @returns undefined for a page without clips
 * @throws ClipFailed
 */
export async function createClips(stage: HTMLElement, timing: Timing): Promise<Clips | undefined> {
  const elements = clipElements(stage);
  if (elements.length === 0) return undefined;
  const copies = createCanvasCopies();
  const players = await Promise.all(
    elements.map(async (element, index) => {
      const clip = await named(index, openClip(new URL(clipSource(element), document.baseURI).href));
      const canvas = createClipCanvas(clip, copies.drawn);
      return { clip, canvas, player: createPlayer(clip, canvas, { ...timing, use: clipUse(element) }) };
    }),
  );
  const styles = elements.map((element, index) => defaultStyle(element, index, players[index]?.clip));
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer video-engine{${styles.join('')}}`);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  extendSelectors(new Set(elements.map(({ localName }) => localName)));
  for (const [index, { canvas }] of players.entries()) {
    const element = elements[index];
    if (element) replaceElement(element, canvas.element, index);
  }
  return {
    async show(frame, origins) {
      copies.release();
      const shown = players.map(({ player }, index) => named(index, player.show(frame, origins)));
      return (await Promise.all(shown)).includes(true);
    },
  };
}

/** Errors name the clip as people count them. */
async function named<Result>(index: number, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const reason = error instanceof ClipFailed ? error.message : String(error);
    throw new ClipFailed(`${index + 1}: ${reason}`);
  }
}

/** Frames that are being decoded: `next` is the next one to be taken, `end` the first that was not announced. */
type Decoding = {
  next: number;
  readonly end: number;
  readonly samples: AsyncGenerator<VideoSample | null, void, unknown>;
};

type Playing = Timing & { readonly use: ClipUse };

/** Frames whose moments are announced to the decoder at once, which bounds its work ahead. */
const ANNOUNCED_FRAMES = 150;

function createPlayer(clip: OpenClip, canvas: ClipCanvas, { fps, frames, use }: Playing) {
  let decoding: Decoding | undefined;
  /** The moment of the clip's file whose frame is on the canvas, and the frame of the video for which. */
  let loaded: number | undefined;
  let at: number | undefined;
  return { show };

  async function show(frame: number, origins: Origins): Promise<boolean> {
    const origin = origins.of(canvas.element);
    if (!origin.isShown) {
      await stop();
      return false;
    }
    if (frame !== at) await load(frame, origin.start / 1000);
    at = frame;
    return canvas.draw();
  }

  async function load(frame: number, start: number): Promise<void> {
    const sample = await sampleAt(frame, start);
    try {
      if (sample.timestamp !== loaded) await canvas.load(sample);
      loaded = sample.timestamp;
    } finally {
      sample.close();
    }
  }

  // Each frame is decoded once while frames are asked for in order.
  async function sampleAt(frame: number, start: number): Promise<VideoSample> {
    if (decoding?.next !== frame || decoding.end === frame) await stop();
    decoding ??= begin(frame, start);
    decoding.next += 1;
    const { value } = await decoding.samples.next();
    if (!value) throw new ClipFailed('a frame is missing');
    return value;
  }

  function begin(frame: number, start: number): Decoding {
    const end = Math.min(frame + ANNOUNCED_FRAMES, frames);
    return { next: frame, end, samples: clip.frames(moments({ frame, end, start })) };
  }

  function* moments({ frame: first, end, start }: { frame: number; end: number; start: number }) {
    for (let frame = first; frame < end; frame += 1)
      yield clipSeconds(use, (frame + 0.5) / fps - start, clip.duration);
  }

  async function stop(): Promise<void> {
    await decoding?.samples.return();
    decoding = undefined;
  }
}
