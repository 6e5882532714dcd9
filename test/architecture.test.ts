import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldersWithoutRule, forbiddenImports, unusedPermissions } from './architecture/check-imports.ts';
import { type Import, importGraph, importsOf, readSources } from './architecture/import-graph.ts';
import { FOLDERS, PACKAGES } from './architecture/matrix.ts';
import {
  foldersWithoutOpening,
  openingsWithoutHead,
  SHELVES,
  type SourceFile,
  unusedShelves,
} from './architecture/openings.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RULES = { folders: FOLDERS, packages: PACKAGES };

let imports: Import[];
beforeAll(async () => {
  imports = await importGraph(ROOT, ['src', 'tools', 'http', 'cli', 'web']);
});

describe('the matrix of imports', () => {
  test('allows every import of the product', () => {
    expect(forbiddenImports(imports, RULES)).toEqual([]);
  });

  test('has a line for every folder', () => {
    expect(foldersWithoutRule(imports, RULES)).toEqual([]);
  });

  test('allows nothing that no file needs', () => {
    expect(unusedPermissions(imports, RULES)).toEqual([]);
  });

  test.each([
    ['src/hooks/text/words.ts', '../../providers/openai.ts'],
    ['src/hooks/text/words.ts', '../../templates/templates.ts'],
    ['src/sync/values/value.ts', '../../providers/stripe/stripe.ts'],
    ['src/sync/values/value.ts', '../../videos/videos.ts'],
    ['src/billing/money.ts', '../hooks/hooks.ts'],
    ['src/templates/branches.ts', '../videos/videos.ts'],
    ['src/templates/branches.ts', '../hooks/hooks.ts'],
    ['src/videos/links.ts', '../templates/templates.ts'],
    ['src/videos/links.ts', '../hooks/hooks.ts'],
    ['src/identity/members/roles.ts', '../../hooks/hooks.ts'],
    ['src/platform/ids.ts', '../rate-limits/rate-limits.ts'],
    ['src/platform/ids.ts', '../audit/audit.ts'],
    ['src/templates/engine/json.ts', 'express'],
    ['src/templates/engine/json.ts', '../../providers/smtp.ts'],
    ['src/templates/branches.ts', '../../tools/index.ts'],
    ['src/sync/sync.ts', '../../http/server.ts'],
    ['src/platform/ids.ts', '../templates/templates.ts'],
    ['tools/contract/invoke.ts', 'express'],
    ['web/src/app.tsx', '../../src/errors.ts'],
    ['web/src/app.tsx', '../../tools/templates/list-templates.ts'],
  ])('forbids %s to import %s', (file, specifier) => {
    const added = importsOf(file, `import { anything } from '${specifier}';`);
    expect(forbiddenImports(added, RULES)).toHaveLength(1);
  });

  test('tells an import of types from one of values', () => {
    const file = 'src/hooks/hooks.ts';
    const types = importsOf(file, "import type { Caller } from '../identity/caller.ts';");
    const values = importsOf(file, "import { ROLES } from '../identity/caller.ts';");
    expect([forbiddenImports(types, RULES), forbiddenImports(values, RULES).length]).toEqual([[], 1]);
  });

  test('refuses a folder that has no line', () => {
    const added = importsOf('src/loyalty/points.ts', "import { z } from 'zod';");
    expect(foldersWithoutRule(added, RULES)).toEqual(['src/loyalty']);
  });

  test.each([
    ['a dynamic import', "const x = await import('../hooks/hooks.ts');"],
    ['a type that imports', "type X = import('../hooks/hooks.ts').Hooks;"],
    ['an export from elsewhere', "export { x } from '../hooks/hooks.ts';"],
    ['an import without names', "import '../hooks/hooks.ts';"],
  ])('sees %s', (_what, text) => {
    expect(importsOf('src/billing/money.ts', text).map(({ to }) => to)).toEqual(['src/hooks/hooks.ts']);
  });
});

describe('the folders', () => {
  let files: SourceFile[];
  beforeAll(async () => {
    files = await readSources(ROOT, ['src', 'tools', 'http', 'cli']);
  });

  test('every folder opens with the file of its name, which says what comes in and out and what always holds', () => {
    expect([foldersWithoutOpening(files), openingsWithoutHead(files)]).toEqual([[], []]);
  });

  test('what stands side by side is a shelf, and has its line in the map', async () => {
    const map = await readFile(new URL('../docs/architecture.md', import.meta.url), 'utf8');
    const lines = Object.entries(SHELVES).map(([folder, line]) => `| \`${folder}/\` | ${line} |`);
    expect(lines.filter((line) => !map.includes(line))).toEqual([]);
    expect(unusedShelves(files)).toEqual([]);
  });

  const HEAD = '/** In: points. Out: rewards. Invariant: none is lost. */';
  const folder = (names: readonly string[], text = HEAD) =>
    names.map((name) => ({ path: `src/loyalty/${name}`, text }));

  test.each([
    ['without a file of its name is found', ['points.ts', 'rewards.ts', 'tiers.ts'], ['src/loyalty']],
    ['with one is not', ['loyalty.ts', 'rewards.ts', 'tiers.ts'], []],
    ['of two files is not', ['points.ts', 'rewards.ts'], []],
    ['of two files and a declaration is not', ['points.ts', 'rewards.ts', 'packages.d.ts'], []],
  ])('a new folder %s', (_which, names, found) => {
    expect(foldersWithoutOpening(folder(names))).toEqual(found);
  });

  test.each([
    ['what comes in', '/** Out: rewards. Invariant: none is lost. */'],
    ['what goes out', '/** In: points. Invariant: none is lost. */'],
    ['what always holds', '/** In: points. Out: rewards. */'],
    [
      'it in 15 lines',
      `/**\n${' * More.\n'.repeat(15)} * In: points. Out: rewards. Invariant: none is lost.\n */`,
    ],
  ])('a head that does not say %s is found', (_what, text) => {
    expect(openingsWithoutHead(folder(['loyalty.ts', 'rewards.ts', 'tiers.ts'], text))).toEqual([
      'src/loyalty/loyalty.ts',
    ]);
  });
});
