import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { byName, type PageRequest, pageOf } from '../platform/paging.ts';
import { type Author, type TemplateContext, write } from './context.ts';
import { readCopy } from './copy.ts';
import { type ExcerptWish, excerptOf, linesOf } from './excerpt.ts';
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
import {
  type Data,
  DEFAULT_BRANCH,
  type Document,
  EnvironmentName,
  LIMITS,
  type TemplateKind,
} from './schema.ts';
import { check, runFixtures } from './versions/check.ts';
import { type Change, commit } from './versions/commit.ts';
import { changeDocument, type DocumentChange } from './versions/document.ts';
import { aliasOf } from './versions/label.ts';

type NewTemplate = DocumentChange & {
  readonly name: string;
  /** The template to copy: its name, or `name@reference`. What else is given replaces what it has. */
  readonly from?: string | undefined;
  readonly kind?: TemplateKind | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly message?: string | undefined;
  readonly fixtures?: Readonly<Record<string, Data>> | undefined;
  /** The environments that show it at once; both where it is not said. */
  readonly environments?: readonly EnvironmentName[] | undefined;
};

/** What of a version to show: all of its content, or some lines of its HTML. */
export type Shown = 'description' | 'content' | ExcerptWish;

type TemplateList = PageRequest & {
  readonly q?: string | undefined;
  readonly tag?: string | undefined;
  readonly kind?: TemplateKind | undefined;
  readonly variable?: string | undefined;
  readonly uses?: string | undefined;
};

/** Creates, reads, changes and deletes templates. */
export function createCatalog(context: TemplateContext) {
  const { sql, videosWith } = context;

  /** Creates a template at v1.0.0, new or as a copy; the environments point to it immediately. */
  async function create(author: Author, template: NewTemplate) {
    const { accountId } = author;
    const { name, from, kind: wantedKind, description = '', environments, ...given } = template;
    const { tags: wantedTags, message: wantedMessage, fixtures: samples, ...fields } = given;
    const copied = from === undefined ? undefined : await readCopy(sql, accountId, from);
    const kind = wantedKind ?? copied?.kind ?? 'template';
    const tags = wantedTags ?? copied?.tags ?? [];
    const message = wantedMessage ?? copied?.message ?? '';
    const document = changeDocument(copied?.document, fields);
    const { variables, uses, resolved } = await check(context, accountId, kind, document);
    const data = Object.entries({ ...copied?.fixtures, ...samples }).map(([fixture, values]) => ({
      name: fixture,
      data: values,
    }));
    const warnings = runFixtures(context, resolved, data);
    await write(context, author, async (tx) => {
      const content = { document, variables, uses, message };
      const inserted = { name, kind, description, tags, fixtures: data, environments };
      const { version } = await insertNewTemplate(tx, author, inserted, content);
      return { result: undefined, event: { action: 'template.created', target: name, to: version.label } };
    });
    const live = environments?.length === 0 ? [{ key: 'not_live', params: { name } } as const] : [];
    return { ...(await get(accountId, name, {})), warnings: [...warnings, ...live] };
  }

  /** The version chosen, or the head of main, with its content or a part of it. */
  async function get(accountId: string, name: string, choice: VersionChoice, show: Shown = 'description') {
    const { template: row, version, ...found } = await find(accountId, name, choice, show);
    const pointers = await selectPointers(sql, accountId, [row.id]);
    const alias = aliasOf(version.label);
    return {
      ...presentSummary(row, { label: version.label, branch: choice.branch ?? version.branch }, pointers),
      ...(alias && { alias }),
      variables: presentVariables(version.variables),
      warnings: [] as Warning[],
      ...shownOf(found.document, show),
      etag: etagOf(row),
    };
  }

  async function find(accountId: string, name: string, choice: VersionChoice, show: Shown) {
    if (show !== 'description') return findContent(sql, accountId, name, choice);
    return { ...(await findVersion(sql, accountId, name, choice)), document: undefined };
  }

  async function list(accountId: string, wanted: TemplateList) {
    const { q = null, tag = null, kind = null, variable = null, uses = null, ...request } = wanted;
    const { after, limit } = byName(request);
    const filter = { q, tag, kind, variable, uses, after, limit: limit + 1 };
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
      if (row.kind !== 'template') await requireUnused(tx, author.accountId, row);
      await markDeleted(tx, author.accountId, row.id);
      return { result: undefined, event: { action: 'template.deleted', target: name } };
    });
  }

  /** @throws Fault conflict.in_use, conflict.in_use_by_videos */
  async function requireUnused(tx: Tx, accountId: string, { name, kind }: TemplateRow): Promise<void> {
    const users = await usersOf(tx, accountId, name);
    if (users.length > 0) throw new Fault('conflict.in_use', { name, kind, users: users.join(', ') });
    const videos = kind === 'partial' ? await videosWith(tx, accountId, name) : [];
    if (videos.length > 0) throw new Fault('conflict.in_use_by_videos', { name, users: videos.join(', ') });
  }

  async function restore(author: Author, name: string) {
    await write(context, author, async (tx) => {
      const id = await selectDeleted(tx, author.accountId, name);
      if (id === undefined) throw new Fault('not_found.deleted', { name });
      if (await selectTemplate(tx, author.accountId, name)) throw new Fault('name_taken.deleted', { name });
      await unmarkDeleted(tx, author.accountId, id);
      return { result: undefined, event: { action: 'template.restored', target: name } };
    });
    return get(author.accountId, name, {});
  }

  return { create, get, list, remove, restore };
}

function shownOf(document: Document | undefined, show: Shown) {
  if (!document || show === 'description') return {};
  if (show !== 'content') return { html_part: excerptOf(document.html, show) };
  return { ...document, html_lines: linesOf(document.html).length };
}

type Inserted = {
  readonly name: string;
  readonly kind: TemplateKind;
  readonly description: string;
  readonly tags: readonly string[];
  readonly fixtures: readonly { readonly name: string; readonly data: Data }[];
  readonly environments?: readonly EnvironmentName[] | undefined;
};

/**
 * Creates a template at v1.0.0, within a transaction; the environments, both where none are named, point to it
 * immediately. The content has been checked before.
 * @throws Fault name_taken, conflict.too_many_templates
 */
export async function insertNewTemplate(
  tx: Tx,
  { accountId, actor }: Author,
  { name, kind, description, tags, fixtures, environments = EnvironmentName.options }: Inserted,
  content: Pick<Change, 'id' | 'document' | 'variables' | 'uses' | 'message'>,
): Promise<{ template: TemplateRow; version: VersionRow }> {
  if ((await countTemplates(tx, accountId)) >= LIMITS.templates) {
    throw new Fault('conflict.too_many_templates', { limit: LIMITS.templates });
  }
  const template = await insertTemplate(tx, accountId, { id: newId('tpl'), name, kind, description, tags });
  if (!template) throw new Fault('name_taken.template', { name });
  const base = { template, branch: DEFAULT_BRANCH, parents: [], bump: 'auto', author: actor } as const;
  const { version } = await commit(tx, accountId, { ...base, ...content });
  for (const environment of new Set(environments)) {
    const event = { id: newId('pev'), environment, version_id: version.id, previous_id: null };
    const rest = { action: 'created', forced: false, note: '', actor } as const;
    await movePointer(tx, accountId, template.id, { ...event, ...rest });
  }
  for (const fixture of fixtures) {
    await saveFixture(tx, accountId, template.id, fixture.name, fixture.data);
  }
  return { template, version };
}
