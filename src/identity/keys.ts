import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database.ts';
import { newId } from '../platform/ids.ts';
import type { Caller, Scope } from './caller.ts';
import { createIdentityStore, type KeyRow } from './store.ts';

const KEY = /^sh_live_([0-9a-f]{8})([0-9A-Za-z_-]{43})([0-9a-f]{8})$/;

// A revoked key is forgotten at once by a notification; the time only bounds what a lost one can do.
const KEPT_MS = 60_000;
const MARK_USED_MS = 60_000;

export type Keys = ReturnType<typeof createKeys>;

/**
 * API keys: `sh_live_`, an 8-digit public id, 256 random bits, and a checksum that secret scanners and we can test
 * without a database. Only the SHA-256 of the whole is stored; the key itself is shown once.
 */
export function createKeys({ sql, now = Date.now }: { sql: Sql; now?: () => number }) {
  const store = createIdentityStore(sql);
  const kept = new LRUCache<string, KeyRow>({ max: 10_000, ttl: KEPT_MS });
  const marked = new LRUCache<string, true>({ max: 10_000, ttl: MARK_USED_MS });

  // How often everything was forgotten.
  let forgotten = 0;

  function forget(): void {
    forgotten++;
    kept.clear();
  }

  async function find(publicId: string): Promise<KeyRow | undefined> {
    const known = kept.get(publicId);
    if (known) return known;
    const asked = forgotten;
    const row = await store.findKey(publicId);
    // An answer that was on its way when keys were forgotten may be of one revoked since.
    if (row && asked === forgotten) kept.set(publicId, row);
    return row;
  }

  function markUsed(publicId: string): void {
    if (marked.has(publicId)) return;
    marked.set(publicId, true);
    // When a key was last used is told to the minute, and no call waits or fails for it.
    store.markUsed(publicId).catch(() => marked.delete(publicId));
  }

  return {
    /** Makes a key and returns it, this once. `expiresAt` null means never. */
    async create(accountId: string, name: string, scopes: readonly Scope[], expiresAt: Date | null) {
      const publicId = randomBytes(4).toString('hex');
      const body = `sh_live_${publicId}${randomBytes(32).toString('base64url')}`;
      const key = body + checksum(body);
      const mask = `sh_live_${publicId.slice(0, 4)}…${key.slice(-4)}`;
      const id = newId('key');
      const secret = { public_id: publicId, secret_sha256: sha256(key).toString('hex'), mask };
      await store.insertKey({
        id,
        account_id: accountId,
        name,
        ...secret,
        scopes: [...scopes],
        expires_at: expiresAt,
      });
      return { id, key, mask };
    },

    list: (accountId: string) => store.listKeys(accountId),

    /** The keys of every account, for the operator. */
    listAll: () => store.listAllKeys(),

    /** @throws Fault not_found */
    async revoke(accountId: string, id: string): Promise<void> {
      if (!(await store.revokeKey(accountId, id))) throw new Fault('not_found.key', { id });
      forget();
      await store.announce();
    },

    /** Who a key speaks for. @throws Fault unauthenticated */
    async resolve(key: string): Promise<Caller> {
      const publicId = publicIdOf(key);
      const row = publicId === undefined ? undefined : await find(publicId);
      const expired = row?.expires_at && row.expires_at.getTime() <= now();
      if (!row || expired || !timingSafeEqual(sha256(key), Buffer.from(row.secret_sha256, 'hex'))) {
        throw new Fault('unauthenticated.wrong');
      }
      markUsed(row.public_id);
      return { accountId: row.account_id, actor: `key:${row.name}`, scopes: row.scopes, via: 'api_key' };
    },

    /** Forgets what is known of all keys; called on every node when one is revoked. */
    forget,
  };
}

function publicIdOf(key: string): string | undefined {
  const [, publicId, , check] = KEY.exec(key) ?? [];
  return check !== undefined && checksum(key.slice(0, -check.length)) === check ? publicId : undefined;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
