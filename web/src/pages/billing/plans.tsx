import { Button } from '@mantine/core';
import { Check } from 'lucide-react';
import { useRef } from 'react';
import type { Output } from '../../api/operation.ts';
import {
  changePlan,
  createCheckoutSession,
  getBillingSummary,
  getProfile,
  getUsage,
  listInvoices,
  listPricingPlans,
  openBillingPortal,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { price } from '../../i18n/money.ts';
import { useText } from '../../i18n/text.ts';
import { useProvenWrite } from '../../session/proven-write.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Tag } from '../../ui/tag.tsx';
import { toast } from '../../ui/toast.ts';
import css from './billing.module.css';
import { leaveToPay } from './purchase.ts';
import type { Summary } from './standing.tsx';

type Plan = Output<typeof listPricingPlans>['items'][number];
type Interval = 'month' | 'year';
type PlansProps = { readonly summary: Summary; readonly interval: Interval };

/** The plans of an app side by side, and the way to another one. */
export function Plans({ summary, interval }: PlansProps) {
  const t = useText();
  const { app } = summary;
  const { data, error, refetch } = useRead(listPricingPlans, { app });
  const { choose, isBusy, fault, proof } = useChoice(summary, interval);
  const plans = data?.items ?? [];
  const own = plans.findIndex(({ plan }) => plan === summary.plan);
  return (
    <section className="block" aria-labelledby={`plans-${app}`}>
      <header>
        <h2 className="h3" id={`plans-${app}`}>
          {t('billing.plansOf', { app: t(`billing.app.${app}`) })}
        </h2>
      </header>
      <div className="col gap3">
        <FaultBanner fault={error} retry={() => void refetch()} />
        <FaultBanner fault={fault} />
        {proof}
        <div className={css.board}>
          {plans.map((plan, at) => (
            <PlanCard
              key={plan.id}
              plan={plan}
              interval={interval}
              isOwn={at === own}
              isNext={at === own + 1}
              isBusy={isBusy}
              choose={canChoose(summary, plan, at > own) ? () => choose(plan) : undefined}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

/** Who subscribes may go up and down; others can only buy more than they have. */
function canChoose(
  { renewal_date: renews }: Summary,
  { billing_enabled: isSold }: Plan,
  isUp: boolean,
): boolean {
  return isSold && (renews !== null || isUp);
}

function useChoice(summary: Summary, interval: Interval) {
  const t = useText();
  const { app } = summary;
  const wanted = useRef('');
  const checkout = useWrite(createCheckoutSession, {
    changes: [],
    onDone: ({ url }) => leaveToPay(url, { app, plan: wanted.current }),
  });
  const portal = useWrite(openBillingPortal, { changes: [], onDone: ({ url }) => location.assign(url) });
  const change = useProvenWrite(changePlan, {
    changes: [getBillingSummary, getProfile, getUsage, listInvoices],
    onDone: ({ state, url }) => {
      if (state === 'confirm' && url) location.assign(url);
      else toast(t('billing.changed'));
    },
  });
  const choose = ({ plan, prices }: Plan) => {
    const chosen = prices.some((one) => one.interval === interval) ? interval : 'month';
    if (plan === 'free') return portal.write({ app, flow: 'cancel', return_url: '/billing' });
    if (summary.renewal_date !== null) return change.write({ app, plan, interval: chosen });
    wanted.current = plan;
    return checkout.write({ app, plan, interval: chosen, success_url: '/billing' });
  };
  return {
    choose,
    isBusy: checkout.isBusy || portal.isBusy || change.isBusy,
    fault: checkout.fault ?? portal.fault ?? change.fault,
    proof: change.proof,
  };
}

type PlanCardProps = {
  readonly plan: Plan;
  readonly interval: Interval;
  readonly isOwn: boolean;
  readonly isNext: boolean;
  readonly isBusy: boolean;
  readonly choose: (() => void) | undefined;
};

function PlanCard({ plan, interval, isOwn, isNext, isBusy, choose }: PlanCardProps) {
  const t = useText();
  const { name, features, popular, prices, trial_days: trial } = plan;
  const shown = prices.find((one) => one.interval === interval) ?? prices[0];
  return (
    <article data-mine={isOwn || undefined}>
      <header>
        <h3 className="sign h2">{name}</h3>
        {isOwn ? <Tag kind="live">{t('billing.yours')}</Tag> : popular && <Tag>{t('billing.popular')}</Tag>}
      </header>
      {shown && (
        <p className={css.price}>
          <span className="fig">{price(shown)}</span>
          <span className="dim small">
            {t(shown.interval === 'year' ? 'billing.aYear' : 'billing.aMonth')}
          </span>
        </p>
      )}
      <ul>
        {features.map((feature) => (
          <li key={feature}>
            <Check className="icon s" aria-hidden="true" />
            {feature}
          </li>
        ))}
        {trial !== undefined && (
          <li>
            <Check className="icon s" aria-hidden="true" />
            {t('billing.trial', { count: trial })}
          </li>
        )}
      </ul>
      {!isOwn && choose && (
        <Button fullWidth variant={isNext ? 'filled' : 'default'} loading={isBusy} onClick={choose}>
          {plan.plan === 'free' ? t('billing.backTo', { plan: name }) : t('billing.changeTo', { plan: name })}
        </Button>
      )}
    </article>
  );
}
