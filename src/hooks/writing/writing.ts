import type { Prompts } from '../../ai/prompts.ts';
import type { Usage } from '../../ai/writer.ts';
import { Fault } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Warning } from '../../language.ts';
import type { Sql } from '../../platform/database.ts';
import type { Balance, Quota, VisitorQuota } from '../../quota/quota.ts';
import { createGenerationStore, type KeptGeneration } from '../history/generation-repo.ts';
import type { Memory, Remembered } from '../history/recent-hooks.ts';
import type { Hook } from '../hook.ts';
import { type Language, languageOf } from '../text/language.ts';
import { createSimilarityIndex } from '../text/similarity.ts';
import { createHookCollector } from './collect-hooks.ts';
import { type HookRequest, type Order, type OrderParts, openOrder } from './generation-request.ts';
import { createKeeping } from './persist-generation.ts';
import { freeUnits, type Holding, holdUnits } from './reservation.ts';
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

/** A signal that follows another, and ends by itself after so many milliseconds with the reason given. */
function createDeadline(signal: AbortSignal, ms: number, reason: () => unknown) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(reason()), ms);
  return { signal: AbortSignal.any([signal, late.signal]), end: () => clearTimeout(timer) };
}

export type Generated = {
  /** Null where nothing is kept, as of visitors. */
  readonly id: string | null;
  readonly topic: string;
  readonly hooks: readonly Hook[];
  readonly requested: number;
  /** Fewer units were left than asked for. */
  readonly limited: boolean;
  readonly provider: string;
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly notices: readonly Warning[];
  /** What it left of the account's units; undefined where that is not known, as when nothing was charged. */
  readonly balance?: Balance | undefined;
};

/** What was made just now, with what the caller should know of it. */
function present(
  { request, source }: Order,
  { granted }: Holding,
  hooks: readonly Hook[],
  { model, usage }: Spent,
  { id, balance }: Pick<Generated, 'id' | 'balance'>,
): Generated {
  const { topic, count: requested } = request;
  const who = { provider: source.name, model, usage };
  const told = tell({ provider: source.name, requested, granted, count: hooks.length });
  return { id, topic, hooks, requested, ...who, ...told, balance };
}

/** What an earlier attempt made and charged. */
function again({ granted, ...generation }: KeptGeneration): Generated {
  const { provider, requested, hooks } = generation;
  return { ...generation, ...tell({ provider, requested, granted, count: hooks.length }) };
}

type Made = {
  readonly provider: string;
  readonly requested: number;
  readonly granted: number;
  readonly count: number;
};

function tell({ provider, requested, granted, count }: Made): Pick<Generated, 'limited' | 'notices'> {
  const limited = granted < requested;
  const notices: Warning[] = [];
  if (provider === 'builtin') notices.push({ key: 'hooks_builtin' });
  if (limited) notices.push({ key: 'hooks_limited', params: { count: granted, requested } });
  if (count < granted) notices.push({ key: 'hooks_fewer', params: { count, requested } });
  return { limited, notices };
}
