import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Fault } from '../../errors.ts';
import { type Locale, localizeMail, type MailName } from '../../language.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Mail } from '../../platform/mail.ts';
import type { ServerSecret } from '../../platform/server-secret.ts';
import type { CodeSubject } from './sign-in-repo.ts';
import * as signInRepo from './sign-in-repo.ts';

type SignInCodesDeps = {
  readonly sql: Sql;
  readonly secret: ServerSecret;
  /** Undefined if email is not configured. */
  readonly mail: Mail | undefined;
  readonly log: Pick<Log, 'warn'>;
  readonly now?: () => number;
};

type Sending = {
  readonly locale: Locale;
  /** The person has signed in from this device or network before. */
  readonly isKnown: boolean;
  /** What a newcomer is called. */
  readonly name?: string | null;
  readonly text?: MailName;
  /**
   * `silent` does the same work and sends nothing; `background` does not wait for the mail server. Both look the same to
   * the caller.
   */
  readonly delivery?: 'wait' | 'background' | 'silent';
};

export type SignInCodes = ReturnType<typeof createSignInCodes>;

const CODE_MINUTES = 10;
const TRIES = 5;
const DIGITS = 6;
/** Emails with one code that unknown networks can cause after the first: at most 12 an hour to one address. */
const RESENDS = 1;

/**
 * Six-digit codes sent to an address, one at a time for each purpose. A code works once, for five attempts from known
 * devices and networks and five from all others, and for ten minutes after it was last sent. Until then, another request
 * sends the same code, so a stranger's request makes none worthless.
 */
export function createSignInCodes({ sql, secret, mail, log, now = Date.now }: SignInCodesDeps) {
  // The code follows from a random nonce and the server's secret: the table alone does not tell it.
  async function codeOf({ purpose, email }: CodeSubject, nonce: string): Promise<string> {
    const mac = await secret.mac('sign_in_code', `${purpose} ${email} ${nonce}`);
    // 48 bits, so the lowest codes are more probable by less than 1 in 100 million.
    return String(Number.parseInt(mac.slice(0, 12), 16) % 10 ** DIGITS).padStart(DIGITS, '0');
  }

  return {
    /** @throws Fault not_configured.mail, upstream_failed.mail */
    async send(subject: CodeSubject, sending: Sending): Promise<void> {
      if (!mail) throw new Fault('not_configured.mail');
      const { locale, isKnown, name = null, text = 'sign_in', delivery = 'wait' } = sending;
      const moment = now();
      const row = {
        ...subject,
        name,
        nonce: randomBytes(16).toString('hex'),
        tries: TRIES,
        sends: RESENDS,
        now: new Date(moment),
        expires_at: new Date(moment + CODE_MINUTES * 60_000),
      };
      const { nonce, expires_at, sends } = await signInRepo.openCode(sql, row, isKnown);
      // The owner has had this code in the last minutes.
      if (!sends || delivery === 'silent') return;
      const minutes = Math.max(1, Math.round((expires_at.getTime() - moment) / 60_000));
      const params = { code: await codeOf(subject, nonce), minutes };
      const sent = mail.send({ to: subject.email, ...localizeMail(text, params, locale) });
      if (delivery === 'wait') return sent;
      sent.catch((error: unknown) => log.warn({ err: error }, 'a code could not be sent'));
    },

    /** Redeems a code. Undefined if it is wrong, used, expired or out of attempts. */
    async redeem(
      subject: CodeSubject,
      code: string,
      isKnown: boolean,
    ): Promise<{ readonly name: string | null } | undefined> {
      const live = await signInRepo.takeAttempt(sql, subject, isKnown, new Date(now()));
      const right = await codeOf(subject, live?.nonce ?? '');
      if (!live || code.length !== DIGITS || !timingSafeEqual(Buffer.from(right), Buffer.from(code)))
        return undefined;
      return (await signInRepo.useCode(sql, subject, live.nonce)) ? { name: live.name } : undefined;
    },

    sweep: () => signInRepo.deleteExpiredCodes(sql, new Date(now())),
  };
}
