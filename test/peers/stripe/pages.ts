import { list, type StripeObject } from './objects.ts';
import { missing } from './refusal.ts';

type Paging = {
  readonly limit: number;
  readonly starting_after?: string | undefined;
  readonly ending_before?: string | undefined;
};

/** One page of a list, the newest first, as every list of the API. `objects` come oldest first. */
export function pageOf<T extends StripeObject>(
  url: string,
  objects: Iterable<T>,
  { limit, starting_after, ending_before }: Paging,
) {
  const newest = [...objects].reverse();
  const placeOf = (id: string, param: string): number => {
    const place = newest.findIndex((object) => object.id === id);
    if (place < 0) throw missing('object', id, param, 400);
    return place;
  };
  if (ending_before !== undefined) {
    const before = newest.slice(0, placeOf(ending_before, 'ending_before'));
    return list(url, before.slice(-limit), before.length > limit);
  }
  const start = starting_after === undefined ? 0 : placeOf(starting_after, 'starting_after') + 1;
  return list(url, newest.slice(start, start + limit), newest.length > start + limit);
}
