import type { Sql } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { SyncError } from '../change.ts';
import { isAutomatic, type Run } from '../runs/run.ts';
import { markWorking, nameOfConnection, namesOf, recordPaused, recordRun } from './notice-repo.ts';

/** A notice to the owners of an account. `error` is the reason. */
export type AutomationNotice = {
  readonly accountId: string;
  readonly error: SyncError | undefined;
} & (
  | {
      readonly state: 'held' | 'failed';
      readonly params: { account: string; store: string; sheet: string; run: string };
    }
  | { readonly state: 'paused'; readonly params: { account: string; connection: string } }
);

type NoticesDeps = {
  readonly sql: Sql;
  readonly log: Log;
  readonly tell: (notice: AutomationNotice) => Promise<void>;
};

export type AutomationNotices = {
  /** A run has ended, or waits for a person. */
  runSettled(run: Run): Promise<void>;
  /** A store or a sheet no longer takes part in automatic runs, because of this error. */
  connectionPaused(accountId: string, connectionId: string, error?: SyncError): Promise<void>;
};

/**
 * Reports when automation stops: a held run, failing runs, a side that must be connected again. Each is
 * reported once, until a run of the configuration has worked.
 */
export function createAutomationNotices({ sql, log, tell }: NoticesDeps): AutomationNotices {
  return {
    async runSettled(run) {
      if (run.dry_run) return;
      const { account_id: accountId, status } = run;
      if (status === 'succeeded' || status === 'partial') return markWorking(sql, run);
      const state = isAutomatic(run) ? STATES[status] : undefined;
      if (!state || !(await recordRun(sql, run, state))) return;
      const names = await namesOf(sql, accountId, run);
      if (names) say({ accountId, state, error: run.errors[0], params: { ...names, run: run.id } });
    },

    async connectionPaused(accountId, connectionId, error) {
      if (!(await recordPaused(sql, accountId, connectionId))) return;
      const params = await nameOfConnection(sql, accountId, connectionId);
      if (params) say({ accountId, state: 'paused', error, params });
    },
  };

  /** In the background: no run waits for a mail server. */
  function say(notice: AutomationNotice): void {
    tell(notice).catch((error: unknown) =>
      log.warn({ err: error, account: notice.accountId }, 'owners were not told of an automatic sync'),
    );
  }
}

const STATES: Readonly<Partial<Record<Run['status'], 'held' | 'failed'>>> = {
  awaiting_confirmation: 'held',
  failed: 'failed',
};
