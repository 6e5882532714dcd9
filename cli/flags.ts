import { readFile, stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { closest } from '../src/platform/closest.ts';
import { aliasesOf } from '../tools/contract/aliases.ts';
import type { RestTool } from '../tools/contract/define.ts';
import { type JsonSchema, toJsonSchema } from '../tools/contract/json-schema.ts';
import { isObject } from './is-object.ts';
import { LocalFile } from './request.ts';
import { UsageError } from './usage-error.ts';

/** A field of an operation as a flag: `on_missing` is `--on-missing`. */
export type Flag = {
  readonly field: string;
  readonly flag: string;
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'json';
  readonly required: boolean;
  readonly description: string;
  readonly choices: readonly string[];
  readonly fallback: unknown;
};

/** What every command takes beside the fields of its operation. */
export const COMMON_FLAGS = {
  json: { type: 'boolean', text: 'Print the response as JSON' },
  out: { type: 'string', text: 'Write the file, or the response, to FILE (- for standard output)' },
  wait: { type: 'boolean', text: 'Wait until the work has finished' },
  'dry-run': {
    type: 'boolean',
    text: 'Only plan, if the operation can; otherwise, show the request and send nothing',
  },
  yes: { type: 'boolean', text: 'Do not ask before something that cannot be undone' },
  server: { type: 'string', text: 'Address of the server' },
  token: { type: 'string', text: 'API key or session token' },
  account: { type: 'string', text: 'ID of the account to work in' },
  help: { type: 'boolean', text: 'Show help' },
} as const;

export type Common = {
  readonly [Name in keyof typeof COMMON_FLAGS]?: (typeof COMMON_FLAGS)[Name]['type'] extends 'boolean'
    ? boolean
    : string;
};

export type CommandLine = { readonly common: Common; readonly input: Readonly<Record<string, unknown>> };

/** Where `@file` and `-` of a flag are read from. */
export type Sources = { readonly stdin: AsyncIterable<Buffer | string> };

/** The flags that help shows. */
export function flagsOf(tool: RestTool): readonly Flag[] {
  const { properties = {}, required = [] } = toJsonSchema(tool.input, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([field, schema]) => ({
    field,
    flag: field.replaceAll('_', '-'),
    kind: kindOf(schema),
    required: required.includes(field),
    description: isFileField(tool, field)
      ? '@FILE sends the file itself'
      : String(schema['description'] ?? ''),
    choices: choicesOf(schema),
    fallback: schema['default'],
  }));
}

/** The values that a field takes, or each item of a list. */
function choicesOf({ enum: values, items }: JsonSchema): readonly string[] {
  if (Array.isArray(values)) return values.map(String);
  return isObject(items) ? choicesOf(items) : [];
}

/** True for a field in whose place the file itself can be the body. */
function isFileField({ rest: { upload } }: RestTool, field: string): boolean {
  return upload?.mediaType === '*/*' && upload.field === field;
}

function kindOf({ type, items }: JsonSchema): Flag['kind'] {
  if (type === 'string' || type === 'boolean') return type === 'string' ? 'text' : 'boolean';
  if (type === 'integer' || type === 'number') return 'number';
  const ofObjects = typeof items === 'object' && items !== null && Reflect.get(items, 'type') === 'object';
  return type === 'array' && !ofObjects ? 'list' : 'json';
}

/** Flags by another name of their field, such as `--id` for `--job-id`: taken, and not shown. */
function otherFlagsOf(tool: RestTool, flags: readonly Flag[]): readonly Flag[] {
  return Object.entries(aliasesOf(tool)).flatMap(([alias, field]) => {
    const flag = flags.find((one) => one.field === field);
    return flag ? [{ ...flag, field: alias, flag: alias.replaceAll('_', '-') }] : [];
  });
}

/** The fields that words without a flag fill, in order: those of the path, then required texts and a file. */
export function positionalsOf(tool: RestTool): readonly Flag[] {
  const flags = flagsOf(tool);
  const path = [...tool.rest.route.matchAll(/\{(\w+)\}/g)].map(([, field]) => field);
  const inPath = flags.filter(({ field }) => path.includes(field));
  const others = flags.filter(
    ({ field, kind, required }) =>
      !path.includes(field) &&
      ((required && (kind === 'text' || kind === 'number')) || isFileField(tool, field)),
  );
  const found = [...inPath, ...others];
  if (found.length > 0) return found;
  // `render_template welcome`: the thing itself, where it may be left out.
  return flags.filter(({ field }) => tool.name.endsWith(`_${field}`)).slice(0, 1);
}

/**
 * The words of a command line as the input of its operation. `@file` is the content of a file, `-` standard input, `@@` a
 * text that begins with @; `--data.name Ana` sets one member of an object.
 * @throws UsageError naming the flag
 */
export async function readCommandLine(
  tool: RestTool,
  words: readonly string[],
  sources: Sources,
): Promise<CommandLine> {
  const shown = flagsOf(tool);
  const flags = [...shown, ...otherFlagsOf(tool, shown)];
  const { values, positionals } = parse(words, flags);
  const common: Record<string, unknown> = {};
  const input: Record<string, unknown> = {};
  for (const [name, given] of Object.entries(values)) {
    if (name in COMMON_FLAGS) common[name] = name === 'dry-run' ? true : last(given);
    const [head = '', ...path] = name.split('.');
    const flag = flags.find((one) => one.flag === head);
    if (!flag) continue;
    if (path.length > 0)
      setMember(input, flag.field, path, await jsonOrText(String(last(given)), name, sources));
    else input[flag.field] = mergeMembers(input[flag.field], await readValue(flag, given, tool, sources));
  }
  for (const [alias, field] of Object.entries(aliasesOf(tool))) {
    // Where both are there, the server compares them.
    if (!(alias in input) || field in input) continue;
    input[field] = input[alias];
    delete input[alias];
  }
  await fillPositionals(input, positionals, tool, sources);
  return { common: common as Common, input };
}

type Given = string | boolean | (string | boolean)[];

function parse(words: readonly string[], flags: readonly Flag[]) {
  const known: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = {};
  for (const [name, { type }] of Object.entries(COMMON_FLAGS)) known[name] = { type };
  for (const { flag, kind } of flags)
    known[flag] = kind === 'boolean' ? { type: 'boolean' } : { type: 'string', multiple: true };
  for (const { kind, flag } of flags)
    for (const word of words)
      if (kind === 'json' && word.startsWith(`--${flag}.`))
        known[word.slice(2).split('=')[0] ?? ''] = { type: 'string' };
  requireKnown(words, Object.keys(known));
  try {
    return parseArgs({
      args: [...words],
      options: { ...known, h: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
      allowNegative: true,
    }) as {
      values: Record<string, Given>;
      positionals: string[];
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** @throws UsageError that names a flag which is not known, and the nearest that is */
export function requireKnown(words: readonly string[], known: readonly string[]): void {
  const end = words.indexOf('--');
  for (const word of end === -1 ? words : words.slice(0, end)) {
    const [, name] = /^--([^=]+)/.exec(word) ?? [];
    if (
      name === undefined ||
      known.includes(name.replaceAll('_', '-')) ||
      known.includes(name.replace(/^no-/, ''))
    )
      continue;
    const near = closest(name, known);
    const hint = near === undefined ? '' : ` Did you mean --${near}?`;
    throw new UsageError(`Unknown flag --${name}.${hint}`);
  }
}

async function fillPositionals(
  input: Record<string, unknown>,
  words: readonly string[],
  tool: RestTool,
  sources: Sources,
): Promise<void> {
  const free = positionalsOf(tool).filter(({ field }) => !(field in input));
  const [extra] = words.slice(free.length);
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  for (const [index, word] of words.entries()) {
    const flag = free[index];
    if (flag) input[flag.field] = await readValue(flag, word, tool, sources);
  }
}

async function readValue(flag: Flag, given: Given, tool: RestTool, sources: Sources): Promise<unknown> {
  if (typeof given === 'boolean') return given;
  const texts = [given].flat().map(String);
  if (flag.kind === 'list')
    return (await Promise.all(texts.map((text) => listOf(text, flag, sources)))).flat();
  const text = texts.at(-1) ?? '';
  if (flag.kind === 'json') return jsonOrText(text, flag.flag, sources);
  if (isFileField(tool, flag.field) && /^@[^@]/.test(text)) return localFile(text, flag.flag);
  const isUpload = tool.rest.upload?.field === flag.field;
  const said =
    isUpload && /^(@[^@]|-$)/.test(text)
      ? (await bytesOf(text, flag.flag, sources)).toString('base64')
      : await textOf(text, flag.flag, sources);
  return flag.kind === 'number' && said.trim() !== '' && Number.isFinite(Number(said)) ? Number(said) : said;
}

async function localFile(text: string, flag: string): Promise<LocalFile> {
  const path = text.slice(1);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new UsageError(`--${flag}: cannot read the file '${path}'.`);
  return new LocalFile(path);
}

async function listOf(text: string, { flag }: Flag, sources: Sources): Promise<unknown[]> {
  const said = await textOf(text, flag, sources);
  if (said.trimStart().startsWith('[')) return [parseJson(said, flag)].flat();
  return said
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

/** JSON where the text is some, else the text: `20mm` as well as `{"top": "20mm"}`. */
async function jsonOrText(text: string, flag: string, sources: Sources): Promise<unknown> {
  const said = await textOf(text, flag, sources);
  return /^\s*([[{"]|-?\d+(\.\d+)?\s*$|(true|false|null)\s*$)/.test(said) ? parseJson(said, flag) : said;
}

function parseJson(text: string, flag: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--${flag} is not valid JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function textOf(text: string, flag: string, sources: Sources): Promise<string> {
  if (text.startsWith('@@')) return text.slice(1);
  return text === '-' || text.startsWith('@') ? (await bytesOf(text, flag, sources)).toString('utf8') : text;
}

async function bytesOf(text: string, flag: string, { stdin }: Sources): Promise<Buffer> {
  if (text === '-') {
    const chunks: Buffer[] = [];
    for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks);
  }
  const path = text.slice(1);
  return readFile(path).catch(() => {
    throw new UsageError(`--${flag}: cannot read the file '${path}'.`);
  });
}

function setMember(
  input: Record<string, unknown>,
  field: string,
  path: readonly string[],
  value: unknown,
): void {
  const nested = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
  input[field] = mergeMembers(input[field], nested);
}

/** Members of both; of two values for one, the later. */
function mergeMembers(held: unknown, added: unknown): unknown {
  if (!isObject(held) || !isObject(added)) return added;
  const names = new Set([...Object.keys(held), ...Object.keys(added)]);
  return Object.fromEntries(
    [...names].map((name) => [name, name in added ? mergeMembers(held[name], added[name]) : held[name]]),
  );
}

function last(given: Given): string | boolean {
  return Array.isArray(given) ? (given.at(-1) ?? '') : given;
}
