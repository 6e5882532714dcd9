import { Fault } from '../../errors.ts';
import { byNumber, type PageRequest, pageOf } from '../../platform/paging.ts';
import { type Author, type TemplateContext, write } from '../context.ts';
import { presentEnvironment, presentEvent } from '../present.ts';
import {
  type EnvironmentRow,
  listEnvironments,
  listPointerEvents,
  selectEnvironment,
  selectEnvironmentForUpdate,
  updateProtection,
} from '../repository/environment-repo.ts';
import { findTemplate } from '../resolve/find-version.ts';
import type { EnvironmentName } from '../schema.ts';

export type Protection = {
  readonly require_from?: EnvironmentName | 'none' | undefined;
  readonly approvals?: number | undefined;
  readonly freeze?: boolean | undefined;
};

/**
 * Environments: what each requires of a promotion, and the versions it has been on.
 *
 * In: an environment and its protection. Out: environments and their history. Invariant: a change and its entry in the
 * audit log are written together.
 */
export function createEnvironments(context: TemplateContext) {
  const { sql } = context;

  return {
    async list(accountId: string) {
      return { items: (await listEnvironments(sql, accountId)).map(presentEnvironment) };
    },

    async protect(author: Author, name: EnvironmentName, { require_from, approvals, freeze }: Protection) {
      const { accountId } = author;
      if (require_from === name) throw new Fault('validation_failed.require_from', { environment: name });
      return write(context, author, async (tx) => {
        const before = await selectEnvironmentForUpdate(tx, accountId, name);
        if (!before) throw new Error(`account ${accountId} has no environment ${name}`);
        const after: EnvironmentRow = {
          name,
          require_from: require_from === 'none' ? null : (require_from ?? before.require_from),
          approvals: approvals ?? before.approvals,
          frozen: freeze ?? before.frozen,
        };
        const other = after.require_from && (await selectEnvironment(tx, accountId, after.require_from));
        if (other && other.require_from === name) {
          throw new Fault('validation_failed.require_circle', { environment: name, other: other.name });
        }
        await updateProtection(tx, accountId, after);
        const result = presentEnvironment(after);
        return { result, event: { action: 'environment.protected', target: name, detail: result } };
      });
    },

    /** Newest first. */
    async history(accountId: string, name: string, environment: EnvironmentName, request: PageRequest) {
      const { before, limit } = byNumber(request);
      const { id } = await findTemplate(sql, accountId, name);
      const rows = await listPointerEvents(sql, accountId, id, { environment, before, limit: limit + 1 });
      return pageOf(rows, limit, (row) => row.seq, presentEvent);
    },
  };
}
