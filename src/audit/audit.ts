import { z } from 'zod';
import type { Sql, Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../platform/paging.ts';
import type { AuditRow } from './audit-repo.ts';
import * as auditRepo from './audit-repo.ts';

export const AuditEvent = z.object({
  id: z.string(),
  actor: z.string(),
  action: z.string().meta({ description: 'Action, such as template.updated' }),
  target: z.string(),
  from: z.string().optional(),
  to: z.string().optional(),
  detail: z.record(z.string(), z.json()),
  created_at: z.iso.datetime(),
});
type AuditEvent = z.output<typeof AuditEvent>;

export type NewAuditEvent = {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly detail?: AuditRow['detail'];
};

export type AuditFilter = PageRequest & {
  target?: string | undefined;
  action?: string | undefined;
  actor?: string | undefined;
};

export type Audit = ReturnType<typeof createAudit>;

/** The append-only record of who did what. */
export function createAudit(sql: Sql) {
  return {
    /** Adds an event in the transaction of the change it tells of: both happen, or neither. */
    async record(tx: Tx, accountId: string, event: NewAuditEvent): Promise<void> {
      const { actor, action, target, from = null, to = null, detail = {} } = event;
      const row = { id: newId('evt'), actor, action, target, from_value: from, to_value: to, detail };
      await auditRepo.insert(tx, accountId, row);
    },

    /** Newest first. */
    async list(
      accountId: string,
      { target, action, actor, ...request }: AuditFilter,
    ): Promise<Page<AuditEvent>> {
      const { before, limit } = byNumber(request);
      const filter = { target: target ?? null, action: action ?? null, actor: actor ?? null };
      const rows = await auditRepo.list(sql, accountId, { ...filter, before, limit: limit + 1 });
      return pageOf(rows, limit, (row) => row.seq, present);
    },

    /** Of these accounts, those that have events from before. */
    accountsWithOld: (accountIds: readonly string[], before: Date) =>
      auditRepo.accountsWithOld(sql, accountIds, before),

    /** Deletes at most `limit` events from before, the oldest first; returns how many. */
    removeOld: (accountId: string, before: Date, limit: number) =>
      auditRepo.deleteOld(sql, accountId, before, limit),
  };
}

function present({ seq: _seq, from_value, to_value, created_at, ...row }: AuditRow): AuditEvent {
  return {
    ...row,
    ...(from_value !== null && { from: from_value }),
    ...(to_value !== null && { to: to_value }),
    created_at: created_at.toISOString(),
  };
}
