import type { Entitlements } from '../billing/entitlements.ts';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Generated } from './generated.ts';
import type { Generating, Listener } from './generating.ts';
import type { HookOptions } from './request.ts';

/** What became of one topic. */
export type BatchItem = { readonly topic: string } & (
  | { readonly state: 'generated'; readonly generated: Generated }
  | { readonly state: 'failed'; readonly fault: Fault }
);

export type BatchListener = Omit<Listener, 'onHook'> & {
  readonly progress: (done: number, total: number, message: string) => void;
  /** Names what this is an attempt of: what an earlier attempt generated is neither made nor charged again. */
  readonly key?: string | undefined;
};

/** Few, so that a provider's limits have room for who generates one topic meanwhile. */
const AT_ONCE = 3;

/** Generates hooks for many topics, a few at a time. A topic that fails leaves the others be. */
export function createHookBatch({
  generating,
  entitlements,
}: {
  generating: Pick<Generating, 'generate'>;
  entitlements: Pick<Entitlements, 'requireFeature'>;
}) {
  /** In the order of the topics. @throws Fault plan_required */
  async function generate(
    caller: Caller,
    { topics, ...options }: HookOptions & { readonly topics: readonly string[] },
    { progress, key: batchKey, ...listener }: BatchListener,
  ): Promise<BatchItem[]> {
    await entitlements.requireFeature(caller.accountId, 'batch');
    const items: BatchItem[] = [];
    const waiting = topics.entries();
    let done = 0;
    progress(0, topics.length, 'generating');
    const ended = new AbortController();
    const signal = AbortSignal.any([listener.signal, ended.signal]);
    const work = async () => {
      for (const [index, topic] of waiting) {
        signal.throwIfAborted();
        const key = batchKey && `${batchKey}:${index}`;
        items[index] = await one(caller, { ...options, topic }, { ...listener, signal, key });
        done++;
        progress(done, topics.length, topic);
      }
    };
    // Where one is broken the others end too, before the caller hears of it.
    const workers = Array.from({ length: AT_ONCE }, () =>
      work().catch((error: unknown) => ended.abort(error)),
    );
    await Promise.all(workers);
    signal.throwIfAborted();
    return items;
  }

  async function one(
    caller: Caller,
    request: HookOptions & { readonly topic: string },
    listener: Listener,
  ): Promise<BatchItem> {
    const { topic } = request;
    try {
      return { topic, state: 'generated', generated: await generating.generate(caller, request, listener) };
    } catch (error) {
      // Without the one who waits, or when something of ours is broken, nothing more is begun.
      if (listener.signal.aborted || !(error instanceof Fault)) throw error;
      return { topic, state: 'failed', fault: error };
    }
  }

  return { generate };
}
