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

type Playing = Timing & { readonly use: ClipUse };

function createPlayer(clip: OpenClip, canvas: ClipCanvas, { fps, use }: Playing) {
  /** Where frames are read from in order. */
  let playing: ClipCursor | undefined;
  /** Where the last frame out of order was read from. Those that are checked after a span are; the next span goes on from `playing`. */
  let aside: ClipCursor | undefined;
  /** The time in the clip's file of the frame that is on the canvas, and the frame of the video for which. */
  let loaded: number | undefined;
  let at: number | undefined;
  return { show };

  async function show(frame: number, origins: Origins): Promise<boolean> {
    const origin = origins.of(canvas.element);
    if (!origin.isShown) {
      await stop();
      return false;
    }
    if (frame !== at) await load(clipSeconds(use, (frame + 0.5) / fps - origin.start / 1000, clip.duration));
    at = frame;
    return canvas.draw();
  }

  async function load(moment: number): Promise<void> {
    const place = clip.placeOf(moment);
    const sample = await (await cursorBefore(place)).frameAt(place);
    if (sample.timestamp !== loaded) await canvas.load(sample);
    loaded = sample.timestamp;
  }

  async function cursorBefore(place: number): Promise<ClipCursor> {
    if (playing?.isBefore(place)) return playing;
    if (aside?.isBefore(place)) {
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
