import type { Usage } from '../../ai/ai.ts';
import type { Prompts } from '../../ai/prompts.ts';
import { Fault } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Warning } from '../../language.ts';
import type { Sql } from '../../platform/database/database.ts';
import { createDeadline } from '../../platform/deadline.ts';
import type { Balance, Quota, VisitorQuota } from '../../quota/quota.ts';
import { findByKey, type StoredGeneration } from '../history/generation-repo.ts';
import type { RecentHooks, RecentTexts } from '../history/recent-hooks.ts';
import type { Hook } from '../hook.ts';
import { type Language, languageOf } from '../text/language.ts';
import { createSimilarityIndex } from '../text/similarity.ts';
import { createHookCollector } from './collect-hooks.ts';
import {
  type GenerationRequest,
  type GenerationRequestDeps,
  type HookRequest,
  resolveRequest,
} from './generation-request.ts';
import { persistGeneration } from './persist-generation.ts';
import { type Reservation, reserveUnits, unmeteredUnits } from './reservation.ts';
import { type ModelUsage, writeHooks } from './write-hooks.ts';

export type HookGeneratorDeps = GenerationRequestDeps & {
  readonly recentHooks: RecentHooks;
  readonly sql: Sql;
  readonly prompts: Prompts;
  readonly quota: Pick<Quota, 'reserve' | 'settle'>;
  readonly visitorQuota: Pick<VisitorQuota, 'requireAny' | 'reserve' | 'settle'>;
  /** Hooks written with the caller's own key cost nothing. */
  readonly byokFree: boolean;
  /** Limit of a whole generation, in milliseconds; far less than units stay reserved. */
  readonly totalTimeoutMs?: number | undefined;
};

/** Who receives the hooks, and how. */
export type GenerationListener = {
  readonly signal: AbortSignal;
  /** The language the caller reads. */
  readonly reads: Language;
  /** Receives each hook as soon as it is accepted. A hook that was sent is delivered and charged. */
  readonly onHook?: ((hook: Hook) => void) | undefined;
  /** Idempotency key: a repeat returns the first generation. Two different requests never share one. */
  readonly key?: string | undefined;
};

export type HookGenerator = ReturnType<typeof createHookGenerator>;

export const GENERATION_TIMEOUT_MS = 45_000;

/**
 * In: a caller and a topic with options. Out: scored hooks within the platform's limits, unlike the account's recent ones.
 *
 *   generation-request  resolves plan, styles, brand voice, language and writer
 *   reservation         reserves units: the plan's first, then credits
 *   write-hooks         a model or the built-in patterns write into collect-hooks, which checks and scores; no transaction
 *                       is open in the meantime
 *   persist-generation  stores the delivered hooks and charges for them in one statement; the rest is refunded
 *
 * Invariant: only delivered hooks are charged. A hook is delivered when it was stored, or sent to `onHook`. After a crash
 * the quota's sweep refunds the reservation.
 */
export function createHookGenerator(deps: HookGeneratorDeps) {
  const { sql, prompts, recentHooks, byokFree, totalTimeoutMs = GENERATION_TIMEOUT_MS } = deps;

  /** @throws Fault api_key_required, plan_required, quota_exhausted, anonymous_limit, conflict.hooks_deleted, the writer's */
  async function generate(
    caller: Caller,
    input: HookRequest,
    listener: GenerationListener,
  ): Promise<GeneratedHooks> {
    const { signal, reads, onHook } = listener;
    const key = keyOf(caller, listener);
    const earlier = await findEarlier(caller, key);
    if (earlier) return earlier;
    const request = await resolveRequest(deps, caller, input, reads);
    const [reservation, recent] = await Promise.all([
      reserve(caller, request, key),
      loadRecent(caller, input),
    ]);
    if (reservation.alreadyDelivered) return requireEarlier(caller, key);
    const sent: Hook[] = [];
    const send = (hook: Hook) => {
      sent.push(hook);
      onHook?.(hook);
    };
    const collector = createHookCollector({
      wanted: reservation.granted,
      styles: request.styles,
      context: contextOf(request),
      earlier: recent.index,
      onHook: onHook && send,
    });
    const deadline = createDeadline(signal, totalTimeoutMs, () => timeoutFault(request));
    const finish = async (hooks: readonly Hook[], usage: ModelUsage) => {
      const row = { ...rowOf(request), ...usage, key: key ?? null, hooks };
      const outcome = await persistGeneration(sql, caller, reservation, row);
      if (outcome.state === 'earlier') return presentEarlier(outcome.generation);
      const stored = outcome.state === 'stored' ? outcome : { id: null };
      return presentGenerated(request, reservation, hooks, usage, stored);
    };
    try {
      const usage = await writeHooks(prompts, {
        request,
        recent: recent.texts,
        collector,
        count: reservation.granted,
        signal: deadline.signal,
        caller: signal,
        streams: onHook !== undefined,
      });
      // The caller is gone: nothing was sent, so nothing is charged.
      if (!onHook) signal.throwIfAborted();
      return await finish(collector.hooks(), usage);
    } catch (error) {
      const undo = sent.length > 0 ? finish(sent, UNKNOWN_USAGE) : reservation.settle(0);
      // Without a database the sweep refunds the units.
      await undo.catch(() => {});
      throw error;
    } finally {
      deadline.end();
    }
  }

  async function findEarlier({ accountId }: Caller, key: string | undefined) {
    const stored = key === undefined ? undefined : await findByKey(sql, accountId, key);
    return stored && presentEarlier(stored);
  }

  async function requireEarlier(caller: Caller, key: string | undefined): Promise<GeneratedHooks> {
    const earlier = await findEarlier(caller, key);
    if (!earlier) throw new Fault('conflict.hooks_deleted');
    return earlier;
  }

  /** When this fails while units are reserved, the sweep refunds them. */
  async function loadRecent(
    { accountId, visitor }: Caller,
    { avoidHistory }: HookRequest,
  ): Promise<RecentTexts> {
    if (!avoidHistory || visitor !== undefined) return { texts: [], index: createSimilarityIndex() };
    return recentHooks.load(accountId);
  }

  async function reserve(caller: Caller, { writerChoice, input }: GenerationRequest, key?: string) {
    const free = writerChoice.kind === 'builtin' || (writerChoice.ownKey && byokFree);
    if (!free) return reserveUnits(deps, caller, { units: input.count, key });
    if (caller.visitor !== undefined) deps.visitorQuota.requireAny();
    return unmeteredUnits(input.count);
  }

  return { generate };
}

/** Anonymous generations are not stored, so a repeat finds nothing. */
function keyOf({ visitor }: Caller, { key }: GenerationListener): string | undefined {
  return visitor === undefined ? key : undefined;
}

const UNKNOWN_USAGE: ModelUsage = { model: null, usage: null };

function contextOf({ platform, language, reads, input, voice }: GenerationRequest) {
  const { topic, payoff } = input;
  return { platform, language, reads, topic, payoff, forbidden: voice?.forbidden_words };
}

function rowOf({ input, writerChoice, platform, language, guess }: GenerationRequest) {
  const { topic, count: requested } = input;
  const known = language ?? languageOf(guess) ?? null;
  return { topic, platform, language: known, provider: writerChoice.name, requested };
}

function timeoutFault({ writerChoice, input }: GenerationRequest): Fault {
  const [provider, model] = [writerChoice.name, input.model ?? writerChoice.name];
  return new Fault('provider_timeout.model', { provider, model });
}

export type GeneratedHooks = {
  /** Null when nothing is stored, as for anonymous callers. */
  readonly id: string | null;
  readonly topic: string;
  readonly hooks: readonly Hook[];
  readonly requested: number;
  /** Fewer units were left than requested. */
  readonly limited: boolean;
  readonly provider: string;
  readonly model: string | null;
  readonly usage: Usage | null;
  readonly notices: readonly Warning[];
  /** The account's units after this generation; undefined when it was not read. */
  readonly balance?: Balance | undefined;
};

function presentGenerated(
  { input, writerChoice }: GenerationRequest,
  { granted }: Reservation,
  hooks: readonly Hook[],
  { model, usage }: ModelUsage,
  { id, balance }: Pick<GeneratedHooks, 'id' | 'balance'>,
): GeneratedHooks {
  const { topic, count: requested } = input;
  const provider = writerChoice.name;
  const notices = noticesOf({ provider, requested, granted, count: hooks.length });
  return { id, topic, hooks, requested, provider, model, usage, ...notices, balance };
}

function presentEarlier({ granted, ...generation }: StoredGeneration): GeneratedHooks {
  const { provider, requested, hooks } = generation;
  return { ...generation, ...noticesOf({ provider, requested, granted, count: hooks.length }) };
}

type Delivered = {
  readonly provider: string;
  readonly requested: number;
  readonly granted: number;
  readonly count: number;
};

function noticesOf({
  provider,
  requested,
  granted,
  count,
}: Delivered): Pick<GeneratedHooks, 'limited' | 'notices'> {
  const limited = granted < requested;
  const notices: Warning[] = [];
  if (provider === 'builtin') notices.push({ key: 'hooks_builtin' });
  if (limited) notices.push({ key: 'hooks_limited', params: { count: granted, requested } });
  if (count < granted) notices.push({ key: 'hooks_fewer', params: { count, requested } });
  return { limited, notices };
}
