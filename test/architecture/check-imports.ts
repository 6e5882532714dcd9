import type { Import } from './import-graph.ts';
import type { Rule } from './matrix.ts';

type Rules = {
  readonly folders: Readonly<Record<string, Rule>>;
  readonly packages: Readonly<Record<string, readonly string[]>>;
};

/** One sentence for each import that no line of the matrix allows. */
export function forbiddenImports(imports: readonly Import[], rules: Rules): string[] {
  return imports.flatMap((one) => (isAllowed(one, rules) ? [] : [describe(one)]));
}

/** The folders one level below src, tools, http and cli that have no line of their own. */
export function foldersWithoutRule(imports: readonly Import[], { folders }: Rules): string[] {
  const inFolders = imports.map(({ from }) => from.split('/')).filter(({ length }) => length > 2);
  const found = new Set(inFolders.map((path) => path.slice(0, 2).join('/')));
  return [...found].filter((folder) => !(folder in folders)).sort();
}

/** Every permission of the matrix that no import needs: `folder → target`. */
export function unusedPermissions(imports: readonly Import[], { folders, packages }: Rules): string[] {
  const files = imports.filter(({ kind }) => kind === 'file');
  const byFolder = Map.groupBy(files, ({ from }) => ruleOf(from, folders)?.[0]);
  const ofFolders = Object.entries(folders).flatMap(([folder, { values, types = [] }]) => {
    const own = byFolder.get(folder) ?? [];
    const isNeeded = (target: string) => own.some(({ to }) => isInside(to, target));
    return [...values, ...types]
      .filter((target) => !isNeeded(target))
      .map((target) => `${folder} → ${target}`);
  });
  const ofPackages = Object.entries(packages).flatMap(([name, allowed]) => {
    const own = imports.filter(({ to, kind }) => kind === 'package' && to === name);
    const isNeeded = (folder: string) => own.some(({ from }) => isInside(from, folder));
    return allowed.filter((folder) => !isNeeded(folder)).map((folder) => `${folder} → ${name}`);
  });
  return [...ofFolders, ...ofPackages];
}

function isAllowed({ from, to, kind, typeOnly }: Import, { folders, packages }: Rules): boolean {
  if (kind === 'package') return (packages[to] ?? []).some((folder) => isInside(from, folder));
  const [folder, rule] = ruleOf(from, folders) ?? [];
  if (folder === undefined || rule === undefined) return false;
  if (isInside(to, folder)) return true;
  const allowed = typeOnly ? [...rule.values, ...(rule.types ?? [])] : rule.values;
  return allowed.some((target) => isInside(to, target));
}

/** The line of the longest path that the file is in. */
function ruleOf(file: string, folders: Rules['folders']): readonly [string, Rule] | undefined {
  const fitting = Object.entries(folders).filter(([folder]) => isInside(file, folder));
  return fitting.sort(([one], [other]) => other.length - one.length)[0];
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function describe({ from, to, typeOnly }: Import): string {
  return `${from} may not import ${typeOnly ? 'types of ' : ''}${to}`;
}
