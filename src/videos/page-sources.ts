import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, sep } from 'node:path';

const FOLDER = join(import.meta.dirname, 'page');

let sources: ReadonlyMap<string, string> | undefined;

/** The code that runs in the page, as JavaScript, by its path in the folder page, such as `sources/still.ts`. */
export function readPageSources(): ReadonlyMap<string, string> {
  sources ??= new Map(codeFiles().map((path) => [path.split(sep).join('/'), strip(path)]));
  return sources;
}

function codeFiles(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .sort();
}

function strip(path: string): string {
  return stripTypeScriptTypes(readFileSync(join(FOLDER, path), 'utf8'));
}
