import { Fault } from '../../errors.ts';
import type { Launch } from '../../platform/browser/launch-browser.ts';
import type { FoundBrowser } from '../../platform/browser/probe-browser.ts';
import type { Log } from '../../platform/log.ts';
import type { Composition } from '../composition/composition.ts';
import { encodeFrames, type FrameEncoder } from '../encode/frame-encoder.ts';
import { createAlphaSampler } from './alpha-sampler.ts';
import {
  chooseCaptureMode,
  hasCanvas,
  ModeUnusable,
  mentionsCanvas,
  type Probe,
  USES_CANVAS,
} from './capture-mode.ts';
import { leaveCanvas } from './frame-lookahead.ts';
import type { Chunk, ChunkRequest, PageLimits, PixelFrame, RenderSession, Span } from './frames.ts';
import { type OpenPage, openPage } from './open-page.ts';
import { PageError } from './page-calls.ts';
import { onWhite } from './prepare-page.ts';
import { screenshotAt, screenshotFrames } from './screenshots.ts';
import { createSampler, type FrameSample, middleOf, selfCheck } from './self-check.ts';

/** The capture modes in which a page paints itself. They throw ModeUnusable where they do not work. */
type PaintModes = {
  readonly probe: Probe;
  canvasFrames(page: OpenPage, span: Span, signal: AbortSignal): AsyncIterable<PixelFrame>;
  inPageChunk(
    page: OpenPage,
    request: ChunkRequest,
  ): Promise<{ readonly bytes: Uint8Array; readonly encoder: string; readonly painted: number }>;
};

export type SessionDeps = {
  readonly found: FoundBrowser;
  readonly launch: Launch;
  readonly encoder: FrameEncoder | undefined;
  readonly modes: PaintModes;
  readonly log: Log;
  readonly limits?: PageLimits;
};

/** Opens a composition. The page paints itself while its frames pass the self-check; otherwise screenshots are used. */
export async function openSession(
  composition: Composition,
  parts: SessionDeps,
  signal: AbortSignal,
): Promise<RenderSession> {
  const { encoder, modes, log } = parts;
  const { width, height, fps, scripts, transparent } = composition;
  /** Why screenshots are used; undefined while the page paints itself. */
  let fallbackReason = transparent ? TRANSPARENT : mentionsCanvas(composition.html) ? USES_CANVAS : undefined;
  let page = await open(signal);
  let isVerified = false;
  /** A frame that is not opaque was seen: no other one needs to be looked at. */
  let hasAlpha = false;
  /** The last frame that the page's scripts have run for. */
  let lastFrame = 0;
  /** Where the stage of a page with scripts is. It enters the canvas once. */
  let stageIs: 'in_page' | 'in_canvas' | 'taken_out' = 'in_page';
  return {
    transparent: transparent ?? false,
    get warnings() {
      return page.warnings;
    },
    renderChunk: async (request) => settled(await renderChunk(request), request.signal),
    still: async (frame, type, signal) => settled(await still(frame, type, signal), signal),
    close: () => page.close(),
  };

  /** A script may have failed after the last frame was painted. */
  async function settled<Result>(result: Result, signal: AbortSignal): Promise<Result> {
    if (scripts) await page.settle(signal);
    return result;
  }

  function open(signal: AbortSignal): Promise<OpenPage> {
    return openPage(composition, { ...parts, signal, frameControl: fallbackReason !== undefined });
  }

  async function renderChunk(request: ChunkRequest): Promise<Chunk> {
    const { span, signal } = request;
    await reopenIf(span.from < lastFrame || stageIs === 'taken_out', signal);
    lastFrame = span.to - 1;
    if (fallbackReason !== undefined) return screenshotChunk(request, fallbackReason);
    try {
      return await paintChunk(request);
    } catch (error) {
      const reason = whyNotPainted(error);
      if (reason === undefined) throw error;
      log.warn({ err: error }, 'a page does not paint itself correctly; falling back to screenshots');
      await fallBackToScreenshots(reason, signal);
      return screenshotChunk(request, reason);
    }
  }

  /** Undefined for an error that is not about the way of painting. */
  function whyNotPainted(error: unknown): string | undefined {
    // An error in the engine's page code means the same: a script of the template may have broken it.
    if (error instanceof ModeUnusable || error instanceof PageError) return error.message.split('\n', 1)[0];
    // Some styles crash the browser when they are painted onto a canvas. With scripts, it may be out of memory.
    const hasCrashed = error instanceof Fault && error.key === 'video_failed.crashed';
    return hasCrashed && !isVerified && !scripts ? CRASHED : undefined;
  }

  async function paintChunk(request: ChunkRequest): Promise<Chunk> {
    const { signal } = request;
    if (scripts && (await hasCanvas(page, signal))) throw new ModeUnusable(USES_CANVAS);
    if (scripts) stageIs = 'in_canvas';
    const choice = await chooseCaptureMode({
      painting: await modes.probe.painting(page, signal),
      codec: () => modes.probe.codec(page, request.format, signal),
      ...{ encoder, wanted: request },
    });
    if (choice.path === 'screenshot') throw new ModeUnusable(choice.reason);
    if (choice.path === 'in_page') return inPageChunk(request, choice.reason);
    return canvasChunk(request, choice.encoder);
  }

  async function canvasChunk(request: ChunkRequest, encoder: FrameEncoder): Promise<Chunk> {
    const { span, format, quality, signal } = request;
    const sampler = createSampler(span, scripts ? 'last' : 'spread');
    const made = await encodeFrames({
      frames: modes.canvasFrames(page, span, signal),
      options: { width, height, fps, pixels: 'i420', format, quality },
      ...{ encoder, request },
      ...(!isVerified && { observe: sampler.observe, verify: () => verify(sampler.samples(), signal) }),
    });
    return { ...made, engine: { path: 'canvas', browser: page.browser.name, encoder: encoder.name } };
  }

  async function inPageChunk(request: ChunkRequest, reason: string): Promise<Chunk> {
    const { bytes, painted, encoder } = await modes.inPageChunk(page, request);
    if (!isVerified) await verify(await paintSamples(request), request.signal);
    return { bytes, painted, engine: { path: 'in_page', reason, browser: page.browser.name, encoder } };
  }

  // Frames encoded in the page were not seen outside it, so some are painted again.
  async function paintSamples({ span, signal }: ChunkRequest): Promise<FrameSample[]> {
    const last = span.to - 1;
    const frames = scripts || middleOf(span) === last ? [last] : [middleOf(span), last];
    const samples: FrameSample[] = [];
    for (const from of frames) {
      for await (const { frame, bytes } of modes.canvasFrames(page, { from, to: from + 1 }, signal)) {
        samples.push({ frame, bytes: Uint8Array.from(bytes) });
      }
    }
    return samples;
  }

  async function verify(samples: readonly FrameSample[], signal: AbortSignal): Promise<void> {
    await showStage(signal);
    const wrong = await selfCheck(page, samples, signal);
    if (wrong !== undefined) throw new ModeUnusable(wrong);
    isVerified = true;
  }

  async function fallBackToScreenshots(reason: string, signal: AbortSignal): Promise<void> {
    if (!encoder) throw new Fault('not_configured.painting', { reason });
    fallbackReason = reason;
    await reopen(signal);
  }

  async function screenshotChunk(request: ChunkRequest, reason: string): Promise<Chunk> {
    const { span, format, quality, signal } = request;
    if (!encoder && transparent) throw new Fault('not_configured.transparent');
    if (!encoder) throw new Fault('not_configured.painting', { reason });
    const alpha = transparent && !hasAlpha && createAlphaSampler(span);
    const made = await encodeFrames({
      frames: screenshotFrames(page, span, signal),
      options: { width, height, fps, pixels: transparent ? 'png' : 'jpeg', format, quality },
      ...{ encoder, request },
      ...(alpha && { observe: alpha.observe }),
    });
    const { name } = page.browser;
    const engine = { path: 'screenshot', reason, browser: name, encoder: encoder.name } as const;
    if (alpha) hasAlpha = !alpha.isOpaque();
    return { ...made, engine, ...(transparent && { isOpaque: !hasAlpha }) };
  }

  async function still(frame: number, type: 'png' | 'jpeg', signal: AbortSignal): Promise<Uint8Array> {
    await reopenIf(frame < lastFrame, signal);
    await showStage(signal);
    lastFrame = frame;
    const shown = () => screenshotAt(page, frame, STILLS[type], signal);
    // JPEG has no alpha.
    return transparent && type === 'jpeg' ? onWhite(page.cdp, shown) : shown();
  }

  async function showStage(signal: AbortSignal): Promise<void> {
    if (stageIs !== 'in_canvas') return;
    await leaveCanvas(page, signal);
    stageIs = 'taken_out';
  }

  // Effects of scripts cannot be undone, so the page is opened again.
  async function reopenIf(isNeeded: boolean, signal: AbortSignal): Promise<void> {
    if (scripts && isNeeded) await reopen(signal);
  }

  async function reopen(signal: AbortSignal): Promise<void> {
    await page.close();
    page = await open(signal);
    stageIs = 'in_page';
  }
}

const CRASHED = 'the browser crashed while it painted the page';

/** Frames that the page paints itself have no alpha. */
const TRANSPARENT = 'it is transparent';

const STILLS = { png: { format: 'png' }, jpeg: { format: 'jpeg', quality: 92 } } as const;
