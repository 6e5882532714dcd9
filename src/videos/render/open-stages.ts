import type { Composition } from '../composition/composition.ts';
import type { RenderSession, RenderSessions } from '../frames/frames.ts';

type OpenStagesDeps = {
  readonly stages: Pick<RenderSessions, 'open'>;
  /** How long an unused stage stays open. */
  readonly idleTimeoutMs: number;
  /** Unused stages that stay open. */
  readonly maxIdle: number;
};

type StageRequest = {
  /** Equal keys are equal compositions. */
  readonly key: string;
  readonly composition: () => Promise<Composition>;
  readonly signal: AbortSignal;
};

type Idle = { readonly key: string; readonly stage: RenderSession; readonly timer: NodeJS.Timeout };

/**
 * Keeps the stages of compositions open for a moment, for their next frames. Each is used by one caller at a time; a stage that
 * failed or was interrupted is closed immediately.
 */
export function createOpenStages({ stages, idleTimeoutMs, maxIdle }: OpenStagesDeps) {
  const idle = new Set<Idle>();
  const closings = new Set<Promise<void>>();
  let closed = false;

  return {
    /** @throws Fault those of `RenderSessions.open` and of the use; the signal's reason */
    async use<Result>(
      { key, composition, signal }: StageRequest,
      work: (stage: RenderSession) => Promise<Result>,
    ): Promise<Result> {
      const stage = take(key) ?? (await stages.open(await composition(), signal));
      try {
        const result = await work(stage);
        keep(key, stage);
        return result;
      } catch (error) {
        await end(stage);
        throw error;
      }
    },

    /** Closes the stages of a composition that is no longer rendered. */
    async drop(key: string): Promise<void> {
      await Promise.all([...idle].filter((one) => one.key === key).map(dismiss));
    },

    /** Closes all unused stages, and keeps none open from now on. */
    async close(): Promise<void> {
      closed = true;
      for (const one of idle) void dismiss(one);
      await Promise.all(closings);
    },
  };

  function take(key: string): RenderSession | undefined {
    const found = [...idle].find((one) => one.key === key);
    if (!found) return undefined;
    clearTimeout(found.timer);
    idle.delete(found);
    return found.stage;
  }

  function keep(key: string, stage: RenderSession): void {
    if (closed) {
      void end(stage);
      return;
    }
    const one: Idle = { key, stage, timer: setTimeout(() => void dismiss(one), idleTimeoutMs).unref() };
    idle.add(one);
    const [oldest] = idle;
    if (idle.size > maxIdle && oldest) void dismiss(oldest);
  }

  function dismiss(one: Idle): Promise<void> {
    clearTimeout(one.timer);
    idle.delete(one);
    return end(one.stage);
  }

  /** A browser that does not close properly does not fail the work that used it. */
  async function end(stage: RenderSession): Promise<void> {
    const closing = stage.close().catch(() => {});
    closings.add(closing);
    await closing;
    closings.delete(closing);
  }
}

export type OpenStages = ReturnType<typeof createOpenStages>;
