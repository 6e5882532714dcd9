import type { NewAuditEvent } from '../audit/audit.ts';
import type { Sql, Tx } from '../platform/database.ts';
import type { Composer } from './compose.ts';
import type { Engine } from './engine/engine.ts';
import type { Plans } from './plans.ts';
import type { Rendering } from './rendering.ts';

/** What the parts of the template service share. */
export type TemplateContext = {
  readonly sql: Sql;
  readonly engine: Engine;
  readonly composer: Composer;
  readonly plans: Plans;
  readonly rendering: Rendering;
  readonly audit: { record(tx: Tx, accountId: string, event: NewAuditEvent): Promise<void> };
};

/** Whose call it is: the account, and the name kept in versions and in the audit log. */
export type Author = { readonly accountId: string; readonly actor: string };
