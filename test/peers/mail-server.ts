import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and bodies as they came over the wire. */
  readonly raw: string;
};

export type MailServer = {
  /** With the user and password it wants. */
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** The six digits in the last mail to an address. */
  lastCode(to: string): string;
  /** From now on every mail is refused. */
  refuse(): void;
  close(): Promise<void>;
};

/** A mail server of this machine that keeps what it gets. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let refuses = false;
  const server = new SMTPServer({
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      if (username === 'shop' && password === 'mail-password') return done(null, { user: username });
      return done(new Error('535 wrong password'));
    },
    onData(stream, { envelope }, done) {
      text(stream).then((raw) => {
        if (refuses) return done(new Error('451 come again later'));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
        return done();
      }, done);
    },
  });
  const listener = server.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A TCP server that listens has an address with a port.
  const { port } = listener.address() as AddressInfo;

  return {
    url: `smtp://shop:mail-password@127.0.0.1:${port}`,
    mails,
    lastCode(to) {
      const mail = mails.findLast((one) => one.to.includes(to));
      return /<strong[^>]*>(\d{6})</.exec((mail?.raw ?? '').replaceAll('=\r\n', ''))?.[1] ?? '';
    },
    refuse() {
      refuses = true;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
