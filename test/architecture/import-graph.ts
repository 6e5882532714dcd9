import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join, posix } from 'node:path';
import { type ParseResult, parseSync } from 'oxc-parser';
import type { SourceFile } from './openings.ts';

/** One file importing another, or a package. */
export type Import = {
  /** Path from the root of the repository. */
  readonly from: string;
  /** The same, or the name of a package. */
  readonly to: string;
  readonly kind: 'file' | 'package';
  /** True when the import is gone at run time: `import type`, or only names marked `type`. */
  readonly typeOnly: boolean;
};

/** Every import of every TypeScript file under the folders, except what belongs to Node itself. */
export async function importGraph(root: string, folders: readonly string[]): Promise<Import[]> {
  return (await readSources(root, folders)).flatMap(({ path, text }) => importsOf(path, text));
}

/** Every TypeScript file under the folders, by its path from the root of the repository. */
export async function readSources(root: string, folders: readonly string[]): Promise<SourceFile[]> {
  const sources = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true });
      const paths = entries.filter((name) => /\.tsx?$/.test(name)).map((name) => posix.join(folder, name));
      return Promise.all(
        paths.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })),
      );
    }),
  );
  return sources.flat();
}

/** What a file of this path and text imports, statically, dynamically and in types. */
export function importsOf(file: string, text: string): Import[] {
  const parsed = parseSync(file, text);
  const found = importsOfModule(parsed, text);
  // The whole tree of a file takes most of the time, and few files have such a type.
  for (const specifier of /\bimport\s*\(/.test(text) ? importTypes(parsed.program) : []) {
    if (!found.has(specifier)) found.set(specifier, true);
  }
  return [...found].flatMap(([specifier, typeOnly]) => resolve(file, specifier, typeOnly));
}

/** The files that a file of this path and text loads when it runs. Faster than `importsOf`, since no types are looked for. */
export function filesLoadedBy(file: string, text: string): string[] {
  const found = [...importsOfModule(parseSync(file, text), text)];
  const loaded = found.flatMap(([specifier, typeOnly]) =>
    typeOnly ? [] : resolve(file, specifier, typeOnly),
  );
  return loaded.filter(({ kind }) => kind === 'file').map(({ to }) => to);
}

/** Every specifier of a static or dynamic import or export, and whether all its imports are of types. */
function importsOfModule({ module }: ParseResult, text: string): Map<string, boolean> {
  const found = new Map<string, boolean>();
  const add = (specifier: string, typeOnly: boolean) =>
    found.set(specifier, typeOnly && (found.get(specifier) ?? true));
  for (const { moduleRequest, entries } of module.staticImports) {
    // An import without names runs the module.
    add(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType));
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) if (moduleRequest) add(moduleRequest.value, isType);
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = text.slice(moduleRequest.start, moduleRequest.end);
    if (/^['"]/.test(specifier)) add(specifier.slice(1, -1), false);
  }
  return found;
}

function resolve(from: string, specifier: string, typeOnly: boolean): Import[] {
  if (isBuiltin(specifier)) return [];
  if (specifier.startsWith('.'))
    return [{ from, to: posix.join(posix.dirname(from), specifier), kind: 'file', typeOnly }];
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  return [{ from, to: name, kind: 'package', typeOnly }];
}

/** The specifiers of `import('…')` in types, which the parser's list of imports leaves out. */
function importTypes(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(importTypes);
  if (typeof node !== 'object' || node === null) return [];
  const inside = Object.values(node).flatMap(importTypes);
  const { type, source } = node as {
    readonly type?: unknown;
    readonly source?: { readonly value?: unknown };
  };
  return type === 'TSImportType' && typeof source?.value === 'string' ? [source.value, ...inside] : inside;
}
