import type { Config } from '../config.ts';
import * as accountRepo from '../identity/accounts/account-repo.ts';
import { nameInMail } from '../identity/mail.ts';
import { LOCALES, localizeMail, localizeSyncError, plainReader } from '../language.ts';
import type { AutomationNotice } from '../sync/automation/notices.ts';
import type { Base } from './service.ts';

type MailDeps = Pick<Base, 'sql' | 'mail' | 'log'> & {
  readonly config: Pick<Config, 'defaultLanguage' | 'host' | 'port' | 'publicUrl'>;
};

/** Where a person reads about a run. */
const PAGES = { held: '/runs/plan', failed: '/runs' };

/** Mails the owners of an account, each in their language, that automatic syncs need them. */
export function createSyncMails({ sql, mail, log, config }: MailDeps) {
  const site = config.publicUrl?.replace(/\/+$/, '') ?? `http://${config.host}:${config.port}`;
  return async ({ accountId, error, ...notice }: AutomationNotice): Promise<void> => {
    if (!mail) return;
    const { state, params } = notice;
    const page = state === 'paused' ? '' : `${site}${PAGES[state]}/${notice.params.run}`;
    for (const { email, language } of await accountRepo.owners(sql, accountId)) {
      const locale = LOCALES.find((one) => one === language) ?? config.defaultLanguage;
      const reason = error ? localizeSyncError(error, plainReader(locale)).message : '';
      const said = { ...params, page, account: nameInMail(params.account), reason };
      await mail
        .send({ to: email, ...localizeMail(`sync_${state}`, said, locale) })
        .catch((cause: unknown) =>
          log.warn({ err: cause, account: accountId }, 'an owner was not told of an automatic sync'),
        );
    }
  };
}
