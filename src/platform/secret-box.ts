import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Fault } from '../errors.ts';

/** Where a secret is kept: sealed for one place, it does not open in another. */
type SecretPlace = { readonly table: string; readonly row: string; readonly column: string };

/** Secrets of others, such as access tokens, encrypted with the server's key. */
export type SecretBox = {
  /** @throws Fault not_configured.encryption */
  seal(secret: string, place: SecretPlace): Promise<string>;
  /**
   * @throws Fault not_configured.encryption, and not_configured.encryption_changed for a secret that another
   * key sealed
   * @throws Error for a secret that was changed, or sealed for another place
   */
  open(sealed: string, place: SecretPlace): Promise<string>;
};

type Parts = {
  /** Returns the server's key, at least 32 bytes. Called at every use; caching is up to the function. */
  readonly key: () => Promise<Buffer>;
};

// An envelope, in base64url: version, name of the key, nonce, tag, text.
const VERSION = 1;
const NAME = 4;
const NONCE = 12;
const TAG = 16;
const HEAD = 1 + NAME + NONCE + TAG;

/** AES-256-GCM with a random nonce; the envelope is bound to its place and says by which key it was made. */
export function createSecretBox({ key }: Parts): SecretBox {
  return {
    async seal(secret, place) {
      const { cipherKey, name } = keysOf(await key());
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv('aes-256-gcm', cipherKey, nonce).setAAD(bytesOf(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      const head = [Buffer.of(VERSION), name, nonce, cipher.getAuthTag()];
      return Buffer.concat([...head, text]).toString('base64url');
    },

    async open(sealed, place) {
      const { cipherKey, name } = keysOf(await key());
      const envelope = Buffer.from(sealed, 'base64url');
      if (envelope.length < HEAD || envelope[0] !== VERSION) throw unreadable(place);
      const [madeBy, nonce, tag, text] = cut(envelope.subarray(1), NAME, NONCE, TAG);
      if (!madeBy.equals(name)) throw new Fault('not_configured.encryption_changed');
      const decipher = createDecipheriv('aes-256-gcm', cipherKey, nonce, { authTagLength: TAG });
      decipher.setAAD(bytesOf(place)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
      } catch (error) {
        throw unreadable(place, error);
      }
    },
  };
}

/** Says which key it is, as each envelope does, and nothing else about it. */
export function nameOfKey(key: Buffer): string {
  return keysOf(key).name.toString('hex');
}

/** The name of the key that has sealed a secret; undefined for a text that is none. */
export function nameOfSealer(sealed: string): string | undefined {
  const envelope = Buffer.from(sealed, 'base64url');
  if (envelope.length < HEAD || envelope[0] !== VERSION) return undefined;
  return envelope.toString('hex', 1, 1 + NAME);
}

/** The key itself opens nothing: one that comes of it does, and another gives it a name. */
function keysOf(key: Buffer): { readonly cipherKey: Buffer; readonly name: Buffer } {
  const derive = (purpose: string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, '', `secret box: ${purpose}`, length));
  return { cipherKey: derive('key', 32), name: derive('name', NAME) };
}

function bytesOf({ table, row, column }: SecretPlace): Buffer {
  return Buffer.from(`${table}:${row}:${column}`);
}

function cut(bytes: Buffer, ...lengths: [number, number, number]): [Buffer, Buffer, Buffer, Buffer] {
  const [a, b, c] = lengths;
  const ends = [a, a + b, a + b + c] as const;
  return [
    bytes.subarray(0, ends[0]),
    bytes.subarray(ends[0], ends[1]),
    bytes.subarray(ends[1], ends[2]),
    bytes.subarray(ends[2]),
  ];
}

function unreadable({ table, row, column }: SecretPlace, cause?: unknown): Error {
  return new Error(`${table}.${column} of ${row} was not sealed there, or was changed since`, { cause });
}
