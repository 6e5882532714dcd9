import { z } from 'zod';
import { Fault } from '../../errors.ts';
import { readEngineFiles } from '../engine-files.ts';
import type { Report, SpanOptions } from '../page/capture/messages.ts';
import { ModeUnusable } from './capture-mode.ts';
import type { Span } from './frames.ts';
import { I420_WASM } from './i420/i420-wasm.ts';
import type { OpenPage } from './open-page.ts';
import { frameFault } from './page-calls.ts';

/** Frames that the page paints ahead of their consumer. */
export type FrameLookahead = {
  /**
   * Returns the reports since the last call, up to the next painted frame.
   * @param freed slots whose frames are no longer needed
   * @throws Fault video_failed.frame_time, .crashed; script_failed; ModeUnusable; and the signal's reason
   */
  take(freed: readonly number[]): Promise<readonly SpanReport[]>;
  /** Stops painting and restores the page. Does not wait for it when the page has failed or the signal is aborted. */
  end(): Promise<void>;
};

/** `Report` without the kinds that are thrown. */
export type SpanReport = Exclude<Report, { kind: 'unusable' | 'script_failed' }>;

const MODULE = 'capture/capture.ts';
const WORKER = 'capture/pixel-worker.ts';
/** One is read, one converted, and two are ahead. */
export const SLOTS = 4;

/** Starts painting a span; its frames go into the sink. */
export async function startLookahead(
  page: OpenPage,
  span: Span,
  sink: SpanOptions['sink'],
  signal: AbortSignal,
): Promise<FrameLookahead> {
  const { width, height, scripts } = page.composition;
  const worker = readEngineFiles().get(WORKER);
  if (worker === undefined) throw new Error(`there is no ${WORKER}`);
  const options: SpanOptions = {
    ...{ ...span, width, height, canGoBack: !scripts, whole: mentionsFilters(page.composition) },
    ...{ slots: SLOTS, sink, worker, converter: I420_WASM },
  };
  let next = span.from;
  let isBroken = false;
  try {
    await callPage('begin', [options]);
  } catch (error) {
    await end();
    throw error;
  }
  return { take, end };

  async function take(freed: readonly number[]): Promise<readonly SpanReport[]> {
    // A script of the template can forge a report.
    const reports = Reports.safeParse(await callPage('take', [freed]));
    if (!reports.success)
      throw new ModeUnusable('the page says what it should not', { cause: reports.error });
    return reports.data.map(requireExpected);
  }

  async function callPage(name: string, args: readonly unknown[]): Promise<unknown> {
    const { frameMs, stepMs } = page.limits;
    // A page with scripts passes through all earlier frames first.
    const ms = frameMs + (next === span.from ? span.from * stepMs : 0);
    const late = () => new Fault('video_failed.frame_time', { frame: next, seconds: ms / 1000 });
    try {
      return await page.call<unknown>(MODULE, name, args, { signal, ms, late });
    } catch (error) {
      isBroken = true;
      signal.throwIfAborted();
      if (error instanceof Fault) throw error;
      throw new ModeUnusable(error instanceof Error ? error.message : String(error), { cause: error });
    }
  }

  function requireExpected(report: Report): SpanReport {
    switch (report.kind) {
      case 'unusable':
        throw new ModeUnusable(report.reason);
      case 'script_failed':
        throw frameFault(report.frame, report.reason);
      case 'repeat':
      case 'frame':
        if (report.frame !== next) throw new ModeUnusable(`frame ${report.frame} came in place of ${next}`);
        next++;
        return report;
      default:
        return report;
    }
  }

  async function end(): Promise<void> {
    const ms = page.limits.answerMs;
    const ended = page
      .call<unknown>(MODULE, 'end', [], { signal: AbortSignal.timeout(ms), ms })
      .catch(() => {});
    // A page that is not responding need not be awaited: it starts no other span before this one has ended.
    if (!isBroken && !signal.aborted) await ended;
  }
}

/**
 * Filters look beyond the edge of a strip. What filters the picture behind it does not find it there, and a blur would be
 * computed for each strip again, which takes longer than what strips save.
 */
const FILTERS = /backdrop-?filter|\bblur\(|drop-shadow\(|<filter\b/i;

function mentionsFilters({ html, assets }: OpenPage['composition']): boolean {
  const sheets = [...assets.values()].filter(({ mediaType }) => mediaType.startsWith('text/css'));
  return [html, ...sheets.map(({ bytes }) => Buffer.from(bytes).toString())].some((text) =>
    FILTERS.test(text),
  );
}

/**
 * Takes the stage of a page with scripts out of its canvas, so that the compositor shows it.
 * @throws PageError; Fault video_failed.frame_time, .crashed; and the signal's reason
 */
export async function leaveCanvas(page: OpenPage, signal: AbortSignal): Promise<void> {
  await page.call<unknown>(MODULE, 'leaveCanvas', [], { signal, ms: page.limits.answerMs });
}

const frame = z.int();
const base64 = z.base64();

const Reports: z.ZodType<Report[]> = z.array(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('opened'), codec: z.string().exactOptional() }),
    z.object({ kind: z.literal('unusable'), reason: z.string() }),
    z.object({ kind: z.literal('script_failed'), frame, reason: z.string() }),
    z.object({ kind: z.literal('repeat'), frame }),
    z.object({ kind: z.literal('frame'), frame, slot: z.int().min(0).lt(SLOTS) }),
    z.object({
      ...{ kind: z.literal('packet'), timestamp: z.number(), isKey: z.boolean() },
      ...{ bytes: base64, description: base64.exactOptional() },
    }),
    z.object({ kind: z.literal('finished') }),
  ]),
);
