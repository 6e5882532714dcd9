import { type FieldNode, getArgumentValues, getDirectiveValues, Kind } from 'graphql';
import type { Engine, Prepared, Result } from './engine.ts';
import { refusal, type ShopFault } from './faults.ts';
import type { createIdempotency } from './idempotency.ts';

type Json = Readonly<Record<string, unknown>>;

/** Mutations that demand `@idempotent`. */
const DEMANDING = ['inventorySetQuantities', 'inventoryActivate'];

type Deps = {
  readonly engine: Engine;
  readonly idempotency: ReturnType<typeof createIdempotency>;
  /**
   * Whether a key whose attempt was refused answers the same again, or asks for another key: the published codes name
   * the latter, no page says when.
   */
  readonly refusesFailedKeys: boolean;
};

export type Keyed = ReturnType<typeof createKeyed>;

/** Runs an operation, and a keyed one once only: the same key answers what it answered. */
export function createKeyed({ engine, idempotency, refusesFailedKeys }: Deps) {
  function runOnce(prepared: Prepared, field: FieldNode, variables: Json, version: string): Result {
    const key = keyOf(prepared, field, variables);
    if (key === undefined) return { data: null, errors: [unkeyed(field)] };
    const asked = argumentsOf(prepared, field, variables);
    const earlier = idempotency.find(key, asked);
    const refused = (refusedAs: string) => engine.run(prepared, variables, { version, refusedAs });
    if (earlier === 'other') return refused('IDEMPOTENCY_KEY_PARAMETER_MISMATCH');
    if (earlier && refusesFailedKeys && hasFailed(earlier)) {
      return refused('IDEMPOTENCY_PREVIOUS_ATTEMPT_FAILED');
    }
    if (earlier) return earlier;
    const result = engine.run(prepared, variables, { version });
    if (!result.errors) idempotency.keep(key, asked, result);
    return result;
  }

  return function run(
    prepared: Prepared,
    variables: Json,
    version: string,
    fault: ShopFault | undefined,
  ): Result {
    if (typeof fault === 'object' && 'userError' in fault) {
      return engine.run(prepared, variables, { version, refusedAs: fault.userError });
    }
    const field = mutationIn(prepared);
    return field && DEMANDING.includes(field.name.value)
      ? runOnce(prepared, field, variables, version)
      : engine.run(prepared, variables, { version });
  };
}

/** The one mutation of a request: we never send two. */
function mutationIn({ operation }: Prepared): FieldNode | undefined {
  if (operation?.operation !== 'mutation') return undefined;
  const [first] = operation.selectionSet.selections;
  return first?.kind === Kind.FIELD ? first : undefined;
}

function keyOf({ schema }: Prepared, field: FieldNode, variables: Json): string | undefined {
  const directive = schema.getDirective('idempotent');
  const key = directive && getDirectiveValues(directive, field, variables)?.['key'];
  return typeof key === 'string' && key.trim() !== '' ? key : undefined;
}

function argumentsOf({ schema }: Prepared, field: FieldNode, variables: Json): unknown {
  const definition = schema.getMutationType()?.getFields()[field.name.value];
  return definition && getArgumentValues(definition, field, variables);
}

function unkeyed({ name }: FieldNode) {
  const message = `The @idempotent directive is required for the mutation ${name.value}, with a key that is not blank.`;
  return refusal('BAD_REQUEST', message);
}

function hasFailed({ data }: Result): boolean {
  return Object.values(data ?? {}).some((answer) => {
    // The answer of a mutation that demands a key has userErrors, where they were asked for.
    const { userErrors = [] } = (answer ?? {}) as { readonly userErrors?: readonly unknown[] };
    return userErrors.length > 0;
  });
}
