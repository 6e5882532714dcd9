import { Fault } from '../errors.ts';
import type { Tx } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import { type Change, commit } from './commit.ts';
import type { Author } from './context.ts';
import { movePointer } from './repository/environment-repo.ts';
import { saveFixture } from './repository/fixture-repo.ts';
import { countTemplates, insertTemplate, type TemplateRow } from './repository/template-repo.ts';
import type { VersionRow } from './repository/version-repo.ts';
import { type Data, DEFAULT_BRANCH, EnvironmentName, LIMITS, type TemplateKind } from './schema.ts';

type Inserted = {
  readonly name: string;
  readonly kind: TemplateKind;
  readonly description: string;
  readonly tags: readonly string[];
  readonly fixtures: readonly { readonly name: string; readonly data: Data }[];
};

/**
 * Creates a template at v1.0.0, within a transaction; both environments point to it immediately. The content has been
 * checked before.
 * @throws Fault name_taken, conflict.too_many_templates
 */
export async function createIn(
  tx: Tx,
  { accountId, actor }: Author,
  { name, kind, description, tags, fixtures }: Inserted,
  content: Pick<Change, 'id' | 'document' | 'variables' | 'uses' | 'message'>,
): Promise<{ template: TemplateRow; version: VersionRow }> {
  if ((await countTemplates(tx, accountId)) >= LIMITS.templates) {
    throw new Fault('conflict.too_many_templates', { limit: LIMITS.templates });
  }
  const template = await insertTemplate(tx, accountId, { id: newId('tpl'), name, kind, description, tags });
  if (!template) throw new Fault('name_taken.template', { name });
  const base = { template, branch: DEFAULT_BRANCH, parents: [], bump: 'auto', author: actor } as const;
  const { version } = await commit(tx, accountId, { ...base, ...content });
  for (const environment of EnvironmentName.options) {
    const event = { id: newId('pev'), environment, version_id: version.id, previous_id: null };
    const rest = { action: 'created', forced: false, note: '', actor } as const;
    await movePointer(tx, accountId, template.id, { ...event, ...rest });
  }
  for (const fixture of fixtures) {
    await saveFixture(tx, accountId, template.id, fixture.name, fixture.data);
  }
  return { template, version };
}
