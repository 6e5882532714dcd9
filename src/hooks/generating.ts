import type { Prompts } from '../ai/prompts.ts';
import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Quota, VisitorQuota } from '../quota/quota.ts';
import { createHookCollector } from './collect-hooks.ts';
import { createDeadline } from './deadline.ts';
import { again, type Generated, present } from './generated.ts';
import { createGenerationStore } from './generation-store.ts';
import { freeUnits, type Holding, holdUnits } from './holding.ts';
import type { Hook } from './hook.ts';
import { createKeeping } from './keeping.ts';
import { type Language, languageOf } from './languages.ts';
import type { Memory, Remembered } from './memory.ts';
import { type Order, type OrderParts, openOrder } from './order.ts';
import type { HookRequest } from './request.ts';
import { createSimilarityIndex } from './similarity.ts';
import { type Spent, writeHooks } from './write-hooks.ts';

export type GeneratingParts = OrderParts & {
  readonly memory: Memory;
  readonly sql: Sql;
  readonly prompts: Prompts;
  readonly quota: Pick<Quota, 'reserve' | 'settle'>;
  readonly visitorQuota: Pick<VisitorQuota, 'demandAny' | 'reserve' | 'settle'>;
  /** Hooks written with a caller's own key cost nothing. */
  readonly byokFree: boolean;
  /** Milliseconds a whole generation may take; far less than units are held for. */
  readonly wholeMs?: number | undefined;
};

/** Who waits for hooks, and how they hear of them. */
export type Listener = {
  readonly signal: AbortSignal;
  /** The language the caller reads. */
  readonly reads: Language;
  /** Wants each hook as soon as it is there: from then on it is delivered. */
  readonly onHook?: ((hook: Hook) => void) | undefined;
  /** Makes the generation once: a repeat gets what was made. Two requests never share one. */
  readonly key?: string | undefined;
};

export type Generating = ReturnType<typeof createGenerating>;

export const WHOLE_MS = 45_000;

/**
 * Generates hooks: units are held, the provider writes with no transaction open, then what is delivered is stored and
 * charged and the rest given back. Whatever fails in between charges nothing but hooks that were delivered.
 */
export function createGenerating(parts: GeneratingParts) {
  const { sql, prompts, memory, byokFree, wholeMs = WHOLE_MS } = parts;
  const store = createGenerationStore(sql);
  const keep = createKeeping(sql);

  /** @throws Fault api_key_required, plan_required, quota_exhausted, anonymous_limit, conflict.hooks_deleted, the writer's */
  async function generate(caller: Caller, request: HookRequest, listener: Listener): Promise<Generated> {
    const { signal, reads, onHook } = listener;
    const key = keyOf(caller, listener);
    const before = await earlier(caller, key);
    if (before) return before;
    const order = await openOrder(parts, caller, request, reads);
    const [holding, remembered] = await Promise.all([hold(caller, order, key), recall(caller, request)]);
    if (holding.done) return madeBefore(caller, key);
    const sent: Hook[] = [];
    const send = (hook: Hook) => {
      sent.push(hook);
      onHook?.(hook);
    };
    const collector = createHookCollector({
      wanted: holding.granted,
      styles: order.styles,
      context: contextOf(order),
      earlier: remembered.index,
      onHook: onHook && send,
    });
    const deadline = createDeadline(signal, wholeMs, () => tooLate(order));
    const finish = async (hooks: readonly Hook[], spent: Spent) => {
      const kept = await keep(caller, holding, { ...rowOf(order), ...spent, key: key ?? null, hooks });
      if (kept.state === 'earlier') return again(kept.generation);
      return present(order, holding, hooks, spent, kept.state === 'kept' ? kept : { id: null });
    };
    try {
      const work = {
        order,
        earlier: remembered.texts,
        collector,
        count: holding.granted,
        signal: deadline.signal,
      };
      const spent = await writeHooks(prompts, { ...work, streams: onHook !== undefined });
      // Nobody is there to take them; those already sent are theirs.
      if (!onHook) signal.throwIfAborted();
      return await finish(collector.hooks(), spent);
    } catch (error) {
      const undo = sent.length > 0 ? finish(sent, NOTHING_KNOWN) : holding.settle(0);
      // Without a database the units come back by the sweep.
      await undo.catch(() => {});
      throw error;
    } finally {
      deadline.end();
    }
  }

  async function earlier({ accountId }: Caller, key: string | undefined): Promise<Generated | undefined> {
    const kept = key === undefined ? undefined : await store.findByKey(accountId, key);
    return kept && again(kept);
  }

  async function madeBefore(caller: Caller, key: string | undefined): Promise<Generated> {
    const made = await earlier(caller, key);
    if (!made) throw new Fault('conflict.hooks_deleted');
    return made;
  }

  /** Should this fail while units are held, the sweep gives them back. */
  async function recall({ accountId, visitor }: Caller, { avoidHistory }: HookRequest): Promise<Remembered> {
    if (!avoidHistory || visitor !== undefined) return { texts: [], index: createSimilarityIndex() };
    return memory.of(accountId);
  }

  async function hold(caller: Caller, { source, request }: Order, key?: string): Promise<Holding> {
    const free = source.kind === 'builtin' || (source.ownKey && byokFree);
    if (!free) return holdUnits(parts, caller, { units: request.count, key });
    if (caller.visitor !== undefined) parts.visitorQuota.demandAny();
    return freeUnits(request.count);
  }

  return { generate };
}

/** Of visitors nothing is kept that a repeat could get. */
function keyOf({ visitor }: Caller, { key }: Listener): string | undefined {
  return visitor === undefined ? key : undefined;
}

const NOTHING_KNOWN: Spent = { model: null, usage: null };

function contextOf({ platform, language, reads, request, voice }: Order) {
  const { topic, payoff } = request;
  return { platform, language, reads, topic, payoff, forbidden: voice?.forbidden_words };
}

function rowOf({ request, source, platform, language, guess }: Order) {
  const { topic, count: requested } = request;
  const known = language ?? languageOf(guess) ?? null;
  return { topic, platform, language: known, provider: source.name, requested };
}

function tooLate({ source, request }: Order): Fault {
  const [provider, model] = [source.name, request.model ?? source.name];
  return new Fault('provider_timeout.model', { provider, model });
}
