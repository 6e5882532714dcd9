import type { Locale } from '../language.ts';

/** An email to one person, before it is written in their language. */
export type Letter = {
  readonly to: string;
  readonly locale: Locale;
} & (
  | {
      readonly kind: 'invitation';
      readonly params: {
        readonly account: string;
        readonly inviter: string;
        readonly role: string;
        readonly date: string;
        readonly url: string;
      };
    }
  | {
      readonly kind: 'account_deleted';
      readonly params: {
        readonly account: string;
        readonly actor: string;
        readonly date: string;
        readonly url: string;
      };
    }
);

/**
 * Writes a letter and sends it. False where the server sends no email: on this machine, the log then has the letter.
 * @throws Fault upstream_failed.mail
 */
export type Post = (letter: Letter) => Promise<boolean>;

const MAX_NAME_LENGTH = 80;

/** A name that people chose, as it may stand in an email: one line, not long. */
export function nameInMail(name: string): string {
  const line = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > MAX_NAME_LENGTH ? `${line.slice(0, MAX_NAME_LENGTH)}…` : line;
}
