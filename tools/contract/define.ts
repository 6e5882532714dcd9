import { z } from 'zod';
import type { App } from '../../src/app.ts';
import type { FaultKey } from '../../src/errors.ts';
import type { FileOnDisk, NewFile } from '../../src/files/files.ts';
import type { Caller, Scope } from '../../src/identity/caller.ts';
import type { Reader } from '../../src/language.ts';
import type { Log } from '../../src/platform/log.ts';
import type { RateName } from '../../src/platform/rates.ts';
import type { RateState } from '../../src/rate-limits/rate-limits.ts';
import type { CallInput } from '../../src/voice.ts';
import type { Delivered } from './delivered.ts';
import type { Asked, Question } from './require-confirmed.ts';

/** What a call does to the account: the MCP hints, the status of the answer and the need for idempotency follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'external';

type Toolset =
  | 'templates'
  | 'assets'
  | 'brand'
  | 'videos'
  | 'hooks'
  | 'sync'
  | 'account'
  | 'billing'
  | 'jobs'
  | 'webhooks'
  | 'blog'
  | 'meta'
  | 'plugins';

/** Documented REST form, `{field}` for path parameters: `GET /v1/templates/{template}`. */
type Route = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** Everything a run may use besides its input. Transports create it; domains get only what they need. */
export type Call = Reader & {
  readonly app: App;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly requestId: string;
  /** Address of the server as the caller reaches it, without a slash at the end. */
  readonly baseUrl: string;
  /** Reports progress to a waiting client; does nothing where the transport cannot show it. */
  readonly progress: (done: number, total: number, message: string) => void;
  /** Streams a piece of text to a waiting client; does nothing where the transport cannot show it. */
  readonly text: (piece: string) => void;
  /** Sends one of the tool's `events` to a client that listens; absent where no client can. */
  readonly event?: (name: string, data: unknown) => void;
  /** Receives the state of the caller's rate limit, whether the call is allowed or not. */
  readonly limited?: (state: RateState) => void;
  /** A model makes the call: changes to a shop need a plan that a person has seen. */
  readonly byModel?: true;
  /**
   * Asks the person for whom the model calls, and returns once they have agreed. Absent if the connection can't
   * reach a person. @throws Fault confirmation_required, and what leaves the call until there is an answer
   */
  readonly ask?: (asked: Asked) => Promise<void>;
  /** Whether the conversation may use a tool, by the selections of operator and client; absent: every tool. */
  readonly reaches?: (tool: Tool) => boolean;
  /** The job this call is an attempt of. */
  readonly jobId?: string;
  /** Hands the caller a file, in the way its transport can take one. One on disk may be removed after. */
  readonly deliver: (file: NewFile | FileOnDisk) => Promise<Delivered>;
  /** Where a top-level input field came from, for the `loc` of a validation error. */
  readonly sourceOf: (field: string) => 'path' | 'query' | 'body' | 'arguments';
  readonly idempotencyKey?: string;
  /** The file that was sent as the body; it is there until the call ends. */
  readonly upload?: { readonly path: string };
  /**
   * Names the effect of a call with an idempotency key, or of a job: by it, a later attempt recognizes what an
   * interrupted earlier one has done.
   */
  readonly effectKey?: string;
  /** Entity tags (`If-Match`); the resource must still have one of them, or the write is rejected. */
  readonly ifMatch?: readonly string[];
};

/** A call that runs as a test over every transport, and is shown in the documents. */
export type Example = {
  readonly title: string;
  /**
   * Calls to make first, in order: [tool, input]. In the inputs after it, `<connect_store.id>` is the field `id` that the
   * call of that tool returned.
   */
  readonly given?: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly input: Readonly<Record<string, unknown>>;
};

type ExtraFields = Readonly<Record<string, z.ZodType>>;

/** How REST serves the operation. */
type RestSpec<Output extends z.ZodType, Extra extends ExtraFields> = {
  readonly route: Route;
  /** Set where a status other than the effect's is documented (201 for create, else 200). */
  readonly status?: number;
  /** For an operation that creates or replaces: true when the output is new, which is 201 too. */
  readonly created?: (output: z.output<Output>) => boolean;
  /** The output is a `page`: REST returns a plain array, with the next page's address in a `Link` header. */
  readonly list?: true;
  /** Entity tag of the response, without quotes. */
  readonly etag?: (output: z.output<Output>) => string | undefined;
  /** Ignore fields the input does not name, where a document says so. Otherwise they are rejected. */
  readonly ignoresUnknownFields?: true;
  /** More fields that only REST accepts, such as a secret, which must not enter a model's context. All are optional. */
  readonly extraInput?: Extra;
  /** The output describes one file handed to `call.deliver`: a client that does not ask for JSON gets its bytes. */
  readonly sendsFile?: boolean;
  /** Bodies other than JSON by media type, for a client that asks for one in `Accept`. */
  readonly formats?: Readonly<Record<string, (output: z.output<Output>) => string>>;
  /**
   * Server-sent events besides `progress`, `text`, `done` and `error`, by name; the text says when each is sent. The
   * operation sends them with `call.event` to a client that asks for `text/event-stream`.
   */
  readonly events?: Readonly<Record<string, string>>;
  /**
   * The newline-delimited form: with `Content-Type: application/x-ndjson` the rest of the input is in the query, the
   * body has one value a line, and the response has one value a line while the body is still being sent.
   */
  readonly lines?: {
    readonly input: z.ZodObject;
    readonly run: (input: never, rows: AsyncIterable<unknown>, call: Call) => AsyncIterable<unknown>;
  };
  /** The parameter at the end of the route that may have slashes in it. */
  readonly wildcard?: string;
  /**
   * A body of this media type is a file: the rest of the input is in the query, `field` gets its SHA-256, and `call.upload`
   * has the file itself. With the media type for all types, every body but JSON is one.
   */
  readonly upload?: {
    readonly mediaType: string;
    readonly field: string;
    /** In bytes. */
    readonly limit: number;
    /** Throws a Fault when the first four bytes are not of such a file. */
    readonly check: (beginning: Buffer) => void;
    /** How many an account may send at the same time; 1 by default. */
    readonly concurrency?: number;
  };
};

/** A call as the reader makes it. */
export type SayCall = (tool: string, input?: CallInput) => string;

/** The apps that show results to a person, in clients that can show apps. */
export type AppName = 'mail' | 'diff' | 'video' | 'hooks' | 'sync';

/** An operation that only apps call when a person clicks; models do not see it. */
type ForApps = {
  readonly visibility?: readonly ['app'];
  /**
   * Of such a tool: the tool for models that does the same, or more. Where a conversation may not use that one, an app in it
   * may not use this one. A server cannot see a click: the input says what the person was shown, and a call is refused when
   * that has changed since.
   */
  readonly standsFor?: string;
};

/** How a model sees the operation. */
type McpSpec<Output extends z.ZodType> = ForApps & {
  /** True when the tool is in the default list. */
  readonly core?: boolean;
  /** What the model gets in place of the output, where that would be too long or hard to read: data, as the output is. */
  readonly view?: (output: z.output<Output>) => string | object;
  /** The next step, in our own words: it never contains output that someone else wrote. */
  readonly next?: (output: z.output<Output>, say: SayCall) => string | undefined;
  /** True where the answer is the product's own words, so that a model may follow them. */
  readonly own?: true;
  /** Of a tool that calls another one: which one, and what that answered. */
  readonly through?: (output: z.output<Output>) => Through;
  /** The app that shows the result, and the ID of what it shows, where the input does not name that. */
  readonly app?: { readonly name: AppName; readonly id?: (output: z.output<Output>) => string | null };
};

type Through = { readonly tool: Tool; readonly output: unknown };

type ToolSpec<Input extends z.ZodObject, Output extends z.ZodType, Extra extends ExtraFields> = {
  /** verb_noun, at most 48 characters; also the name of the file, the test and the anchor in the documents. */
  readonly name: string;
  readonly title: string;
  /** For people and models: what it does, what it returns, when to use another tool. At most 300 characters. */
  readonly description: string;
  /** Words and phrases that people say for it and that its texts lack, in both languages: search_tools finds it by them. */
  readonly keywords?: { readonly en: readonly string[]; readonly es: readonly string[] };
  readonly toolset: Toolset;
  readonly effect: Effect;
  readonly scope: Scope | 'any';
  /**
   * Set for operations that can't be undone, spend money, or change who may do what. A model gets the address
   * of `page`, where a person does it; a session must be fresh; an API key needs the scope, which no key has
   * unless asked for by name. `when` limits it to some inputs, which then need `scope` too.
   */
  readonly dangerous?: {
    readonly page: `/${string}`;
    /** The message that a model gets instead of the usual refusal, if that would not help it. */
    readonly told?: FaultKey;
    readonly scope?: Scope;
    readonly when?: (
      input: z.output<Input> & { readonly [Field in keyof Extra]?: z.output<Extra[Field]> | undefined },
    ) => boolean;
  };
  /**
   * What a person is asked before a model's call takes effect: what it would change, as far as that is known. Undefined where
   * the call is none of those that need it, such as a dry run. It changes nothing itself.
   */
  readonly confirm?: (input: z.output<Input>, call: Call) => Promise<Question | undefined>;
  /** Also accepts calls without a credential where one is otherwise required: as an anonymous caller. */
  readonly anonymous?: true;
  /** Also works in a deleted account, which rejects every other call. */
  readonly whileDeleted?: true;
  /** Which limit of calls per account applies; follows from the effect by default. */
  readonly rate?: RateName;
  /** How many calls of that limit one call counts as; 1 by default. */
  readonly cost?: (input: z.output<Input>) => number;
  readonly input: Input;
  /** Other names that callers may give fields, besides those in tools/contract/aliases.ts: `{ template: 'name' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Fields whose absence, or whose blank text, has its own fault. */
  readonly missing?: Readonly<Record<string, FaultKey>>;
  readonly output: Output;
  readonly run: (
    input: z.output<Input> & { readonly [Field in keyof Extra]?: z.output<Extra[Field]> | undefined },
    call: Call,
  ) => Promise<Frozen<z.input<Output>>>;
  /**
   * The work can outlive a request: a REST client that sends `Prefer: respond-async` gets a job immediately. The call runs
   * in the background, at least once, with the rights the caller had then and still has. Where a person is asked by the task
   * of a model, the run ends with `call.ask` and begins again with the answer.
   */
  readonly job?: boolean;
  /** Of a tool that runs others: the one that a call with this input runs, and its input. */
  readonly inner?: (input: unknown) => { readonly tool: Tool; readonly input: unknown } | undefined;
  /** Of a tool that reads: the field with which it writes a file on the user's machine. What only reads refuses it. */
  readonly savesWith?: string;
  /** Whether a call with this input uses what only the process has that received it, such as its folders. */
  readonly needsThisProcess?: (input: unknown) => boolean;
  /** Absent: only other tools reach the operation. */
  readonly rest?: RestSpec<Output, Extra>;
  /** False where the output holds a secret, which must not enter a model's context. */
  readonly mcp?: McpSpec<Output> | false;
  readonly idempotency?: {
    /** The part of the output to keep for a repeated call with the same key, where the whole holds a secret. */
    readonly keep: (output: z.output<Output>) => Frozen<z.input<Output>>;
  };
  readonly examples: readonly Example[];
};

// An answer is only read from here on, so lists the domain hands out as read-only are welcome.
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** A tool whose input and output types are erased, as registries and transports hold it. */
export type Tool = Omit<
  ToolSpec<z.ZodObject, z.ZodType, ExtraFields>,
  'run' | 'cost' | 'confirm' | 'dangerous' | 'rest' | 'mcp' | 'idempotency'
> & {
  readonly run: (input: never, call: Call) => Promise<unknown>;
  readonly confirm?: (input: never, call: Call) => Promise<Question | undefined>;
  readonly dangerous?: {
    readonly page: `/${string}`;
    /** The message that a model gets instead of the usual refusal, if that would not help it. */
    readonly told?: FaultKey;
    readonly scope?: Scope;
    readonly when?: (input: never) => boolean;
  };
  readonly cost?: (input: never) => number;
  readonly rest?: Omit<RestSpec<z.ZodType, ExtraFields>, 'created' | 'etag' | 'formats'> & {
    readonly created?: (output: never) => boolean;
    readonly etag?: (output: never) => string | undefined;
    readonly formats?: Readonly<Record<string, (output: never) => string>>;
  };
  readonly mcp?:
    | (ForApps & {
        readonly core?: boolean;
        readonly view?: (output: never) => string | object;
        readonly next?: (output: never, say: SayCall) => string | undefined;
        readonly own?: true;
        readonly through?: (output: never) => Through;
        readonly app?: { readonly name: AppName; readonly id?: (output: never) => string | null };
      })
    | false;
  readonly idempotency?: { readonly keep: (output: never) => unknown };
};

/** A tool that still knows what it takes and returns: the web client's types follow from it. */
export type DefinedTool<Input extends z.ZodObject, Output extends z.ZodType> = Omit<
  Tool,
  'input' | 'output'
> & {
  readonly input: Input;
  readonly output: Output;
};

/**
 * Defines one operation: REST, MCP, OpenAPI and the documents follow from this object alone. A field the input does not
 * name is rejected on every transport, unless `rest.ignoresUnknownFields` says otherwise.
 */
export function defineTool<
  Input extends z.ZodObject,
  Output extends z.ZodType,
  Extra extends ExtraFields = Readonly<Record<never, never>>,
>(tool: ToolSpec<Input, Output, Extra>): DefinedTool<NoInfer<Input>, NoInfer<Output>> {
  const { rest } = tool;
  return {
    ...tool,
    // As strict as it is, it takes and returns the same fields.
    input: tool.input.strict() as z.ZodObject as Input,
    ...(rest?.lines && { rest: { ...rest, lines: { ...rest.lines, input: rest.lines.input.strict() } } }),
  };
}

/** A tool that REST serves. */
export type RestTool = Tool & { readonly rest: NonNullable<Tool['rest']> };

export function hasRest(tool: Tool): tool is RestTool {
  return tool.rest !== undefined;
}

/** The tool as REST calls it: with the fields that only REST accepts. */
export function restForm(tool: RestTool): RestTool {
  const { extraInput, ignoresUnknownFields } = tool.rest;
  const input = extraInput ? tool.input.extend(extraInput).partial(optional(extraInput)) : tool.input;
  return { ...tool, input: ignoresUnknownFields ? input.strip() : input };
}

/** The mask that makes fields optional. */
function optional(fields: ExtraFields): Record<string, true> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, true]));
}

/** What every deletion answers. */
export const Deleted = z.object({ deleted: z.literal(true) });
