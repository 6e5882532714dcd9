import { z } from 'zod';
import { Flag, Paging, Range, readParams, Text, within } from './forms.ts';
import { pageOf } from './pages.ts';
import { missing } from './refusal.ts';
import type { Route } from './routes.ts';
import type { World } from './world.ts';

const List = z.strictObject({
  ...Paging,
  created: Range.optional(),
  delivery_success: Flag.optional(),
  type: Text.optional(),
  types: z.array(Text).max(20).optional(),
});

/** What happened, as the API lists it. */
export function createEvents(world: World, isDelivered: (id: string) => boolean) {
  const routes: Route[] = [
    {
      method: 'GET',
      path: '/v1/events',
      run: (params) => {
        const { created, delivery_success, type, types, ...paging } = readParams(List, params);
        const found = world.events.filter(
          (event) =>
            (type === undefined || matches(event.type, type)) &&
            (types === undefined || types.some((each) => matches(event.type, each))) &&
            (delivery_success === undefined || isDelivered(event.id) === delivery_success) &&
            within(created, event.created),
        );
        return pageOf('/v1/events', found, paging);
      },
    },
    {
      method: 'GET',
      path: '/v1/events/:id',
      run: (_params, id) => {
        const event = world.events.find((held) => held.id === id);
        if (!event) throw missing('event', id);
        return event;
      },
    },
  ];
  return { routes };
}

/** `customer.subscription.*` stands for all that begin so. */
function matches(type: string, wanted: string): boolean {
  return wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}
