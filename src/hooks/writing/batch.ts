import type { Entitlements } from '../../billing/entitlements.ts';
import { Fault } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import { mapBounded } from '../../platform/map-bounded.ts';
import type { HookOptions } from './generation-request.ts';
import type { GeneratedHooks, GenerationListener, HookGenerator } from './writing.ts';

/** The result of one topic. */
export type BatchItem = { readonly topic: string } & (
  | { readonly state: 'generated'; readonly generated: GeneratedHooks }
  | { readonly state: 'failed'; readonly fault: Fault }
);

export type BatchListener = Omit<GenerationListener, 'onHook'> & {
  readonly progress: (done: number, total: number, message: string) => void;
  /** Identifies the batch: a topic an earlier attempt generated is neither generated nor charged again. */
  readonly key?: string | undefined;
};

/** Low, so that the provider's rate limit leaves capacity for single requests. */
const CONCURRENCY = 3;

/** Generates hooks for many topics, a few at a time. A failed topic does not affect the others. */
export function createHookBatch({
  generator,
  entitlements,
}: {
  generator: Pick<HookGenerator, 'generate'>;
  entitlements: Pick<Entitlements, 'requireFeature'>;
}) {
  /** In the order of the topics. @throws Fault plan_required */
  async function generate(
    caller: Caller,
    { topics, ...options }: HookOptions & { readonly topics: readonly string[] },
    { progress, key: batchKey, ...listener }: BatchListener,
  ): Promise<BatchItem[]> {
    await entitlements.requireFeature(caller.accountId, 'batch');
    let done = 0;
    progress(0, topics.length, 'generating');
    const generateAt = async (topic: string, index: number, signal: AbortSignal) => {
      const key = batchKey && `${batchKey}:${index}`;
      const item = await generateOne(caller, { ...options, topic }, { ...listener, signal, key });
      done++;
      progress(done, topics.length, topic);
      return item;
    };
    return mapBounded(topics, CONCURRENCY, generateAt, listener.signal);
  }

  async function generateOne(
    caller: Caller,
    request: HookOptions & { readonly topic: string },
    listener: GenerationListener,
  ): Promise<BatchItem> {
    const { topic } = request;
    try {
      return { topic, state: 'generated', generated: await generator.generate(caller, request, listener) };
    } catch (error) {
      // A canceled batch and an internal error end the whole batch.
      if (listener.signal.aborted || !(error instanceof Fault)) throw error;
      return { topic, state: 'failed', fault: error };
    }
  }

  return { generate };
}
