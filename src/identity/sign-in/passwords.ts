import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { Fault } from '../../errors.ts';

export type Passwords = {
  /** argon2id in the PHC form. @throws Fault unavailable.sign_in_busy */
  hash(password: string): Promise<string>;
  /** Takes as long for somebody who has no password as for anybody else. @throws Fault unavailable.sign_in_busy */
  verify(password: string, hash: string | null): Promise<boolean>;
};

/** Of a password that somebody chooses, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 200 };

/** What one hash costs; memory in KiB. */
type HashCost = { readonly memory: number; readonly passes: number; readonly parallelism: number };

// The second choice of OWASP's password storage cheat sheet: 19 MiB, two passes, one lane.
const COST: HashCost = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const WAITING = 50;

const derive = promisify(argon2);

/** Hashes one password per core at a time. If the queue is full, it throws unavailable.sign_in_busy. */
export function createPasswords({
  parallel = availableParallelism(),
  waiting = WAITING,
  cost = COST,
} = {}): Passwords {
  const inTurn = createTurns(parallel, waiting);
  // Checked in place of a missing hash. The tag is random, so no password matches it.
  const nobodys = phcOf(cost, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));

  return {
    async hash(password) {
      const nonce = randomBytes(SALT_BYTES);
      const tag = await inTurn(() => tagOf(password, { ...cost, nonce, tagLength: TAG_BYTES }));
      return phcOf(cost, nonce, tag);
    },

    async verify(password, hash) {
      const { tag, ...parameters } = read(hash ?? nobodys);
      const found = await inTurn(() => tagOf(password, { ...parameters, tagLength: tag.length }));
      return timingSafeEqual(found, tag);
    },
  };
}

function tagOf(password: string, parameters: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  // Keyboards differ in how they write the same character.
  return derive('argon2id', { ...parameters, message: password.normalize('NFKC') });
}

function phcOf({ memory, passes, parallelism }: HashCost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

function read(phc: string) {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(phc) ?? [];
  if (tag === '') throw new Error('a password hash is not in the form it was written in');
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    nonce: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function createTurns(parallel: number, waiting: number) {
  const line: (() => void)[] = [];
  let running = 0;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < parallel) running++;
    else if (line.length < waiting) await new Promise<void>((resolve) => line.push(resolve));
    else throw new Fault('unavailable.sign_in_busy', {}, { retryAfterSeconds: 2 });
    try {
      return await work();
    } finally {
      // The next in the queue takes over the slot.
      const next = line.shift();
      if (next) next();
      else running--;
    }
  };
}
