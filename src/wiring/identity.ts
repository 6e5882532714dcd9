import type { Billing } from '../billing/billing.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import type { Files } from '../files/files.ts';
import { createAccountDeletion } from '../identity/account-deletion.ts';
import { exportList, exportPages } from '../identity/account-export.ts';
import { createAccountKeys } from '../identity/account-keys.ts';
import { createAccounts, type SeedAccount } from '../identity/accounts.ts';
import { createAnonymousCallers } from '../identity/anonymous-callers.ts';
import { createCredentials } from '../identity/credentials.ts';
import { createExternalUsers } from '../identity/external-users.ts';
import { createKeys } from '../identity/keys.ts';
import { createLocalSignIn } from '../identity/local-sign-in.ts';
import { createMembers } from '../identity/members.ts';
import { createProfiles } from '../identity/profile.ts';
import { createSessions } from '../identity/sessions.ts';
import { createLoggedEmail, type SignInEmail } from '../identity/sign-in-email.ts';
import type { Log } from '../platform/log.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import { createOidcProvider } from '../providers/oidc.ts';
import { createSmtpMail } from '../providers/smtp.ts';
import { type Base, defineService } from './service.ts';

type AccountFiles = Pick<Files, 'blobsOf' | 'removeBlobs'>;

type IdentityDeps = Base & {
  /** Services that store files of accounts. */
  readonly files: readonly AccountFiles[];
  readonly seedAccount: SeedAccount;
  readonly entitlements: Entitlements;
  readonly billing: Pick<Billing, 'cancelSubscriptions' | 'subscriptionTo'>;
};

/** Callers: people, accounts, members and every kind of credential. */
export function wireIdentity(deps: IdentityDeps) {
  const { sql, config, log, audit, files, seedAccount, entitlements, billing } = deps;
  const secret = createServerSecret({ sql, encryptionKey: config.encryptionKey });
  const accounts = createAccounts({ sql, seedAccount });
  const keys = createKeys({ sql, plans: entitlements });
  const accountKeys = createAccountKeys({ sql, plans: entitlements, audit, invalidate: keys.invalidate });
  const sessions = createSessions({ sql });
  const profiles = createProfiles({
    sql,
    planOf: async (accountId) => (await entitlements.of(accountId)).hooks.plan,
    subscriptionOf: (accountId) => billing.subscriptionTo(accountId, 'hooks'),
  });
  // External users and members depend on each other, so only this closure connects them.
  const invalidate = () => {
    keys.invalidate();
    sessions.invalidate();
    externalUsers?.invalidate();
  };
  const members = createMembers({
    sql,
    requirePlan: (accountId) => entitlements.requireFeature(accountId, 'members'),
    record: audit.record,
    invalidate,
  });
  const { acceptInvitations } = members;
  const provider = openIdentityProvider(config);
  const externalUsers = provider && createExternalUsers({ sql, provider, accounts, acceptInvitations });
  const email = openSignInEmail(config, log);
  const localSignIn = createLocalSignIn({ sql, secret, sessions, accounts, members, profiles, email });
  const { cancelSubscriptions } = billing;
  const api = {
    accounts,
    keys,
    accountKeys,
    sessions,
    profiles,
    members,
    signIn: localSignIn.signIn,
    credentials: createCredentials({ keys, sessions, externalUsers }),
    anonymousCallers: createAnonymousCallers({ secret }),
    accountDeletion: createAccountDeletion({ sql, files: joinFiles(files), cancelSubscriptions, invalidate }),
  };
  return defineService({
    api,
    listeners: [...keys.listeners, ...sessions.listeners, ...(externalUsers?.listeners ?? [])],
    jobs: { hourly: { people: localSignIn.sweep } },
    exporters: [exportList('members', members.list), exportPages('api_keys', accountKeys.list)],
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

/** Sends sign-in codes by email; on a loopback server without SMTP, writes them to the log. Undefined elsewhere. */
function openSignInEmail({ smtpUrl, mailFrom, loopback }: Config, log: Log): SignInEmail | undefined {
  if (smtpUrl && mailFrom) return createSmtpMail({ url: smtpUrl, from: mailFrom });
  return loopback ? createLoggedEmail(log) : undefined;
}
