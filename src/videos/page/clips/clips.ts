import type { Origins } from '../origins.ts';
import { createCanvasCopies } from './canvas-copies.ts';
import { type ClipCanvas, createClipCanvas } from './clip-canvas.ts';
import { type ClipCursor, createClipCursor } from './clip-cursor.ts';
import { clipElements, clipSource, defaultStyle, extendSelectors, replaceElement } from './clip-elements.ts';
import { type ClipUse, clipSeconds } from './clip-times.ts';
import { clipUse } from './clip-use.ts';
import { ClipFailed, type OpenClip, openClip } from './open-clip.ts';

/** The clips of a page, each on a canvas. */
export type Clips = {
  /** Shows every displayed clip at a frame; true when any shows another image than before. @throws ClipFailed */
  show(frame: number, origins: Origins): Promise<boolean>;
};

type Timing = { readonly fps: number };

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

/** A look at other frames does not end the reading: a check shows two, and a chunk begins at the first one of the video. */
const FRAMES_ELSEWHERE = 4;

type Playing = Timing & { readonly use: ClipUse };

function createPlayer(clip: OpenClip, canvas: ClipCanvas, { fps, use }: Playing) {
  /** Where frames are read from in order. */
  let playing: ClipCursor | undefined;
  /** Where the last frame out of order was read from, such as those that are checked after a span. The next span goes on from `playing`. */
  let aside: ClipCursor | undefined;
  /** The time in the clip's file of the frame that is on the canvas, and the frame of the video for which. */
  let loaded: number | undefined;
  let at: number | undefined;
  /** Frames since it was shown. */
  let hidden = 0;
  return { show };

  async function show(frame: number, origins: Origins): Promise<boolean> {
    const origin = origins.of(canvas.element);
    if (!origin.isShown) {
      hidden += 1;
      if (hidden > FRAMES_ELSEWHERE) await stop();
      return false;
    }
    hidden = 0;
    if (frame !== at) await load(frame, origin.start / 1000);
    at = frame;
    return canvas.draw();
  }

  async function load(frame: number, start: number): Promise<void> {
    const place = clip.placeOf(clipSeconds(use, (frame + 0.5) / fps - start, clip.duration));
    try {
      const cursor = await cursorFor(place, frame - 1 === at);
      const sample = await cursor.frameAt(place);
      if (sample.timestamp !== loaded) await canvas.load(sample);
      loaded = sample.timestamp;
    } catch (error) {
      // A cursor that has failed would go on with an old frame.
      await stop();
      throw error;
    }
  }

  async function cursorFor(place: number, isNext: boolean): Promise<ClipCursor> {
    if (playing?.canReach(place)) {
      await aside?.close();
      aside = undefined;
      return playing;
    }
    if (aside?.canReach(place)) {
      if (!isNext) return aside;
      await playing?.close();
      [playing, aside] = [aside, undefined];
      return playing;
    }
    await aside?.close();
    aside = createClipCursor(clip, place);
    return aside;
  }

  async function stop(): Promise<void> {
    await Promise.all([playing?.close(), aside?.close()]);
    [playing, aside] = [undefined, undefined];
  }
}
