import { type FieldNode, GraphQLError, getNamedType, Kind, type OperationDefinitionNode } from 'graphql';
import type { Call } from './access.ts';
import { numberIn } from './admin-api.ts';
import type { Engine, Prepared, Result } from './engine.ts';
import { userError } from './faults.ts';
import type { Shop } from './shop.ts';
import type { StagedUploads } from './staged-uploads.ts';

type Json = Readonly<Record<string, unknown>>;

const CONNECTIONS_MOST = 5;
/** Objects that are read at a time. */
const AT_A_TIME = 1000;

/** What a bulk operation will not have of a query that is otherwise valid. */
function bulkQueryFault({ schema, operation }: Prepared): string | undefined {
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
function* bulkQueryLines(
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

/** What no bulk operation runs. */
const NEVER = [
  'bulkOperationCancel',
  'bulkOperationRunMutation',
  'bulkOperationRunQuery',
  'stagedUploadsCreate',
];

/** Results are not in the order of the file: lines are told apart by their numbers. So many change places here. */
const SHUFFLED = 10;

/** What a bulk operation will not have of a mutation that is otherwise valid. */
function bulkMutationFault({ operation }: Prepared): string | undefined {
  if (operation?.operation !== 'mutation') return 'The bulk operation needs one mutation.';
  const { selections } = operation.selectionSet;
  const [first] = selections;
  if (selections.length !== 1 || first?.kind !== Kind.FIELD) {
    return 'Bulk mutations must contain one mutation field.';
  }
  return NEVER.includes(first.name.value) ? `${first.name.value} cannot be run in bulk.` : undefined;
}

/** The variables of each line; undefined where a line is none. */
function readVariables(file: string): readonly Json[] | undefined {
  const lines = file.split('\n').filter((line) => line.trim() !== '');
  try {
    const variables: unknown[] = lines.map((line) => JSON.parse(line));
    return variables.length > 0 && variables.every(isObject) ? variables : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the mutation with each of these; answers the lines of the result. */
function runLines(
  engine: Engine,
  prepared: Prepared,
  version: string,
  variables: readonly Json[],
  firstLine: number,
): readonly string[] {
  return variables.map((given, index) => {
    const { data, errors } = engine.run(prepared, given, { version });
    return JSON.stringify({ data, ...(errors && { errors }), __lineNumber: firstLine + index });
  });
}

function shuffled(lines: readonly string[]): readonly string[] {
  const blocks = Array.from({ length: Math.ceil(lines.length / SHUFFLED) }, (_, index) =>
    lines.slice(index * SHUFFLED, (index + 1) * SHUFFLED).reverse(),
  );
  return blocks.flat();
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const AT_ONCE_MOST = 5;
/** Results that can still be fetched. */
const RESULTS_KEPT = 5;
/** How long an operation waits before it begins, and how long it takes to be canceled. */
const WAIT_MS = 200;

type BulkKind = 'query' | 'mutation';

type BulkRun = {
  readonly id: string;
  readonly kind: BulkKind;
  readonly version: string;
  readonly prepared: Prepared;
  readonly startedAt: number;
  /** Of a mutation, by lines. */
  readonly variables: readonly Json[];
  canceledAt: number | undefined;
  status: 'CREATED' | 'RUNNING' | 'COMPLETED' | 'CANCELING' | 'CANCELED';
  /** Objects or lines so far. */
  count: number;
  /** Of a mutation, the result so far. */
  lines: string[];
  /** The file, in parts, once there is one. */
  result: Buffer[] | undefined;
};

type BulkRunsDeps = {
  readonly engine: Engine;
  readonly shop: Shop;
  /** How long an operation runs. */
  readonly runMs: number;
  readonly now: () => number;
  readonly onEnd: (run: BulkRun) => void;
};

export type BulkRuns = ReturnType<typeof createBulkRuns>;

/** The bulk operations there are, each as far as it is by the clock. */
export function createBulkRuns({ engine, shop, runMs, now, onEnd }: BulkRunsDeps) {
  const runs = new Map<string, BulkRun>();

  /** Does what is due by now. */
  function advance(): void {
    for (const run of runs.values()) {
      if (isOver(run)) continue;
      if (run.canceledAt === undefined) proceed(run, now() - run.startedAt - WAIT_MS);
      else if (now() - run.canceledAt >= WAIT_MS) end(run, 'CANCELED');
    }
  }

  function proceed(run: BulkRun, elapsed: number): void {
    if (elapsed < 0) return;
    run.status = 'RUNNING';
    const share = elapsed >= runMs ? 1 : elapsed / runMs;
    if (run.kind === 'mutation') runDue(run, share);
    if (share === 1) end(run, 'COMPLETED');
  }

  function runDue(run: BulkRun, share: number): void {
    const { prepared, version, variables, lines } = run;
    const due = variables.slice(lines.length, Math.floor(variables.length * share));
    lines.push(...runLines(engine, prepared, version, due, lines.length));
    run.count = lines.length;
  }

  function end(run: BulkRun, status: 'COMPLETED' | 'CANCELED'): void {
    run.status = status;
    if (run.kind === 'mutation') keep(run, shuffled(run.lines));
    else if (status === 'COMPLETED') readAll(run);
    run.lines = [];
    const [oldest] = [...runs.values()].filter(({ result }) => result).slice(0, -RESULTS_KEPT);
    if (oldest) oldest.result = undefined;
    onEnd(run);
  }

  function readAll(run: BulkRun): void {
    for (const lines of bulkQueryLines(engine, run.prepared, run.version, shop)) {
      keep(run, lines);
      run.count += lines.length;
    }
  }

  return {
    advance,
    find: (id: string) => runs.get(id),
    isFull(kind: BulkKind): boolean {
      return [...runs.values()].filter((run) => run.kind === kind && !isOver(run)).length >= AT_ONCE_MOST;
    },
    start(kind: BulkKind, prepared: Prepared, version: string, variables: readonly Json[] = []): BulkRun {
      const run: BulkRun = {
        id: `gid://shopify/BulkOperation/${runs.size + 1}`,
        kind,
        version,
        prepared,
        startedAt: now(),
        variables,
        canceledAt: undefined,
        status: 'CREATED',
        count: 0,
        lines: [],
        result: undefined,
      };
      runs.set(run.id, run);
      return run;
    },
    /** False where it is over already. */
    cancel(run: BulkRun): boolean {
      if (isOver(run)) return false;
      run.canceledAt ??= now();
      run.status = 'CANCELING';
      return true;
    },
  };
}

function isOver({ status }: BulkRun): boolean {
  return status === 'COMPLETED' || status === 'CANCELED';
}

function keep(run: BulkRun, lines: readonly string[]): void {
  if (lines.length === 0) return;
  run.result ??= [];
  run.result.push(Buffer.from(`${lines.join('\n')}\n`));
}

export const RESULT_PATH = '/bulk-results/';

type BulkOperationsDeps = {
  readonly engine: Engine;
  readonly runs: BulkRuns;
  readonly uploads: StagedUploads;
  readonly origin: string;
};
type QueryArgs = { readonly query: string };
type MutationArgs = { readonly mutation: string; readonly stagedUploadPath: string };
type IdArgs = { readonly id: string };

/** Jobs the shop runs in the background: a query that returns a file, a mutation per line of a file. */
export function createBulkOperations({ engine, runs, uploads, origin }: BulkOperationsDeps) {
  function view({ id, status, count, result }: BulkRun): object {
    const url = result ? `${origin}${RESULT_PATH}${numberIn(id)}.jsonl` : null;
    return { __typename: 'BulkOperation', id, status, errorCode: null, objectCount: String(count), url };
  }

  function started(run: BulkRun) {
    return { bulkOperation: view(run), userErrors: [] };
  }

  return {
    queries: {
      bulkOperation({ id }: IdArgs) {
        const run = runs.find(id);
        return run ? view(run) : null;
      },
    },

    mutations: {
      bulkOperationRunQuery({ query }: QueryArgs, { version }: Call) {
        const prepared = prepare(engine, version, query, bulkQueryFault);
        if (typeof prepared === 'string') return refused(['query'], 'INVALID', prepared);
        if (runs.isFull('query')) return refused(null, 'LIMIT_REACHED', TOO_MANY);
        return started(runs.start('query', prepared, version));
      },
      bulkOperationRunMutation({ mutation, stagedUploadPath }: MutationArgs, { version }: Call) {
        const prepared = prepare(engine, version, mutation, bulkMutationFault);
        if (typeof prepared === 'string') return refused(['mutation'], 'INVALID_MUTATION', prepared);
        const file = uploads.read(stagedUploadPath);
        if (file === undefined) return refused(PATH, 'NO_SUCH_FILE', 'The JSONL file could not be found.');
        const variables = readVariables(file);
        if (!variables) return refused(PATH, 'INVALID_STAGED_UPLOAD_FILE', 'The JSONL file is invalid.');
        if (runs.isFull('mutation')) return refused(null, 'LIMIT_REACHED', TOO_MANY);
        return started(runs.start('mutation', prepared, version, variables));
      },
      bulkOperationCancel({ id }: IdArgs) {
        const run = runs.find(id);
        if (!run) return refused(['id'], null, 'Bulk operation does not exist');
        if (runs.cancel(run)) return started(run);
        const message = `A bulk operation cannot be canceled when it is ${run.status.toLowerCase()}`;
        return { ...refused(null, null, message), bulkOperation: view(run) };
      },
    },
  };
}

const PATH = ['stagedUploadPath'];
const TOO_MANY = 'Bulk operations limit reached. Please try again later.';

function refused(field: readonly string[] | null, code: string | null, message: string) {
  return { bulkOperation: null, userErrors: [userError(field, code, message)] };
}

/** The text ready to be run, or what is wrong with it. */
function prepare(
  engine: Engine,
  version: string,
  text: string,
  complaintOf: (prepared: Prepared) => string | undefined,
): Prepared | string {
  try {
    const prepared = engine.prepare(version, text);
    return prepared.errors[0]?.message ?? complaintOf(prepared) ?? prepared;
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}
