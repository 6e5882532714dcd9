import { hasRoom, type Room } from './room.ts';
import type { StoreRow, StoreStatus } from './store-store.ts';

/** A connected store, without its secrets; the moment is ISO 8601. */
export type ConnectedStore = {
  readonly id: string;
  readonly domain: string;
  /** At what place stock is counted. */
  readonly location_id: string;
  readonly location_name: string;
  readonly name: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly status: StoreStatus;
  /** Over the plan since a downgrade: kept, but not synced. */
  readonly paused: boolean;
  readonly token_hint: string;
  readonly created_at: string;
};

export function connectedStore(row: StoreRow, room: Room): ConnectedStore {
  const { id, domain, location_id, location_name, name, currency, status, token_hint, created_at } = row;
  const shown = { id, domain, location_id, location_name, name, currency, status, token_hint };
  return { ...shown, paused: !hasRoom(room, row.place), created_at: created_at.toISOString() };
}
