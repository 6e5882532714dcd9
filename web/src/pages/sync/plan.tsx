import '../../ui/styles/segmented.ts';
import { Button, SegmentedControl } from '@mantine/core';
import { Check, RotateCcw } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { ApiFault } from '../../api/fault.ts';
import {
  getSyncRun,
  listConflicts,
  listSyncChanges,
  listSyncRuns,
  previewSync,
  runSync,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { number, shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { ChangeRows } from './change-rows.tsx';
import { RefusedRows } from './refused-rows.tsx';
import { RouteLine } from './route.tsx';
import css from './run.module.css';
import type { RunRecord } from './run-state.tsx';
import { SyncTabs } from './sync-tabs.tsx';

const Conflicts = lazy(() => import('./conflicts.tsx').then(({ Conflicts: One }) => ({ default: One })));

const STATES = ['planned', 'conflict', 'skipped'] as const;

/** Faults after which the plan can no longer be written: it has to be made again. */
const SPENT = ['plan_expired', 'plan_overtaken', 'plan_used', 'conflict'];

/** What a sync would change, before anything is written. The button writes exactly this plan. */
export function Plan() {
  const t = useText();
  const [, go] = useLocation();
  const { id = '' } = useParams<{ id: string }>();
  const { data: run, error, refetch } = useRead(getSyncRun, { run_id: id });
  const apply = useWrite(runSync, {
    // A plan and its run have one ID: what was read of the plan is old now.
    changes: [listSyncRuns, getSyncRun, listSyncChanges, listConflicts],
    onDone: ({ run_id }) => go(`/runs/${run_id}`),
  });
  const again = useWrite(previewSync, {
    changes: [],
    onDone: ({ plan_id }) => go(`/runs/plan/${plan_id}`),
  });
  const isOpen = run?.status === 'awaiting_confirmation';
  const isSpent = apply.fault !== null && SPENT.includes(apply.fault.code);
  const undecided = run?.errors.some(({ code }) => code === 'undecided') ?? false;
  const rows = run ? rowsOf(run) : 0;
  return (
    <Page
      name={t('plan.title')}
      section="sync"
      crumbs={[{ to: '/runs', label: t('nav.runs') }]}
      tabs={<SyncTabs />}
      actions={
        run && (
          <>
            <Button
              leftSection={<RotateCcw className="icon" />}
              loading={again.isBusy}
              onClick={() => again.write({ config_id: run.config_id })}
            >
              {t('plan.again')}
            </Button>
            {isOpen && !undecided && (rows > 0 || run.counts.conflicts) && (
              <Button
                variant="filled"
                leftSection={<Check className="icon" />}
                loading={apply.isBusy}
                disabled={isSpent}
                onClick={() => apply.write({ confirm: id, wait_seconds: 0 })}
              >
                {rows > 0 ? t('plan.write', { count: rows }) : t('plan.toConflicts')}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="col gap4">
        <FaultBanner
          fault={error ?? failureOf(apply.fault, again.fault)}
          retry={error ? () => void refetch() : undefined}
        />
        {run && <PlanBody run={run} isOpen={isOpen} undecided={undecided} again={again} />}
      </div>
    </Page>
  );
}

type PlanBodyProps = {
  readonly run: RunRecord;
  readonly isOpen: boolean;
  /** The sides differ and have no baseline: a person says which one stays. */
  readonly undecided: boolean;
  readonly again: ReturnType<typeof useWrite<typeof previewSync>>;
};

function PlanBody({ run, isOpen, undecided, again }: PlanBodyProps) {
  const t = useText();
  const [chosen, setChosen] = useSearchParam('show');
  const show = STATES.find((state) => state === chosen);
  const { conflicts = 0 } = run.counts;
  return (
    <>
      <RouteLine run={run}>
        {isOpen && run.expires_at
          ? t('plan.holds', { read: shortDate(run.created_at), until: shortDate(run.expires_at) })
          : shortDate(run.created_at)}
      </RouteLine>
      {!isOpen && (
        <Banner
          title={t(run.status === 'failed' ? 'plan.failed' : 'plan.over')}
          action={
            <Button size="xs" component={Link} href={`/runs/${run.id}`}>
              {t('plan.openRun')}
            </Button>
          }
        />
      )}
      {undecided && (
        <Banner
          tone="mg"
          title={t('plan.first')}
          action={
            <span className="row wrap">
              {(['store', 'sheet'] as const).map((initial) => (
                <Button
                  key={initial}
                  size="xs"
                  loading={again.isBusy}
                  onClick={() => again.write({ config_id: run.config_id, initial })}
                >
                  {t(`plan.keep.${initial}`)}
                </Button>
              ))}
            </span>
          }
        >
          {t('plan.firstNext')}
        </Banner>
      )}
      <Sums run={run} />
      {run.safety_limits_hit.map(({ safety_limit, limit, found }) => (
        <Banner
          key={safety_limit}
          tone="warn"
          title={t('plan.limit')}
          action={
            <Button size="xs" component={Link} href={`/mapping?id=${run.config_id}`}>
              {t('plan.changeLimit')}
            </Button>
          }
        >
          {t(`plan.limit.${safety_limit}`, { found: Math.round(found), limit })}
        </Banner>
      ))}
      {isOpen && conflicts > 0 && (
        <Suspense>
          <Conflicts
            configId={run.config_id}
            none={
              <Banner tone="warn" title={t('plan.conflicts', { count: conflicts })}>
                {t('plan.conflictsNext')}
              </Banner>
            }
          />
        </Suspense>
      )}
      <RefusedRows run={run} />
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
          runId={run.id}
          state={show}
          empty={t(show ? 'changes.noneOf' : 'plan.nothing')}
        />
      </section>
    </>
  );
}

const failureOf = (...faults: (ApiFault | null)[]): ApiFault | null =>
  faults.find((fault) => fault !== null) ?? null;

/** Rows of both sides that would change; those of the sheet hold the new ones. */
const rowsOf = ({ counts: { to_store = 0, to_sheet = 0 } }: RunRecord): number => to_store + to_sheet;

function Sums({ run }: { readonly run: RunRecord }) {
  const t = useText();
  const { counts } = run;
  const sums = [
    ['change', rowsOf(run)],
    ['new', counts.appended ?? 0],
    ['conflicts', counts.conflicts ?? 0],
    ['skipped', counts.skipped ?? 0],
    ['same', counts.unchanged ?? 0],
  ] as const;
  return (
    <dl className={css.sums}>
      {sums.map(([name, count]) => (
        <div key={name}>
          <dd className="fig">{number(count)}</dd>
          <dt className="cap">{t(`plan.sum.${name}`, { count })}</dt>
        </div>
      ))}
    </dl>
  );
}
