import type { Composition } from '../composition/composition.ts';
import type { RenderSession as Stage, RenderSessions as Stages } from '../frames/frames.ts';

type Parts = {
  readonly stages: Pick<Stages, 'open'>;
  /** How long one that nobody uses stays open. */
  readonly idleMs: number;
  /** Stages that stay open though nobody uses them. */
  readonly most: number;
};

type Wanted = {
  /** Equal keys are equal compositions. */
  readonly key: string;
  readonly composition: () => Promise<Composition>;
  readonly signal: AbortSignal;
};

type Idle = { readonly key: string; readonly stage: Stage; readonly timer: NodeJS.Timeout };

/**
 * Keeps the stages of compositions open for a moment, for their next frames. Each is used by one caller at a time; one that
 * failed or was interrupted is closed at once.
 */
export function createOpenStages({ stages, idleMs, most }: Parts) {
  const idle = new Set<Idle>();
  const closings = new Set<Promise<void>>();
  let closed = false;

  return {
    /** @throws Fault those of `Stages.open` and of the use; the signal's reason */
    async use<Result>(
      { key, composition, signal }: Wanted,
      work: (stage: Stage) => Promise<Result>,
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

    /** Closes those of a composition that nobody will ask for again. */
    async drop(key: string): Promise<void> {
      await Promise.all([...idle].filter((one) => one.key === key).map(dismiss));
    },

    /** Closes all that nobody uses, and keeps none from now on. */
    async close(): Promise<void> {
      closed = true;
      for (const one of idle) void dismiss(one);
      await Promise.all(closings);
    },
  };

  function take(key: string): Stage | undefined {
    const found = [...idle].find((one) => one.key === key);
    if (!found) return undefined;
    clearTimeout(found.timer);
    idle.delete(found);
    return found.stage;
  }

  function keep(key: string, stage: Stage): void {
    if (closed) {
      void end(stage);
      return;
    }
    const one: Idle = { key, stage, timer: setTimeout(() => void dismiss(one), idleMs).unref() };
    idle.add(one);
    const [oldest] = idle;
    if (idle.size > most && oldest) void dismiss(oldest);
  }

  function dismiss(one: Idle): Promise<void> {
    clearTimeout(one.timer);
    idle.delete(one);
    return end(one.stage);
  }

  /** A browser that does not end as it should is no reason for its user to fail. */
  async function end(stage: Stage): Promise<void> {
    const closing = stage.close().catch(() => {});
    closings.add(closing);
    await closing;
    closings.delete(closing);
  }
}

export type OpenStages = ReturnType<typeof createOpenStages>;
