import { hash, timingSafeEqual } from 'node:crypto';
import type { Sql } from '../../platform/database/database.ts';
import type { ServerSecret } from '../../platform/server-secret.ts';
import type { ConnectedApps } from './connected-apps.ts';
import type { OauthRow } from './oauth-repo.ts';
import * as oauthRepo from './oauth-repo.ts';

/** What the authorization server keeps under the secret `id`, without the secret. */
export type StoredValue = Readonly<Record<string, unknown>>;

type Deps = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  readonly connectedApps: Pick<ConnectedApps, 'endGrant' | 'announce'>;
  readonly now?: () => number;
};

export type OauthStore = ReturnType<typeof createOauthStore>;

const DAY_MS = 86_400_000;
/** Clients that registered themselves and that no one has let in: strangers can make them. */
export const MAX_UNUSED_CLIENTS = 1000;
const UNUSED_CLIENT_MS = 7 * DAY_MS;
const IDLE_CLIENT_MS = 90 * DAY_MS;
/** Rows without an end of their own. */
const MAX_TTL_SECONDS = 90 * 86_400;

/** Kinds that end with the connected app. */
const OF_A_GRANT: ReadonlySet<string> = new Set([
  'AccessToken',
  'RefreshToken',
  'AuthorizationCode',
  'DeviceCode',
]);

/** Where a value holds its own secret, this stands for it. No one can write it there who does not know the secret. */
const selfOf = (sha256: string) => `{self ${sha256}}`;

/**
 * What the authorization server stores, on any node: codes, tokens, grants, sign-ins in progress and registered clients.
 * In: values under a secret. Out: the same. Invariant: the database has the SHA-256 of a secret, never the secret.
 */
export function createOauthStore({ sql, secret, connectedApps, now = Date.now }: Deps) {
  return {
    async put(kind: string, id: string, value: StoredValue, ttlSeconds: number = MAX_TTL_SECONDS) {
      const { userCode, jti: _, ...rest } = shifted(value, now() - Date.now());
      const grantId = OF_A_GRANT.has(kind) ? textOf(value['grantId']) : null;
      const uid = kind === 'Session' ? textOf(value['uid']) : null;
      const key = await keyOf(id);
      await oauthRepo.put(sql, {
        kind,
        id_sha256: key,
        grant_id: grantId,
        user_code_mac: typeof userCode === 'string' ? await userCodeMac(userCode) : null,
        uid_sha256: uid === null ? null : hash('sha256', uid),
        payload: JSON.stringify(rest).replaceAll(id, selfOf(key)),
        expires_at: new Date(now() + ttlSeconds * 1000),
      });
    },

    async find(kind: string, id: string): Promise<StoredValue | undefined> {
      const row = await oauthRepo.find(sql, kind, await keyOf(id));
      return row && readValue(row, id);
    },

    /** The request of a device, by the code a person types. Its `jti` is a reference that only this server can make. */
    async findByUserCode(userCode: string): Promise<StoredValue | undefined> {
      const row = await oauthRepo.findByUserCode(sql, await userCodeMac(userCode));
      return row && { ...readValue(row, await referenceTo(row.id_sha256)), userCode };
    },

    async findByUid(uid: string): Promise<StoredValue | undefined> {
      const row = await oauthRepo.findByUid(sql, hash('sha256', uid));
      return row && readValue(row, await referenceTo(row.id_sha256));
    },

    /** False when it was used before: one of two uses at the same time is the second. */
    consume: async (kind: string, id: string): Promise<boolean> =>
      oauthRepo.consume(sql, kind, await keyOf(id)),

    async remove(kind: string, id: string): Promise<void> {
      await oauthRepo.remove(sql, kind, await keyOf(id));
      if (kind === 'Grant') await connectedApps.endGrant(id);
      if (kind === 'AccessToken') await connectedApps.announce();
    },

    async removeOfGrant(kind: string, grantId: string): Promise<void> {
      await oauthRepo.removeOfGrant(sql, kind, grantId);
      if (kind === 'AccessToken') await connectedApps.announce();
    },

    /** A client that registered itself; of its secret only the SHA-256. */
    async putClient(id: string, { client_secret, ...metadata }: StoredValue): Promise<void> {
      const kept = typeof client_secret === 'string' ? { client_secret: hash('sha256', client_secret) } : {};
      await oauthRepo.putClient(sql, id, JSON.stringify({ ...metadata, ...kept }), MAX_UNUSED_CLIENTS);
    },

    findClient: (id: string) => oauthRepo.findClient(sql, id),
    removeClient: (id: string) => oauthRepo.removeClient(sql, id),
    markClientUsed: (id: string) => oauthRepo.markClientUsed(sql, id, new Date(now())),

    async sweep(): Promise<void> {
      const at = (ms: number) => new Date(now() - ms);
      await oauthRepo.removeExpired(sql, at(0));
      await oauthRepo.removeIdleClients(sql, {
        unusedBefore: at(UNUSED_CLIENT_MS),
        usedBefore: at(IDLE_CLIENT_MS),
      });
    },

    /** Keyed hashes of this server, for cookies and forms. */
    mac: secret.mac,
  };

  function readValue(row: OauthRow, id: string): StoredValue {
    return shifted(storedValue(row, id), Date.now() - now());
  }

  async function keyOf(id: string): Promise<string> {
    const [, sha256 = '', mac = ''] = /^~([0-9a-f]{64})\.([0-9a-f]{64})$/.exec(id) ?? [];
    if (sha256 === '') return hash('sha256', id);
    const expected = await secret.mac('oauth_reference', sha256);
    return timingSafeEqual(Buffer.from(mac), Buffer.from(expected)) ? sha256 : hash('sha256', id);
  }

  async function referenceTo(sha256: string): Promise<string> {
    return `~${sha256}.${await secret.mac('oauth_reference', sha256)}`;
  }

  function userCodeMac(userCode: string): Promise<string> {
    return secret.mac('oauth_user_code', userCode);
  }
}

function storedValue({ id_sha256, payload, consumed_at }: OauthRow, id: string): StoredValue {
  // The secret is letters, digits, - and _, so the text stays JSON.
  const value = JSON.parse(JSON.stringify(payload).replaceAll(selfOf(id_sha256), id)) as Record<
    string,
    unknown
  >;
  const consumed = consumed_at && { consumed: Math.floor(consumed_at.getTime() / 1000) };
  return { ...value, ...consumed, jti: id };
}

/** Seconds since 1970 in a value. */
const TIMES = ['exp', 'iat', 'iiat', 'nbf', 'loginTs', 'consumed'];

/** The authorization server goes by the machine's clock; what is stored has the time that all nodes go by. */
function shifted(value: StoredValue, milliseconds: number): StoredValue {
  const seconds = Math.round(milliseconds / 1000);
  const times = TIMES.flatMap((name) => {
    const time = value[name];
    return typeof time === 'number' ? [[name, time + seconds] as const] : [];
  });
  return { ...value, ...Object.fromEntries(times) };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
