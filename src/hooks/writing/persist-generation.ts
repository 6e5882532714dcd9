import { Fault } from '../../errors.ts';
import type { Caller } from '../../identity/caller.ts';
import type { Sql } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Balance } from '../../quota/quota.ts';
import {
  findByKey,
  insertGeneration,
  type NewGeneration,
  type StoredGeneration,
} from '../history/generation-repo.ts';
import type { Hook } from '../hook.ts';
import type { Reservation } from './reservation.ts';

type GenerationToPersist = Omit<NewGeneration, 'id' | 'actor'> & { readonly hooks: readonly Hook[] };

type PersistOutcome =
  | { readonly state: 'stored'; readonly id: string; readonly balance: Balance }
  /** Anonymous generations are charged but not stored. */
  | { readonly state: 'not_stored' }
  /** Another attempt with the same key was faster; this one is refunded. */
  | { readonly state: 'earlier'; readonly generation: StoredGeneration };

/**
 * Stores the delivered hooks and charges for them atomically: after a crash both happened, or neither, and the units are
 * refunded.
 * @throws Fault unavailable.units_ended when the reservation expired before; nothing is stored
 */
export async function persistGeneration(
  sql: Sql,
  { accountId, actor, visitor }: Caller,
  reservation: Reservation,
  { hooks, ...row }: GenerationToPersist,
): Promise<PersistOutcome> {
  if (visitor !== undefined) {
    // False after midnight, when the day's allowance was deleted: then there is nothing to charge.
    await reservation.settle(hooks.length);
    return { state: 'not_stored' };
  }
  const id = newId('gen');
  const { reservationId } = reservation;
  const outcome = await insertGeneration(sql, accountId, { ...row, id, actor }, { hooks, reservationId });
  if (outcome.state === 'stored') return { state: 'stored', id, balance: outcome.balance };
  const generation = row.key === null ? undefined : await findByKey(sql, accountId, row.key);
  if (!generation) throw new Fault('unavailable.units_ended');
  await reservation.settle(0);
  return { state: 'earlier', generation };
}
