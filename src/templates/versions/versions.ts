import { Fault } from '../../errors.ts';
import { byNumber, type PageRequest, pageOf } from '../../platform/paging.ts';
import { type Author, type TemplateContext, write } from '../context.ts';
import { presentVariables, presentVersion, presentVersions } from '../present.ts';
import { listVersions } from '../repository/version-repo.ts';
import { choiceOf, findContent, findTemplate, findVersion, lockTemplate } from '../resolve/find-version.ts';
import { check } from './check.ts';
import { commit } from './commit.ts';

export type Rollback = { readonly to: string; readonly branch: string; readonly message: string };

/**
 * Reads the versions of a template, and rolls a branch back to one of them.
 *
 * In: a template and a version, branch or environment. Out: versions, with their content where it is asked for.
 * Invariant: history is only added to; a rollback is a version too.
 */
export function createVersions(context: TemplateContext) {
  const { sql } = context;

  return {
    /** Newest first. */
    async list(
      accountId: string,
      name: string,
      { branch, ...request }: PageRequest & { branch?: string | undefined },
    ) {
      const { before, limit } = byNumber(request);
      const template = await findTemplate(sql, accountId, name);
      const filter = { branch: branch ?? null, before, limit: limit + 1 };
      const versions = await listVersions(sql, accountId, template.id, filter);
      const presented = await presentVersions(sql, accountId, template, versions);
      return pageOf(
        presented,
        limit,
        ({ seq }) => seq,
        (version) => version,
      );
    },

    /** One version with its content. */
    async get(accountId: string, name: string, wanted: string) {
      const { template, version, document } = await findContent(sql, accountId, name, { version: wanted });
      const [presented] = await presentVersions(sql, accountId, template, [version]);
      if (!presented) throw new Error('one version in, one version out');
      return { ...presented, variables: presentVariables(version.variables), ...document };
    },

    /** Adds a version with the content of an older one; history is never rewritten. */
    async rollback(author: Author, name: string, { to, branch, message }: Rollback) {
      const { accountId, actor } = author;
      const {
        template: found,
        version: old,
        document,
      } = await findContent(sql, accountId, name, choiceOf(to));
      const { variables, uses } = await check(context, accountId, found.kind, document);
      return write(context, author, async (tx) => {
        const template = await lockTemplate(tx, accountId, name);
        const { version: head } = await findVersion(tx, accountId, name, { branch });
        if (head.content === old.content)
          throw new Fault('conflict.same_content', { branch, head: head.label, version: old.label });
        const content = { document, variables, uses, bump: 'patch', rolledBackFrom: old.id } as const;
        const change = { template, branch, parents: [head.id], ...content, author: actor };
        const { version } = await commit(tx, accountId, {
          ...change,
          message: message || `Roll back to ${old.label}`,
        });
        const event = { action: 'template.rolled_back', target: name, from: head.label, to: version.label };
        const detail = { branch, content_of: old.label };
        const labels = new Map([head, old].map(({ id, label }) => [id, label]));
        const result = presentVersion(version, { template: name, labels, pointers: [] });
        return { result, event: { ...event, detail } };
      });
    },
  };
}
