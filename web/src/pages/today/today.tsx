import { useFirstReads } from '../../api/first-reads.ts';
import { longDay } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { Page } from '../../ui/page.tsx';
import { Activity } from './activity.tsx';
import { Hooks } from './hooks.tsx';
import { LatestWork } from './latest-work.tsx';
import { Stock } from './stock.tsx';
import { SyncNowButtons, SyncNowOutcome } from './sync-now.tsx';
import css from './today.module.css';
import { useSyncNow } from './use-sync-now.ts';
import { Waiting } from './waiting.tsx';

/** What waits for the person, what has happened, and what is there. */
export function Today() {
  const t = useText();
  const sync = useSyncNow();
  const areHere = useFirstReads();
  return (
    <Page name={t('nav.today')} title={longDay()} actions={<SyncNowButtons sync={sync} />}>
      <div className={css.outcome}>
        <SyncNowOutcome sync={sync} />
      </div>
      <div className={css.today} hidden={!areHere}>
        <Waiting />
        <Hooks />
        <Stock sync={sync} />
        <Activity />
        <LatestWork />
      </div>
    </Page>
  );
}
