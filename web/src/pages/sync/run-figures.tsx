import { number } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { CopyButton } from '../../ui/copy.tsx';
import css from './run.module.css';
import type { RunRecord } from './run-state.tsx';

/** When each step began, what it cost in calls, and the figures that the API answers. */
export function RunFigures({ run }: { readonly run: RunRecord }) {
  const t = useText();
  const { counts, api_calls: calls } = run;
  const steps = [
    ['asked', run.created_at, ''],
    ['read', run.started_at, t('run.read', { store: counts.store_rows ?? 0, sheet: counts.sheet_rows ?? 0 })],
    [
      'ended',
      run.finished_at,
      t('run.calls', {
        store: calls.store_calls ?? 0,
        sheet: (calls.sheet_reads ?? 0) + (calls.sheet_writes ?? 0),
      }),
    ],
  ] as const;
  const figures = [
    ['products_synced', run.products_synced],
    ['changed', run.changed],
    ['unchanged', run.unchanged],
    ['skipped', run.skipped],
    ['errors', run.errors.length],
  ] as const;
  return (
    <aside className={css.figures} aria-label={t('run.howItWent')}>
      <section className="block" aria-labelledby="how">
        <header>
          <h2 className="h3" id="how">
            {t('run.howItWent')}
          </h2>
          <span className="cap push num">{secondsOf(run)}</span>
        </header>
        <table className="ledger data">
          <tbody>
            {steps.map(
              ([name, at, about]) =>
                at && (
                  <tr key={name}>
                    <td className="m">{clock(at)}</td>
                    <td>
                      <div className="col gap1">
                        <span>{t(`run.step.${name}`)}</span>
                        {about !== '' && <span className="small dim num">{about}</span>}
                      </div>
                    </td>
                  </tr>
                ),
            )}
          </tbody>
        </table>
      </section>
      <section className="block" aria-labelledby="figures">
        <header>
          <h2 className="h3" id="figures">
            {t('run.figures')}
          </h2>
        </header>
        <div className="lines">
          {figures.map(([name, value]) => (
            <div key={name}>
              <span className="mono small">{name}</span>
              <span>{number(value)}</span>
            </div>
          ))}
          <div>
            <span className="mono small clip">{run.id}</span>
            <CopyButton value={run.id} label={t('run.copyId')} />
          </div>
        </div>
      </section>
    </aside>
  );
}

function clock(iso: string): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const at = new Date(iso);
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
}

function secondsOf({ created_at, finished_at }: RunRecord): string {
  if (finished_at === null) return '';
  const seconds = (new Date(finished_at).getTime() - new Date(created_at).getTime()) / 1000;
  return `${number(Math.round(seconds * 10) / 10)} s`;
}
