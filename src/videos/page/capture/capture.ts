import type { PlayedStage } from '../page.ts';
import type { Report, SpanOptions, WorkerCommand, WorkerReport } from './messages.ts';
import { createPainter, type Painter, wrapStage } from './painter.ts';

type Running = { take(freed: readonly number[]): Promise<Report[]>; end(): Promise<void> };

declare global {
  var stage: PlayedStage;
}

let running: Running | undefined;
let ended: Promise<void> = Promise.resolve();
/** Set while the stage is in a canvas. */
let wrapped: ReturnType<typeof wrapStage> | undefined;

/**
 * Starts painting the frames of a span. Reports are read with `take`; it must be ended with `end`.
 *
 * In: a span of frames, and where they go. Out: reports of painted and repeated frames. Invariant: one span at a time,
 * its frames in order.
 */
export async function begin(options: SpanOptions): Promise<void> {
  await end();
  running = paintSpan(globalThis.stage, options);
}

/**
 * Returns the reports since the last call, up to the next painted frame; waits for at least one.
 * @param freed slots whose frames are no longer needed
 */
export async function take(freed: readonly number[]): Promise<Report[]> {
  if (!running) throw new Error('no frames are being painted');
  return running.take(freed);
}

/** Stops and restores the page. Another span starts only after that. */
export function end(): Promise<void> {
  const ending = running;
  running = undefined;
  ended = ended.then(() => ending?.end());
  return ended;
}

/** Puts the stage back where it was. */
export async function leaveCanvas(): Promise<void> {
  await end();
  wrapped?.unwrap();
  wrapped = undefined;
}

function paintSpan(stage: PlayedStage, options: SpanOptions): Running {
  const { from, to, slots } = options;
  const worker = startWorker(options.worker);
  const free = createQueue<number>();
  const reports = createQueue<Report>();
  /** Empty while the worker has yet to copy the last picture: painting then would first copy the whole canvas. */
  const canvasTurns = createQueue<true>();
  let isEnded = false;

  for (let slot = 0; slot < slots; slot++) free.put(slot);
  canvasTurns.put(true);
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerReport>) => {
    if (data.kind === 'copied') canvasTurns.put(true);
    else reports.put(data);
  });
  worker.addEventListener('error', ({ message }) => reportUnusable(message));
  const { width, height, sink, converter } = options;
  command({ kind: 'open', width, height, sink, slots, converter });
  const painted = paint().catch(reportUnusable);
  return { take, end };

  function command(what: WorkerCommand, moved: Transferable[] = []): void {
    worker.postMessage(what, moved);
  }

  function reportUnusable(error: unknown): void {
    if (!isEnded) reports.put({ kind: 'unusable', reason: String(error) });
  }

  async function paint(): Promise<void> {
    const { canvas, holder } = await enterCanvas();
    const painter = createPainter(canvas, holder, options);
    let slot: number | undefined;
    for (let frame = from; frame < to && !isEnded; frame++) {
      // Waiting after the page has changed would cost a browser frame that is never used.
      slot ??= await free.take();
      const change = await go(frame);
      if (change === 'failed') return;
      if (change === 'none') {
        command({ kind: 'repeat', frame });
      } else {
        await paintFrame(painter, frame, slot);
        slot = undefined;
      }
    }
    command({ kind: 'finish' });
  }

  /**
   * Chromium paints some later movements of an element not at all when it is put into the canvas while an animation moves it.
   * So the stage enters at frame 0, as in a page that was just opened.
   */
  async function enterCanvas(): Promise<NonNullable<typeof wrapped>> {
    if (wrapped) return wrapped;
    if (options.canGoBack) {
      await stage.reach(0);
      await new Promise(requestAnimationFrame);
    }
    wrapped = wrapStage(stage.element, options);
    return wrapped;
  }

  async function go(frame: number): Promise<'some' | 'none' | 'failed'> {
    try {
      // The first frame is always painted, since no earlier one is stored.
      if (frame > from) return (await stage.seek(frame)) ? 'some' : 'none';
      await stage.reach(frame);
      return 'some';
    } catch (error) {
      reports.put({ kind: 'script_failed', frame, reason: String(error) });
      return 'failed';
    }
  }

  async function paintFrame(painter: Painter, frame: number, slot: number): Promise<void> {
    await canvasTurns.take();
    // The first paint after layout may lack content that is requested only then.
    if (frame === from) (await painter.paint(frame)).close();
    const picture = await painter.paint(frame);
    command({ kind: 'frame', frame, slot, picture }, [picture]);
  }

  async function take(freed: readonly number[]): Promise<Report[]> {
    for (const slot of freed) free.put(slot);
    const taken = [await reports.take()];
    while (taken.at(-1)?.kind !== 'frame') {
      const next = reports.takeNow();
      if (!next) break;
      taken.push(next);
    }
    return taken;
  }

  async function end(): Promise<void> {
    isEnded = true;
    const reason = new Error('ended');
    free.end(reason);
    canvasTurns.end(reason);
    reports.end(reason);
    worker.terminate();
    await painted;
    if (options.canGoBack && wrapped) {
      wrapped.unwrap();
      wrapped = undefined;
    }
    if (sink.kind === 'ring') await removeFile(sink.name);
  }
}

async function removeFile(name: string): Promise<void> {
  const folder = await navigator.storage.getDirectory();
  // A terminated worker may still hold the file; it is removed with the profile at the latest.
  await folder.removeEntry(name).catch(() => {});
}

function startWorker(code: string): Worker {
  const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
  const worker = new Worker(address);
  URL.revokeObjectURL(address);
  return worker;
}

/** First in, first out; taking waits for an item. */
type Queue<T> = {
  put(item: T): void;
  take(): Promise<T>;
  /** What can be taken without waiting. */
  takeNow(): T | undefined;
  /** Rejects all pending and later calls of `take`. */
  end(reason: unknown): void;
};

function createQueue<T>(): Queue<T> {
  const items: T[] = [];
  const takers: PromiseWithResolvers<T>[] = [];
  let ended: { readonly reason: unknown } | undefined;
  return { put, take, takeNow: () => items.shift(), end };

  function put(item: T): void {
    const taker = takers.shift();
    if (taker) taker.resolve(item);
    else items.push(item);
  }

  async function take(): Promise<T> {
    if (ended) throw ended.reason;
    const item = items.shift();
    if (item !== undefined) return item;
    const taker = Promise.withResolvers<T>();
    takers.push(taker);
    return taker.promise;
  }

  function end(reason: unknown): void {
    ended ??= { reason };
    for (const taker of takers.splice(0)) taker.reject(reason);
  }
}
