import { useCallback } from 'react';
import { useText } from '../../i18n/text.ts';
import { LongRows } from '../../ui/long-rows.tsx';
import { repairOf } from './repair-of.ts';
import { RepairButton } from './repairs.tsx';
import css from './run.module.css';
import type { RunRecord } from './run-state.tsx';

const ROW_PX = 52;
const COLUMNS = 4;

type RunError = RunRecord['errors'][number];

/** What was not written, why, and the one thing that repairs it. */
export function RefusedRows({ run }: { readonly run: RunRecord }) {
  const t = useText();
  const draw = useCallback(
    ({ code, message, row, sku, field }: RunError, at: number) => (
      <tr key={at} data-bad>
        <td className="m">{row ?? '·'}</td>
        <td>
          <div className="col gap1">
            {sku !== undefined && <span className="mono small">{sku}</span>}
            {field !== undefined && <span className="mono small dim">{field}</span>}
          </div>
        </td>
        <td className={css.why}>{message}</td>
        <td className="n">
          <RepairButton run={run} code={code} row={row} />
        </td>
      </tr>
    ),
    [run],
  );
  const errors = refusedOf(run);
  if (errors.length === 0) return null;
  return (
    <section className="block" aria-labelledby="refused">
      <header>
        <h2 className="h3" id="refused">
          {t('run.refused')}
        </h2>
        <span className="cap num">{errors.length}</span>
      </header>
      <table className={`ledger data fold ${css.refused}`}>
        <thead>
          <tr>
            <th className="m">{t('changes.row')}</th>
            <th>{t('changes.key')}</th>
            <th>{t('run.why')}</th>
            <th>
              <span className="sr">{t('run.repair')}</span>
            </th>
          </tr>
        </thead>
        <LongRows rows={errors} columns={COLUMNS} rowHeight={ROW_PX} draw={draw} more={undefined} />
      </table>
    </section>
  );
}

/** Conflicts have a list of their own, where a person settles them. */
export const refusedOf = ({ errors }: RunRecord): RunRecord['errors'] =>
  errors.filter(({ code, row, field }) => !(repairOf(code) === 'conflict' && row !== undefined && field));
