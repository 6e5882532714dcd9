import { useCallback, useMemo } from 'react';
import type { Input, Output } from '../../api/operation.ts';
import { listSyncChanges } from '../../api/operations.gen.ts';
import { useReadOn } from '../../api/read-on.ts';
import { text, useText } from '../../i18n/text.ts';
import { AfterAWhile } from '../../ui/after.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { LongRows } from '../../ui/long-rows.tsx';
import { State } from '../../ui/state.tsx';
import css from './run.module.css';

type Change = Output<typeof listSyncChanges>['items'][number];
type ChangeState = NonNullable<Input<typeof listSyncChanges>['state']>;

const PAGE = 200;
const ROW_PX = 34;
const COLUMNS = 6;

type ChangeRowsProps = {
  readonly runId: string;
  /** Only these; all without it. */
  readonly state?: ChangeState | undefined;
  readonly empty: string;
};

/** What a run or a plan changes, cell by cell: the old value struck, the new one beside it. */
export function ChangeRows({ runId, state, empty }: ChangeRowsProps) {
  const t = useText();
  const { pages, error, retry, more, isPending } = useReadOn(listSyncChanges, {
    run_id: runId,
    limit: PAGE,
    ...(state && { state }),
  });
  const rows = useMemo(() => pages?.flatMap(({ items }) => items) ?? [], [pages]);
  const draw = useCallback((change: Change, at: number) => <Row key={at} change={change} />, []);
  return (
    <>
      {pages && rows.length === 0 ? (
        <p className="mid">{empty}</p>
      ) : (
        <table className={`ledger data fold ${css.changes}`}>
          <thead>
            <tr>
              <th className="m">{t('changes.row')}</th>
              <th>{t('changes.key')}</th>
              <th>{t('changes.field')}</th>
              <th>{t('changes.side')}</th>
              <th className="n">{t('changes.value')}</th>
              <th>{t('changes.note')}</th>
            </tr>
          </thead>
          {isPending ? (
            <tbody>
              <AfterAWhile>
                {['a', 'b', 'c', 'd', 'e'].map((bone) => (
                  <tr key={bone}>
                    <td className="m">
                      <i className={`bone ${css.short}`} />
                    </td>
                    <td colSpan={COLUMNS - 1}>
                      <i className={`bone ${css.long}`} />
                    </td>
                  </tr>
                ))}
              </AfterAWhile>
            </tbody>
          ) : (
            <LongRows rows={rows} columns={COLUMNS} rowHeight={ROW_PX} draw={draw} more={more} />
          )}
        </table>
      )}
      <FaultBanner fault={error} retry={retry} />
    </>
  );
}

function Row({ change }: { readonly change: Change }) {
  const { row, key, field, side, from, to, state, message } = change;
  const isBad = state === 'failed' || state === 'skipped';
  return (
    <tr data-bad={isBad || undefined}>
      <td className="m">{row ?? '·'}</td>
      <td className="mono small">{key}</td>
      <td className="mono small dim">{field}</td>
      <td className="dim">{text(`changes.side.${side}`)}</td>
      <td className="n">
        {isBad ? (
          <span className={css.bad}>{shown(to ?? from)}</span>
        ) : (
          <>
            {from !== null && <span className="was">{shown(from)}</span>}{' '}
            <span className={`now${isMore(from, to) ? ' up' : ''}`}>{shown(to)}</span>
          </>
        )}
      </td>
      <td className={css.note} data-empty={message === undefined && state !== 'conflict' ? true : undefined}>
        <Note change={change} />
      </td>
    </tr>
  );
}

function Note({ change: { state, message, kind } }: { readonly change: Change }) {
  if (state === 'conflict') return <State kind="warn">{message ?? text('changes.state.conflict')}</State>;
  if (state === 'failed' || state === 'skipped')
    return (
      <State kind={state === 'failed' ? 'err' : 'warn'}>{message ?? text(`changes.state.${state}`)}</State>
    );
  if (state === 'applied') return <span className="dim">{message ?? text('changes.state.applied')}</span>;
  return (
    <span className="dim">
      {message ?? (kind === 'append' || kind === 'create' ? text(`changes.${kind}`) : '')}
    </span>
  );
}

const shown = (value: string | null) => (value === null || value === '' ? '—' : value);

function isMore(from: string | null, to: string | null): boolean {
  return from !== null && from !== '' && to !== null && Number(to) > Number(from);
}
