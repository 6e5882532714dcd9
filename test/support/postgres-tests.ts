import { readFileSync } from 'node:fs';
import { filesLoadedBy } from '../architecture/import-graph.ts';

/** Reads the whole environment. Only what the name of a setting follows reads less. */
const READS_ALL = [/\bprocess\.env\b(?!\[|\.)/, /\b(readConfig|readCliConfig|environment)\(\)/];

/** What tests may also do to see the database that `DATABASE_URL` names: read that setting, or start a program, which inherits it. */
const TESTS_SEE = [/\bDATABASE_URL\b/, /['"](node:)?child_process['"]/, /\/client\/stdio\b/];

/** Hand the environment to those who ask, and read nothing until they do. */
const READERS = ['src/config.ts', 'src/platform/machine-environment.ts'];

/** Reads a file by its path from the root of the repository; undefined if it is none of the project's TypeScript. */
export type ReadSource = (file: string) => string | undefined;

/**
 * The test files whose results may differ on a PostgreSQL server: those that see it, or load a file that does. All others
 * do the same there as on the embedded database.
 */
export function testsOfTheServer(testFiles: readonly string[], read: ReadSource = readSource): string[] {
  const known = new Map<string, { readonly sees: boolean; readonly loads: readonly string[] }>();
  return testFiles.filter((testFile) => {
    const reached = new Set([testFile]);
    for (const file of reached) {
      const { sees, loads } = inspect(file);
      if (sees) return true;
      for (const loaded of loads) reached.add(loaded);
    }
    return false;
  });

  function inspect(file: string) {
    const found = known.get(file);
    if (found) return found;
    const text = read(file) ?? '';
    const made = { sees: seesTheServer(file, text), loads: filesLoadedBy(file, text) };
    known.set(file, made);
    return made;
  }
}

function seesTheServer(file: string, text: string): boolean {
  if (READERS.includes(file)) return false;
  const signs = file.startsWith('test/') ? [...READS_ALL, ...TESTS_SEE] : READS_ALL;
  return signs.some((sign) => sign.test(text));
}

function readSource(file: string): string | undefined {
  if (!/\.tsx?$/.test(file)) return undefined;
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
