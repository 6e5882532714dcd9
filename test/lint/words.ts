import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { toJsonSchema } from '../../tools/contract/json-schema.ts';
import { productRegistry } from '../../tools/index.ts';
import { RETIRED_WORDS, type Scope } from './retired-words.ts';

/** A piece of text of the product, and where it is. */
export type Text = { readonly scope: Scope; readonly where: string; readonly text: string };

/** One sentence for each retired word in the texts: where it is, and what to write in its place. */
export function retiredWordsIn(texts: readonly Text[]): string[] {
  return texts.flatMap(({ scope, where, text }) =>
    RETIRED_WORDS.filter(({ scopes, pattern }) => scopes.includes(scope) && pattern.test(text)).map(
      ({ pattern, use }) => `${where}: "${pattern.exec(text)?.[0]}" is retired. Use: ${use}.`,
    ),
  );
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every text of the repository that a person or a model reads, and every name in its code. */
export function productTexts(): Text[] {
  return [
    ...messages('en', 'messages'),
    ...messages('es', 'messages_es'),
    ...messages('web/en', 'messages'),
    ...messages('web/es', 'messages_es'),
    ...toolTexts(),
    ...docs(),
    ...code(),
  ];
}

function messages(locale: string, scope: Scope): Text[] {
  const file = `locales/${locale}.json`;
  return stringsIn(JSON.parse(readFileSync(join(ROOT, file), 'utf8')), file, scope);
}

function toolTexts(): Text[] {
  return productRegistry().tools.flatMap((tool) => {
    const { name, title, description, rest } = tool;
    const schemas = [tool.input, tool.output].map((schema) => descriptionsIn(toJsonSchema(schema, 'input')));
    const texts = [title, description, ...Object.values(rest?.events ?? {}), ...schemas.flat()];
    return texts.map((text) => ({ scope: 'tools' as const, where: `tool ${name}`, text }));
  });
}

function descriptionsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string' ? [value] : descriptionsIn(value),
  );
}

function docs(): Text[] {
  const files = ['README.md', ...filesUnder('docs', '.md')].filter((file) => file !== 'docs/glossary.md');
  return files.flatMap((file) =>
    lines(file).map((text, at) => ({ scope: 'docs', where: `${file}:${at + 1}`, text })),
  );
}

function code(): Text[] {
  const folders = ['src', 'tools', 'http', 'cli', 'web', 'test', 'bench'];
  const files = folders.flatMap((folder) => [...filesUnder(folder, '.ts'), ...filesUnder(folder, '.tsx')]);
  return files.filter((file) => file !== 'test/lint/retired-words.ts').flatMap(textsOfCode);
}

function textsOfCode(file: string): Text[] {
  const source = readFileSync(join(ROOT, file), 'utf8');
  const { program, comments } = parseSync(file, source);
  const where = (offset: number) => `${file}:${source.slice(0, offset).split('\n').length}`;
  const names = new Map<string, number>();
  collectNames(program, names);
  return [
    ...comments.map(({ value, start }) => ({
      scope: 'comments' as const,
      where: where(start),
      text: value.replace(/\s*\n\s*\*?\s*/g, ' '),
    })),
    ...[...names].map(([text, start]) => ({ scope: 'names' as const, where: where(start), text })),
  ];
}

/** Every identifier with the offset where it is first used. */
function collectNames(node: unknown, names: Map<string, number>): void {
  if (Array.isArray(node)) {
    for (const item of node) collectNames(item, names);
    return;
  }
  if (typeof node !== 'object' || node === null) return;
  const { type, name, start } = node as {
    readonly type?: string;
    readonly name?: unknown;
    readonly start?: number;
  };
  if (type === 'Identifier' && typeof name === 'string' && !names.has(name)) names.set(name, start ?? 0);
  for (const value of Object.values(node)) collectNames(value, names);
}

function stringsIn(value: unknown, where: string, scope: Scope): Text[] {
  if (typeof value === 'string') return [{ scope, where, text: value }];
  return Object.entries(value ?? {}).flatMap(([key, inside]) => stringsIn(inside, `${where} ${key}`, scope));
}

function filesUnder(folder: string, ending: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules'))
    .map((name) => relative(ROOT, join(ROOT, folder, name)))
    .sort();
}

function lines(file: string): string[] {
  return readFileSync(join(ROOT, file), 'utf8').split('\n');
}

if (import.meta.main) {
  const found = retiredWordsIn(productTexts());
  for (const sentence of found) process.stderr.write(`${sentence}\n`);
  if (found.length > 0) process.exitCode = 1;
}
