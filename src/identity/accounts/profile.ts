import type { Subscription } from '../../billing/payment-service.ts';
import { Fault } from '../../errors.ts';
import { contentTag } from '../../platform/content-tag.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Caller, Role } from '../caller.ts';
import type { ProfileRow } from '../users/user-repo.ts';
import * as userRepo from '../users/user-repo.ts';

type ProfilesDeps = {
  readonly sql: Sql;
  /** The plans an account has now. */
  readonly plansOf: (accountId: string) => Promise<Plans>;
  /** The account's customer at the payment service; null where it subscribes to nothing. */
  readonly payingCustomer: (accountId: string) => Promise<string | null>;
  /** What the account subscribes to, of hooks; undefined where that is nothing. */
  readonly subscriptionOf: (accountId: string) => Promise<Subscription | undefined>;
};

/** What billing says of an account. */
type Standing = {
  readonly plans: Plans;
  readonly customerId: string | null;
  readonly subscription: Subscription | undefined;
};

/** The plan of each app: free, pro or enterprise, and free, pro or pro_api. */
type Plans = { readonly hooks: string; readonly sync: string };

/** The person who calls, or the account itself where a key or the local owner does. */
export type Profile = {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly avatar: string | null;
  /** Of the hooks app. */
  readonly plan: string;
  readonly plans: Plans;
  /** Its presence means that billing is active. */
  readonly payment_customer_id: string | null;
  readonly subscription: {
    readonly display_name: string;
    readonly status: string;
    readonly interval: string | null;
    readonly interval_count: number | null;
    readonly renewal_date: string | null;
    readonly cancelAtPeriodEnd: boolean;
  };
  readonly created_at: string;
  readonly member_since: string;
  readonly auth_provider: string;
  readonly language: string | null;
  readonly role: Role | null;
  readonly account: { readonly id: string; readonly name: string };
};

export type ProfileChanges = {
  readonly name?: string | undefined;
  readonly language?: string | undefined;
  readonly avatar?: string | undefined;
};

export type Profiles = ReturnType<typeof createProfiles>;

export function createProfiles({ sql, plansOf, payingCustomer, subscriptionOf }: ProfilesDeps) {
  async function standingOf({ accountId }: Caller): Promise<Standing> {
    const [plans, customerId, subscription] = await Promise.all([
      plansOf(accountId),
      payingCustomer(accountId),
      subscriptionOf(accountId),
    ]);
    return { plans, customerId, subscription };
  }

  async function read(caller: Caller, standing: Standing, db: Sql | Tx = sql): Promise<Profile> {
    const { accountId, userId } = caller;
    const row = await userRepo.findProfile(db, accountId, userId ?? null);
    if (!row || (userId && !row.user_id)) throw new Fault('not_found.account', { id: accountId });
    return present(row, caller, standing);
  }

  return {
    /** @throws Fault not_found.account */
    get: async (caller: Caller): Promise<Profile> => read(caller, await standingOf(caller)),

    /**
     * Changes the person who calls; for a key or the local owner, the name of the account.
     * @throws Fault forbidden.no_person, forbidden.admins, precondition_failed.etag
     */
    async update(caller: Caller, changes: ProfileChanges, ifMatch?: readonly string[]): Promise<Profile> {
      const { accountId, userId, scopes } = caller;
      const { name = null, language = null, avatar = null } = changes;
      if (!userId && (language !== null || avatar !== null)) throw new Fault('forbidden.no_person');
      if (!userId && !scopes.includes('account:write')) throw new Fault('forbidden.admins');
      const standing = await standingOf(caller);
      return sql.begin(async (tx) => {
        await (userId ? userRepo.lockMember(tx, accountId, userId) : userRepo.lockAccount(tx, accountId));
        const before = await read(caller, standing, tx);
        if (ifMatch && !ifMatch.includes(contentTag(before))) throw new Fault('precondition_failed.etag');
        if (userId) await userRepo.updateMember(tx, accountId, userId, { name, language, avatar });
        else if (name !== null) await userRepo.renameAccount(tx, accountId, name);
        return read(caller, standing, tx);
      });
    },
  };
}

function present(row: ProfileRow, { via }: Caller, { plans, customerId, subscription }: Standing): Profile {
  const plan = plans.hooks;
  const since = (row.created_at ?? row.account_created_at).toISOString();
  return {
    id: row.user_id ?? row.account_id,
    name: row.user_id ? (row.name ?? '') : row.account_name,
    email: row.email,
    avatar: row.avatar,
    plan,
    plans,
    payment_customer_id: customerId,
    subscription: {
      display_name: plan.charAt(0).toUpperCase() + plan.slice(1),
      status: subscription?.status ?? (plan === 'free' ? 'none' : 'active'),
      interval: subscription?.interval ?? null,
      interval_count: subscription?.intervalCount ?? null,
      renewal_date: subscription?.currentPeriodEnd.toISOString() ?? null,
      cancelAtPeriodEnd: subscription?.cancelAtPeriodEnd ?? false,
    },
    created_at: since,
    member_since: since,
    auth_provider: row.auth_provider ?? via,
    language: row.language,
    role: row.role ?? (via === 'local' ? 'owner' : null),
    account: { id: row.account_id, name: row.account_name },
  };
}
