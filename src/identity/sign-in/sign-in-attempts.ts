import { randomInt } from 'node:crypto';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { ServerSecret } from '../../platform/server-secret.ts';
import { clientNetwork } from '../anonymous-callers.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { SignInOrigin } from '../sessions/sessions.ts';
import type { AttemptLimits } from './sign-in-repo.ts';
import * as signInRepo from './sign-in-repo.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Attempts allowed per short and long window: `own` for one address from one network or known device, `network` for all
 * addresses from one network, which many people share, and `strangers` for one address from all the networks its person
 * has never signed in from. Known devices and networks are not counted as strangers, so strangers cannot use up the
 * attempts of the owner.
 *
 * What a stranger with any number of networks can guess of one address:
 * - Passwords: 100 an hour, 2,400 a day. A password that a million guesses would find is never accepted (common-passwords.ts),
 *   so the weakest one there is takes more than 416 days of it.
 * - Codes: 20 attempts an hour, each right with a probability of 1 in 1,000,000, and only 5 for each code: at most 480 a
 *   day, or 0.05 %. Each code is emailed to the owner, who sees the attack.
 * - From one known network or device, which takes signing in first: 20 an hour each, at most 5 of them with each code.
 */
const LIMITS = {
  password: {
    own: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    network: { short: [20, MINUTE_MS], long: [100, HOUR_MS] },
    strangers: { short: [20, MINUTE_MS], long: [100, HOUR_MS] },
  },
  code: {
    own: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    network: { short: [20, MINUTE_MS], long: [100, HOUR_MS] },
    strangers: { short: [20, MINUTE_MS], long: [20, HOUR_MS] },
  },
  // How many emails strangers can cause is limited by the code: see sign-in-codes.ts.
  mail: {
    own: { short: [3, 10 * MINUTE_MS], long: [10, HOUR_MS] },
    network: { short: [20, 10 * MINUTE_MS], long: [60, HOUR_MS] },
  },
  registration: {
    own: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    network: { short: [20, 10 * MINUTE_MS], long: [60, HOUR_MS] },
  },
  // By person instead of address, from wherever. Three of a million codes work at a time, so few attempts a day must find one.
  totp: {
    own: { short: [5, MINUTE_MS], long: [10, HOUR_MS] },
    strangers: { short: [5, MINUTE_MS], long: [10, HOUR_MS] },
    network: { short: [20, MINUTE_MS], long: [100, HOUR_MS] },
  },
  // Counted apart, so that no one who guesses codes of the app keeps a person from their recovery codes.
  recovery_code: {
    own: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    strangers: { short: [5, MINUTE_MS], long: [20, HOUR_MS] },
    network: { short: [20, MINUTE_MS], long: [100, HOUR_MS] },
  },
} as const satisfies Record<string, KindLimits>;

type SpanLimits = { readonly short: readonly [number, number]; readonly long: readonly [number, number] };
type KindLimits = {
  readonly own: SpanLimits;
  readonly network: SpanLimits;
  readonly strangers?: SpanLimits;
};
type AttemptKind = keyof typeof LIMITS;

/** An attempt that has been counted. */
export type CountedAttempt = {
  /** The person has signed in from this device or network before. */
  readonly isKnown: boolean;
  /** Uncounts it: it was not a failure. */
  forgive(): Promise<void>;
};

export type SignInAttempts = ReturnType<typeof createSignInAttempts>;

type SignInAttemptsDeps = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  readonly devices: Pick<KnownDevices, 'standingOf'>;
  readonly now?: () => number;
};

/**
 * Counts sign-in attempts in the database, for all nodes. An attempt counts before its outcome is known, so concurrent
 * attempts get no further than sequential ones.
 */
export function createSignInAttempts({ sql, secret, devices, now = Date.now }: SignInAttemptsDeps) {
  return {
    /** @throws Fault rate_limited.sign_in */
    async count(kind: AttemptKind, email: string, origin: SignInOrigin): Promise<CountedAttempt> {
      const limits: KindLimits = LIMITS[kind];
      const { known, who } = await devices.standingOf(email, origin);
      const counters: [SpanLimits, string][] = [[limits.own, `${kind} own ${email} ${who}`]];
      if (known === 'not' && limits.strangers)
        counters.push([limits.strangers, `${kind} strangers ${email}`]);
      // A known device is one person's, wherever it is.
      if (known !== 'device')
        counters.push([limits.network, `${kind} network ${clientNetwork(origin.address ?? '')}`]);
      return { isKnown: known !== 'not', forgive: await addAll(counters) };
    },

    sweep: () => signInRepo.deleteOldAttempts(sql, new Date(now() - HOUR_MS)),
  };

  /** Counts an attempt in all of them, or in none. Returns how to uncount it. */
  async function addAll(counters: readonly [SpanLimits, string][]): Promise<() => Promise<void>> {
    const counted: (() => Promise<void>)[] = [];
    const forgive = async () => {
      for (const uncount of counted) await uncount();
    };
    for (const [spans, who] of counters) {
      try {
        counted.push(await add(spans, who));
      } catch (error) {
        await forgive();
        throw error;
      }
    }
    return forgive;
  }

  async function add(spans: SpanLimits, who: string): Promise<() => Promise<void>> {
    const subject = await secret.mac('sign_in_tries', who);
    const moment = now();
    const at = momentOf(moment);
    const limits = limitsAt(spans, moment);
    if (await signInRepo.addAttempt(sql, subject, at, limits))
      return () => signInRepo.removeAttempt(sql, subject, at);
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
