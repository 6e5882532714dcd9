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

/** What a browser can do for a page. */
export type Capabilities = {
  /** It draws elements onto a canvas. */
  readonly canvas: boolean;
  /** The codec its built-in encoder supports, by format, such as `avc1.640028`. */
  readonly encoders: { readonly mp4: string | undefined; readonly webm: string | undefined };
  /** Why `canvas` is false. */
  readonly reason?: string;
};

/** `reason` says why the first mode, `canvas`, is not used. */
type ModeChoice =
  | { readonly path: 'canvas'; readonly encoder: FrameEncoder }
  | { readonly path: 'in_page'; readonly reason: string }
  | { readonly path: 'screenshot'; readonly reason: string };

type ChoiceInput = {
  readonly ability: Capabilities;
  /** The encoder outside the browser. */
  readonly encoder: FrameEncoder | undefined;
  readonly wanted: Pick<ChunkRequest, 'format' | 'quality'>;
};

/** Chooses the best capture mode for a chunk on this machine; `screenshot` needs an encoder. */
export function chooseCaptureMode({ ability, encoder, wanted }: ChoiceInput): ModeChoice {
  const { canvas, encoders, reason = 'this browser does not paint elements' } = ability;
  const encodes = encoders[wanted.format] !== undefined;
  if (!canvas) return { path: 'screenshot', reason };
  if (!encoder && encodes) return { path: 'in_page', reason: 'no encoder is installed' };
  if (!encoder) return { path: 'screenshot', reason: `this browser does not encode ${wanted.format}` };
  if (wanted.quality === 'draft' && encodes) return { path: 'in_page', reason: 'it is a draft' };
  return { path: 'canvas', encoder };
}

const MODULE = 'capture/probe.ts';
/** The largest common video size. */
const LARGEST_VIDEO = { width: 1080, height: 1920, fps: 30 };

/** @returns a function that probes what the browser of a page can do, once per browser version */
export function createProbe() {
  const known = new Map<string, Capabilities>();
  return probe;

  /** @throws Error when the page is not responding; Fault video_failed.crashed; and the signal's reason */
  async function probe(page: OpenPage, signal: AbortSignal): Promise<Capabilities> {
    const { browser, composition } = page;
    const key = `${browser.kind} ${browser.name}`;
    const ability = known.get(key) ?? (await probePage(page, signal));
    // A template's scripts may have influenced the result, so it is not cached for other pages.
    if (!composition.scripts) known.set(key, ability);
    return ability;
  }
}

async function probePage(page: OpenPage, signal: AbortSignal): Promise<Capabilities> {
  const options = { signal, ms: page.limits.answerMs };
  const firstCodec = async (format: 'mp4' | 'webm') => {
    const configs = inPageCodecs(LARGEST_VIDEO, format, 'standard');
    const codecs = Codecs.parse(await page.call<unknown>(MODULE, 'probeEncoders', [configs], options));
    return codecs[0];
  };
  const [painting, mp4, webm] = await Promise.all([
    page.call<unknown>(MODULE, 'probePainting', [], options).then((said) => Painting.parse(said)),
    firstCodec('mp4'),
    firstCodec('webm'),
  ]);
  return { canvas: painting.reason === undefined, encoders: { mp4, webm }, ...painting };
}

const Painting = z.object({ reason: z.string().exactOptional() });
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
