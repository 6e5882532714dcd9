/**
 * What the operator of a server does across accounts: looks, stops and starts work, gives plans, makes keys.
 * In: IDs from any account; the caller may run commands on the server's data. Out: rows, or the change.
 * Invariant: every change is in the audit log of the account it is in, as `operator`. Nothing here is reached by the API.
 */
import type { Audit, NewAuditEvent } from '../audit/audit.ts';
import type { PlanGrants } from '../billing/plan-grants.ts';
import type { AccountDeletion } from '../identity/accounts/account-deletion.ts';
import type { Accounts } from '../identity/accounts/accounts.ts';
import type { Caller, Scope } from '../identity/caller.ts';
import type { Keys } from '../identity/keys/keys.ts';
import type { Sessions } from '../identity/sessions/sessions.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { BilledApp } from '../plans.ts';
import type { Also, Sql, Tx } from '../platform/database/database.ts';
import type { Configs } from '../sync/configs/configs.ts';
import type { Runs } from '../sync/runs/runs.ts';
import type { Videos } from '../videos/videos.ts';
import * as operatorRepo from './operator-repo.ts';

const ACTOR = 'operator';

type OperatorDeps = {
  readonly sql: Sql;
  readonly record: Audit['record'];
  readonly planGrants: PlanGrants;
  readonly accounts: Pick<Accounts, 'get' | 'create'>;
  readonly accountDeletion: Pick<AccountDeletion, 'delete' | 'restore'>;
  readonly keys: Pick<Keys, 'create' | 'listAll' | 'revoke'>;
  readonly sessions: Pick<Sessions, 'endAll'>;
  readonly jobs: Pick<Jobs, 'cancel'>;
  readonly videos: Pick<Videos, 'cancel' | 'retry'>;
  readonly runs: Pick<Runs, 'cancel' | 'retry'>;
  readonly configs: Pick<Configs, 'update'>;
  /** Every scope there is. */
  readonly scopes: readonly Scope[];
  /** Where people reach the server, for links in emails. */
  readonly baseUrl: string;
};

type NewKey = {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null: never. */
  readonly expiresAt: Date | null;
};

type Work = { readonly id: string; readonly accountId: string };

export function createOperator(deps: OperatorDeps) {
  const { sql, planGrants, accounts, accountDeletion, keys } = deps;
  const place = { baseUrl: deps.baseUrl, locale: 'en' } as const;

  return {
    listAccounts: (filter: Parameters<typeof operatorRepo.listAccounts>[1]) =>
      operatorRepo.listAccounts(sql, filter),

    /** The account with what it has. @throws Fault not_found.account */
    async account(id: string) {
      const { name } = await accounts.get(id);
      const counts = await operatorRepo.countAccount(sql, id);
      const grants = await planGrants.list(id);
      const entry = await operatorRepo.findAccount(sql, id);
      return { ...entry, id, name, counts, grants };
    },

    /** Gives a plan beside what is paid for. `endsAt` null: until it is taken back. @throws Fault not_found.account */
    async givePlan(accountId: string, app: BilledApp, plan: string, endsAt: Date | null): Promise<void> {
      await accounts.get(accountId);
      await planGrants.give(accountId, { app, plan, ends_at: endsAt }, ACTOR);
    },

    /** Takes back the plan that was given; what is paid for stays. @throws Fault not_found.account */
    async takeBackPlan(accountId: string, app: BilledApp): Promise<void> {
      await accounts.get(accountId);
      await planGrants.takeBack(accountId, app, ACTOR);
    },

    /** As an owner deletes an account: it can be reopened for 14 days. @throws Fault not_found.account, forbidden.local_account */
    async close(accountId: string): Promise<Date> {
      const { name } = await accounts.get(accountId);
      return accountDeletion.delete(callerIn(accountId), name, place);
    },

    /** @throws Fault not_found.account, conflict.not_deleted */
    async reopen(accountId: string): Promise<void> {
      await accountDeletion.restore(callerIn(accountId));
    },

    /** Returns its ID. */
    async createAccount(name: string): Promise<string> {
      const { id } = await accounts.create(name, (tx, created) =>
        noted(tx, created, { action: 'account.created', target: created, detail: { name } }),
      );
      return id;
    },

    listKeys: keys.listAll,

    /** The secret is returned once. @throws Fault not_found.account */
    async createKey({ accountId, name, scopes, expiresAt }: NewKey) {
      await accounts.get(accountId);
      return sql.begin(async (tx) => {
        const made = await keys.create(accountId, name, scopes, expiresAt, tx);
        const detail = { name, scopes: [...scopes], expires_at: expiresAt?.toISOString() ?? null };
        await noted(tx, accountId, { action: 'api_key.created', target: made.id, detail });
        return made;
      });
    },

    /** False for an ID that is no key. */
    async revokeKey(id: string): Promise<boolean> {
      const key = (await keys.listAll()).find((one) => one.id === id);
      if (!key) return false;
      await sql.begin(async (tx) => {
        await keys.revoke(key.account_id, id, tx);
        const detail = { name: key.name };
        await noted(tx, key.account_id, { action: 'api_key.revoked', target: id, detail });
      });
      return true;
    },

    /** Signs a person out everywhere. False for an address that is no one's. */
    async signOut(email: string): Promise<boolean> {
      const person = await operatorRepo.findPerson(sql, email.toLowerCase());
      if (!person) return false;
      await sql.begin(async (tx) => {
        await deps.sessions.endAll(person.id, tx);
        for (const accountId of person.accounts)
          await noted(tx, accountId, { action: 'sessions.ended', target: person.id });
      });
      return true;
    },

    listWork: (filter: Parameters<typeof operatorRepo.listWork>[1]) => operatorRepo.listWork(sql, filter),

    /** Whose a job, video or sync run is; undefined for an ID of none. */
    findWork: (id: string) => operatorRepo.findWork(sql, id),

    /** @throws Fault conflict.job_finished, conflict.video_ended, conflict.sync_run_finished */
    async cancelWork(kind: (typeof operatorRepo.WORK_KINDS)[number], { id, accountId }: Work): Promise<void> {
      const cancel = { job: deps.jobs.cancel, video: deps.videos.cancel, run: deps.runs.cancel }[kind];
      await cancel(accountId, id, (tx) =>
        noted(tx, accountId, { action: `${ACTIONS[kind]}.canceled`, target: id }),
      );
    },

    /**
     * Resumes a video, or starts a run like the one that ended; a job cannot be repeated, since its input goes when it ends.
     * Returns the ID of what runs. @throws Fault conflict
     */
    async retryWork(kind: 'video' | 'run', { id, accountId }: Work): Promise<string> {
      const also: Also = (tx, to) =>
        noted(tx, accountId, { action: `${ACTIONS[kind]}.retried`, target: id, to });
      const started =
        kind === 'video'
          ? await deps.videos.retry(accountId, id, also)
          : await deps.runs.retry({ accountId, actor: ACTOR }, id, also);
      return started.id;
    },

    listSyncs: (filter: Parameters<typeof operatorRepo.listSyncs>[1]) => operatorRepo.listSyncs(sql, filter),

    /** Stops or starts the automatic runs of a configuration. False for an ID of none. @throws Fault plan_required */
    async setSyncEnabled(id: string, enabled: boolean): Promise<boolean> {
      const accountId = await operatorRepo.findSync(sql, id);
      if (accountId === undefined) return false;
      const action = enabled ? 'sync_config.resumed' : 'sync_config.paused';
      const also: Also = (tx) => noted(tx, accountId, { action, target: id });
      await deps.configs.update(accountId, id, { enabled }, undefined, also);
      return true;
    },

    listConnections: (filter: Parameters<typeof operatorRepo.listConnections>[1]) =>
      operatorRepo.listConnections(sql, filter),

    listUsage: (filter: Parameters<typeof operatorRepo.listUsage>[1]) => operatorRepo.listUsage(sql, filter),
  };

  function callerIn(accountId: string): Caller {
    return { accountId, actor: ACTOR, scopes: deps.scopes, via: 'local', fresh: true };
  }

  /** The event of a change, in the transaction of the change. */
  async function noted(tx: Tx, accountId: string, event: Omit<NewAuditEvent, 'actor'>): Promise<void> {
    await deps.record(tx, accountId, { actor: ACTOR, ...event });
  }
}

/** As the actions of the audit log name them. */
const ACTIONS = { job: 'job', video: 'video', run: 'sync_run' } as const;
