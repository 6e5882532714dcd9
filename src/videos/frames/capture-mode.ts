import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { FrameEncoder } from '../encode/frame-encoder.ts';
import type { ChunkRequest } from './frames.ts';
import { inPageCodecs } from './in-page-codecs.ts';
import type { OpenPage } from './open-page.ts';

const MAX_REASON_CHARS = 300;

/**
 * A capture mode does not work in this browser or for this page; another mode may.
 * @param reason a few words stored with the video, such as `the ring file was not found`
 */
export class ModeUnusable extends Error {
  /** @param reason a few words that end up beside the video, such as `the ring file was not found` */
  constructor(reason: string, options?: ErrorOptions) {
    // The text may come from the page and contain what a database cannot store.
    super(reason.replaceAll('\0', '').toWellFormed().slice(0, MAX_REASON_CHARS), options);
    this.name = 'ModeUnusable';
  }
}

/** Whether a page can draw elements onto a canvas; `reason` says why not. */
type Painting = { readonly canvas: boolean; readonly reason?: string };

/**
 * What the browser of a page can do. Each answer is kept for its browser version.
 * @throws Error when the page is not responding; Fault video_failed.crashed; and the signal's reason
 */
export type Probe = {
  painting(page: OpenPage, signal: AbortSignal): Promise<Painting>;
  /** The codec of the browser's own encoder, such as `avc1.640028`; undefined when it has none for the format. */
  codec(page: OpenPage, format: ChunkRequest['format'], signal: AbortSignal): Promise<string | undefined>;
};

/** `reason` says why the first mode, `canvas`, is not used. */
type ModeChoice =
  | { readonly path: 'canvas'; readonly encoder: FrameEncoder }
  | { readonly path: 'in_page'; readonly reason: string }
  | { readonly path: 'screenshot'; readonly reason: string };

type ChoiceInput = {
  readonly painting: Painting;
  /** The codec of the browser's encoder, called only where it matters: the first call takes 0.1 s. */
  readonly codec: () => Promise<string | undefined>;
  /** The encoder outside the browser. */
  readonly encoder: FrameEncoder | undefined;
  readonly wanted: Pick<ChunkRequest, 'format' | 'quality'>;
};

/** Chooses the best capture mode for a chunk on this machine; `screenshot` needs an encoder. */
export async function chooseCaptureMode(input: ChoiceInput): Promise<ModeChoice> {
  const { painting, codec, encoder, wanted } = input;
  const { canvas, reason = 'this browser does not paint elements' } = painting;
  if (!canvas) return { path: 'screenshot', reason };
  if (encoder && wanted.quality !== 'draft') return { path: 'canvas', encoder };
  const encodes = (await codec()) !== undefined;
  if (encodes) return { path: 'in_page', reason: encoder ? 'it is a draft' : 'no encoder is installed' };
  if (encoder) return { path: 'canvas', encoder };
  return { path: 'screenshot', reason: `this browser does not encode ${wanted.format}` };
}

const MODULE = 'capture/probe.ts';
/** The largest common video size. */
const LARGEST_VIDEO = { width: 1080, height: 1920, fps: 30 };

export function createProbe(): Probe {
  const mp4 = oncePerBrowser((page, signal) => probeCodec(page, 'mp4', signal));
  const webm = oncePerBrowser((page, signal) => probeCodec(page, 'webm', signal));
  return {
    painting: oncePerBrowser(probePainting),
    codec: (page, format, signal) => (format === 'mp4' ? mp4 : webm)(page, signal),
  };
}

function oncePerBrowser<Answer>(probe: (page: OpenPage, signal: AbortSignal) => Promise<Answer>) {
  const known = new Map<string, { readonly answer: Answer }>();
  return async (page: OpenPage, signal: AbortSignal): Promise<Answer> => {
    const { browser, composition } = page;
    const key = `${browser.kind} ${browser.name}`;
    const { answer } = known.get(key) ?? { answer: await probe(page, signal) };
    // A template's scripts may have influenced the answer, so it is not kept for other pages.
    if (!composition.scripts) known.set(key, { answer });
    return answer;
  };
}

async function probePainting(page: OpenPage, signal: AbortSignal): Promise<Painting> {
  const answer = await page.call<unknown>(MODULE, 'probePainting', [], { signal, ms: page.limits.answerMs });
  const { reason } = PaintingAnswer.parse(answer);
  return reason === undefined ? { canvas: true } : { canvas: false, reason };
}

async function probeCodec(page: OpenPage, format: ChunkRequest['format'], signal: AbortSignal) {
  const configs = inPageCodecs(LARGEST_VIDEO, format, 'standard');
  const limits = { signal, ms: page.limits.answerMs };
  const [best] = Codecs.parse(await page.call<unknown>(MODULE, 'probeEncoders', [configs], limits));
  return best;
}

const PaintingAnswer = z.object({ reason: z.string().exactOptional() });
const Codecs = z.array(z.string());

/** A canvas does not draw the canvases inside it. */
export const USES_CANVAS = 'the page has a canvas of its own';

/** Checks the markup before the page is opened; scripts, styles and comments may speak of a canvas without having one. */
export function mentionsCanvas(html: string): boolean {
  if (!/<canvas\b/i.test(html)) return false;
  for (let at = 0; at < html.length; ) {
    TAGS.lastIndex = at;
    const found = TAGS.exec(html);
    if (!found) return false;
    const [opening, name] = found;
    if (name?.toLowerCase() === 'canvas') return true;
    const end = name === undefined ? /-->/g : new RegExp(`</${name}\\b`, 'gi');
    end.lastIndex = found.index + opening.length;
    // What is not closed reaches to the end of the page.
    if (!end.exec(html)) return false;
    at = end.lastIndex;
  }
  return false;
}

/** A canvas, or what begins a text in which tags are none. */
const TAGS = /<(canvas|script|style|textarea|title)\b|<!--/gi;

/**
 * Returns whether the page has a canvas, such as one made by a script. Those of clips are painted, as the self-check
 * confirms.
 * @throws Fault video_failed.frame_time, .crashed
 */
export async function hasCanvas({ cdp, gone, limits }: OpenPage, signal: AbortSignal): Promise<boolean> {
  const expression = `document.querySelector('canvas:not([data-clip])') !== null`;
  const asked = cdp.send('Runtime.evaluate', { expression, returnByValue: true });
  const ms = limits.answerMs;
  const late = () => new Fault('video_failed.frame_time', { frame: 0, seconds: ms / 1000 });
  const { result } = await withTimeout(Promise.race([asked, gone]), {
    signal,
    timeoutMs: ms,
    timeoutError: late,
  });
  return result.value === true;
}
