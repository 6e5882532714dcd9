import { hash } from 'node:crypto';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { RecordEvent } from '../members/roles.ts';
import type { Challenges } from '../sign-in/challenges.ts';
import type { SignInAttempts } from '../sign-in/sign-in-attempts.ts';
import * as secondFactorRepo from './second-factor-repo.ts';
import { newRecoveryCodes, newTotpSecret, recoveryCodeHash, totpStep, totpUri } from './totp.ts';

type SecondFactorDeps = {
  readonly sql: Sql;
  readonly box: SecretBox;
  readonly challenges: Challenges;
  readonly tries: SignInAttempts;
  readonly record: RecordEvent;
  readonly now?: () => number;
};

/** A person with a session, in the account they act in. */
export type SignedInPerson = {
  readonly userId: string;
  readonly accountId: string;
  /** Their name in the audit log. */
  readonly actor: string;
};

/** Proof of the second factor: a code of the authenticator app, or a recovery code. */
export type SecondFactorProof = {
  readonly totp?: string | undefined;
  readonly recovery_code?: string | undefined;
};

/** A person who has shown the first factor. */
type HalfSignedIn = {
  readonly id: string;
  readonly password_hash: string | null;
  /** A new password that is set once the second factor is shown. */
  readonly held_password_hash?: string;
};

export type SecondFactor = ReturnType<typeof createSecondFactor>;

const CHALLENGE_TTL_MS = 5 * 60_000;
const TRIES = 5;
const TOTP_ON = 'totp.enabled';
const TOTP_OFF = 'totp.disabled';

const Held = z.object({ password_stamp: z.string(), held_password_hash: z.string().nullable() });

/**
 * The second factor: an authenticator app (TOTP), and recovery codes for those who lost it. A used code never works again.
 * Wrong codes are counted by person across all challenges, so a new challenge gives no new attempts.
 * In: a person who has shown the first factor, and a code. Out: that they may go on. Invariant: it is on only once a
 * code of the app was shown.
 */
export function createSecondFactor({
  sql,
  box,
  challenges,
  tries,
  record,
  now = Date.now,
}: SecondFactorDeps) {
  return {
    async status(userId: string): Promise<{ enabled: boolean; recovery_codes_left: number }> {
      const enabled = await secondFactorRepo.isOn(sql, userId);
      const left = await secondFactorRepo.countRecoveryCodes(sql, userId);
      return { enabled, recovery_codes_left: left };
    },

    /** A secret for the app; it counts once `confirm` has seen a code of it. @throws Fault conflict.totp_enabled, not_configured.encryption */
    async enable({ userId, actor }: SignedInPerson): Promise<{ secret: string; uri: string }> {
      const secret = newTotpSecret();
      const sealed = await box.seal(secret, placeOf(userId));
      if (!(await secondFactorRepo.putSecret(sql, userId, sealed))) throw new Fault('conflict.totp_enabled');
      return { secret, uri: totpUri(secret, actor) };
    },

    /**
     * Turns the second factor on. The recovery codes are returned this once.
     * @throws Fault unauthenticated.second_factor, conflict.totp_enabled, conflict.totp_not_started, rate_limited.sign_in
     */
    async confirm(
      { userId, accountId, actor }: SignedInPerson,
      code: string,
      address: string | undefined,
    ): Promise<{ recovery_codes: string[] }> {
      const counted = await tries.count('totp', userId, { address });
      const row = await secondFactorRepo.find(sql, userId);
      if (!row) throw new Fault('conflict.totp_not_started');
      if (row.confirmed_at) throw new Fault('conflict.totp_enabled');
      const sealed = row.sealed_secret;
      const step = totpStep(await box.open(sealed, placeOf(userId)), code, now());
      if (step === undefined) throw new Fault('unauthenticated.second_factor');
      await counted.forgive();
      const recovery_codes = newRecoveryCodes();
      await sql.begin(async (tx) => {
        if (!(await secondFactorRepo.confirm(tx, userId, { sealed, step, now: new Date(now()) })))
          throw new Fault('conflict.totp_not_started');
        await secondFactorRepo.insertRecoveryCodes(tx, userId, recovery_codes.map(recoveryCodeHash));
        await record(tx, accountId, { actor, action: TOTP_ON, target: userId });
      });
      return { recovery_codes };
    },

    /** @throws Fault conflict.totp_not_started, unauthenticated.second_factor, rate_limited.sign_in */
    async disable(
      { userId, accountId, actor }: SignedInPerson,
      proof: SecondFactorProof,
      address: string | undefined,
    ): Promise<void> {
      if (!(await secondFactorRepo.isOn(sql, userId))) throw new Fault('conflict.totp_not_started');
      await check(userId, proof, address);
      await sql.begin(async (tx) => {
        await secondFactorRepo.removeTotp(tx, userId);
        await record(tx, accountId, { actor, action: TOTP_OFF, target: userId });
      });
    },

    /**
     * For a person who proves again who they are. Does nothing where the second factor is off.
     * @throws Fault second_factor_required.again, unauthenticated.second_factor, rate_limited.sign_in
     */
    async require(userId: string, proof: SecondFactorProof, address: string | undefined): Promise<void> {
      if (!(await secondFactorRepo.isOn(sql, userId))) return;
      if (proof.totp === undefined && proof.recovery_code === undefined)
        throw new Fault('second_factor_required.again');
      await check(userId, proof, address);
    },

    /** Stops a sign-in that has shown only the first factor. @throws Fault second_factor_required.sign_in */
    async gate({ id: userId, password_hash, held_password_hash }: HalfSignedIn): Promise<void> {
      if (!(await secondFactorRepo.isOn(sql, userId))) return;
      const data = { password_stamp: stampOf(password_hash), held_password_hash: held_password_hash ?? null };
      const challenge = await challenges.open('second_factor', {
        ...{ userId, data },
        ttlMs: CHALLENGE_TTL_MS,
        tries: TRIES,
      });
      const expires_at = new Date(now() + CHALLENGE_TTL_MS).toISOString();
      const methods = ['totp', 'recovery_code'];
      throw new Fault('second_factor_required.sign_in', {}, { data: { challenge, methods, expires_at } });
    },

    /**
     * Continues a sign-in that `gate` stopped: the person, and a new password to set.
     * @throws Fault unauthenticated.challenge, unauthenticated.second_factor, rate_limited.sign_in
     */
    async pass(challenge: string, proof: SecondFactorProof, address: string | undefined) {
      const found = await challenges.attempt('second_factor', challenge, Held);
      if (!found?.userId) throw new Fault('unauthenticated.challenge');
      await check(found.userId, proof, address);
      if (!(await challenges.take('second_factor', challenge, Held)))
        throw new Fault('unauthenticated.challenge');
      const { password_stamp, held_password_hash } = found.data;
      return {
        userId: found.userId,
        heldPasswordHash: held_password_hash,
        /** False if the password has changed since the first factor was shown. */
        isCurrent: (passwordHash: string | null) => stampOf(passwordHash) === password_stamp,
      };
    },
  };

  async function check(
    userId: string,
    { totp, recovery_code }: SecondFactorProof,
    address: string | undefined,
  ): Promise<void> {
    const isCode = recovery_code === undefined;
    const counted = await tries.count(isCode ? 'totp' : 'recovery_code', userId, { address });
    const isRight = isCode
      ? await takeTotp(userId, totp ?? '')
      : await secondFactorRepo.takeRecoveryCode(sql, userId, recoveryCodeHash(recovery_code));
    if (!isRight) throw new Fault('unauthenticated.second_factor');
    await counted.forgive();
  }

  async function takeTotp(userId: string, code: string): Promise<boolean> {
    const row = await secondFactorRepo.find(sql, userId);
    if (!row) return false;
    const step = totpStep(await box.open(row.sealed_secret, placeOf(userId)), code, now());
    return step !== undefined && secondFactorRepo.takeStep(sql, userId, step);
  }
}

function placeOf(userId: string) {
  return { table: 'totp_secrets', row: userId, column: 'sealed_secret' };
}

/** Changes with the password. */
function stampOf(passwordHash: string | null): string {
  return hash('sha256', passwordHash ?? '');
}
