import { randomInt } from 'node:crypto';
import { Fault } from '../errors.ts';
import type { Sql } from '../platform/database/database.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { clientNetwork } from './anonymous-callers.ts';
import type { AttemptLimits } from './sign-in-repo.ts';
import * as signInRepo from './sign-in-repo.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Attempts allowed per short and long window. Networks are shared by many people, so they have more. */
const LIMITS = {
  password: {
    email: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    network: { short: [20, MINUTE_MS], long: [100, HOUR_MS] },
  },
  code: {
    email: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    network: { short: [20, MINUTE_MS], long: [100, HOUR_MS] },
  },
  mail: {
    email: { short: [3, 10 * MINUTE_MS], long: [10, HOUR_MS] },
    network: { short: [20, 10 * MINUTE_MS], long: [60, HOUR_MS] },
  },
  registration: {
    email: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    network: { short: [20, 10 * MINUTE_MS], long: [60, HOUR_MS] },
  },
} as const satisfies Record<string, Record<'email' | 'network', SpanLimits>>;

type SpanLimits = { readonly short: readonly [number, number]; readonly long: readonly [number, number] };
type AttemptKind = keyof typeof LIMITS;

/** An attempt that has been counted. */
export type CountedAttempt = {
  /** Uncounts it: it was not a failure. */
  forgive(): Promise<void>;
};

export type SignInAttempts = ReturnType<typeof createSignInAttempts>;

type SignInAttemptsDeps = { readonly sql: Sql; readonly secret: ServerSecret; readonly now?: () => number };

/**
 * Counts sign-in attempts by email address and by network, in the database, for all nodes. An attempt counts before its
 * outcome is known, so concurrent attempts get no further than sequential ones.
 */
export function createSignInAttempts({ sql, secret, now = Date.now }: SignInAttemptsDeps) {
  return {
    /** @throws Fault rate_limited.sign_in */
    async count(kind: AttemptKind, email: string, address: string | undefined): Promise<CountedAttempt> {
      const byEmail = await add(LIMITS[kind].email, `${kind} email ${email}`);
      const byNetwork = await add(
        LIMITS[kind].network,
        `${kind} network ${clientNetwork(address ?? '')}`,
      ).catch(async (error: unknown) => {
        await byEmail.forgive();
        throw error;
      });
      return {
        async forgive() {
          await byEmail.forgive();
          await byNetwork.forgive();
        },
      };
    },

    sweep: () => signInRepo.deleteOldAttempts(sql, new Date(now() - HOUR_MS)),
  };

  async function add(spans: SpanLimits, who: string): Promise<CountedAttempt> {
    const subject = await secret.mac('sign_in_tries', who);
    const moment = now();
    const at = momentOf(moment);
    const limits = limitsAt(spans, moment);
    if (await signInRepo.addAttempt(sql, subject, at, limits))
      return { forgive: () => signInRepo.removeAttempt(sql, subject, at) };
    const { short_from, long_from } = await signInRepo.findBlocking(sql, subject, limits);
    const free = Math.max(
      (short_from?.getTime() ?? 0) + spans.short[1],
      (long_from?.getTime() ?? 0) + spans.long[1],
    );
    const wait = Math.max(1, Math.ceil((free - moment) / 1000));
    throw new Fault('rate_limited.sign_in', { seconds: wait }, { retryAfterSeconds: wait });
  }
}

/** Random microseconds distinguish attempts of the same millisecond. */
function momentOf(now: number): string {
  return new Date(now - 1).toISOString().replace('Z', `${String(randomInt(1000)).padStart(3, '0')}Z`);
}

function limitsAt({ short, long }: SpanLimits, now: number): AttemptLimits {
  return {
    short: { limit: short[0], since: new Date(now - short[1]) },
    long: { limit: long[0], since: new Date(now - long[1]) },
  };
}
