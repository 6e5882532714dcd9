import { Link } from 'wouter';
import type { Output } from '../../api/operation.ts';
import type { getBillingSummary } from '../../api/operations.gen.ts';
import { fullDate } from '../../i18n/dates.ts';
import { recurring } from '../../i18n/money.ts';
import { type TextKey, useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import css from './billing.module.css';

export type Summary = Output<typeof getBillingSummary>;

type StandingProps = { readonly hooks: Summary; readonly sync: Summary };

/** Both plans at one look: state, renewal, price, credits. */
export function Standing({ hooks, sync }: StandingProps) {
  const t = useText();
  return (
    <div className={css.standing}>
      <Subscription summary={hooks} />
      <Subscription summary={sync} />
      <div>
        <span className="cap">{t('billing.credits')}</span>
        <span className="sign h2">{t('generator.written', { count: hooks.credits })}</span>
        {hooks.billing_enabled && (
          <Link className="small" href="/billing#credits">
            {t('quota.buy')}
          </Link>
        )}
      </div>
    </div>
  );
}

function Subscription({ summary }: { readonly summary: Summary }) {
  const t = useText();
  const { app, plan, status, renewal_date: renews, cancelAtPeriodEnd } = summary;
  return (
    <div>
      <span className="cap">{t(`billing.app.${app}`)}</span>
      <span className="sign h2">{t(PLAN_NAMES[plan] ?? 'plan.free')}</span>
      <State kind={status === 'active' ? 'ok' : status === 'none' ? 'void' : 'warn'}>
        {t(STATUS_NAMES[status] ?? 'billing.status.attention')}
      </State>
      {renews !== null && (
        <>
          <span className="small dim">{recurring(summary)}</span>
          <span className="small dim">
            {t(cancelAtPeriodEnd ? 'billing.until' : 'billing.renews', { date: fullDate(renews) })}
          </span>
        </>
      )}
    </div>
  );
}

export const PLAN_NAMES: Readonly<Record<string, TextKey>> = {
  free: 'plan.free',
  pro: 'plan.pro',
  pro_api: 'plan.proApi',
  enterprise: 'plan.enterprise',
};

const STATUS_NAMES: Readonly<Record<string, TextKey>> = {
  none: 'billing.status.none',
  active: 'billing.status.active',
  trialing: 'billing.status.trialing',
  past_due: 'billing.status.pastDue',
  unpaid: 'billing.status.unpaid',
  canceled: 'billing.status.canceled',
  incomplete: 'billing.status.incomplete',
  paused: 'billing.status.paused',
};
