import { formatLabel, parseLabel } from '../label.ts';
import { isVersionReference } from '../resolve/find-version.ts';
import { DEFAULT_BRANCH, EnvironmentName } from '../schema.ts';
import type { BundledHistory } from './bundled-history.ts';

/** What in a history points to nothing, or bears a name it cannot have; undefined when all fits together. */
export function brokenLink({ versions, branches, environments }: BundledHistory): string | undefined {
  const seen = new Set<string>();
  for (const { label, parents, rolled_back_from: origin } of versions) {
    const parsed = parseLabel(label);
    if (!parsed || formatLabel(parsed) !== label) return `${label} is no version label`;
    if (seen.has(label)) return `there are two versions ${label}`;
    const unknown = [...parents, ...(origin === undefined ? [] : [origin])].find((other) => !seen.has(other));
    if (unknown !== undefined) return `${label} comes from ${unknown}, which is not before it`;
    if (parents.length === 0 && seen.size > 0) return `${label} comes from no other version`;
    seen.add(label);
  }
  const folder = versions.find((version) => !seen.has(version.folder));
  if (folder) return `there is no folder ${folder.folder}`;
  return brokenPointer(seen, branches, environments);
}

function brokenPointer(
  versions: ReadonlySet<string>,
  branches: BundledHistory['branches'],
  environments: BundledHistory['environments'],
): string | undefined {
  const names = new Set(branches.map(({ name }) => name));
  if (names.size < branches.length) return 'two branches have one name';
  if (!names.has(DEFAULT_BRANCH)) return `there is no branch ${DEFAULT_BRANCH}`;
  const misnamed = [...names].find(
    (name) => isVersionReference(name) || EnvironmentName.safeParse(name).success,
  );
  if (misnamed !== undefined) return `${misnamed} is no name for a branch`;
  const targets = [...branches.flatMap(({ head, base }) => [head, base]), ...Object.values(environments)];
  const lost = targets.find((label) => !versions.has(label));
  return lost === undefined ? undefined : `there is no version ${lost}`;
}
