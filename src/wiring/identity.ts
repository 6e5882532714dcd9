import type { Billing } from '../billing/billing.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import type { Files } from '../files/files.ts';
import { createAccountDeletion } from '../identity/accounts/account-deletion.ts';
import { exportList, exportPages } from '../identity/accounts/account-export.ts';
import { createAccountStates } from '../identity/accounts/account-state.ts';
import { createAccounts, type SeedAccount } from '../identity/accounts/accounts.ts';
import { createMemberAccounts, createPersonAccounts } from '../identity/accounts/person-accounts.ts';
import { createProfiles } from '../identity/accounts/profile.ts';
import { createTakeovers } from '../identity/accounts/takeover.ts';
import { createAnonymousCallers } from '../identity/anonymous-callers.ts';
import { createCallerRights } from '../identity/caller-rights.ts';
import { createConnectedApps } from '../identity/connected-apps/connected-apps.ts';
import { createOauthStore } from '../identity/connected-apps/oauth-store.ts';
import { createCredentials } from '../identity/credentials.ts';
import { createAccountKeys } from '../identity/keys/account-keys.ts';
import { createKeys } from '../identity/keys/keys.ts';
import type { Post } from '../identity/mail.ts';
import { createInvitations } from '../identity/members/invitations.ts';
import { createMembers } from '../identity/members/members.ts';
import { createSecurityJournal } from '../identity/security-journal.ts';
import { createSessions } from '../identity/sessions/sessions.ts';
import { createLocalSignIn } from '../identity/sign-in/local-sign-in.ts';
import { createSignUpPolicy } from '../identity/sign-in/sign-up-policy.ts';
import { createExternalUsers } from '../identity/users/external-users.ts';
import { localizeLetter } from '../language.ts';
import { SEATS } from '../plans.ts';
import type { Database } from '../platform/database/database.ts';
import type { Mail } from '../platform/mail.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { secretBoxKey } from '../platform/secret-box-key.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import { createOidcProvider } from '../providers/oidc.ts';
import { createSignInProviders } from '../providers/sign-in-providers.ts';
import type { Grants } from '../sync/consents/grants.ts';
import { type Base, defineService } from './service.ts';

type AccountFiles = Pick<Files, 'blobsOf' | 'removeBlobs'>;

/** Cancels what a service has begun for an account and not ended. */
type StopWork = (accountId: string) => Promise<void>;

type IdentityDeps = Base & {
  /** Of the service that connects accounts to others by consent. */
  readonly consents: Pick<Grants, 'leave' | 'revokeLeft'>;
  /** Services that store files of accounts. */
  readonly files: readonly AccountFiles[];
  /** Of services that work in the background. */
  readonly stopWork: readonly StopWork[];
  readonly seedAccount: SeedAccount;
  readonly entitlements: Entitlements;
  readonly billing: Pick<
    Billing,
    'cancelSubscriptions' | 'endSubscriptions' | 'endingSubscriptions' | 'subscriptionTo' | 'payingCustomer'
  >;
};

/** Callers: people, accounts, members and every kind of credential. */
export function wireIdentity(deps: IdentityDeps) {
  const { database, sql, config, log, mail, audit, files, stopWork, seedAccount, entitlements, billing } =
    deps;
  const { record } = audit;
  const journal = createSecurityJournal({ sql, log, record });
  const policy = createSignUpPolicy({ sql, mode: config.signUp, domains: config.signUpDomains });
  const secret = createServerSecret({ sql, encryptionKey: config.encryptionKey });
  const accounts = createAccounts({ sql, seedAccount });
  const keys = createKeys({ sql, plans: entitlements });
  const accountKeys = createAccountKeys({ sql, plans: entitlements, audit, invalidate: keys.invalidate });
  const sessions = createSessions({ sql });
  const connectedApps = createConnectedApps({ sql, record });
  const oauthStore = createOauthStore({ sql, secret, connectedApps });
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
  const sendsMail = config.smtpUrl !== undefined && config.mailFrom !== undefined;
  const post = createPost(mail, sendsMail);
  const invitations = createInvitations({ sql, record, invalidate });
  const members = createMembers({
    sql,
    requirePlan: (accountId) => entitlements.requireFeature(accountId, 'members'),
    seatsOf: async (accountId) => ((await hasMembers(accountId)) ? SEATS : 1),
    record,
    post,
    sendsMail,
    invalidate,
    log,
  });
  const stopAll: StopWork = async (accountId) => {
    await Promise.all(stopWork.map((stop) => stop(accountId)));
  };
  const accountDeletion = createAccountDeletion({
    sql,
    files: joinFiles(files),
    subscriptions: {
      end: billing.endSubscriptions,
      cancel: billing.cancelSubscriptions,
      ending: billing.endingSubscriptions,
    },
    consents: deps.consents,
    stopWork: stopAll,
    record,
    post,
    invalidate,
    log,
  });
  const { remove: removeAccount } = accountDeletion;
  const takeovers = createTakeovers({
    sql,
    accounts,
    removeAccount,
    stopWork: stopAll,
    record,
    invalidate,
  });
  const provider = openIdentityProvider(config);
  const externalUsers = provider && createExternalUsers({ sql, provider, accounts, policy });
  const localSignIn = createLocalSignIn({
    ...{ sql, secret, log, sessions, accounts, takeovers, profiles, policy, journal, externalUsers, mail },
    box: openSecretBox(database, config),
    record,
    providers: createSignInProviders(config.signInProviders ?? []),
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
    anonymousCallers: createAnonymousCallers({ secret }),
    accountDeletion,
    invitations,
    takeovers,
    personAccounts: createPersonAccounts({ sql, planOf, invitations }),
  };
  return defineService({
    api,
    listeners: [
      ...states.listeners,
      ...keys.listeners,
      ...sessions.listeners,
      ...connectedApps.listeners,
      ...(externalUsers?.listeners ?? []),
    ],
    jobs: {
      hourly: {
        people: localSignIn.sweep,
        ...(externalUsers && { externalUsers: externalUsers.sweep }),
        invitations: invitations.sweep,
        connectedApps: connectedApps.sweep,
        oauth: oauthStore.sweep,
        deletedAccounts: accountDeletion.purge,
      },
    },
    close: journal.close,
    exporters: [
      exportList('members', members.list),
      exportPages('api_keys', accountKeys.list),
      exportPages('connected_apps', (accountId, request) =>
        connectedApps.list({ accountId, scopes: ['keys:write'] }, request),
      ),
    ],
  });
}

function joinFiles(files: readonly AccountFiles[]): AccountFiles {
  return {
    blobsOf: async (accountId) => (await Promise.all(files.map((one) => one.blobsOf(accountId)))).flat(),
    async removeBlobs(keys) {
      await Promise.all(files.map((one) => one.removeBlobs(keys)));
    },
  };
}

function openIdentityProvider({ oidcIssuer: issuer, oidcAudience: audience }: Config) {
  return issuer && audience ? createOidcProvider({ issuer, audience }) : undefined;
}

function openSecretBox({ engine }: Database, { encryptionKey, dataDir }: Config) {
  return createSecretBox({ key: secretBoxKey({ encryptionKey, engine, dataDir }) });
}

/** Writes letters in the language of whom they are for. False where the server sends no email. */
function createPost(mail: Mail | undefined, sendsMail: boolean): Post {
  return async (letter) => {
    await mail?.send({ to: letter.to, ...localizeLetter(letter, letter.locale) });
    return sendsMail;
  };
}
