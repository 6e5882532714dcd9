import '../../ui/styles/segmented.ts';
import { Button, SegmentedControl } from '@mantine/core';
import { RotateCcw, Undo2, X } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import {
  cancelSyncRun,
  getSyncRun,
  listSyncRuns,
  retrySyncRun,
  revertSyncRun,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { shortDate } from '../../i18n/dates.ts';
import { type TextKey, useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { ChangeRows } from './change-rows.tsx';
import { useFollowedRun } from './follow-run.ts';
import { RefusedRows, refusedOf } from './refused-rows.tsx';
import { RouteLine } from './route.tsx';
import css from './run.module.css';
import { RunFigures } from './run-figures.tsx';
import { isRunning, type RunRecord, RunState } from './run-state.tsx';
import { SyncTabs } from './sync-tabs.tsx';

const Conflicts = lazy(() => import('./conflicts.tsx').then(({ Conflicts: One }) => ({ default: One })));

const STATES = ['applied', 'failed', 'skipped'] as const;
const RECENT = 100;

/** One sync: as it goes on, then what it wrote, what it did not, and the way back. */
export function RunPage() {
  const t = useText();
  const [, go] = useLocation();
  const { id = '' } = useParams<{ id: string }>();
  const { data: run, error, refetch } = useRead(getSyncRun, { run_id: id });
  useFollowedRun(run);
  const { data: recent } = useRead(
    listSyncRuns,
    { config_id: run?.config_id ?? '', limit: RECENT },
    { enabled: run !== undefined && !isRunning(run) },
  );
  const undo = recent?.items.find((one) => one.reverts_run === id);
  const moved = { changes: [listSyncRuns, getSyncRun], onDone: (next: RunRecord) => go(`/runs/${next.id}`) };
  const revert = useWrite(revertSyncRun, moved);
  const retry = useWrite(retrySyncRun, moved);
  const cancel = useWrite(cancelSyncRun, { changes: [getSyncRun, listSyncRuns] });
  const goesOn = run !== undefined && isRunning(run);
  const hasEnded = run !== undefined && !goesOn && run.status !== 'awaiting_confirmation';
  return (
    <Page
      name={t('run.title')}
      title={
        <>
          {t('run.title')}
          {run && <RunState run={run} isUndone={undo !== undefined} />}
        </>
      }
      section="sync"
      crumbs={[{ to: '/runs', label: t('nav.runs') }]}
      tabs={<SyncTabs />}
      actions={
        <>
          {goesOn && (
            <Button
              leftSection={<X className="icon" />}
              loading={cancel.isBusy}
              onClick={() => cancel.write({ run_id: id })}
            >
              {t('run.cancel')}
            </Button>
          )}
          {hasEnded && (
            <Button
              leftSection={<RotateCcw className="icon" />}
              loading={retry.isBusy}
              onClick={() => retry.write({ run_id: id, wait_seconds: 0 })}
            >
              {t(undo ? 'run.writeAgain' : 'run.retry')}
            </Button>
          )}
          {hasEnded && run.changed > 0 && (
            <Button
              leftSection={<Undo2 className="icon" />}
              loading={revert.isBusy}
              disabled={undo !== undefined}
              onClick={() => revert.write({ run_id: id, wait_seconds: 0 })}
            >
              {t('run.undo')}
            </Button>
          )}
        </>
      }
    >
      <FaultBanner
        fault={error ?? revert.fault ?? retry.fault ?? cancel.fault}
        retry={error ? () => void refetch() : undefined}
      />
      {run && (
        <div className="col gap4">
          <RouteLine run={run}>
            {t(`run.trigger.${run.trigger}`, { actor: run.actor })} · {shortDate(run.created_at)}
          </RouteLine>
          {goesOn && <GoingOn run={run} />}
          <Outcome run={run} undo={undo} />
          {!goesOn && (
            <div className={css.runPage}>
              <div className="col gap5">
                <RefusedRows run={run} />
                <Suspense>{run.direction === 'two_way' && <Conflicts configId={run.config_id} />}</Suspense>
                <Changes id={id} />
              </div>
              <RunFigures run={run} />
            </div>
          )}
        </div>
      )}
    </Page>
  );
}

/** How far it is and, once there is a plan, each line as it is written. */
function GoingOn({ run }: { readonly run: RunRecord }) {
  return (
    <>
      <Progress run={run} />
      {run.status === 'applying' && <Changes id={run.id} />}
    </>
  );
}

const RUNNING_TEXTS: Partial<Record<RunRecord['status'], TextKey>> = {
  queued: 'run.status.queued',
  planning: 'run.status.planning',
  applying: 'run.status.applying',
};

/** Steps done of steps there are; before they are known the line only says that it goes on. */
function Progress({ run }: { readonly run: RunRecord }) {
  const t = useText();
  const { progress, status } = run;
  const share = progress && progress.total > 0 ? (progress.done / progress.total) * 100 : 8;
  return (
    <div className="col">
      <div
        className="jobline"
        role="progressbar"
        aria-label={t('run.progress')}
        aria-valuenow={Math.round(share)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ width: `${share}%` }} />
      </div>
      <p className="small dim num" role="status">
        {t(RUNNING_TEXTS[status] ?? 'run.progress')}
        {progress &&
          progress.total > 0 &&
          ` · ${t('run.steps', { done: progress.done, total: progress.total })}`}
      </p>
    </div>
  );
}

type OutcomeProps = { readonly run: RunRecord; readonly undo: RunRecord | undefined };

/** What stands now, in one sentence. */
function Outcome({ run, undo }: OutcomeProps) {
  const t = useText();
  const { status, changed, skipped, errors, products_synced: synced, reverts_run } = run;
  const open = (to: string, label: string) => (
    <Button size="xs" component={Link} href={to}>
      {label}
    </Button>
  );
  if (status === 'awaiting_confirmation')
    return (
      <Banner tone="warn" title={t('run.held')} action={open(`/runs/plan/${run.id}`, t('sync.showChanges'))}>
        {t('run.heldNext')}
      </Banner>
    );
  if (undo)
    return (
      <Banner
        tone="ok"
        title={t('run.undoneBy', { count: undo.changed })}
        action={open(`/runs/${undo.id}`, t('run.openUndo'))}
      >
        {undo.skipped > 0 && t('run.undoKept', { count: undo.skipped })}
      </Banner>
    );
  if (reverts_run !== null && (status === 'succeeded' || status === 'partial'))
    return (
      <Banner
        tone="ok"
        title={t('run.undoDid', { count: changed })}
        action={open(`/runs/${reverts_run}`, t('run.openUndone'))}
      >
        {skipped > 0 && t('run.undoKept', { count: skipped })}
      </Banner>
    );
  if (status === 'succeeded')
    return (
      <Banner tone="ok" title={t('run.synced', { count: synced })}>
        {t(changed === 0 ? 'run.nothingNext' : 'run.wrote', { count: changed })}
      </Banner>
    );
  const refused = refusedOf(run).length;
  if (status === 'partial' && refused === 0)
    return (
      <Banner tone="warn" title={t('run.conflicts', { count: errors.length })}>
        {t('run.conflictsNext')}
      </Banner>
    );
  if (status === 'partial')
    return (
      <Banner tone="err" title={t('run.notAll', { count: refused })}>
        {t('run.rest', { count: changed })}
      </Banner>
    );
  if (status === 'failed')
    return (
      <Banner tone="err" title={t('run.failed')}>
        {errors.find(({ row }) => row === undefined)?.message ?? t('run.rest', { count: changed })}
      </Banner>
    );
  return null;
}

function Changes({ id }: { readonly id: string }) {
  const t = useText();
  const [chosen, setChosen] = useSearchParam('show');
  const show = STATES.find((state) => state === chosen);
  return (
    <section className="block" aria-labelledby="changes">
      <header className={css.head}>
        <h2 className="h3" id="changes">
          {t('changes.title')}
        </h2>
        <SegmentedControl
          className="push"
          aria-label={t('changes.show')}
          value={show ?? 'all'}
          onChange={(value) => setChosen(value === 'all' ? '' : value)}
          data={[
            { value: 'all', label: t('changes.all') },
            ...STATES.map((value) => ({ value, label: t(`changes.only.${value}`) })),
          ]}
        />
      </header>
      <ChangeRows
        key={show ?? 'all'}
        runId={id}
        state={show}
        empty={t(show ? 'changes.noneOf' : 'run.nothingNext')}
      />
    </section>
  );
}
