import { Fault } from '../errors.ts';
import type { Caller } from '../identity/caller.ts';
import type { Sql } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { Balance } from '../quota/quota.ts';
import { createGenerationStore, type KeptGeneration, type NewGeneration } from './generation-store.ts';
import type { Holding } from './holding.ts';
import type { Hook } from './hook.ts';

/** A generation to be kept, without what keeping it adds. */
export type Outcome = Omit<NewGeneration, 'id' | 'actor'> & { readonly hooks: readonly Hook[] };

export type Kept =
  | { readonly state: 'kept'; readonly id: string; readonly balance: Balance | undefined }
  /** Visitors leave nothing. */
  | { readonly state: 'not_kept' }
  /** Another attempt with the same key was faster. */
  | { readonly state: 'earlier'; readonly generation: KeptGeneration };

/**
 * Stores what is delivered and charges for it as one: after a crash either both are there, or neither, and the units go
 * back. @throws Fault unavailable.units_ended when they went back before, and nothing is stored
 */
export function createKeeping(sql: Sql) {
  const store = createGenerationStore(sql);
  return async (
    { accountId, actor, visitor }: Caller,
    holding: Holding,
    { hooks, ...row }: Outcome,
  ): Promise<Kept> => {
    if (visitor !== undefined) {
      // A day that has ended meanwhile has forgotten what it allowed: nothing is left to charge.
      await holding.settle(hooks.length);
      return { state: 'not_kept' };
    }
    const id = newId('gen');
    const { reservation } = holding;
    const outcome = await store.insert(accountId, { ...row, id, actor }, { hooks, reservation });
    if (outcome.state === 'stored') return { state: 'kept', id, balance: outcome.balance };
    const generation = row.key === null ? undefined : await store.findByKey(accountId, row.key);
    if (!generation) throw new Fault('unavailable.units_ended');
    await holding.settle(0);
    return { state: 'earlier', generation };
  };
}
