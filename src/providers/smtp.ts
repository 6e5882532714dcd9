import type { Transporter } from 'nodemailer';
import { Fault } from '../errors.ts';
import type { SignInEmail } from '../identity/sign-in-email.ts';
import { localizeCodeMail } from '../language.ts';

type SmtpSettings = {
  /** smtp(s)://user:password@host:port */
  readonly url: string;
  /** Sender, such as `Shop <no-reply@example.com>`. */
  readonly from: string;
};

const CONNECT_MS = 5_000;
const SILENT_MS = 10_000;

/** Sends sign-in codes over SMTP. The library is loaded with the first mail. */
export function createSmtpMail({ url, from }: SmtpSettings): SignInEmail {
  let transport: Promise<Transporter> | undefined;

  return {
    async send({ email, code, minutes, locale }) {
      const said = localizeCodeMail({ code, minutes }, locale);
      transport ??= openTransport(url);
      try {
        // An address as an object is never read as a list of several.
        const to = { name: '', address: email };
        // Asks other mail programs not to answer that somebody is away.
        const headers = { 'Auto-Submitted': 'auto-generated' };
        await (await transport).sendMail({
          from,
          to,
          subject: said.subject,
          ...bodiesOf(said, code),
          headers,
        });
      } catch (error) {
        throw new Fault('upstream_failed.mail', {}, { retryAfterSeconds: 30, cause: error });
      }
    },
  };
}

/** Nothing in it needs escaping: our sentences and six digits. */
function bodiesOf({ text, advice }: { text: string; advice: string }, code: string) {
  const shown = text.replace(code, `<strong style="font-size:1.4em;letter-spacing:.1em">${code}</strong>`);
  return { text: `${text}\n\n${advice}\n`, html: `<p>${shown}</p><p>${advice}</p>` };
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
