import { Fault } from '../errors.ts';
import { byNumber, type PageRequest, pageOf } from '../platform/paging.ts';
import { check } from './check.ts';
import { commit } from './commit.ts';
import type { Author, TemplateContext } from './context.ts';
import { createEnvironmentStore } from './environments/store.ts';
import { createLookup } from './lookup.ts';
import { presentVariables, presentVersion } from './present.ts';
import { createTemplateStore } from './store.ts';
import { write } from './write.ts';

export type Rollback = { readonly to: string; readonly branch: string; readonly message: string };

/** Reads the versions of a template, and brings an old one back as a new one. */
export function createVersions(context: TemplateContext) {
  const store = createTemplateStore(context.sql);
  const environments = createEnvironmentStore(context.sql);
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
      const history = await store.history(accountId, row.id);
      const pointers = await environments.pointers(accountId, [row.id]);
      return pageOf(
        versions,
        limit,
        (version) => version.seq,
        (version) => presentVersion(version, name, history, pointers),
      );
    },

    /** One version with everything it holds. */
    async get(accountId: string, name: string, wanted: string) {
      const row = await lookup.template(accountId, name);
      const version = await lookup.version(accountId, row, wanted);
      const history = await store.history(accountId, row.id);
      const pointers = await environments.pointers(accountId, [row.id]);
      return {
        ...presentVersion(version, name, history, pointers),
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
        const history = await createTemplateStore(tx).history(accountId, template.id);
        const pointers = await createEnvironmentStore(tx).pointers(accountId, [template.id]);
        const event = { action: 'template.rolled_back', target: name, from: head.label, to: saved.label };
        const detail = { branch, content_of: old.label };
        return { result: presentVersion(version, name, history, pointers), event: { ...event, detail } };
      });
    },
  };
}
