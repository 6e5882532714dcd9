import type { Locale } from '../language.ts';
import type { Log } from '../platform/log.ts';

export type SignInMessage = {
  readonly email: string;
  readonly code: string;
  /** How long the code works. */
  readonly minutes: number;
  readonly locale: Locale;
};

/** Takes a sign-in code to its address. Adapters are in src/providers. */
export type SignInEmail = {
  /** @throws Fault upstream_failed.mail */
  send(message: SignInMessage): Promise<void>;
};

/** Shows codes in the log: only where whoever reaches the server can read its log as well. */
export function createLoggedEmail(log: Log): SignInEmail {
  return {
    async send({ email, code, minutes }) {
      log.warn({ email, code, minutes }, 'sign-in code; with SMTP_URL it would be sent by mail');
    },
  };
}
