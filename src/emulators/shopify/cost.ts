import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getArgumentValues,
  getNamedType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

export type Bucket = ReturnType<typeof createBucket>;

/** Points that may be spent: they come back by the second, up to `size`. */
export function createBucket(
  { size, rate }: { readonly size: number; readonly rate: number },
  now: () => number,
) {
  let available = size;
  let at = now();

  function refill(): void {
    const time = now();
    available = Math.min(size, available + ((time - at) / 1000) * rate);
    at = time;
  }

  return {
    /** False where there are not so many; then none are taken. */
    take(points: number): boolean {
      refill();
      if (available < points) return false;
      available -= points;
      return true;
    },
    giveBack(points: number): void {
      available = Math.min(size, available + points);
    },
    status() {
      refill();
      return { maximumAvailable: size, currentlyAvailable: Math.floor(available), restoreRate: rate };
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

export type Costs = {
  /** Points one request may cost at most. */
  readonly most: number;
  /** What an answer of so many objects costs of the price of one. */
  readonly growth: (count: number) => number;
};

const MUTATION = 10;
const CONNECTION = 2;

/** Connections cost much less than their number of objects; a price list that is reported, not published. */
export const SUBLINEAR: Costs = {
  most: 1000,
  growth: (count) => Math.ceil(1.5 * Math.log2(Math.max(2, count))),
};

/** The older rule: every object at its full price. */
export const LINEAR: Costs = { most: 1000, growth: (count) => count };

type Given = {
  readonly schema: GraphQLSchema;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly variables: Json;
  readonly growth: Costs['growth'];
};

/** Points of an operation before it is run; with the `data` of its answer, what it really was. */
export function costOf(operation: OperationDefinitionNode, given: Given, data?: Json): number {
  if (operation.operation === 'mutation') return MUTATION * operation.selectionSet.selections.length;
  const root = given.schema.getQueryType();
  return root ? Math.max(1, selectionCost(operation.selectionSet, root, given, data)) : 1;
}

/** `data` undefined: nothing is known of the answer yet. */
function selectionCost(
  { selections }: SelectionSetNode,
  type: GraphQLCompositeType,
  given: Given,
  data?: Json,
): number {
  return selections.reduce((sum, selection) => sum + oneCost(selection, type, given, data), 0);
}

function oneCost(selection: SelectionNode, type: GraphQLCompositeType, given: Given, data?: Json): number {
  if (selection.kind === Kind.FIELD) return fieldCost(selection, type, given, data);
  const fragment =
    selection.kind === Kind.FRAGMENT_SPREAD ? given.fragments[selection.name.value] : selection;
  if (!fragment) return 0;
  const condition = fragment.typeCondition && given.schema.getType(fragment.typeCondition.name.value);
  return selectionCost(fragment.selectionSet, isCompositeType(condition) ? condition : type, given, data);
}

function fieldCost(node: FieldNode, parent: GraphQLCompositeType, given: Given, data?: Json): number {
  const field = 'getFields' in parent ? parent.getFields()[node.name.value] : undefined;
  const type = field && getNamedType(field.type);
  if (!field || !node.selectionSet || !isCompositeType(type) || type.name === 'PageInfo') return 0;
  const answer = data?.[(node.alias ?? node.name).value];
  if (data && !answer) return 0;
  if (type.name.endsWith('Connection')) {
    // An answer that is there and is no list is an object.
    const connection = answer as Json | undefined;
    const size = connection ? sizeOf(connection) : Number(argumentOf('first', field, node, given) ?? 0);
    return CONNECTION + given.growth(size) * selectionCost(node.selectionSet, type, given);
  }
  const isWrapper = parent.name.endsWith('Connection') && node.name.value === 'edges';
  const inside = selectionCost(node.selectionSet, type, given);
  const ids = argumentOf('ids', field, node, given);
  const times = Array.isArray(ids) ? given.growth(ids.length) : 1;
  return times * ((isWrapper ? 0 : 1) + inside);
}

function argumentOf(
  name: string,
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  { variables }: Given,
): unknown {
  return getArgumentValues(field, node, variables)[name];
}

function sizeOf({ nodes, edges }: Json): number {
  const list = nodes ?? edges;
  return Array.isArray(list) ? list.length : 0;
}
