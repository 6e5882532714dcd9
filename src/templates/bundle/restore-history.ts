import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { emitEvent } from '../../platform/outbox.ts';
import type { Author } from '../context.ts';
import type { CheckedTemplate } from '../importing/check-import.ts';
import * as bundleRepo from '../repository/bundle-repo.ts';
import { movePointer } from '../repository/environment-repo.ts';
import { saveFixture } from '../repository/fixture-repo.ts';
import { saveContent } from '../repository/version-repo.ts';
import { DEFAULT_BRANCH, type EnvironmentName } from '../schema.ts';
import { hashDocument } from '../versions/document.ts';
import type { BundledHistory } from './bundle-format.ts';

/**
 * Writes a template as it was: the same labels, authors and times, under new ids, and in those of `environments` that
 * showed it. Returns the label main is at.
 * @throws Fault name_taken
 */
export async function restoreHistory(
  tx: Tx,
  { accountId, actor }: Author,
  { imported, name, versions }: CheckedTemplate,
  history: BundledHistory,
  environments: readonly EnvironmentName[],
): Promise<string> {
  const { kind, description, tags } = imported;
  const { created_at, updated_at } = history;
  const template = { id: newId('tpl'), name, kind, description, tags: [...tags], created_at, updated_at };
  if (!(await bundleRepo.restoreTemplate(tx, accountId, template)))
    throw new Fault('name_taken.template', { name });
  const ids = new Map(history.versions.map(({ label }, index) => [label, versions[index]?.id]));
  const idOf = (label: string): string => {
    const id = ids.get(label);
    if (id === undefined) throw new Error(`the history of ${name} was read and has no ${label}`);
    return id;
  };
  await restoreVersions();
  for (const { head, base, merged_at = null, ...branch } of history.branches) {
    const row = { ...branch, template_id: template.id, head: idOf(head), base: idOf(base), merged_at };
    await bundleRepo.restoreBranch(tx, accountId, row);
  }
  for (const environment of new Set(environments)) {
    const label = history.environments[environment];
    if (label === undefined) continue;
    const event = { id: newId('pev'), environment, version_id: idOf(label), previous_id: null };
    const rest = { action: 'created', forced: false, note: '', actor } as const;
    await movePointer(tx, accountId, template.id, { ...event, ...rest });
  }
  for (const [fixture, data] of Object.entries(await imported.readFixtures()))
    await saveFixture(tx, accountId, template.id, fixture, data);
  const main = history.branches.find((branch) => branch.name === DEFAULT_BRANCH)?.head ?? '';
  // One event, of the newest version: the others are history.
  const restored = history.versions.find(({ label }) => label === main);
  if (restored) {
    const { label: version, branch, bump, message, author } = restored;
    const data = { template: name, version, branch, bump, message, author };
    await emitEvent(tx, accountId, { type: 'template.version.created', data });
  }
  return main;

  async function restoreVersions(): Promise<void> {
    for (const [index, { id, read, variables, uses }] of versions.entries()) {
      const kept = history.versions[index];
      if (!kept) throw new Error(`${name} has more versions than its history`);
      const { label, branch, parents, bump, bump_reason, message, author, created_at: at } = kept;
      const document = await read();
      const content = hashDocument(document);
      await saveContent(tx, accountId, content, document);
      const named = { id, template_id: template.id, seq: index + 1, label, branch };
      const made = { bump, bump_reason, message, author, created_at: at };
      const origin = kept.rolled_back_from === undefined ? null : idOf(kept.rolled_back_from);
      const links = { parents: parents.map(idOf), rolled_back_from: origin };
      const holds = { content, variables: [...variables], uses: [...uses] };
      await bundleRepo.restoreVersion(tx, accountId, { ...named, ...made, ...links, ...holds });
    }
  }
}
