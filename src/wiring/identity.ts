import type { Config } from '../config.ts';
import type { Files } from '../files/files.ts';
import { createIdentity, type IdentityDeps } from '../identity/identity.ts';
import type { Database } from '../platform/database/database.ts';
import { createSecretBox } from '../platform/secret-box.ts';
import { secretBoxKey } from '../platform/secret-box-key.ts';
import { createServerSecret } from '../platform/server-secret.ts';
import { createOidcProvider } from '../providers/oidc/oidc.ts';
import { createSignInProviders } from '../providers/sign-in-providers.ts';
import { type Base, defineService } from './service.ts';

type AccountFiles = Pick<Files, 'blobsOf' | 'removeBlobs'>;

type Deps = Base &
  Pick<IdentityDeps, 'consents' | 'seedAccount' | 'entitlements' | 'billing'> & {
    /** Services that store files of accounts. */
    readonly files: readonly AccountFiles[];
    /** Of services that work in the background: each cancels what it has begun for an account and not ended. */
    readonly stopWork: readonly IdentityDeps['stopWork'][];
  };

/** Callers: people, accounts, members and every kind of credential. */
export function wireIdentity(deps: Deps) {
  const { database, sql, config, log, mail, audit, now, consents, seedAccount, entitlements, billing } = deps;
  const { api, listeners, sweeps, exporters, close } = createIdentity({
    ...{ sql, log, mail, audit, now, consents, seedAccount, entitlements, billing },
    sendsMail: config.smtpUrl !== undefined && config.mailFrom !== undefined,
    secret: createServerSecret({ sql, encryptionKey: config.encryptionKey }),
    box: openSecretBox(database, config),
    signUp: { mode: config.signUp, domains: config.signUpDomains },
    signInProviders: createSignInProviders(config.signInProviders ?? [], now),
    identityProvider: openIdentityProvider(config, now),
    files: joinFiles(deps.files),
    async stopWork(accountId) {
      await Promise.all(deps.stopWork.map((stop) => stop(accountId)));
    },
  });
  return defineService({ api, listeners, jobs: { hourly: sweeps }, exporters, close });
}

function joinFiles(files: readonly AccountFiles[]): AccountFiles {
  return {
    blobsOf: async (accountId) => (await Promise.all(files.map((one) => one.blobsOf(accountId)))).flat(),
    async removeBlobs(keys) {
      await Promise.all(files.map((one) => one.removeBlobs(keys)));
    },
  };
}

function openIdentityProvider({ oidcIssuer: issuer, oidcAudience: audience }: Config, now: Base['now']) {
  return issuer && audience ? createOidcProvider({ issuer, audience, now }) : undefined;
}

function openSecretBox({ engine }: Database, { encryptionKey, dataDir }: Config) {
  return createSecretBox({ key: secretBoxKey({ encryptionKey, engine, dataDir }) });
}
