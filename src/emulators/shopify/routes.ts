import type { Access } from './access.ts';
import type { createAdminApi } from './admin-api.ts';
import { type BulkRuns, RESULT_PATH } from './bulk-operations.ts';
import type { ShopFault } from './faults.ts';
import type { Asked } from './read-asked.ts';
import { type StagedUploads, UPLOAD_PATH } from './staged-uploads.ts';

/** What a shop answers whatever is asked of its API: it is not paid for, closed to the app, gone, locked, or down. */
export type Mood = 'well' | 'unpaid' | 'forbidden' | 'gone' | 'locked' | 'down';

/** A response, and what is to be noted of it. */
export type Served = {
  readonly response: Response;
  readonly bytes: number;
  readonly cost?: number;
  readonly throttled?: boolean;
};

type Deps = {
  readonly api: ReturnType<typeof createAdminApi>;
  readonly access: Access;
  readonly runs: BulkRuns;
  readonly uploads: StagedUploads;
};

const TOKEN_PATH = '/admin/oauth/access_token';
const TOKEN_HEADER = 'x-shopify-access-token';
/** Bytes of a file that come at a time: letters are cut in two there, as on any network. */
const CHUNK = 64 * 1024;

const MOODS: Readonly<Record<Exclude<Mood, 'well'>, readonly [number, string]>> = {
  unpaid: [402, 'Unavailable Shop'],
  forbidden: [403, '[API] This app is not permitted to use this shop.'],
  gone: [404, 'Not Found'],
  locked: [423, 'Locked'],
  down: [503, 'Service Unavailable'],
};
const UNKNOWN_TOKEN = '[API] Invalid API key or access token (unrecognized login or wrong password)';

/** What can be asked of the shop over HTTP: its API, tokens for it, and the files of bulk operations. */
export function createRoutes({ api, access, runs, uploads }: Deps) {
  let mood: Mood = 'well';

  function serveAdmin(asked: Asked, fault: ShopFault | undefined): Served {
    if (mood !== 'well') {
      const [status, errors] = MOODS[mood];
      return json(status, { errors });
    }
    if (asked.path === TOKEN_PATH) {
      const { status, body } = access.grant(asked.fields);
      return json(status, body);
    }
    if (asked.version === undefined) return json(404, { errors: 'Not Found' });
    if (!access.isKnown(asked.headers.get(TOKEN_HEADER))) return json(401, { errors: UNKNOWN_TOKEN });
    const { query, variables, operationName } = asked.fields;
    if (typeof query !== 'string') {
      return json(400, { errors: { query: 'Required parameter missing or invalid' } });
    }
    const { body, ...spent } = api(
      { query, variables: isObject(variables) ? variables : {}, operationName: textOf(operationName) },
      asked.version,
      fault,
    );
    return { ...json(200, body), ...spent };
  }

  async function serveFile({ method, path, form }: Asked): Promise<Served> {
    if (path === UPLOAD_PATH && method === 'POST' && form) {
      return { response: await uploads.put(form), bytes: 0 };
    }
    const [, number = ''] = /^(\d+)\.jsonl$/.exec(path.replace(RESULT_PATH, '')) ?? [];
    const file = runs.find(`gid://shopify/BulkOperation/${number}`)?.result;
    if (!file) return json(404, { errors: 'Not Found' });
    const headers = { 'content-type': 'application/jsonl' };
    const bytes = file.reduce((sum, part) => sum + part.byteLength, 0);
    return { response: new Response(streamOf(file), { headers }), bytes };
  }

  return {
    setMood(next: Mood): void {
      mood = next;
    },
    async serve(asked: Asked, fault: ShopFault | undefined): Promise<Served> {
      const { method, path, headers } = asked;
      if (path.startsWith('/admin/')) {
        return method === 'POST' ? serveAdmin(asked, fault) : json(405, { errors: 'Method Not Allowed' });
      }
      // Another company hosts the files: a client that sends it the shop's token leaks the token.
      if (headers.has(TOKEN_HEADER)) return json(400, { errors: `${TOKEN_HEADER} is not for this place` });
      return await serveFile(asked);
    },
  };
}

function json(status: number, body: object): Served {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { response: new Response(text, { status, headers }), bytes: Buffer.byteLength(text) };
}

function streamOf(file: readonly Buffer[]): ReadableStream<Uint8Array> {
  const chunks = chunksOf(file);
  return new ReadableStream({
    pull(controller) {
      const { value, done } = chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

function* chunksOf(file: readonly Buffer[]): Generator<Uint8Array, undefined> {
  for (const part of file) {
    for (let at = 0; at < part.byteLength; at += CHUNK) yield part.subarray(at, at + CHUNK);
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
