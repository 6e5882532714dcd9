import { GraphQLError, Kind } from 'graphql';
import type { Access, Call } from './access.ts';
import { type Bucket, type Costs, costOf } from './cost.ts';
import type { Engine, Prepared, Result } from './engine.ts';
import { refusal, type ShopFault } from './faults.ts';
import type { Keyed } from './keyed.ts';

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

type Json = Readonly<Record<string, unknown>>;

/** One request, as its body says. */
type Asked = {
  readonly query: string;
  readonly variables: Json;
  readonly operationName: string | undefined;
};

/** What is answered, always with status 200, and what it took. */
type Answered = {
  readonly body: object;
  readonly cost: number;
  readonly throttled: boolean;
};

type Deps = {
  readonly engine: Engine;
  readonly access: Access;
  readonly bucket: Bucket;
  readonly costs: Costs;
  readonly keyed: Keyed;
};

/** The GraphQL of the Admin API: valid, within its cost, within what may be spent, permitted, and then run. */
export function createAdminApi({ engine, access, bucket, costs, keyed }: Deps) {
  return function answer(asked: Asked, version: string, fault: ShopFault | undefined): Answered {
    const prepared = prepare(engine, asked, version);
    if (prepared instanceof GraphQLError) return refusedFor(prepared);
    const [invalid] = prepared.errors;
    if (invalid) return { body: { errors: prepared.errors }, cost: 0, throttled: false };
    const { operation, schema, fragments } = prepared;
    if (!operation) return refusedFor(new GraphQLError('No operation named in the request'));
    const given = { schema, fragments, variables: asked.variables, growth: costs.growth };
    const requested = costOf(operation, given);
    if (requested > costs.most) return refusedFor(tooExpensive(requested, costs.most));
    if (fault === 'throttled' || !bucket.take(requested)) return throttled(requested, bucket);
    const result = run(prepared, asked, version, fault);
    const actual = costOf(operation, given, result.data ?? {});
    bucket.giveBack(requested - actual);
    const cost = { requestedQueryCost: requested, actualQueryCost: actual, throttleStatus: bucket.status() };
    return { body: { ...result, extensions: { cost } }, cost: actual, throttled: false };
  };

  function run(
    prepared: Prepared,
    { variables }: Asked,
    version: string,
    fault: ShopFault | undefined,
  ): Result {
    const denied = deniedField(prepared);
    if (denied) return { data: null, errors: [denied] };
    return keyed(prepared, variables, version, fault);
  }

  function deniedField({ operation }: Prepared): GraphQLError | undefined {
    for (const selection of operation?.selectionSet.selections ?? []) {
      const name = selection.kind === Kind.FIELD ? selection.name.value : '';
      const scope = access.missing(name);
      if (!scope) continue;
      const message = `Access denied for ${name} field. Required access: \`${scope}\` access scope.`;
      return refusal('ACCESS_DENIED', message, { requiredAccess: `\`${scope}\` access scope.` });
    }
    return undefined;
  }
}

function prepare(engine: Engine, asked: Asked, version: string): Prepared | GraphQLError {
  try {
    return engine.prepare(version, asked.query, asked.operationName);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function refusedFor(error: GraphQLError): Answered {
  return { body: { errors: [error] }, cost: 0, throttled: false };
}

function tooExpensive(cost: number, most: number): GraphQLError {
  const message = `Query cost is ${cost}, which exceeds the single query max cost limit (${most}).`;
  return refusal('MAX_COST_EXCEEDED', message, { cost, maxCost: most });
}

function throttled(requested: number, bucket: Bucket): Answered {
  const cost = { requestedQueryCost: requested, actualQueryCost: null, throttleStatus: bucket.status() };
  return {
    body: { errors: [refusal('THROTTLED', 'Throttled')], extensions: { cost } },
    cost: 0,
    throttled: true,
  };
}
