import { type FieldNode, getNamedType, Kind, type OperationDefinitionNode } from 'graphql';
import type { Engine, Prepared, Result } from './engine.ts';
import type { Shop } from './shop.ts';

type Json = Readonly<Record<string, unknown>>;

const CONNECTIONS_MOST = 5;
/** Objects that are read at a time. */
const AT_A_TIME = 1000;

/** What a bulk operation will not have of a query that is otherwise valid. */
export function bulkQueryComplaint({ schema, operation }: Prepared): string | undefined {
  if (operation?.operation !== 'query') return 'Bulk queries must contain one query operation.';
  if ((operation.variableDefinitions ?? []).length > 0) return 'Bulk queries cannot contain variables.';
  const root = schema.getQueryType()?.getFields() ?? {};
  const fields = fieldsOf(operation);
  const names = fields.map(({ name }) => name.value);
  if (names.some((name) => name === 'node' || name === 'nodes')) {
    return 'Bulk queries cannot contain node or nodes at the top.';
  }
  const connections = fields.filter(({ name }) => {
    const field = root[name.value];
    return field !== undefined && getNamedType(field.type).name.endsWith('Connection');
  });
  if (connections.length === 0) return 'Bulk queries must contain at least one connection.';
  if (connections.length > CONNECTIONS_MOST) return 'Bulk queries cannot contain more than 5 connections.';
  const hasEdges = connections.every((connection) => childNames(connection).includes('edges'));
  return hasEdges ? undefined : 'Bulk queries read connections by edges.';
}

/** The objects of a query, each as JSON, some at a time: it is truly run, on one part of the connection after another. */
export function* bulkQueryLines(
  engine: Engine,
  prepared: Prepared,
  version: string,
  shop: Shop,
): Generator<readonly string[]> {
  const most = Math.max(shop.variants().length, shop.locations().length, shop.subscriptions().length);
  for (let from = 0; from < most; from += AT_A_TIME) {
    const result = engine.run(prepared, {}, { version, range: { from, size: AT_A_TIME } });
    yield nodesOf(result).map((node) => JSON.stringify(node));
  }
}

function fieldsOf({ selectionSet }: OperationDefinitionNode): readonly FieldNode[] {
  return selectionSet.selections.filter((selection) => selection.kind === Kind.FIELD);
}

function childNames({ selectionSet }: FieldNode): readonly string[] {
  const children = selectionSet?.selections ?? [];
  return children.flatMap((child) => (child.kind === Kind.FIELD ? [child.name.value] : []));
}

function nodesOf({ data, errors }: Result): readonly unknown[] {
  if (errors?.[0]) throw errors[0];
  return Object.values(data ?? {}).flatMap((connection) => {
    // A query that was let through has connections at its top, and they have edges.
    const { edges = [] } = (connection ?? {}) as { readonly edges?: readonly Json[] };
    return edges.map(({ node }) => node);
  });
}
