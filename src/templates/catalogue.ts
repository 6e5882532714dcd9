import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import { byName, type PageRequest, pageOf } from '../platform/paging.ts';
import { check, runFixtures } from './check.ts';
import type { Author, TemplateContext } from './context.ts';
import { createIn } from './create-in.ts';
import { changeDocument, type DocumentChange } from './document.ts';
import { aliasOf } from './label.ts';
import { etagOf, presentSummary, presentVariables } from './present.ts';
import { mainHeads } from './repository/branch-repo.ts';
import { selectPointers } from './repository/environment-repo.ts';
import {
  listTemplates,
  markDeleted,
  selectDeleted,
  selectTemplate,
  unmarkDeleted,
  usersOf,
} from './repository/template-repo.ts';
import { findContent, findVersion, lockTemplate, type VersionChoice } from './resolve/find-version.ts';
import { type Data, DEFAULT_BRANCH, type TemplateKind } from './schema.ts';
import { write } from './write.ts';

export type NewTemplate = DocumentChange & {
  readonly name: string;
  readonly kind: TemplateKind;
  readonly description: string;
  readonly tags: readonly string[];
  readonly message: string;
  readonly fixtures: Readonly<Record<string, Data>>;
};

export type TemplateList = PageRequest & {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly kind?: TemplateKind | undefined;
};

/** Creates, reads, changes and deletes templates. */
export function createCatalogue(context: TemplateContext) {
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
      const { version } = await createIn(tx, author, inserted, content);
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
