import { Fault } from '../../../errors.ts';
import type { Warning } from '../../../language.ts';
import { workedMs } from '../../../platform/thread-time.ts';
import { RENDER_LIMITS, type RenderLimits } from '../limits.ts';

const WARNINGS = 100;
const LARGE_TEXT = 4_096;
/** How much code may run between two looks at the clock: well under a millisecond. */
const UNCLOCKED = 100_000;
/** Milliseconds after which the work of the thread is asked, and counts. By then most renders have ended. */
const LONG_MS = 5;

/**
 * Counts what one render costs and stops it at its limits. A render is synchronous, so one meter serves all of them in turn;
 * between renders it counts without stopping anything.
 */
export class Meter {
  locale = 'en';
  warnings: Warning[] = [];
  /** Characters of output so far: those of finished blocks, and of values escaped in unfinished ones. */
  size = 0;
  private limits: RenderLimits = RENDER_LIMITS;
  private fuel = Infinity;
  private room = Infinity;
  private deadline = Infinity;
  private longFrom = Infinity;
  private workEnd: number | undefined;
  private depth = 0;
  private unclocked = 0;

  /** @param depth where the count of partials starts: below zero for the ones the engine itself adds. */
  start(limits: RenderLimits, locale: string, depth: number): void {
    this.locale = locale;
    this.warnings = [];
    this.size = 0;
    this.limits = limits;
    this.fuel = limits.steps;
    this.room = limits.bytes;
    const now = performance.now();
    this.deadline = now + limits.ms;
    this.longFrom = now + LONG_MS;
    this.workEnd = undefined;
    this.depth = depth;
  }

  stop(): void {
    this.fuel = Infinity;
    this.room = Infinity;
    this.deadline = Infinity;
    this.longFrom = Infinity;
    this.locale = 'en';
  }

  /** @param code characters of JavaScript the step runs through, so that long ones look at the clock more often. */
  step(code: number): void {
    this.fuel--;
    if (this.fuel < 0) throw new Fault('render_limit.steps', { limit: this.limits.steps });
    this.unclocked += code;
    if (this.unclocked > UNCLOCKED) this.checkTime();
  }

  checkTime(): void {
    this.unclocked = 0;
    const now = performance.now();
    if (now < this.longFrom) return;
    this.workEnd ??= workedMs() + this.limits.ms;
    // A thread works no longer than the clock runs, and the clock is quicker to ask.
    if (now > this.deadline && workedMs() > this.workEnd)
      throw new Fault('render_limit.time', { limit: this.limits.ms });
  }

  /** Output that is being added to an unfinished block. */
  add(length: number): void {
    this.settle(this.size + length);
  }

  /** Before work that grows with a text. */
  checkTimeFor(length: number): void {
    if (length > LARGE_TEXT) this.checkTime();
  }

  /** The size now known exactly, at the end of a block. */
  settle(size: number): void {
    this.size = size;
    if (size > this.room) throw this.tooLarge();
  }

  /** For text a helper is about to build, which may never be printed. */
  checkFits(length: number): void {
    if (length > this.room) throw this.tooLarge();
  }

  enterPartial(): void {
    this.depth++;
    if (this.depth > this.limits.partialLevels) throw this.tooDeep();
    this.checkTime();
  }

  leavePartial(): void {
    this.depth--;
  }

  warn(warning: Warning): void {
    const { key, params } = warning;
    const known = this.warnings.some(
      (one) => one.key === key && one.params?.['variable'] === params?.['variable'],
    );
    if (!known && this.warnings.length < WARNINGS) this.warnings.push(warning);
  }

  tooLarge(): Fault {
    return new Fault('render_limit.bytes', { limit: this.limits.bytes });
  }

  tooDeep(): Fault {
    return new Fault('render_limit.depth', { limit: this.limits.partialLevels });
  }
}
