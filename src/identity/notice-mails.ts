import { type Locale, localizeMail } from '../language.ts';
import { plainAddress } from '../platform/ip-allowlist.ts';
import type { Log } from '../platform/log.ts';
import type { Mail } from '../platform/mail.ts';
import { describeDevice } from './sessions/device-name.ts';
import type { SignInOrigin } from './sessions/sessions.ts';

type NoticeMailsDeps = {
  /** Undefined if email is not configured: then no one is told. */
  readonly mail: Mail | undefined;
  readonly log: Pick<Log, 'warn'>;
  readonly now?: () => number;
};

export type NoticeMails = {
  send(
    notice: 'new_device' | 'password_changed' | 'email_changed',
    to: string,
    visit: SignInOrigin & { readonly locale: Locale },
    params?: Readonly<Record<string, string>>,
  ): void;
};

/** Tells people of sign-ins and changes that may not be theirs, in the background: no sign-in waits for a mail server. */
export function createNoticeMails({ mail, log, now = Date.now }: NoticeMailsDeps): NoticeMails {
  return {
    send(notice, to, { locale, ...origin }, params = {}) {
      const place = {
        time: `${new Date(now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
        address: plainAddress(origin.address ?? '') ?? '–',
        device: describeDevice(origin.userAgent) || '–',
      };
      mail
        ?.send({ to, ...localizeMail(notice, { ...place, ...params }, locale) })
        .catch((error: unknown) => log.warn({ err: error, notice }, 'a notice could not be sent'));
    },
  };
}
