import type { Log } from './log.ts';

export type Email = {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** The body as plain text. */
  readonly text: string;
  readonly html?: string;
};

/** Sends emails of the server to people. Texts come from `localizeMail`; adapters are in src/providers. */
export type Mail = {
  /** @throws Fault upstream_failed.mail */
  send(email: Email): Promise<void>;
};

/** Writes emails, with the codes in them, to the log. Only for servers whose every client can also read the log. */
export function createLoggedEmail(log: Log): Mail {
  return {
    async send({ to, subject, text }) {
      log.warn({ to, subject, text }, 'email; with SMTP_URL it would be sent');
    },
  };
}
