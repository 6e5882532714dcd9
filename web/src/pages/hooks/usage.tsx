import { Link } from 'wouter';
import type { Output } from '../../api/operation.ts';
import type { getUsage } from '../../api/operations.gen.ts';
import { dayName, monthName, number } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { Bars } from '../../ui/bars.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { Tally } from '../../ui/tally.tsx';
import { useUsage } from './quota.tsx';
import { HooksTabs } from './tabs.tsx';
import css from './usage.module.css';

/** The month's hooks: used, left, and by day. */
export function Usage() {
  const t = useText();
  const { data, error, refetch } = useUsage();
  return (
    <Page name={t('usage.title')} section="hooks" tabs={<HooksTabs />}>
      <div className={css.usage}>
        <FaultBanner fault={error} retry={() => void refetch()} />
        {data && <Month usage={data} />}
      </div>
    </Page>
  );
}

function Month({ usage }: { readonly usage: Output<typeof getUsage> }) {
  const t = useText();
  const { month, hooks_used: used, hooks_limit: limit, remaining, percent_used: percent } = usage;
  const { credits, resets_at: resets, template_units: templates, by_day: byDay } = usage;
  const days = daysOf(month, byDay);
  const total = byDay.reduce((sum, { hooks }) => sum + hooks, 0);
  return (
    <>
      <section className="col gap3" aria-label={monthName(month)}>
        <span className="cap">{monthName(month)}</span>
        <span className="fig">
          {number(used)}
          <small> {limit > 0 ? t('usage.of', { limit }) : t('usage.unlimited')}</small>
        </span>
        {limit > 0 && <Tally value={used} max={limit} label={t('usage.label')} />}
        <div className="lines">
          {limit > 0 && (
            <>
              <div>
                <span>{t('usage.remaining')}</span>
                <span>{number(remaining)}</span>
              </div>
              <div>
                <span>{t('usage.percent')}</span>
                <span>{t('usage.percentOf', { percent })}</span>
              </div>
            </>
          )}
          <div>
            <span>{t('usage.credits')}</span>
            <span className="row">
              {number(credits)}
              <Link href="/billing#credits">{t('quota.buy')}</Link>
            </span>
          </div>
          <div>
            <span>{t('usage.templates')}</span>
            <span>{number(templates)}</span>
          </div>
          <div>
            <span>{t('usage.again')}</span>
            <span>{t('usage.atUtc', { date: dayName(resets) })}</span>
          </div>
        </div>
      </section>
      <section className="block" aria-labelledby="by-day">
        <header>
          <h2 className="h3" id="by-day">
            {t('usage.byDay')}
          </h2>
          <span className="cap">{t('generator.written', { count: total })}</span>
        </header>
        <Bars data={days} label={t('usage.byDayOf', { month: monthName(month), count: total })} />
        {total > 0 && (
          <details className={css.table}>
            <summary className="cap">{t('usage.asTable')}</summary>
            <table className="ledger data">
              <tbody>
                {byDay.map(({ date, hooks }) => (
                  <tr key={date}>
                    <td className="m">{dayName(date)}</td>
                    <td className="n">{number(hooks)}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <td className="m" />
                  <td className="n">
                    <span>{number(total)}</span>
                  </td>
                </tr>
              </tfoot>
            </table>
          </details>
        )}
      </section>
    </>
  );
}

/** Every day of the month, also those without hooks. */
function daysOf(month: string, byDay: Output<typeof getUsage>['by_day']) {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length: last }, (_, at) => {
    const day = String(at + 1);
    const hooks = byDay.find(({ date }) => date === `${month}-${day.padStart(2, '0')}`)?.hooks ?? 0;
    return { label: day, value: hooks };
  });
}
