import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { byName, type PageRequest, pageOf } from '../platform/paging.ts';
import { type Author, type TemplateContext, write } from './context.ts';
import { etagOf, presentSummary, presentVariables } from './present.ts';
import { mainHeads } from './repository/branch-repo.ts';
import { movePointer, selectPointers } from './repository/environment-repo.ts';
import { saveFixture } from './repository/fixture-repo.ts';
import {
  countTemplates,
  insertTemplate,
  listTemplates,
  markDeleted,
  selectDeleted,
  selectTemplate,
  type TemplateRow,
  unmarkDeleted,
  usersOf,
} from './repository/template-repo.ts';
import type { VersionRow } from './repository/version-repo.ts';
import { findContent, findVersion, lockTemplate, type VersionChoice } from './resolve/find-version.ts';
import { type Data, DEFAULT_BRANCH, EnvironmentName, LIMITS, type TemplateKind } from './schema.ts';
import { check, runFixtures } from './versions/check.ts';
import { type Change, commit } from './versions/commit.ts';
import { changeDocument, type DocumentChange } from './versions/document.ts';
import { aliasOf } from './versions/label.ts';

type NewTemplate = DocumentChange & {
  readonly name: string;
  readonly kind: TemplateKind;
  readonly description: string;
  readonly tags: readonly string[];
  readonly message: string;
  readonly fixtures: Readonly<Record<string, Data>>;
};

type TemplateList = PageRequest & {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly kind?: TemplateKind | undefined;
};

/** Creates, reads, changes and deletes templates. */
export function createCatalog(context: TemplateContext) {
  const { sql } = context;

  /** Creates a template at v1.0.0; both environments point to it immediately. */
  async function create(author: Author, template: NewTemplate) {
    const { accountId } = author;
    const { name, kind, description, tags, message, fixtures, ...fields } = template;
    const document = changeDocument(undefined, fields);
    const { variables, uses, resolved } = await check(context, accountId, kind, document);
    const data = Object.entries(fixtures).map(([fixture, values]) => ({ name: fixture, data: values }));
    const warnings = runFixtures(context, resolved, data);
    await write(context, author, async (tx) => {
      const content = { document, variables, uses, message };
      const inserted = { name, kind, description, tags, fixtures: data };
      const { version } = await insertNewTemplate(tx, author, inserted, content);
      return { result: undefined, event: { action: 'template.created', target: name, to: version.label } };
    });
    return { ...(await get(accountId, name, {}, false)), warnings };
  }

  /** The version chosen, or the head of main. */
  async function get(accountId: string, name: string, choice: VersionChoice, withContent: boolean) {
    const {
      template: row,
      version,
      document,
    } = withContent
      ? await findContent(sql, accountId, name, choice)
      : { ...(await findVersion(sql, accountId, name, choice)), document: {} };
    const pointers = await selectPointers(sql, accountId, [row.id]);
    const alias = aliasOf(version.label);
    return {
      ...presentSummary(row, { label: version.label, branch: choice.branch ?? version.branch }, pointers),
      ...(alias && { alias }),
      variables: presentVariables(version.variables),
      warnings: [] as Warning[],
      ...document,
      etag: etagOf(row),
    };
  }

  async function list(accountId: string, { q, tag, kind, ...request }: TemplateList) {
    const { after, limit } = byName(request);
    const filter = { q: q ?? null, tag: tag ?? null, kind: kind ?? null, after, limit: limit + 1 };
    const rows = await listTemplates(sql, accountId, filter);
    const ids = rows.map((row) => row.id);
    const heads = await mainHeads(sql, accountId, ids);
    const pointers = await selectPointers(sql, accountId, ids);
    return pageOf(
      rows,
      limit,
      (row) => row.name,
      (row) => presentSummary(row, { label: heads.get(row.id) ?? '', branch: DEFAULT_BRANCH }, pointers),
    );
  }

  /** Deletes a template, which can be restored for 30 days. */
  async function remove(author: Author, name: string, ifMatch?: readonly string[]): Promise<void> {
    await write(context, author, async (tx) => {
      const row = await lockTemplate(tx, author.accountId, name);
      if (ifMatch && !ifMatch.includes(etagOf(row))) throw new Fault('precondition_failed.etag');
      const users = row.kind === 'template' ? [] : await usersOf(tx, author.accountId, name);
      if (users.length > 0)
        throw new Fault('conflict.in_use', { name, kind: row.kind, users: users.join(', ') });
      await markDeleted(tx, author.accountId, row.id);
      return { result: undefined, event: { action: 'template.deleted', target: name } };
    });
  }

  async function restore(author: Author, name: string) {
    await write(context, author, async (tx) => {
      const id = await selectDeleted(tx, author.accountId, name);
      if (id === undefined) throw new Fault('not_found.deleted', { name });
      if (await selectTemplate(tx, author.accountId, name)) throw new Fault('name_taken.deleted', { name });
      await unmarkDeleted(tx, author.accountId, id);
      return { result: undefined, event: { action: 'template.restored', target: name } };
    });
    return get(author.accountId, name, {}, false);
  }

  return { create, get, list, remove, restore };
}

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
export async function insertNewTemplate(
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
