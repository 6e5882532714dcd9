import { Link } from 'wouter';
import { listSyncRuns } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { number, shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import { Block } from './block.tsx';
import css from './today.module.css';
import type { SyncNow } from './use-sync-now.ts';

const RECENT = 20;

/** How many stores, sheets and synced products there are, and which. */
export function Stock({ sync }: { readonly sync: SyncNow }) {
  const t = useText();
  const { data } = useRead(listSyncRuns, { limit: RECENT });
  const last = data?.items.find(({ status }) => status === 'succeeded' || status === 'partial');
  const { stores, sheets, isKnown } = sync;
  const names = (list: readonly string[]) => list.slice(0, 2).join(', ');
  return (
    <div className={css.wide}>
      <Block
        title={t('nav.sync')}
        caption={last && t('today.lastRun', { time: shortDate(last.created_at) })}
        more={<Link href="/runs">{t('today.allRuns')}</Link>}
      >
        {isKnown && (
          <dl className={css.figs}>
            <div>
              <dt className="cap">{t('nav.stores')}</dt>
              <dd className="fig">{number(stores.length)}</dd>
              <dd className="small">
                {stores.length === 0 ? (
                  <Link href="/stores">{t('stores.connect')}</Link>
                ) : (
                  <Link href="/stores">{names(stores.map(({ domain }) => domain))}</Link>
                )}
              </dd>
            </div>
            <div>
              <dt className="cap">{t('nav.sheets')}</dt>
              <dd className="fig">{number(sheets.length)}</dd>
              <dd className="small">
                {sheets.length === 0 ? (
                  <Link href="/sheets">{t('sheets.connect')}</Link>
                ) : (
                  <Link href="/sheets">{names(sheets.map(({ name }) => name))}</Link>
                )}
              </dd>
            </div>
            <div>
              <dt className="cap">{t('today.synced')}</dt>
              <dd className="fig">{number(last?.products_synced ?? 0)}</dd>
              <dd className="small">
                {last && (
                  <Link href={`/runs/${last.id}`}>
                    {last.errors.length === 0 ? (
                      <State kind="ok">{t('today.allSynced')}</State>
                    ) : (
                      <State kind="warn">{t('run.partial', { count: last.errors.length })}</State>
                    )}
                  </Link>
                )}
                {!last && <span className="dim">{t('today.noRun')}</span>}
              </dd>
            </div>
          </dl>
        )}
        {isKnown && (stores.length === 0 || sheets.length === 0) && (
          <p className="small dim" id="sync-reason">
            {t(stores.length === 0 ? 'today.needsStore' : 'today.needsSheet')}
          </p>
        )}
      </Block>
    </div>
  );
}
