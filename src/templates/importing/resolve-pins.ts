import type { BundledVersion } from '../bundle/bundled-history.ts';
import type { TemplateContext } from '../context.ts';
import { hashDocument } from '../document.ts';
import { selectBranch } from '../repository/branch-repo.ts';
import { selectTemplate } from '../repository/template-repo.ts';
import { type Use, versionByLabel } from '../repository/version-repo.ts';
import { DEFAULT_BRANCH } from '../schema.ts';
import type { Planned } from './plan-arrivals.ts';

type BundledUse = BundledVersion['uses'][number];

/** What each version is pinned to, by its id. `lost` holds the labels of versions for which another version had to do. */
export type Pins = {
  readonly uses: ReadonlyMap<string, readonly Use[]>;
  readonly lost: ReadonlySet<string>;
};

/**
 * What the versions of a bundle are pinned to, as versions of this account: those that come along, or equal ones it
 * has already. Where there is neither, the newest there is takes the place.
 */
export async function resolvePins(
  { sql }: Pick<TemplateContext, 'sql'>,
  accountId: string,
  { arrival }: Planned,
  coming: readonly Planned[],
  all: readonly Planned[],
): Promise<Pins> {
  const names = new Map(all.map((planned) => [planned.arrival.key, planned]));
  const uses = new Map<string, readonly Use[]>();
  const lost = new Set<string>();
  for (const [index, version] of (arrival.history?.versions ?? []).entries()) {
    const found: Use[] = [];
    for (const use of version.uses) {
      const same = await sameVersion(use);
      const id = same ?? (await newestVersion(use));
      if (id) found.push({ kind: use.kind, name: names.get(use.name)?.name ?? use.name, version_id: id });
      if (!same) lost.add(version.label);
    }
    uses.set(arrival.versions[index]?.id ?? '', found);
  }
  return { uses, lost };

  async function sameVersion({ name, version: label }: BundledUse): Promise<string | undefined> {
    const planned = names.get(name);
    const index = planned?.arrival.history?.versions.findIndex((version) => version.label === label) ?? -1;
    const bundled = planned?.arrival.versions[index];
    if (planned && !planned.taken && coming.includes(planned)) return bundled?.id;
    const row = await selectTemplate(sql, accountId, planned?.name ?? name);
    const stored = row && (await versionByLabel(sql, accountId, row.id, label));
    return stored && bundled && stored.content === hashDocument(bundled.document) ? stored.id : undefined;
  }

  async function newestVersion({ name }: BundledUse): Promise<string | undefined> {
    const planned = names.get(name);
    if (planned && coming.includes(planned)) return planned.arrival.versions[planned.arrival.active]?.id;
    const row = await selectTemplate(sql, accountId, planned?.name ?? name);
    return row && (await selectBranch(sql, accountId, row.id, DEFAULT_BRANCH))?.head;
  }
}
