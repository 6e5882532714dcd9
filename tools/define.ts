import { z } from 'zod';
import type { App } from '../src/app.ts';
import type { FaultKey } from '../src/errors.ts';
import type { NewFile } from '../src/files/files.ts';
import type { Caller, Scope } from '../src/identity/caller.ts';
import type { Locale } from '../src/language.ts';
import type { HooksPlan } from '../src/plans.ts';
import type { Log } from '../src/platform/log.ts';
import type { RateName } from '../src/platform/rates.ts';
import type { RateState } from '../src/rate-limits/rate-limits.ts';
import type { Delivered } from './delivered.ts';

/** What a call does to the account: the MCP hints, the status of the answer and the need for idempotency follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'external';

export type Toolset =
  | 'templates'
  | 'videos'
  | 'hooks'
  | 'sync'
  | 'account'
  | 'billing'
  | 'jobs'
  | 'meta'
  | 'plugins';

/** `mcp` is every form of it: over HTTP, over stdio, and through run_tool. */
type Door = 'rest' | 'mcp';

/** Documented REST form, `{name}` for path parameters: `GET /v1/templates/{name}`. */
export type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** Everything a run may use besides its input. Doors make it; domains are handed only the parts they need. */
export type Call = {
  readonly app: App;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly requestId: string;
  readonly locale: Locale;
  /** Address of the server as the caller reaches it, without a slash at the end. */
  readonly baseUrl: string;
  /** Tells a waiting client how far the work is; does nothing where the door cannot show it. */
  readonly progress: (done: number, total: number, message: string) => void;
  /** Hands a waiting client a piece of text as it is written; does nothing where the door cannot show it. */
  readonly text: (piece: string) => void;
  /** Tells a client that listens to the work one of the tool's `events`; absent where nobody can hear it. */
  readonly event?: (name: string, data: unknown) => void;
  /** Hears how the caller stands with the limit of this call, allowed or not. */
  readonly limited?: (state: RateState) => void;
  /** A model makes the call: what reaches the shop of a person wants a plan that the person has seen. */
  readonly byModel?: true;
  /** The job this call is an attempt of. */
  readonly jobId?: string;
  /** Gives the caller a file, in the way its door can take one. */
  readonly deliver: (file: NewFile) => Promise<Delivered>;
  /** Where a top-level input field came from, for the `loc` of a validation error. */
  readonly sourceOf: (field: string) => 'path' | 'query' | 'body' | 'arguments';
  readonly idempotencyKey?: string;
  /**
   * Names the effect of a call with an idempotency key, or of a job: who makes it knows by this what an earlier attempt
   * did that was cut off before it could answer.
   */
  readonly effectKey?: string;
  /** Entity tags of which a write must still find one (`If-Match`). */
  readonly ifMatch?: readonly string[];
};

/** A call that runs as a test through every door, and stands in the documents. */
export type Example = {
  readonly title: string;
  /**
   * Calls to make first, in order: [tool, input]. In the inputs after it, `<connect_store.id>` stands for the field `id` of
   * the answer of the call of that tool.
   */
  readonly given?: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  /** The `id` in the input stands for this field in the answer of the last call of `given`. */
  readonly givenId?: 'id' | 'generation_id';
  /** The last call of `given` made a link to pay at: whoever runs the example pays there first. */
  readonly paid?: true;
  /** The plan of the account for hooks, where the free one does not reach. */
  readonly plan?: HooksPlan;
  /** The `id` in the input stands for that of a waiting job of the caller's, which whoever runs the example makes first. */
  readonly givenJob?: true;
  readonly input: Readonly<Record<string, unknown>>;
};

type RestFields = Readonly<Record<string, z.ZodType>>;

type ToolSpec<Input extends z.ZodObject, Output extends z.ZodType, Rest extends RestFields> = {
  /** verb_noun, at most 48 characters; also the name of the file, the test and the anchor in the documents. */
  readonly name: string;
  readonly title: string;
  /** For a person and for a model: what it does, when not to use it. At most 400 characters. */
  readonly description: string;
  readonly toolset: Toolset;
  /** In the default MCP list. */
  readonly core?: boolean;
  readonly effect: Effect;
  readonly scope: Scope | 'any';
  /** Answers callers without a credential too, where one is otherwise required: as an anonymous visitor. */
  readonly anonymous?: true;
  /** The doors it can be called through; all when absent. Answers that hold a secret keep out of `mcp`, where a model reads them. */
  readonly doors?: readonly Door[];
  /** How often an account may call it; follows from the effect when absent. */
  readonly rate?: RateName;
  /** So many calls of its rate a call counts as; one when absent. */
  readonly cost?: (input: z.output<Input>) => number;
  readonly route?: Route;
  /** Where a status other than the effect's own is documented (201 for create, else 200). */
  readonly status?: number;
  /** Of what makes something or replaces it: whether the answer is of something new, which is 201 too. */
  readonly created?: (output: z.output<Output>) => boolean;
  readonly input: Input;
  /** REST ignores fields the input does not name, where a document says so. */
  readonly open?: true;
  /** More fields that only REST takes, such as a secret, which has no place in a model's context. All are optional. */
  readonly restInput?: Rest;
  /** Fields whose absence, or whose blank text, is a fault of its own. */
  readonly missing?: Readonly<Record<string, FaultKey>>;
  readonly output: Output;
  readonly run: (
    input: z.output<Input> & { readonly [Field in keyof Rest]?: z.output<Rest[Field]> | undefined },
    call: Call,
  ) => Promise<Frozen<z.input<Output>>>;
  /** The output is a `page` that REST answers as a plain array, with the next page's address in a `Link` header. */
  readonly list?: true;
  /** What a model reads, when the JSON of the output would be too long or too dull. */
  readonly view?: (output: z.output<Output>) => string;
  /** Entity tag of the answer, without quotes. */
  readonly etag?: (output: z.output<Output>) => string | undefined;
  /** The answer is about one file handed to `call.deliver`: a REST client that does not ask for JSON gets its bytes. */
  readonly delivers?: boolean;
  /**
   * The work can outlive a request: a REST client that sends `Prefer: respond-async` gets a job at once, and the call is
   * made in the background, at least once, with the rights the caller has both then and now.
   */
  readonly job?: boolean;
  /**
   * What the operation tells while it works, by `call.event`: a REST client that asks for `text/event-stream` hears these,
   * then `done` with the answer or `error` with the problem. The text says when each comes.
   */
  readonly events?: Readonly<Record<string, string>>;
  /** What of the answer is kept for a repeat with the same idempotency key, where the whole holds a secret. */
  readonly keep?: (output: z.output<Output>) => Frozen<z.input<Output>>;
  /** Bodies other than JSON by media type, for a REST client that asks for one in `Accept`. */
  readonly formats?: Readonly<Record<string, (output: z.output<Output>) => string>>;
  /**
   * The newline-delimited form of the operation: a REST call with `Content-Type: application/x-ndjson` sends the rest
   * of the input in the query and one value a line, and gets one value a line back while it is still sending.
   */
  readonly lines?: {
    readonly input: z.ZodObject;
    readonly run: (input: never, rows: AsyncIterable<unknown>, call: Call) => AsyncIterable<unknown>;
  };
  /**
   * The operation takes a file: a REST call whose body is one of this media type sends the rest of the input in the
   * query, and the field gets the file in base64.
   */
  readonly upload?: {
    readonly mediaType: string;
    readonly field: string;
    /** Throws the Fault that says the bytes are no such file. */
    readonly demand: (bytes: Buffer) => void;
  };
  readonly examples: readonly Example[];
};

// An answer is only read from here on, so lists the domain hands out as read-only are welcome.
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** A tool whose input and output types are hidden, as registries and doors hold it. */
export type Tool = Omit<
  ToolSpec<z.ZodObject, z.ZodType, RestFields>,
  'run' | 'cost' | 'created' | 'view' | 'etag' | 'keep' | 'formats'
> & {
  readonly run: (input: never, call: Call) => Promise<unknown>;
  readonly cost?: (input: never) => number;
  readonly created?: (output: never) => boolean;
  readonly view?: (output: never) => string;
  readonly etag?: (output: never) => string | undefined;
  readonly keep?: (output: never) => unknown;
  readonly formats?: Readonly<Record<string, (output: never) => string>>;
};

/**
 * Defines one operation: REST, MCP, OpenAPI and the documents follow from this object alone. A field the input does not
 * name is refused, on every door that does not say otherwise.
 */
export function defineTool<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Rest extends RestFields = Readonly<Record<never, never>>,
>(tool: ToolSpec<Input, Output, Rest>): Tool {
  const { lines } = tool;
  return {
    ...tool,
    input: tool.input.strict(),
    ...(lines && { lines: { ...lines, input: lines.input.strict() } }),
  };
}

/** The tool as REST has it: with the fields that only REST takes. */
export function restForm(tool: Tool): Tool {
  const { restInput, open } = tool;
  const input = restInput ? tool.input.extend(restInput).partial(optional(restInput)) : tool.input;
  return { ...tool, input: open ? input.strip() : input };
}

/** The mask that makes fields optional. */
function optional(fields: RestFields): Record<string, true> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, true]));
}

/** What every deletion answers. */
export const Deleted = z.object({ deleted: z.literal(true) });
