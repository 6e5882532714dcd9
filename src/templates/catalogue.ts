import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import { byName, type PageRequest, pageOf } from '../platform/paging.ts';
import { check, runFixtures } from './check.ts';
import type { Author, TemplateContext } from './context.ts';
import { createIn } from './create-in.ts';
import { changeDocument, type DocumentChange } from './document.ts';
import { createEnvironmentStore } from './environments/store.ts';
import { aliasOf } from './label.ts';
import { createLookup, type VersionChoice } from './lookup.ts';
import { etagOf, presentSummary, presentVariables } from './present.ts';
import { type Data, DEFAULT_BRANCH, type TemplateKind } from './schema.ts';
import { createTemplateStore } from './store.ts';
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
  const store = createTemplateStore(context.sql);
  const environments = createEnvironmentStore(context.sql);
  const lookup = createLookup(context.sql);

  /** Makes a template at v1.0.0; both environments show it at once. */
  async function create(author: Author, template: NewTemplate) {
    const { accountId } = author;
    const { name, kind, description, tags, message, fixtures, ...fields } = template;
    const document = changeDocument(undefined, fields);
    const { variables, uses, plan } = await check(context, accountId, kind, document);
    const data = Object.entries(fixtures).map(([fixture, values]) => ({ name: fixture, data: values }));
    const warnings = runFixtures(context, plan, data);
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
    const row = await lookup.template(accountId, name);
    const version = (await lookup.chosen(accountId, row, choice)) ?? (await lookup.head(accountId, row));
    const pointers = await environments.pointers(accountId, [row.id]);
    const alias = aliasOf(version.label);
    return {
      ...presentSummary(row, { label: version.label, branch: choice.branch ?? version.branch }, pointers),
      ...(alias && { alias }),
      variables: presentVariables(version.variables),
      warnings: [] as Warning[],
      ...(withContent && (await store.content(accountId, version.content))),
      etag: etagOf(row),
    };
  }

  async function list(accountId: string, { q, tag, kind, ...request }: TemplateList) {
    const { after, limit } = byName(request);
    const filter = { q: q ?? null, tag: tag ?? null, kind: kind ?? null, after, limit: limit + 1 };
    const rows = await store.listTemplates(accountId, filter);
    const ids = rows.map((row) => row.id);
    const heads = new Map(
      (await store.mainHeads(accountId, ids)).map((head) => [head.template_id, head.label]),
    );
    const pointers = await environments.pointers(accountId, ids);
    return pageOf(
      rows,
      limit,
      (row) => row.name,
      (row) => presentSummary(row, { label: heads.get(row.id) ?? '', branch: DEFAULT_BRANCH }, pointers),
    );
  }

  /** Hides a template; for 30 days it can be restored. */
  async function remove(author: Author, name: string, ifMatch?: readonly string[]): Promise<void> {
    await write(context, author, async (tx) => {
      const inside = createTemplateStore(tx);
      const row = await createLookup(tx).lock(author.accountId, name);
      if (ifMatch && !ifMatch.includes(etagOf(row))) throw new Fault('precondition_failed.etag');
      const users = row.kind === 'template' ? [] : await inside.usersOf(author.accountId, name);
      if (users.length > 0)
        throw new Fault('conflict.in_use', { name, kind: row.kind, users: users.join(', ') });
      await inside.markDeleted(author.accountId, row.id);
      return { result: undefined, event: { action: 'template.deleted', target: name } };
    });
  }

  async function restore(author: Author, name: string) {
    await write(context, author, async (tx) => {
      const inside = createTemplateStore(tx);
      const id = await inside.findDeleted(author.accountId, name);
      if (id === undefined) throw new Fault('not_found.deleted', { name });
      if (await inside.findTemplate(author.accountId, name)) throw new Fault('name_taken.deleted', { name });
      await inside.unmarkDeleted(author.accountId, id);
      return { result: undefined, event: { action: 'template.restored', target: name } };
    });
    return get(author.accountId, name, {}, false);
  }

  return { create, get, list, remove, restore };
}
