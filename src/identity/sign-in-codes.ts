import { randomInt, timingSafeEqual } from 'node:crypto';
import { Fault } from '../errors.ts';
import type { Locale } from '../language.ts';
import type { Sql } from '../platform/database/database.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { SignInEmail } from './sign-in-email.ts';
import * as signInRepo from './sign-in-repo.ts';

type SignInCodesDeps = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  /** Undefined if email is not configured. */
  readonly mail: SignInEmail | undefined;
  readonly now?: () => number;
};

export type SignInCodes = ReturnType<typeof createSignInCodes>;

const CODE_MINUTES = 10;
const TRIES = 5;
const DIGITS = 6;

/** Six-digit codes sent to an address. One is valid at a time: once, for ten minutes and five attempts. */
export function createSignInCodes({ sql, secret, mail, now = Date.now }: SignInCodesDeps) {
  // Trying all codes would reverse a plain hash, so the hash is keyed with the server's secret.
  const macOf = (email: string, code: string) => secret.mac('sign_in_code', `${email} ${code}`);

  return {
    /**
     * Sends an address a code, in the place of the one it has. `name` is what a newcomer is called.
     * @throws Fault not_configured.mail, upstream_failed.mail
     */
    async send(email: string, { name, locale }: { name: string | null; locale: Locale }): Promise<void> {
      if (!mail) throw new Fault('not_configured.mail');
      const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
      const created_at = new Date(now());
      const expires_at = new Date(now() + CODE_MINUTES * 60_000);
      const row = { email, code_mac: await macOf(email, code), name, tries_left: TRIES };
      await signInRepo.putCode(sql, { ...row, created_at, expires_at });
      await mail.send({ email, code, minutes: CODE_MINUTES, locale });
    },

    /** Redeems a code. Undefined if it is wrong, used, expired or out of attempts. */
    async redeem(email: string, code: string): Promise<{ readonly name: string | null } | undefined> {
      const mac = await macOf(email, code);
      const live = await signInRepo.takeAttempt(sql, email, new Date(now()));
      if (!live || !timingSafeEqual(Buffer.from(live.code_mac), Buffer.from(mac))) return undefined;
      return (await signInRepo.useCode(sql, email, mac)) ? { name: live.name } : undefined;
    },

    sweep: () => signInRepo.deleteExpiredCodes(sql, new Date(now())),
  };
}
