import { useFirstReads } from '../../api/first-reads.ts';
import { longDay } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { AfterPaint } from '../../ui/after.tsx';
import { Page } from '../../ui/page.tsx';
import { Activity } from './activity.tsx';
import { Hooks } from './hooks.tsx';
import { LatestWork } from './latest-work.tsx';
import { Stock } from './stock.tsx';
import { SyncNowButtons, SyncNowOutcome } from './sync-now.tsx';
import css from './today.module.css';
import { type SyncNow, useSyncNow } from './use-sync-now.ts';
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
      </div>
      {areHere && (
        <AfterPaint>
          <Below sync={sync} />
        </AfterPaint>
      )}
    </Page>
  );
}

/** What is below the first screen reads once that is shown: a phone's network then has all of it for the first screen. */
function Below({ sync }: { readonly sync: SyncNow }) {
  const areHere = useFirstReads();
  return (
    <div className={css.today} hidden={!areHere}>
      <Stock sync={sync} />
      <Activity />
      <LatestWork />
    </div>
  );
}
