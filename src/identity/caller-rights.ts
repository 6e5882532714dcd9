import { Fault } from '../errors.ts';
import { type AccountStates, restorableUntil } from './accounts/account-state.ts';
import type { Caller, Scope } from './caller.ts';

type CallerRightsDeps = {
  readonly states: Pick<AccountStates, 'of'>;
  /** Whether the account's plan has members besides the owners. */
  readonly hasMembers: (accountId: string) => Promise<boolean>;
};

export type CallerRights = ReturnType<typeof createCallerRights>;

/** What waits while no one has said whether to keep what a stranger connected. */
const NOT_WHILE_TAKEN_OVER: readonly Scope[] = ['sync:write', 'sync:run', 'connections:write'];

/**
 * Bounds every caller by the state of their account, whatever the credential. A deleted account accepts only the calls
 * that ask for one. Without a plan for members, everyone but the owners reads. Taken over, nothing connected is used.
 */
export function createCallerRights({ states, hasMembers }: CallerRightsDeps) {
  return {
    /** @throws Fault account_deleted.account */
    async bound(caller: Caller, { whileDeleted = false } = {}): Promise<Caller> {
      const { accountId, role } = caller;
      const state = await states.of(accountId);
      if (state?.deleted_at && !whileDeleted) throw accountDeleted(accountId, state.deleted_at);
      if (state?.taken_over_at)
        return withhold(caller, 'takeover', (scope) => !NOT_WHILE_TAKEN_OVER.includes(scope));
      if (role === undefined || role === 'owner' || (await hasMembers(accountId))) return caller;
      return withhold(caller, 'plan', isReading);
    },
  };
}

export function accountDeleted(accountId: string, deletedAt: Date): Fault {
  const until = restorableUntil(deletedAt).toISOString();
  const date = until.slice(0, 10);
  return new Fault(
    'account_deleted.account',
    { account: accountId, date },
    { data: { restorable_until: until } },
  );
}

/** Reading, and rendering, which stores nothing. */
function isReading(scope: Scope): boolean {
  return scope.endsWith(':read') || scope === 'templates:render';
}

function withhold(caller: Caller, because: 'plan' | 'takeover', isLeft: (scope: Scope) => boolean): Caller {
  const scopes = caller.scopes.filter((scope) => !isLeft(scope));
  return { ...caller, scopes: caller.scopes.filter(isLeft), withheld: { scopes, because } };
}
