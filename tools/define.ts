import { z } from 'zod';
import type { App } from '../src/app.ts';
import type { Caller, Scope } from '../src/identity/caller.ts';
import type { Locale } from '../src/language.ts';
import type { Log } from '../src/platform/log.ts';

/** What a call does to the account: the MCP hints, the status of the answer and the need for idempotency follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'external';

export type Toolset = 'templates' | 'meta' | 'plugins';

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
  /** Tells a waiting client how far the work is; does nothing where the door cannot show it. */
  readonly progress: (done: number, total: number, message: string) => void;
  /** Where a top-level input field came from, for the `loc` of a validation error. */
  readonly sourceOf: (field: string) => 'path' | 'query' | 'body' | 'arguments';
  readonly idempotencyKey?: string;
  /** Entity tags of which a write must still find one (`If-Match`). */
  readonly ifMatch?: readonly string[];
};

/** A call that runs as a test through every door, and stands in the documents. */
export type Example = {
  readonly title: string;
  /** Calls to make first, in order: [tool, input]. */
  readonly given?: readonly (readonly [string, Readonly<Record<string, unknown>>])[];
  readonly input: Readonly<Record<string, unknown>>;
};

type ToolSpec<Input extends z.ZodObject, Output extends z.ZodType> = {
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
  readonly route?: Route;
  /** Where a status other than the effect's own is documented (201 for create, else 200). */
  readonly status?: number;
  readonly input: Input;
  readonly output: Output;
  readonly run: (input: z.output<Input>, call: Call) => Promise<Frozen<z.input<Output>>>;
  /** What a model reads, when the JSON of the output would be too long or too dull. */
  readonly view?: (output: z.output<Output>) => string;
  /** Entity tag of the answer, without quotes. */
  readonly etag?: (output: z.output<Output>) => string | undefined;
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
  readonly examples: readonly Example[];
};

// An answer is only read from here on, so lists the domain hands out as read-only are welcome.
type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** A tool whose input and output types are hidden, as registries and doors hold it. */
export type Tool = Omit<ToolSpec<z.ZodObject, z.ZodType>, 'run' | 'view' | 'etag' | 'formats'> & {
  readonly run: (input: never, call: Call) => Promise<unknown>;
  readonly view?: (output: never) => string;
  readonly etag?: (output: never) => string | undefined;
  readonly formats?: Readonly<Record<string, (output: never) => string>>;
};

/**
 * Defines one operation: REST, MCP, OpenAPI and the documents follow from this object alone. A field the input does not
 * name is refused, on every door.
 */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodType>(
  tool: ToolSpec<Input, Output>,
): Tool {
  const { lines } = tool;
  return {
    ...tool,
    input: tool.input.strict(),
    ...(lines && { lines: { ...lines, input: lines.input.strict() } }),
  };
}

/** What every deletion answers. */
export const Deleted = z.object({ deleted: z.literal(true) });
