import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  answered,
  type Charge,
  type Customer,
  type Dispute,
  type Invoice,
  type PaymentIntent,
  type PortalConfiguration,
  type PortalSession,
  type Price,
  type Product,
  type Refund,
  type Session,
  type StripeObject,
  type Subscription,
} from './objects.ts';
import type { CardMood, StripeEvent } from './peer.ts';
import { missing } from './refusal.ts';

export const API_VERSION = '2026-10-28.endive';

export type World = ReturnType<typeof createWorld>;

/** Everything the peer holds: objects by id, what happened to them, the time. */
export function createWorld(machine: () => number) {
  const run = randomBytes(6).toString('hex');
  const listeners: ((event: StripeEvent) => void)[] = [];
  const events: StripeEvent[] = [];
  let count = 0;
  let ahead = 0;
  let held: number | undefined;
  const shelves = {
    customers: new Map<string, Customer>(),
    products: new Map<string, Product>(),
    prices: new Map<string, Price>(),
    sessions: new Map<string, Session>(),
    subscriptions: new Map<string, Subscription>(),
    invoices: new Map<string, Invoice>(),
    paymentIntents: new Map<string, PaymentIntent>(),
    charges: new Map<string, Charge>(),
    refunds: new Map<string, Refund>(),
    disputes: new Map<string, Dispute>(),
    portalSessions: new Map<string, PortalSession>(),
    portalConfigurations: new Map<string, PortalConfiguration>(),
  };

  const world = {
    ...shelves,
    events,
    /** Ids of customers that were deleted. */
    deleted: new Set<string>(),
    moods: new Map<string, CardMood>(),
    /** Filled while a request is handled: events name their cause. */
    cause: { id: null, idempotency_key: null } as StripeEvent['request'],
    now: () => held ?? Math.floor(machine() / 1000) + ahead,
    /** Runs at an exact second. */
    at(second: number, act: () => void): void {
      held = second;
      try {
        act();
      } finally {
        held = undefined;
      }
    },
    skip(seconds: number): void {
      ahead += seconds;
    },
    id(prefix: string): string {
      count += 1;
      return `${prefix}_${run}${count.toString(36).padStart(8, '0')}`;
    },
    find(id: string): StripeObject | undefined {
      for (const shelf of Object.values(shelves)) {
        const found = shelf.get(id);
        if (found) return found;
      }
      return undefined;
    },
    onEvent(listener: (event: StripeEvent) => void): void {
      listeners.push(listener);
    },
    emit(type: string, object: StripeObject, previous?: Record<string, unknown>): void {
      const event: StripeEvent = {
        id: world.id('evt'),
        object: 'event',
        api_version: API_VERSION,
        created: world.now(),
        data: { object: answered(object), ...(previous && { previous_attributes: previous }) },
        livemode: false,
        pending_webhooks: 1,
        request: { ...world.cause },
        type,
      };
      events.push(event);
      for (const listener of listeners) listener(event);
    },
    /** Changes an object and says so, with what was there before. Nothing is said where nothing changed. */
    change<T extends StripeObject>(type: string, object: T, act: (object: T) => void): T {
      const before = answered(object);
      act(object);
      const after = answered(object);
      const previous = Object.fromEntries(
        Object.entries(before).filter(([name, value]) => !isDeepStrictEqual(value, after[name])),
      );
      if (Object.keys(previous).length > 0) world.emit(type, object, previous);
      return object;
    },
  };
  return world;
}

/** @throws Refusal `resource_missing`: 404 for the object of the path, 400 for one a parameter names. */
export function need<T>(shelf: Map<string, T>, kind: string, id: string, param?: string): T {
  const found = shelf.get(id);
  if (!found) throw missing(kind, id, param, param ? 400 : 404);
  return found;
}
