import { Button } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { Link } from 'wouter';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './today.module.css';
import type { SyncNow } from './use-sync-now.ts';

/** Sync Now names both ends. Where one is missing it is off, and says which. */
export function SyncNowButtons({ sync }: { readonly sync: SyncNow }) {
  const t = useText();
  const { store, sheet, isKnown } = sync;
  // Its room, so that nothing moves when it comes.
  if (!isKnown)
    return (
      <Button variant="filled" className={css.coming} aria-hidden tabIndex={-1}>
        {t('today.syncNow')}
      </Button>
    );
  const isReady = store !== undefined && sheet !== undefined;
  const reason = store ? (sheet ? undefined : t('today.needsSheet')) : t('today.needsStore');
  return (
    <>
      {isReady && (
        <Button variant="subtle" loading={sync.isPlanning} onClick={sync.showFirst}>
          {t('today.showFirst')}
        </Button>
      )}
      <Button
        variant="filled"
        leftSection={<RefreshCw className="icon" />}
        disabled={!isReady}
        loading={sync.isBusy}
        title={reason}
        aria-describedby={isReady ? undefined : 'sync-reason'}
        onClick={sync.start}
      >
        {isReady ? t('sync.pairNow', { store: store.domain, sheet: sheet.name }) : t('today.syncNow')}
      </Button>
    </>
  );
}

/** What Sync Now did: the number of synced products, and every row that was not written. */
export function SyncNowOutcome({ sync }: { readonly sync: SyncNow }) {
  const t = useText();
  const { run, fault, isBusy } = sync;
  const plan = fault?.data['plan_id'];
  if (typeof plan === 'string')
    return (
      <Banner tone="warn" title={fault?.title} action={<Open to={`/runs/plan/${plan}`} />}>
        {t('run.heldNext')}
      </Banner>
    );
  if (fault) return <FaultBanner fault={fault} />;
  if (!run) return null;
  if (isBusy) {
    const { progress } = run;
    const share = progress && progress.total > 0 ? (progress.done / progress.total) * 100 : 8;
    return (
      <div
        className="jobline"
        role="progressbar"
        aria-label={t('run.progress')}
        aria-valuenow={Math.round(share)}
      >
        <i style={{ width: `${share}%` }} />
      </div>
    );
  }
  if (run.status === 'awaiting_confirmation')
    return (
      <Banner tone="warn" title={t('run.held')} action={<Open to={`/runs/plan/${run.id}`} />}>
        {t('run.heldNext')}
      </Banner>
    );
  const isFine = run.status === 'succeeded';
  return (
    <Banner
      tone={isFine ? 'ok' : 'err'}
      title={t('run.synced', { count: run.products_synced })}
      action={<Open to={`/runs/${run.id}`} />}
    >
      {run.errors.map(({ row, sku, message }) => (
        <span key={`${row} ${sku} ${message}`}>
          {row !== undefined && `${t('repair.about', { row })} `}
          {sku !== undefined && `${sku}: `}
          {message}{' '}
        </span>
      ))}
    </Banner>
  );
}

function Open({ to }: { readonly to: string }) {
  const t = useText();
  return (
    <Button size="xs" component={Link} href={to}>
      {t('today.openRun')}
    </Button>
  );
}
