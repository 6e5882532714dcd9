import type { Audit } from '../audit/audit.ts';
import type { Billing } from '../billing/billing.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import { localizeLetter } from '../language.ts';
import { SEATS } from '../plans.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { createAccountDeletion } from './accounts/account-deletion.ts';
import { exportList, exportPages } from './accounts/account-export.ts';
import { createAccountStates } from './accounts/account-state.ts';
import { createAccounts, type SeedAccount } from './accounts/accounts.ts';
import { createMemberAccounts, createPersonAccounts } from './accounts/person-accounts.ts';
import { createProfiles } from './accounts/profile.ts';
import { createTakeovers } from './accounts/takeover.ts';
import { createAnonymousCallers } from './anonymous-callers.ts';
import { createCallerRights } from './caller-rights.ts';
import { createConnectedApps } from './connected-apps/connected-apps.ts';
import { createOauthStore } from './connected-apps/oauth-store.ts';
import { createCredentials } from './credentials.ts';
import { createAccountKeys } from './keys/account-keys.ts';
import { createKeys } from './keys/keys.ts';
import type { Post } from './mail.ts';
import { createInvitations } from './members/invitations.ts';
import { createMembers } from './members/members.ts';
import { createSecurityJournal } from './security-journal.ts';
import { createSessions } from './sessions/sessions.ts';
import type { SignInProviders } from './sign-in/browser-sign-in.ts';
import { createLocalSignIn } from './sign-in/local-sign-in.ts';
import { createSignUpPolicy } from './sign-in/sign-up-policy.ts';
import { createExternalUsers, type IdentityProvider } from './users/external-users.ts';

type AccountDeletionDeps = Parameters<typeof createAccountDeletion>[0];

export type IdentityDeps = Pick<AccountDeletionDeps, 'files' | 'consents' | 'stopWork'> & {
  readonly sql: Sql;
  readonly log: Log;
  readonly audit: Audit;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Undefined if email is not configured. */
  readonly mail: Mail | undefined;
  /** False where mails are only written to the log. */
  readonly sendsMail: boolean;
  readonly secret: ServerSecret;
  /** Seals the secrets of authenticator apps. */
  readonly box: SecretBox;
  readonly seedAccount: SeedAccount;
  readonly signUp: Pick<Parameters<typeof createSignUpPolicy>[0], 'mode' | 'domains'>;
  readonly signInProviders: SignInProviders;
  /** Whose tokens are taken beside the server's own. */
  readonly identityProvider: IdentityProvider | undefined;
  readonly entitlements: Entitlements;
  readonly billing: Pick<
    Billing,
    'cancelSubscriptions' | 'endSubscriptions' | 'endingSubscriptions' | 'subscriptionTo' | 'payingCustomer'
  >;
};

/**
 * Who calls, for which account, and what they may do.
 *
 *   accounts/        what people own: made, joined, exported, taken over, deleted
 *   members/         roles and invitations
 *   users/           people, by password here or by an identity provider
 *   sign-in/         passwords, codes, social sign-in, who may sign up
 *   second-factor/   authenticator apps and recovery codes
 *   passkeys/        sign-in without a password
 *   sessions/        signed-in browsers
 *   keys/            API keys
 *   connected-apps/  programs that people let in by OAuth
 *
 * In: a credential of any kind. Out: a `Caller`, or a fault.
 * Invariant: a revoked credential, role or account counts on every node at once; caches hear of it by NOTIFY.
 */
export function createIdentity(deps: IdentityDeps) {
  const { sql, log, audit, mail, sendsMail, now, secret, entitlements, billing, stopWork } = deps;
  const { record } = audit;
  const journal = createSecurityJournal({ sql, log, record, now });
  const policy = createSignUpPolicy({ sql, now, ...deps.signUp });
  const accounts = createAccounts({ sql, seedAccount: deps.seedAccount });
  const keys = createKeys({ sql, plans: entitlements, now });
  const accountKeys = createAccountKeys({
    sql,
    plans: entitlements,
    audit,
    invalidate: keys.invalidate,
    now,
  });
  const sessions = createSessions({ sql, now });
  const connectedApps = createConnectedApps({ sql, record, now });
  const oauthStore = createOauthStore({ sql, secret, connectedApps, now });
  const states = createAccountStates({ sql });
  const planOf = async (accountId: string) => (await entitlements.of(accountId)).hooks.plan;
  const hasMembers = async (accountId: string) =>
    (await entitlements.of(accountId)).hooks.features.includes('members');
  const profiles = createProfiles({
    sql,
    plansOf: async (accountId) => {
      const { hooks, sync } = await entitlements.of(accountId);
      return { hooks: hooks.plan, sync: sync.plan };
    },
    payingCustomer: billing.payingCustomer,
    subscriptionOf: (accountId) => billing.subscriptionTo(accountId, 'hooks'),
  });
  // External users and members depend on each other, so only this closure connects them.
  const invalidate = (accountId?: string) => {
    states.invalidate(accountId);
    keys.invalidate();
    sessions.invalidate();
    connectedApps.invalidate();
    externalUsers?.invalidate();
  };
  const post = createPost(mail, sendsMail);
  const invitations = createInvitations({ sql, record, invalidate, now });
  const members = createMembers({
    sql,
    requirePlan: (accountId) => entitlements.requireFeature(accountId, 'members'),
    seatsOf: async (accountId) => ((await hasMembers(accountId)) ? SEATS : 1),
    record,
    post,
    sendsMail,
    invalidate,
    log,
    now,
  });
  const accountDeletion = createAccountDeletion({
    sql,
    files: deps.files,
    subscriptions: {
      end: billing.endSubscriptions,
      cancel: billing.cancelSubscriptions,
      ending: billing.endingSubscriptions,
    },
    consents: deps.consents,
    stopWork,
    record,
    post,
    invalidate,
    log,
    now,
  });
  const takeovers = createTakeovers({
    sql,
    accounts,
    removeAccount: accountDeletion.remove,
    stopWork,
    record,
    invalidate,
  });
  const { identityProvider: provider } = deps;
  const externalUsers = provider && createExternalUsers({ sql, provider, accounts, policy, now });
  const localSignIn = createLocalSignIn({
    ...{ sql, secret, log, sessions, accounts, takeovers, profiles, policy, journal, externalUsers, mail },
    box: deps.box,
    now,
    record,
    providers: deps.signInProviders,
  });
  const api = {
    accounts,
    keys,
    accountKeys,
    sessions,
    profiles,
    members,
    signIn: localSignIn.signIn,
    secondFactor: localSignIn.secondFactor,
    passkeys: localSignIn.passkeys,
    browserSignIn: localSignIn.browserSignIn,
    ownCredentials: localSignIn.ownCredentials,
    journal,
    connectedApps,
    oauthStore,
    /** The accounts a person belongs to and can choose from. */
    memberAccounts: createMemberAccounts(sql),
    credentials: createCredentials({
      keys,
      sessions,
      connectedApps,
      externalUsers,
      journal,
      rights: createCallerRights({ states, hasMembers }),
    }),
    anonymousCallers: createAnonymousCallers({ secret, now }),
    accountDeletion,
    invitations,
    takeovers,
    personAccounts: createPersonAccounts({ sql, planOf, invitations }),
  };
  return {
    api,
    listeners: [
      ...states.listeners,
      ...keys.listeners,
      ...sessions.listeners,
      ...connectedApps.listeners,
      ...(externalUsers?.listeners ?? []),
    ],
    /** Delete what has expired. */
    sweeps: {
      people: localSignIn.sweep,
      ...(externalUsers && { externalUsers: externalUsers.sweep }),
      invitations: invitations.sweep,
      connectedApps: connectedApps.sweep,
      oauth: oauthStore.sweep,
      deletedAccounts: accountDeletion.purge,
    },
    exporters: [
      exportList('members', members.list),
      exportPages('api_keys', accountKeys.list),
      exportPages('connected_apps', (accountId, request) =>
        connectedApps.list({ accountId, scopes: ['keys:write'] }, request),
      ),
    ],
    close: journal.close,
  };
}

/** Writes letters in the language of whom they are for. False where the server sends no email. */
function createPost(mail: Mail | undefined, sendsMail: boolean): Post {
  return async (letter) => {
    await mail?.send({ to: letter.to, ...localizeLetter(letter, letter.locale) });
    return sendsMail;
  };
}
