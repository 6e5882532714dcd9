import { GraphQLError } from 'graphql';
import { bulkMutationComplaint, readVariables } from './bulk-mutation.ts';
import { bulkQueryComplaint } from './bulk-query.ts';
import type { BulkRun, BulkRuns } from './bulk-runs.ts';
import type { Call } from './call.ts';
import type { Engine, Prepared } from './engine.ts';
import { numberIn } from './pages.ts';
import type { StagedUploads } from './staged-uploads.ts';
import { userError } from './user-error.ts';

export const RESULT_PATH = '/bulk-results/';

type Parts = {
  readonly engine: Engine;
  readonly runs: BulkRuns;
  readonly uploads: StagedUploads;
  readonly origin: string;
};
type QueryArgs = { readonly query: string };
type MutationArgs = { readonly mutation: string; readonly stagedUploadPath: string };
type IdArgs = { readonly id: string };

/** Jobs that the shop does by itself, over time: a query whose answer is a file, a mutation for each line of a file. */
export function createBulkOperations({ engine, runs, uploads, origin }: Parts) {
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
        const prepared = prepare(engine, version, query, bulkQueryComplaint);
        if (typeof prepared === 'string') return refused(['query'], 'INVALID', prepared);
        if (runs.isFull('query')) return refused(null, 'LIMIT_REACHED', TOO_MANY);
        return started(runs.start('query', prepared, version));
      },
      bulkOperationRunMutation({ mutation, stagedUploadPath }: MutationArgs, { version }: Call) {
        const prepared = prepare(engine, version, mutation, bulkMutationComplaint);
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
