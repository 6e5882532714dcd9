import '../../ui/styles/segmented.ts';
import { Button, SegmentedControl } from '@mantine/core';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { getBillingSummary, openBillingPortal } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { fullDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { HooksTabs } from '../hooks/tabs.tsx';
import css from './billing.module.css';
import { Credits } from './credits.tsx';
import { Invoices } from './invoices.tsx';
import { Plans } from './plans.tsx';
import { useReturn } from './purchase.ts';
import { Standing } from './standing.tsx';

/** What the account pays for, what else there is, and what was paid. */
export function Billing() {
  const t = useText();
  const [interval, setInterval] = useState<'month' | 'year'>('month');
  const hooks = useRead(getBillingSummary, { app: 'hooks' });
  const sync = useRead(getBillingSummary, { app: 'sync' });
  const portal = useWrite(openBillingPortal, { changes: [], onDone: ({ url }) => location.assign(url) });
  const summaries = [hooks.data, sync.data].filter((one) => one !== undefined);
  const subscribed = summaries.filter(({ renewal_date: renews }) => renews !== null);
  const isOff = hooks.data?.billing_enabled === false;
  return (
    <Page
      name={t('nav.billing')}
      tabs={<HooksTabs />}
      actions={
        subscribed[0] && (
          <Button
            rightSection={<ExternalLink className="icon" />}
            loading={portal.isBusy}
            onClick={() => portal.write({ app: subscribed[0]?.app, return_url: '/billing' })}
          >
            {t('billing.manage')}
          </Button>
        )
      }
    >
      <div className={css.billing}>
        <Returned />
        <FaultBanner fault={portal.fault} />
        <FaultBanner fault={hooks.error ?? sync.error} retry={() => void hooks.refetch()} />
        {isOff && (
          <Banner tone="warn" title={t('billing.off')}>
            {t('billing.offAbout')}
          </Banner>
        )}
        {subscribed
          .filter(({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)
          .map(({ app, renewal_date: ends }) => (
            <Banner
              key={app}
              tone="warn"
              title={t('billing.ends', { app: t(`billing.app.${app}`), date: fullDate(ends ?? '') })}
            >
              {t('billing.endsAbout')}
            </Banner>
          ))}
        {hooks.data && sync.data && <Standing hooks={hooks.data} sync={sync.data} />}
        {!isOff && (
          <div className="row">
            <SegmentedControl
              aria-label={t('billing.interval')}
              value={interval}
              onChange={setInterval}
              data={[
                { value: 'month', label: t('billing.monthly') },
                { value: 'year', label: t('billing.yearly') },
              ]}
            />
          </div>
        )}
        {summaries.map((summary) => (
          <Plans key={summary.app} summary={summary} interval={interval} />
        ))}
        {hooks.data && <Credits summary={hooks.data} />}
        {hooks.data?.billing_enabled && <Invoices />}
      </div>
    </Page>
  );
}

/** The state of the payment that the person comes back from. */
function Returned() {
  const t = useText();
  const back = useReturn();
  switch (back.at) {
    case 'nowhere':
      return null;
    case 'waiting':
      return <Banner title={t('billing.waiting')}>{t('billing.waitingAbout')}</Banner>;
    case 'late':
      return (
        <Banner tone="warn" title={t('billing.late')}>
          {t('billing.lateAbout')}
        </Banner>
      );
    case 'done':
      return (
        <Banner tone="ok" title={t('billing.thanks')}>
          {t('billing.thanksAbout')}
        </Banner>
      );
  }
}
