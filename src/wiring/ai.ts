import { findPrice, LIST_PRICES } from '../ai/prices.ts';
import { allowedModels, isConfigured, PROVIDER_IDS } from '../ai/providers.ts';
import { createSpending, type SpendingNotice } from '../ai/spending.ts';
import { createWriters } from '../ai/writers.ts';
import type { Config } from '../config.ts';
import { createContactsOf } from '../identity/accounts/account-contact.ts';
import { createVerifiedAddress } from '../identity/accounts/verified-address.ts';
import { ANONYMOUS_ACCOUNT } from '../identity/anonymous-callers.ts';
import { nameInMail } from '../identity/mail.ts';
import { LOCALES, localizeMail } from '../language.ts';
import type { Log } from '../platform/log.ts';
import { WRITER_ADAPTERS as adapters } from '../providers/writer-adapters.ts';
import { type Base, defineService } from './service.ts';

/** AI providers, and what may be spent on them. */
export function wireAi({ sql, config, log, audit, mail, tracing, now }: Base) {
  const prices = { ...LIST_PRICES, ...config.aiPrices };
  const budgets = { server: config.aiDailyBudget, account: config.aiAccountDailyBudget };
  const spending = createSpending({ sql, budgets, prices, notify, now });
  const requireVerified = createVerifiedAddress(sql);
  const contactsOf = createContactsOf({ sql });
  warnOfUnpriced(config, log);

  function notify({ percent, accountId, limit, day }: SpendingNotice): void {
    const state = percent === 100 ? 'used up; calls are rejected until tomorrow (UTC)' : 'used to 80 percent';
    if (accountId === undefined || accountId === ANONYMOUS_ACCOUNT) {
      const whose = accountId ? 'of anonymous callers' : 'of the server';
      log.warn({ percent, limit_usd: limit, day }, `the AI budget ${whose} is ${state}`);
      return;
    }
    recordNotice(accountId, percent === 100 ? 'exhausted' : 'warned', { day, limit, percent }).catch(
      (error: unknown) => log.warn({ err: error }, 'a notice about an AI budget was not sent'),
    );
  }

  /** In the audit log, and by email to an owner. */
  async function recordNotice(
    accountId: string,
    state: 'warned' | 'exhausted',
    { day, limit, percent }: { day: string; limit: number; percent: number },
  ): Promise<void> {
    const event = { action: `ai_budget.${state}`, target: day, detail: { percent, limit_usd: limit } };
    await sql.begin((tx) => audit.record(tx, accountId, { actor: 'server', ...event }));
    const contact = (await contactsOf([accountId])).get(accountId);
    if (!contact?.email) return;
    const params = { account: nameInMail(contact.name), limit, percent };
    const locale = LOCALES.find((one) => one === contact.language) ?? config.defaultLanguage;
    await mail?.send({ to: contact.email, ...localizeMail(`ai_budget_${state}`, params, locale) });
  }

  return {
    ...defineService({ api: {}, jobs: { hourly: { spending: spending.sweep } }, close: spending.settled }),
    openWriters: (limits?: Parameters<typeof createWriters>[0]['limits']) =>
      createWriters({ config, adapters, spending, requireVerified, tracing, ...(limits && { limits }) }),
  };
}

function warnOfUnpriced({ aiProviders, aiModels, aiPrices, aiDailyBudget }: Config, log: Log): void {
  if (!Number.isFinite(aiDailyBudget)) return;
  const prices = { ...LIST_PRICES, ...aiPrices };
  const ready = PROVIDER_IDS.filter((id) => isConfigured(id, aiProviders[id]));
  const models = new Set(ready.flatMap((id) => allowedModels(aiProviders[id], aiModels)));
  const unpriced = [...models].filter((model) => !findPrice(prices, model));
  if (unpriced.length > 0)
    log.warn({ models: unpriced }, 'models without a price count as very expensive; set AI_PRICES');
}
