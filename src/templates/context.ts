import type { Prompts } from '../ai/prompts.ts';
import type { Writers } from '../ai/writer.ts';
import type { NewAuditEvent } from '../audit/audit.ts';
import type { Browser } from '../platform/browser/browser.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import type { Assets } from './assets/assets.ts';
import type { Composer } from './compose.ts';
import type { Engine } from './engine/engine.ts';
import type { Examiner } from './examiner/examiner.ts';
import type { Finisher } from './finish/finisher.ts';
import type { Plans } from './plans.ts';
import type { Rendering } from './rendering.ts';
import type { PictureThread } from './visual-diff/picture-thread.ts';

/** What the parts of the template service share. */
export type TemplateContext = {
  readonly sql: Sql;
  readonly engine: Engine;
  readonly composer: Composer;
  readonly plans: Plans;
  readonly rendering: Rendering;
  readonly finisher: Finisher;
  readonly examiner: Examiner;
  readonly assets: Assets;
  readonly browser: Browser;
  readonly pictures: PictureThread;
  readonly writers: Writers;
  readonly prompts: Prompts;
  readonly audit: { record(tx: Tx, accountId: string, event: NewAuditEvent): Promise<void> };
};

/** Whose call it is: the account, and the name kept in versions and in the audit log. */
export type Author = { readonly accountId: string; readonly actor: string };
