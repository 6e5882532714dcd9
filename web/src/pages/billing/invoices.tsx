import { Button } from '@mantine/core';
import { listInvoices } from '../../api/operations.gen.ts';
import { useReadPages } from '../../api/read-pages.ts';
import { fullDate } from '../../i18n/dates.ts';
import { plainMoney } from '../../i18n/money.ts';
import { type TextKey, useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { State } from '../../ui/state.tsx';
import css from './billing.module.css';

const STATES: Readonly<Record<string, readonly ['ok' | 'warn' | 'err' | 'void', TextKey]>> = {
  paid: ['ok', 'invoice.paid'],
  open: ['warn', 'invoice.open'],
  uncollectible: ['err', 'invoice.uncollectible'],
  void: ['void', 'invoice.void'],
};

/** What was asked for and what was paid, the latest first. A void invoice is struck, not hidden. */
export function Invoices() {
  const t = useText();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetching } = useReadPages(listInvoices, {
    limit: 24,
  });
  const items = data?.flatMap((page) => page.items);
  return (
    <section className="block" aria-labelledby="invoices">
      <header>
        <h2 className="h3" id="invoices">
          {t('billing.invoices')}
        </h2>
      </header>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {items?.length === 0 && <p className="mid">{t('invoice.none')}</p>}
      {items && items.length > 0 && (
        <table className={`ledger ${css.invoices}`}>
          <thead>
            <tr>
              <th className="m">{t('invoice.number')}</th>
              <th>{t('invoice.date')}</th>
              <th>{t('invoice.state')}</th>
              <th className="n">{t('invoice.amount')}</th>
              <th className="n">
                <span className="sr">{t('invoice.show')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((invoice) => {
              const { id, number, date, status, hostedUrl } = invoice;
              const [kind, word] = STATES[status] ?? ['warn', 'billing.status.attention'];
              return (
                <tr key={id}>
                  <td className="m">{number}</td>
                  <td className="num">{fullDate(date)}</td>
                  <td>
                    <State kind={kind}>{t(word)}</State>
                  </td>
                  <td className="n">
                    <span className={status === 'void' ? 'was' : undefined}>{plainMoney(invoice)}</span>
                  </td>
                  <td className="n">
                    {hostedUrl !== null && (
                      <a href={hostedUrl} target="_blank" rel="noopener noreferrer">
                        {t('invoice.show')}
                        <span className="sr"> {number}</span>
                      </a>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {hasNextPage && (
        <Button className={css.more} loading={isFetching} onClick={() => void fetchNextPage()}>
          {t('invoice.more')}
        </Button>
      )}
    </section>
  );
}
