import { createHmac } from 'node:crypto';
import type { Delivered, Delivery, StripeEvent } from './peer.ts';
import type { World } from './world.ts';

type Signing = { readonly ageSeconds?: number; readonly secret?: string };

/** Webhooks: events wait until they are sent, and are signed when they are. The signature's time is the machine's. */
export function createDeliveries(world: World, webhookSecret: string) {
  const done = new Set<string>();
  let target: string | undefined;
  let chain: Promise<unknown> = Promise.resolve();
  world.onEvent((event) => {
    const to = target;
    if (to) chain = chain.then(() => send(to, event, {}));
  });

  function signed(event: StripeEvent, { ageSeconds = 0, secret = webhookSecret }: Signing) {
    const body = JSON.stringify(event, null, 2);
    const time = Math.floor(Date.now() / 1000) - ageSeconds;
    const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
    return {
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${time},v1=${mac}`,
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
    };
  }

  /** Status 0 if there was no response. */
  async function send(to: string, event: StripeEvent, how: Signing): Promise<Delivered> {
    const status = await fetch(to, {
      method: 'POST',
      ...signed(event, how),
      signal: AbortSignal.timeout(50_000),
    }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => 0,
    );
    if (status >= 200 && status < 300) done.add(event.id);
    return { id: event.id, type: event.type, status };
  }

  const waiting = () => world.events.filter(({ id }) => !done.has(id));

  return {
    isDelivered: (id: string) => done.has(id),
    waiting,
    signed(eventId: string, how: Signing = {}) {
      const event = world.events.find(({ id }) => id === eventId);
      if (!event) throw new Error(`there is no event ${eventId}`);
      return signed(event, how);
    },
    async deliver({ to, only, order, times = 1, ...how }: Delivery): Promise<readonly Delivered[]> {
      const answers: Delivered[] = [];
      for (const event of ordered(chosen(only), order)) {
        for (let time = 0; time < times; time += 1) answers.push(await send(to, event, how));
      }
      return answers;
    },
    automatically(to: string | undefined): void {
      target = to;
    },
    async delivered(): Promise<void> {
      await chain;
    },
  };

  function chosen(only: Delivery['only']): readonly StripeEvent[] {
    if (only === undefined) return waiting();
    if (typeof only === 'function') return waiting().filter(only);
    return world.events.filter(({ id }) => only.includes(id));
  }
}

function ordered(events: readonly StripeEvent[], order: Delivery['order']): readonly StripeEvent[] {
  if (order === undefined) return events;
  return order === 'reversed' ? events.toReversed() : order(events);
}
