import type { Locale } from '../language.ts';
import type { Log } from '../platform/log.ts';

export type SignInMessage = {
  readonly email: string;
  readonly code: string;
  /** How long the code works. */
  readonly minutes: number;
  readonly locale: Locale;
};

/** Sends sign-in codes. Adapters are in src/providers. */
export type SignInEmail = {
  /** @throws Fault upstream_failed.mail */
  send(message: SignInMessage): Promise<void>;
};

/** Writes codes to the log. Only for servers whose every client can also read the log. */
export function createLoggedEmail(log: Log): SignInEmail {
  return {
    async send({ email, code, minutes }) {
      log.warn({ email, code, minutes }, 'sign-in code; with SMTP_URL it would be sent by mail');
    },
  };
}
