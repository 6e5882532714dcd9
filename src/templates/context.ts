import type { Writers } from '../ai/ai.ts';
import type { Prompts } from '../ai/prompts.ts';
import type { NewAuditEvent } from '../audit/audit.ts';
import type { Browser } from '../platform/browser/browser.ts';
import type { Sql, Tx } from '../platform/database/database.ts';
import type { Assets } from './assets/assets.ts';
import type { Engine } from './engine/engine.ts';
import type { Examiner } from './examiner/examiner.ts';
import type { Finisher } from './finish/finish.ts';
import type { UnitQuota } from './generation/metering.ts';
import type { Brand } from './generation/model-request.ts';
import type { Rendering } from './rendering/rendering.ts';
import { announceChange } from './repository/template-repo.ts';
import type { Composer } from './resolve/compose.ts';
import type { Resolver } from './resolve/resolve.ts';
import type { ScreenshotComparer } from './visual-diff/visual-diff.ts';

/** A file of the account's library. */
export type LibraryFile = {
  readonly id: string;
  readonly path: string;
  readonly alt: string;
  readonly tags: readonly string[];
  readonly sha256: string;
  readonly bytes: number;
};

/** The account's own pictures and fonts, which templates refer to. */
export type Library = {
  /** Those that the references, paths or IDs, name. */
  find(accountId: string, references: readonly string[]): Promise<ReadonlyMap<string, LibraryFile>>;
  read(accountId: string, sha256: string): Promise<Buffer | undefined>;
  /** @throws Fault for a file that the library does not take */
  save(
    author: Author,
    bytes: Uint8Array,
    file: Pick<LibraryFile, 'path'> & Partial<Pick<LibraryFile, 'id' | 'alt' | 'tags'>>,
  ): Promise<unknown>;
};

/** What the files of the template service share. */
export type TemplateContext = {
  readonly sql: Sql;
  readonly engine: Engine;
  readonly composer: Composer;
  readonly resolver: Resolver;
  readonly rendering: Rendering;
  readonly finisher: Finisher;
  readonly examiner: Examiner;
  readonly assets: Assets;
  readonly browser: Browser;
  readonly screenshots: ScreenshotComparer;
  readonly library: Library;
  /** The account's brand, for models that write in its name. */
  readonly brandForModels: (accountId: string) => Promise<Brand | undefined>;
  readonly writers: Writers;
  readonly prompts: Prompts;
  readonly quota: UnitQuota;
  /** Names of the video templates that include a partial. */
  readonly videosWith: (tx: Tx, accountId: string, partial: string) => Promise<readonly string[]>;
  readonly audit: { record(tx: Tx, accountId: string, event: NewAuditEvent): Promise<void> };
};

/** Whose call it is: the account, and the name kept in versions and in the audit log. */
export type Author = {
  readonly accountId: string;
  /** The name kept in versions and in the audit log. */
  readonly actor: string;
  /** The person behind the credential, who approves once with however many of them; by default, the actor. */
  readonly approver?: string;
};

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
