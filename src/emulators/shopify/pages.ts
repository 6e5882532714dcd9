import type { Call } from './call.ts';
import { refusal } from './refusal.ts';

/** Most objects that one page has. */
const PAGE_MOST = 250;

export type PageArgs = { readonly first?: number | null; readonly after?: string | null };

type Order<T> = {
  /** Where a record stands; the list is in this order. */
  readonly rank: (record: T) => number;
  readonly view: (record: T) => object;
};

/** A connection: the part of a list that is asked for, in the service's shape. @throws GraphQLError as it refuses */
export function pageOf<T>(list: readonly T[], { rank, view }: Order<T>, args: PageArgs, call: Call): object {
  const { from, size } = call.range ?? rangeOf(list, rank, args);
  const records = list.slice(from, from + size);
  const nodes = records.map(view);
  const last = records.at(-1);
  return {
    nodes,
    edges: () => nodes.map((node) => ({ node })),
    pageInfo: {
      hasNextPage: from + size < list.length,
      endCursor: last === undefined ? null : cursorAt(rank(last)),
    },
  };
}

/** The number in a global id: records are kept in its order. */
export function numberIn(id: string): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

function rangeOf<T>(list: readonly T[], rank: (record: T) => number, { first, after }: PageArgs) {
  if (first === undefined || first === null) {
    throw refusal('BAD_REQUEST', 'you must provide one of first or last');
  }
  if (first < 1) throw refusal('BAD_REQUEST', 'first must be a positive integer');
  if (first > PAGE_MOST) {
    throw refusal('BAD_REQUEST', `first cannot exceed ${PAGE_MOST}; ${first} were asked for`);
  }
  const from = after === undefined || after === null ? 0 : firstBeyond(list, rank, rankIn(after));
  return { from, size: first };
}

function cursorAt(rank: number): string {
  return Buffer.from(JSON.stringify({ last_id: rank })).toString('base64');
}

function rankIn(cursor: string): number {
  const [, digits] = /^\{"last_id":(\d+)\}$/.exec(Buffer.from(cursor, 'base64').toString()) ?? [];
  if (digits === undefined) throw refusal('BAD_REQUEST', 'Invalid cursor for current pagination sort.');
  return Number(digits);
}

/** By halves: a page far into a large shop costs no more than the first. */
function firstBeyond<T>(list: readonly T[], rank: (record: T) => number, limit: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const record = list[middle];
    if (record !== undefined && rank(record) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
