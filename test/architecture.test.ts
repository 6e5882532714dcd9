import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldersWithoutRule, forbiddenImports, unusedPermissions } from './architecture/check-imports.ts';
import { type Import, importGraph, importsOf } from './architecture/import-graph.ts';
import { FOLDERS, PACKAGES } from './architecture/matrix.ts';

const RULES = { folders: FOLDERS, packages: PACKAGES };

let imports: Import[];
beforeAll(async () => {
  imports = await importGraph(fileURLToPath(new URL('..', import.meta.url)), [
    'src',
    'tools',
    'http',
    'cli',
    'web',
  ]);
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
