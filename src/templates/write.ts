import type { NewAuditEvent } from '../audit/audit.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Author, TemplateContext } from './context.ts';
import { createTemplateStore } from './store.ts';

type Written<Result> = { readonly result: Result; readonly event?: Omit<NewAuditEvent, 'actor'> | undefined };

/**
 * The one road of every change to templates: a transaction that ends with its audit event and with word to all nodes
 * that what the account's templates show has changed. `work` answers the event to record beside its own result;
 * without an event nothing was changed.
 */
export async function write<Result>(
  { sql, audit, plans }: TemplateContext,
  { accountId, actor }: Author,
  work: (tx: Tx) => Promise<Written<Result>>,
): Promise<Result> {
  const done = await sql.begin(async (tx) => {
    const { result, event } = await work(tx);
    if (event) {
      await audit.record(tx, accountId, { ...event, actor });
      await createTemplateStore(tx).announce(accountId);
    }
    return { result };
  });
  // The announcement reaches this node too, but a moment later than the answer of this call.
  plans.forget(accountId);
  return done.result;
}
