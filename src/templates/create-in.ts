import { Fault } from '../errors.ts';
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { type Change, commit } from './commit.ts';
import type { Author } from './context.ts';
import { createEnvironmentStore } from './environments/store.ts';
import { createFixtureStore } from './fixtures/store.ts';
import { createLookup } from './lookup.ts';
import { type Data, DEFAULT_BRANCH, EnvironmentName, LIMITS, type TemplateKind } from './schema.ts';
import { createTemplateStore, type NewVersion, type TemplateRow } from './store.ts';

type Inserted = {
  readonly name: string;
  readonly kind: TemplateKind;
  readonly description: string;
  readonly tags: readonly string[];
  readonly fixtures: readonly { readonly name: string; readonly data: Data }[];
};

/**
 * Makes a template at v1.0.0, within a transaction; both environments show it at once. The content is checked already.
 * @throws Fault name_taken, conflict.too_many_templates
 */
export async function createIn(
  tx: Tx,
  { accountId, actor }: Author,
  { name, kind, description, tags, fixtures }: Inserted,
  content: Pick<Change, 'id' | 'document' | 'variables' | 'uses' | 'message'>,
): Promise<{ template: TemplateRow; version: NewVersion }> {
  const inside = createTemplateStore(tx);
  if ((await inside.countTemplates(accountId)) >= LIMITS.templates) {
    throw new Fault('conflict.too_many_templates', { limit: LIMITS.templates });
  }
  const id = newId('tpl');
  const inserted = await inside.insertTemplate(accountId, { id, name, kind, description, tags: [...tags] });
  if (!inserted) throw new Fault('name_taken.template', { name });
  const template = await createLookup(tx).template(accountId, name);
  const base = { template, branch: DEFAULT_BRANCH, parents: [], bump: 'auto', author: actor } as const;
  const version = await commit(tx, accountId, { ...base, ...content });
  const { id: head } = version;
  await inside.insertBranch(accountId, id, { name: DEFAULT_BRANCH, head, base: head, description: '' });
  for (const environment of EnvironmentName.options) {
    const event = { id: newId('pev'), environment, version_id: head, previous_id: null };
    const rest = { action: 'created', forced: false, note: '', actor } as const;
    await createEnvironmentStore(tx).point(accountId, id, { ...event, ...rest });
  }
  for (const fixture of fixtures) {
    await createFixtureStore(tx).save(accountId, id, fixture.name, fixture.data);
  }
  return { template, version };
}
