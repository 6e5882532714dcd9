// A classic script: it must run before every script of the page, so it has no imports at run time.
import type { PageClock } from './page-clock.ts';

type Timer = {
  readonly id: number;
  readonly due: number;
  readonly every: number | undefined;
  readonly depth: number;
  readonly run: () => void;
};
type OnFrame = (moment: { t: number; frame: number; progress: number }) => void;

(() => {
  /** The date at which every video starts. */
  const EPOCH = Date.UTC(2026, 0, 1);
  /** More calls in one frame mean an endless loop of timers. */
  const MAX_TIMER_CALLS = 10_000;
  const RealDate = Date;
  const real = {
    now: performance.now.bind(performance),
    requestAnimationFrame: requestAnimationFrame.bind(globalThis),
  };
  /** Sorted by due time. */
  const timers: Timer[] = [];
  const onFrame: OnFrame[] = [];
  let frameCallbacks = new Map<number, FrameRequestCallback>();
  let now = 0;
  let ids = 0;
  let depth = 0;
  let random = 1;

  const clock: PageClock = { seed, advance, onFailure, real };
  define(globalThis, { videoEngineClock: clock, video: Object.freeze({ onFrame: addFrameListener }) });
  replaceTime();
  replaceRandom();
  replaceTimers();
  const failures: string[] = [];
  let hearFailure: ((message: string) => void) | undefined;
  addEventListener('error', ({ message, lineno }) => fail(lineno > 0 ? `${message} (${lineno})` : message));
  addEventListener('unhandledrejection', ({ reason }) => fail(String(reason)));

  function fail(message: string): void {
    // The browser reports it although the page works.
    if (message.startsWith('ResizeObserver loop')) return;
    failures.push(message);
    hearFailure?.(message);
  }

  function onFailure(hear: (message: string) => void): void {
    hearFailure = hear;
    for (const message of failures) hear(message);
  }

  function seed(seed: number): void {
    random = seed >>> 0;
  }

  function advance({ frame, ms, progress }: { frame: number; ms: number; progress: number }): void {
    if (ms >= now) {
      runTimers(ms);
      now = ms;
      runFrameCallbacks();
    }
    now = ms;
    for (const callback of onFrame) guarded(() => callback({ t: ms / 1000, frame, progress }));
  }

  function addFrameListener(callback: OnFrame): void {
    if (typeof callback === 'function') onFrame.push(callback);
  }

  function runTimers(until: number): void {
    for (let calls = 0; calls < MAX_TIMER_CALLS; calls += 1) {
      const next = timers[0];
      if (!next || next.due > until) return;
      timers.shift();
      now = Math.max(now, next.due);
      if (next.every !== undefined) insert({ ...next, due: next.due + next.every });
      depth = next.depth;
      guarded(next.run);
      depth = 0;
    }
    throw new Error('The timers of the page never end.');
  }

  function insert(timer: Timer): void {
    timers.splice(timers.findLastIndex(({ due }) => due <= timer.due) + 1, 0, timer);
  }

  function runFrameCallbacks(): void {
    const callbacks = frameCallbacks;
    frameCallbacks = new Map();
    for (const callback of callbacks.values()) guarded(() => callback(now));
  }

  function guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      reportError(error);
    }
  }

  function replaceTime(): void {
    const VideoDate: DateConstructor = new Proxy(RealDate, {
      construct: (target, parts, newTarget) =>
        Reflect.construct(target, parts.length === 0 ? [EPOCH + now] : parts, newTarget),
      apply: () => new VideoDate().toString(),
    });
    define(RealDate, { now: () => Math.floor(EPOCH + now) });
    define(RealDate.prototype, { constructor: VideoDate });
    define(globalThis, { Date: VideoDate });
    define(performance, { now: () => now });
  }

  /** The generator mulberry32, in the public domain. */
  function nextRandom(): number {
    random = (random + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(random ^ (random >>> 15), random | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function replaceRandom(): void {
    define(Math, { random: nextRandom });
    define(crypto, {
      getRandomValues<Numbers extends ArrayBufferView>(numbers: Numbers): Numbers {
        const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
        for (let at = 0; at < bytes.length; at += 1) bytes[at] = nextRandom() * 256;
        return numbers;
      },
      randomUUID: () =>
        '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
          (Number(digit) ^ ((nextRandom() * 16) >> (Number(digit) / 4))).toString(16),
        ),
    });
  }

  function replaceTimers(): void {
    const clear = (id: unknown) => {
      const at = timers.findIndex((timer) => timer.id === Number(id));
      if (at >= 0) timers.splice(at, 1);
    };
    define(globalThis, {
      setTimeout: (run: unknown, ms?: unknown, ...args: unknown[]) => start(run, ms, false, args),
      setInterval: (run: unknown, ms?: unknown, ...args: unknown[]) => start(run, ms, true, args),
      clearTimeout: clear,
      clearInterval: clear,
      requestAnimationFrame(callback: FrameRequestCallback) {
        ids += 1;
        frameCallbacks.set(ids, callback);
        return ids;
      },
      cancelAnimationFrame: (id: number) => void frameCallbacks.delete(id),
      requestIdleCallback: (run: (deadline: IdleDeadline) => void) =>
        start(() => run({ didTimeout: false, timeRemaining: () => 50 }), 1, false, []),
      cancelIdleCallback: clear,
    });
  }

  function start(run: unknown, ms: unknown, again: boolean, args: readonly unknown[]): number {
    ids += 1;
    // As in browsers: deeply nested timers wait at least 4 ms.
    const least = again || depth >= 5 ? 4 : 0;
    const wait = Math.max(least, Number(ms) || 0);
    const call = typeof run === 'function' ? () => void Reflect.apply(run, globalThis, args) : () => {};
    insert({ id: ids, due: now + wait, every: again ? wait : undefined, depth: depth + 1, run: call });
    return ids;
  }

  function define(target: object, values: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true });
  }
})();
