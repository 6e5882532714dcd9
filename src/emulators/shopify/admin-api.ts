import { GraphQLError, Kind } from 'graphql';
import type { Access } from './access.ts';
import type { Bucket } from './bucket.ts';
import { type Costs, costOf } from './cost.ts';
import type { Engine, Prepared, Result } from './engine.ts';
import type { ShopFault } from './faults.ts';
import type { Keyed } from './keyed.ts';
import { refusal } from './refusal.ts';

type Json = Readonly<Record<string, unknown>>;

/** One request, as its body says. */
export type Asked = {
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

type Parts = {
  readonly engine: Engine;
  readonly access: Access;
  readonly bucket: Bucket;
  readonly costs: Costs;
  readonly keyed: Keyed;
};

/** The GraphQL of the Admin API: valid, within its cost, within what may be spent, permitted, and then run. */
export function createAdminApi({ engine, access, bucket, costs, keyed }: Parts) {
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
