import { Fault } from '../../errors.ts';
import { type SyncLimits, type SyncPlan, UNLIMITED } from '../../plans.ts';

type Kind = 'stores' | 'sheets';

/** How many of a kind an account may connect, of all it has. */
export type Room = { readonly kind: Kind; readonly plan: SyncPlan; readonly limit: number };

export function roomFor(kind: Kind, sync: SyncLimits & { readonly plan: SyncPlan }): Room {
  return { kind, plan: sync.plan, limit: sync[kind] };
}

/** @throws Fault plan_limit where one more than `used` has no room */
export function demandRoom(room: Room, used: number): void {
  if (!hasRoom(room, used + 1)) throw noRoom(room, used);
}

/** Whether the connection at this place has room, in the order they were made, from 1: after a downgrade the newest rest. */
export function hasRoom({ limit }: Room, place: number): boolean {
  return limit === UNLIMITED || place <= limit;
}

export function noRoom({ kind, plan, limit }: Room, used: number): Fault {
  const key = kind === 'stores' ? 'plan_limit.stores' : 'plan_limit.sheets';
  return new Fault(key, { plan, limit, used }, { data: { limit, used } });
}
