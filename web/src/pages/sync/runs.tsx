import { Button } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { Link, useLocation } from 'wouter';
import { listSyncRuns } from '../../api/operations.gen.ts';
import { useReadOn } from '../../api/read-on.ts';
import { shortDate } from '../../i18n/dates.ts';
import { text, useText } from '../../i18n/text.ts';
import { Empty } from '../../ui/empty.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { LongRows } from '../../ui/long-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { useNames } from './names.ts';
import css from './run.module.css';
import { type RunRecord, RunState } from './run-state.tsx';
import { SyncTabs } from './sync-tabs.tsx';

const PAGE = 100;
const ROW_PX = 44;
const COLUMNS = 6;

/** Every sync of the account, newest first; the undo of one is one, too. */
export function Runs() {
  const t = useText();
  const [, go] = useLocation();
  const { storeName, sheetName } = useNames();
  const { pages, error, retry, more } = useReadOn(listSyncRuns, { limit: PAGE });
  const rows = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]);
  const undone = useMemo(() => new Set(rows.flatMap(({ reverts_run }) => reverts_run ?? [])), [rows]);
  const draw = useCallback(
    (run: RunRecord) => {
      const ends = [storeName(run.store_id), sheetName(run.sheet_id)];
      const [from, to] = run.direction === 'sheet_to_store' ? ends.toReversed() : ends;
      return (
        <tr key={run.id}>
          <td className="m">{shortDate(run.created_at)}</td>
          <td>
            <Link href={`/runs/${run.id}`} className={css.outcome}>
              <RunState run={run} isUndone={undone.has(run.id)} />
            </Link>
          </td>
          <td className={`mid ${css.what}`}>
            {run.direction === 'two_way' ? `${from} ⇄ ${to}` : `${from} → ${to}`}
          </td>
          <td className="n">{run.changed}</td>
          <td className="n dim">{run.skipped}</td>
          <td className="n dim opt">{text(`run.trigger.${run.trigger}`, { actor: run.actor })}</td>
        </tr>
      );
    },
    [storeName, sheetName, undone],
  );
  return (
    <Page
      name={t('nav.runs')}
      section="sync"
      tabs={<SyncTabs />}
      actions={
        <Button component={Link} href="/mapping">
          {t('runs.plan')}
        </Button>
      }
    >
      {pages && rows.length === 0 ? (
        <Empty
          title={t('runs.empty')}
          actions={
            <Button variant="filled" onClick={() => go('/mapping')}>
              {t('runs.plan')}
            </Button>
          }
        >
          {t('runs.emptyNext')}
        </Empty>
      ) : (
        <table className={`ledger ${css.runs}`}>
          <thead>
            <tr>
              <th className="m">{t('runs.when')}</th>
              <th>{t('runs.outcome')}</th>
              <th>{t('runs.what')}</th>
              <th className="n">{t('runs.written')}</th>
              <th className="n">{t('runs.skipped')}</th>
              <th className="n opt">{t('runs.by')}</th>
            </tr>
          </thead>
          <LongRows rows={rows} columns={COLUMNS} rowHeight={ROW_PX} draw={draw} more={more} />
        </table>
      )}
      <FaultBanner fault={error} retry={retry} />
    </Page>
  );
}
