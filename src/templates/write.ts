import type { NewAuditEvent } from '../audit/audit.ts';
import type { Tx } from '../platform/database.ts';
import type { Author, TemplateContext } from './context.ts';
import { announceChange } from './repository/template-repo.ts';

type Written<Result> = { readonly result: Result; readonly event?: Omit<NewAuditEvent, 'actor'> | undefined };

/**
 * Every change to templates goes through this: a transaction that ends with its audit event and a notification to all
 * nodes that the account's templates have changed. `work` returns the event to record beside its own result; no event
 * means that nothing was changed.
 */
export async function write<Result>(
  { sql, audit, resolver }: TemplateContext,
  { accountId, actor }: Author,
  work: (tx: Tx) => Promise<Written<Result>>,
): Promise<Result> {
  const done = await sql.begin(async (tx) => {
    const { result, event } = await work(tx);
    if (event) {
      await audit.record(tx, accountId, { ...event, actor });
      await announceChange(tx, accountId);
    }
    return { result };
  });
  // The notification reaches this node too, but only after the response of this call.
  resolver.forget(accountId);
  return done.result;
}
