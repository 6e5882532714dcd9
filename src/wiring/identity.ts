import type { Audit } from '../audit/audit.ts';
import type { Billing } from '../billing/billing.ts';
import type { Entitlements } from '../billing/entitlements.ts';
import type { Config } from '../config.ts';
import type { Files } from '../files/files.ts';
import { createAccountDeletion } from '../identity/account-deletion.ts';
import { createAccountKeys } from '../identity/account-keys.ts';
import { createAccounts, type SeedAccount } from '../identity/accounts.ts';
import { createCredentials } from '../identity/credentials.ts';
import { createKeys } from '../identity/keys.ts';
import { createMembers } from '../identity/members.ts';
import { createLocalSignIn } from '../identity/local-sign-in.ts';
import { createProfiles } from '../identity/profile.ts';
import { createExternalUsers } from '../identity/external-users.ts';
import { createSessions } from '../identity/sessions.ts';
import { createLoggedEmail, type SignInEmail } from '../identity/sign-in-email.ts';
import { createAnonymousCallers } from '../identity/anonymous-callers.ts';
import type { Sql } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import { createOidcProvider } from '../providers/oidc.ts';
import { createSmtpMail } from '../providers/smtp.ts';

type Parts = {
  readonly sql: Sql;
  readonly config: Config;
  readonly log: Log;
  readonly audit: Audit;
  /** Whoever keeps bytes of accounts. */
  readonly files: readonly Pick<Files, 'blobsOf' | 'removeBlobs'>[];
  readonly furnish: SeedAccount;
  readonly entitlements: Entitlements;
  readonly billing: Pick<Billing, 'cancelSubscriptions' | 'subscriptionTo'>;
};

/** Who calls: people, their accounts and every credential. */
export function composeIdentity({ sql, config, log, audit, files, furnish, entitlements, billing }: Parts) {
  const secret = createServerSecret({ sql, encryptionKey: config.encryptionKey });
  const accounts = createAccounts({ sql, furnish });
  const keys = createKeys({ sql, plans: entitlements });
  const accountKeys = createAccountKeys({ sql, plans: entitlements, audit, forget: keys.forget });
  const sessions = createSessions({ sql });
  const profiles = createProfiles({
    sql,
    planOf: async (accountId) => (await entitlements.of(accountId)).hooks.plan,
    subscriptionOf: (accountId) => billing.subscriptionTo(accountId, 'hooks'),
  });
  // Members and those a provider vouches for know of each other by this alone.
  const forgetPeople = () => {
    keys.forget();
    sessions.forget();
    provided?.forget();
  };
  const members = createMembers({
    sql,
    requirePlan: (accountId) => entitlements.requireFeature(accountId, 'members'),
    record: audit.record,
    forget: forgetPeople,
  });
  const { acceptInvitations } = members;
  const provider = identityProviderOf(config);
  const provided = provider && createExternalUsers({ sql, provider, accounts, acceptInvitations });
  const mail = openSignInMail(config, log);
  const people = createLocalSignIn({ sql, secret, sessions, accounts, members, profiles, mail });
  const { cancelSubscriptions } = billing;
  return {
    accounts,
    keys,
    accountKeys,
    sessions,
    profiles,
    members,
    people,
    credentials: createCredentials({ keys, sessions, provided }),
    visitors: createAnonymousCallers({ secret }),
    accountDeletion: createAccountDeletion({
      sql,
      files: together(files),
      cancelSubscriptions,
      forget: forgetPeople,
    }),
    forgetPeople,
  };
}

function together(files: Parts['files']): Parts['files'][number] {
  return {
    blobsOf: async (accountId) => (await Promise.all(files.map((one) => one.blobsOf(accountId)))).flat(),
    async removeBlobs(keys) {
      await Promise.all(files.map((one) => one.removeBlobs(keys)));
    },
  };
}

function identityProviderOf({ oidcIssuer: issuer, oidcAudience: audience }: Config) {
  return issuer && audience ? createOidcProvider({ issuer, audience }) : undefined;
}

/** Where sign-in codes go: by mail; into the log where only this machine reaches the server; else nowhere. */
function openSignInMail({ smtpUrl, mailFrom, loopback }: Config, log: Log): SignInEmail | undefined {
  if (smtpUrl && mailFrom) return createSmtpMail({ url: smtpUrl, from: mailFrom });
  return loopback ? createLoggedEmail(log) : undefined;
}
