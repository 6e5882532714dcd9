import { Fault } from '../../errors.ts';
import { byNumber, type PageRequest, pageOf } from '../../platform/paging.ts';
import type { Author, TemplateContext } from '../context.ts';
import { createLookup } from '../lookup.ts';
import { presentEnvironment, presentEvent } from '../present.ts';
import type { EnvironmentName } from '../schema.ts';
import { write } from '../write.ts';
import { createEnvironmentStore, type EnvironmentRow } from './store.ts';

export type Protection = {
  readonly require_from?: EnvironmentName | 'none' | undefined;
  readonly approvals?: number | undefined;
  readonly freeze?: boolean | undefined;
};

/** Environments: what each demands of a promotion, and what it has shown. */
export function createEnvironments(context: TemplateContext) {
  const store = createEnvironmentStore(context.sql);
  const lookup = createLookup(context.sql);

  return {
    async list(accountId: string) {
      return { items: (await store.list(accountId)).map(presentEnvironment) };
    },

    async protect(author: Author, name: EnvironmentName, { require_from, approvals, freeze }: Protection) {
      const { accountId } = author;
      if (require_from === name) throw new Fault('validation_failed.require_from', { environment: name });
      return write(context, author, async (tx) => {
        const before = await createEnvironmentStore(tx).lock(accountId, name);
        if (!before) throw new Error(`account ${accountId} has no environment ${name}`);
        const after: EnvironmentRow = {
          name,
          require_from: require_from === 'none' ? null : (require_from ?? before.require_from),
          approvals: approvals ?? before.approvals,
          frozen: freeze ?? before.frozen,
        };
        const other =
          after.require_from && (await createEnvironmentStore(tx).find(accountId, after.require_from));
        if (other && other.require_from === name) {
          throw new Fault('validation_failed.require_circle', { environment: name, other: other.name });
        }
        await createEnvironmentStore(tx).protect(accountId, after);
        const result = presentEnvironment(after);
        return { result, event: { action: 'environment.protected', target: name, detail: result } };
      });
    },

    /** Newest first. */
    async history(accountId: string, name: string, environment: EnvironmentName, request: PageRequest) {
      const { before, limit } = byNumber(request);
      const { id } = await lookup.template(accountId, name);
      const rows = await store.events(accountId, id, { environment, before, limit: limit + 1 });
      return pageOf(rows, limit, (row) => row.seq, presentEvent);
    },
  };
}
