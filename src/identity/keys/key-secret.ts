import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeySecretRow } from './key-repo.ts';

const KEY = /^sh_live_([0-9a-f]{8})([0-9A-Za-z_-]{43})([0-9a-f]{8})$/;

/**
 * A new key and what is stored of it: `sh_live_`, an 8-digit public id, 256 random bits, and a checksum that secret
 * scanners and we can test without a database. Only the SHA-256 of the whole is kept.
 */
export function newKeySecret(): { readonly key: string; readonly stored: KeySecretRow } {
  const publicId = randomBytes(4).toString('hex');
  const body = `sh_live_${publicId}${randomBytes(32).toString('base64url')}`;
  const key = body + checksum(body);
  const mask = `sh_live_${publicId.slice(0, 4)}…${key.slice(-4)}`;
  return { key, stored: { public_id: publicId, secret_sha256: sha256(key).toString('hex'), mask } };
}

/** The public part of a well-formed key. */
export function publicIdOf(key: string): string | undefined {
  const [, publicId, , check] = KEY.exec(key) ?? [];
  return check !== undefined && checksum(key.slice(0, -check.length)) === check ? publicId : undefined;
}

/** Takes the same time wherever the two differ. */
export function isSecretOf(row: KeySecretRow, key: string): boolean {
  return timingSafeEqual(sha256(key), Buffer.from(row.secret_sha256, 'hex'));
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
