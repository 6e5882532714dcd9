import { Fault } from '../errors.ts';
import { byNumber, type PageRequest, pageOf } from '../platform/paging.ts';
import { check } from './check.ts';
import { commit } from './commit.ts';
import type { Author, TemplateContext } from './context.ts';
import { createLookup } from './lookup.ts';
import { presentVariables } from './present.ts';
import { versionPresenter } from './present-version.ts';
import { createTemplateStore } from './store.ts';
import { write } from './write.ts';

export type Rollback = { readonly to: string; readonly branch: string; readonly message: string };

/** Reads the versions of a template, and brings an old one back as a new one. */
export function createVersions(context: TemplateContext) {
  const store = createTemplateStore(context.sql);
  const lookup = createLookup(context.sql);

  return {
    /** Newest first. */
    async list(
      accountId: string,
      name: string,
      { branch, ...request }: PageRequest & { branch?: string | undefined },
    ) {
      const { before, limit } = byNumber(request);
      const row = await lookup.template(accountId, name);
      const filter = { branch: branch ?? null, before, limit: limit + 1 };
      const versions = await store.listVersions(accountId, row.id, filter);
      const present = await versionPresenter(context.sql, accountId, row);
      return pageOf(versions, limit, ({ seq }) => seq, present);
    },

    /** One version with everything it holds. */
    async get(accountId: string, name: string, wanted: string) {
      const row = await lookup.template(accountId, name);
      const version = await lookup.version(accountId, row, wanted);
      const present = await versionPresenter(context.sql, accountId, row);
      return {
        ...present(version),
        variables: presentVariables(version.variables),
        ...(await store.content(accountId, version.content)),
      };
    },

    /** Adds a version with the content of an older one; history is never rewritten. */
    async rollback(author: Author, name: string, { to, branch, message }: Rollback) {
      const { accountId, actor } = author;
      const row = await lookup.template(accountId, name);
      const old = await lookup.reference(accountId, row, to);
      const document = await store.content(accountId, old.content);
      const { variables, uses } = await check(context, accountId, row.kind, document);
      return write(context, author, async (tx) => {
        const template = await createLookup(tx).lock(accountId, name);
        const head = await createLookup(tx).head(accountId, template, branch);
        if (head.content === old.content)
          throw new Fault('conflict.same_content', { branch, head: head.label, version: old.label });
        const content = { document, variables, uses, bump: 'patch', rolledBackFrom: old.id } as const;
        const change = { template, branch, parents: [head.id], ...content, author: actor };
        const saved = await commit(tx, accountId, {
          ...change,
          message: message || `Roll back to ${old.label}`,
        });
        await createTemplateStore(tx).touchTemplate(accountId, template.id);
        const version = await createLookup(tx).byId(accountId, saved.id);
        const present = await versionPresenter(tx, accountId, template);
        const event = { action: 'template.rolled_back', target: name, from: head.label, to: saved.label };
        const detail = { branch, content_of: old.label };
        return { result: present(version), event: { ...event, detail } };
      });
    },
  };
}
