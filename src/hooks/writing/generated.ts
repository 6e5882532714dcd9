import type { Usage } from '../../ai/writer.ts';
import type { Warning } from '../../language.ts';
import type { Balance } from '../../quota/quota.ts';
import type { KeptGeneration } from '../history/generation-store.ts';
import type { Hook } from '../hook.ts';
import type { Order } from './generation-request.ts';
import type { Holding } from './reservation.ts';
import type { Spent } from './write-hooks.ts';

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
export function present(
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
export function again({ granted, ...generation }: KeptGeneration): Generated {
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
