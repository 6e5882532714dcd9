import { z } from 'zod';
import { Flag, readParams } from './forms.ts';
import { refused } from './refusal.ts';
import type { Route } from './routes.ts';
import type { Subscriptions } from './subscriptions.ts';
import { need, type World } from './world.ts';

const Release = z.strictObject({ preserve_cancel_date: Flag.optional() });

type Schedule = {
  readonly id: string;
  readonly object: 'subscription_schedule';
  readonly created: number;
  readonly subscription: string;
  readonly livemode: false;
  status: 'active' | 'released' | 'completed';
  released_at: number | null;
};

/** Plans that begin with the next period: as much of Stripe's schedules as the portal's downgrades leave behind. */
export function createSchedules(world: World, subscriptions: Subscriptions) {
  const schedules = new Map<string, Schedule>();
  const plans = new Map<string, { readonly at: number; readonly price: string }>();

  function start(subscriptionId: string, price: string): void {
    const subscription = need(world.subscriptions, 'subscription', subscriptionId);
    const id = world.id('sub_sched');
    const created = world.now();
    const at = subscription.items.data[0]?.current_period_end ?? created;
    schedules.set(id, {
      id,
      object: 'subscription_schedule',
      created,
      subscription: subscriptionId,
      livemode: false,
      status: 'active',
      released_at: null,
    });
    plans.set(id, { at, price });
    world.change('customer.subscription.updated', subscription, () => {
      subscription.schedule = id;
    });
  }

  function end(schedule: Schedule, status: 'released' | 'completed'): Schedule {
    plans.delete(schedule.id);
    schedule.status = status;
    if (status === 'released') schedule.released_at = world.now();
    const subscription = world.subscriptions.get(schedule.subscription);
    if (subscription)
      world.change('customer.subscription.updated', subscription, () => {
        subscription.schedule = null;
      });
    return schedule;
  }

  function act(schedule: Schedule, price: string): void {
    const subscription = need(world.subscriptions, 'subscription', schedule.subscription);
    end(schedule, 'completed');
    if (subscription.status === 'canceled') return;
    const [item] = subscription.items.data;
    const items = [{ ...(item && { id: item.id }), price }];
    subscriptions.update(subscription.id, { items, proration_behavior: 'none' });
  }

  const routes: Route[] = [
    {
      method: 'POST',
      path: '/v1/subscription_schedules/:id/release',
      run: (params, id) => {
        readParams(Release, params);
        const schedule = need(schedules, 'subscription_schedule', id);
        if (schedule.status !== 'active')
          throw refused(
            `You cannot release a subscription schedule that is currently in the \`${schedule.status}\` status.`,
          );
        return end(schedule, 'released');
      },
    },
  ];
  return {
    routes,
    start,
    due: () =>
      [...plans].flatMap(([id, { at, price }]) => {
        const schedule = schedules.get(id);
        return schedule ? [{ at, act: () => act(schedule, price) }] : [];
      }),
  };
}
