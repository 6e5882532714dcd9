import type { Transporter } from 'nodemailer';
import { Fault } from '../errors.ts';
import type { Mail } from '../platform/mail.ts';

type SmtpSettings = {
  /** smtp(s)://user:password@host:port */
  readonly url: string;
  /** Sender, such as `Shop <no-reply@example.com>`. */
  readonly from: string;
};

const CONNECT_MS = 5_000;
const SILENT_MS = 10_000;

/** Sends emails over SMTP. The library is loaded with the first email. */
export function createSmtpMail({ url, from }: SmtpSettings): Mail {
  let transport: Promise<Transporter> | undefined;

  return {
    async send({ to: address, subject, text, html }) {
      transport ??= openTransport(url);
      try {
        // As an object, an address cannot be parsed as a list of several.
        const to = { name: '', address };
        // Suppresses out-of-office replies.
        const headers = { 'Auto-Submitted': 'auto-generated' };
        const bodies = { text: `${text}\n`, ...(html !== undefined && { html }) };
        await (await transport).sendMail({ from, to, subject, ...bodies, headers });
      } catch (error) {
        throw new Fault('upstream_failed.mail', {}, { retryAfterSeconds: 30, cause: error });
      }
    },
  };
}

/** Connects and signs in to the server, and sends nothing. @throws Error with the server's or the network's reason */
export async function verifySmtp(url: string): Promise<void> {
  const transport = await openTransport(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    dnsTimeout: CONNECT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}
