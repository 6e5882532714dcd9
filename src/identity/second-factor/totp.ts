import { hash, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** Steps before and after the current one, for clocks that differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const ISSUER = 'Stallhand';

const RECOVERY_CODES = 10;
// 16 characters of 32 are 80 bits: a plain hash can't be reversed by trying.
const RECOVERY_LENGTH = 16;
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** One-time codes by time (RFC 6238): six digits, SHA-1, 30 seconds, which is what every authenticator app knows. */

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export function totpUri(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/** The 30-second step that a code belongs to; undefined if it belongs to none near the time. */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW });
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_SECONDS) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
}

/** Ten codes for people who lost their authenticator app, such as 7k2m-0qvd-x8f3-pz1c. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from(randomBytes(RECOVERY_LENGTH), (byte) => ALPHABET.charAt(byte % 32)).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The stored form of a recovery code. Case, dashes and letters that look like digits make no difference. */
export function recoveryCodeHash(code: string): string {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return hash('sha256', plain);
}
