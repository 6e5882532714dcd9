import { z } from 'zod';
import type { RestTool } from '../tools/contract/define.ts';
import { commandWords } from './help.ts';
import type { Operations } from './operations.ts';
import { Interrupted, SignInError, UsageError } from './usage-error.ts';

/** Exit codes, as `stallhand --help` lists them. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  auth: 3,
  missing: 4,
  conflict: 5,
  interrupted: 130,
} as const;

const Errors = z.array(z.looseObject({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }));

const Problem = z.looseObject({
  status: z.number(),
  code: z.string(),
  detail: z.string(),
  errors: Errors.default([]),
  request_id: z.string().optional(),
});
export type Problem = z.output<typeof Problem>;

/** What the video service answers in place of a problem. */
const ValidationErrors = z.object({ detail: Errors.min(1) });

/** Its errors as a problem: one that names no field is the whole of it. */
function invalidVideo(status: number, errors: z.output<typeof Errors>): Problem {
  const [only] = errors;
  const isWhole = errors.length === 1 && only !== undefined && only.loc.length < 2;
  const detail = isWhole ? only.msg : 'The request is not valid:';
  return { status, code: 'validation_failed', detail, errors: isWhole ? [] : errors };
}

/** The server refused the call. */
export class Refused extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** What a server answered instead of a success. An answer of something else, such as a proxy, becomes one too. */
export async function refusalOf(response: Response): Promise<Refused> {
  const text = await response.text();
  const known = Problem.safeParse(jsonOf(text));
  if (known.success) return new Refused(known.data);
  const ofVideos = ValidationErrors.safeParse(jsonOf(text));
  if (ofVideos.success) return new Refused(invalidVideo(response.status, ofVideos.data.detail));
  const detail = `The server answered ${response.status} ${response.statusText}: ${text.slice(0, 200)}`;
  return new Refused({ status: response.status, code: 'unknown', detail, errors: [] });
}

/** A problem that came as an event of a stream. */
export function refusalOfEvent(data: unknown): Refused {
  return new Refused(Problem.parse(data));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof SignInError) return EXIT.auth;
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (!(error instanceof Refused)) return EXIT.failed;
  const { status } = error.problem;
  if (status === 401 || status === 403) return EXIT.auth;
  if (status === 404 || status === 410) return EXIT.missing;
  if (status === 409 || status === 412) return EXIT.conflict;
  return status === 400 || status === 422 ? EXIT.usage : EXIT.failed;
}

/** What a person reads of a failure: fields as flags, and calls as commands. */
export function explain(error: unknown, operations: Operations): string {
  if (!(error instanceof Refused)) return error instanceof Error ? error.message : String(error);
  const { detail, errors, request_id: id, status } = error.problem;
  // The server says it as a header of HTTP, in either language.
  if (status === 401 && detail.includes('Authorization: Bearer'))
    return "You are not signed in. Sign in with 'stallhand login URL', or set STALLHAND_API_KEY.";
  const places = errors
    .map(({ loc, msg }) => [loc.slice(1).join('.'), msg === detail ? '' : msg] as const)
    .filter(([place]) => place !== '')
    .map(([place, msg]) => `  --${place.replaceAll('_', '-')}${msg === '' ? '' : `: ${msg}`}`);
  const request = status >= 500 && id !== undefined ? [`  request ${id}`] : [];
  return [asCommands(detail, operations), ...places, ...request].join('\n');
}

/**
 * Names the command where a text names a REST call: `GET /v1/templates` → `stallhand templates list`. The server may be of
 * another release and knows nothing of commands, so its calls are read here: a path, a query, and JSON as the body.
 */
function asCommands(text: string, operations: Operations): string {
  return text.replace(
    /\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s,;]*[^\s,;.:])(?: (\{"[^{}]*\}))?/g,
    (said, method: string, address: string, body?: string) => {
      const [path = '', query = ''] = address.split('?');
      for (const tool of operations.all) {
        const inPath = pathInput(tool, method, path);
        if (!inPath) continue;
        const input = { ...inPath, ...Object.fromEntries(new URLSearchParams(query)), ...membersOf(body) };
        const words = commandWords(tool, input).map((word) => (/\s/.test(word) ? `"${word}"` : word));
        return `'stallhand ${words.join(' ')}'`;
      }
      return said;
    },
  );
}

/** What a path says of an operation's input; undefined where it is another's. A part left open is named, as help does. */
function pathInput({ rest }: RestTool, method: string, path: string): Record<string, string> | undefined {
  const [verb, pattern = ''] = rest.route.split(' ');
  if (verb !== method) return undefined;
  const names = [...pattern.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const places = pattern.split(/\{\w+\}/).map(RegExp.escape);
  const found = new RegExp(`^${places.join('([^/]+)')}$`).exec(path);
  if (!found) return undefined;
  return Object.fromEntries(
    names.map((name, index) => [name, openPart(found[index + 1] ?? '') ?? decoded(found[index + 1] ?? '')]),
  );
}

/** `{job_id}` → `JOB-ID` */
function openPart(part: string): string | undefined {
  return /^\{(\w+)\}$/.exec(part)?.[1]?.replaceAll('_', '-').toUpperCase();
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function membersOf(body: string | undefined): Readonly<Record<string, unknown>> {
  const parsed = z.record(z.string(), z.unknown()).safeParse(jsonOf(body ?? ''));
  return parsed.data ?? {};
}
