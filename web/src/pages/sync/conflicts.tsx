import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Input } from '../../api/operation.ts';
import { listConflicts, listSyncRuns, resolveConflicts } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './run.module.css';

type Resolution = Input<typeof resolveConflicts>['resolutions'][number];
type Choice = { readonly take: Resolution['take']; readonly value: string };

type ConflictsProps = {
  readonly configId: string;
  /** Shown where none is open: those of a plan are once it was written. */
  readonly none?: ReactNode;
};

/** Values that both sides changed: a person takes one of them, or writes another, and both sides get it. */
export function Conflicts({ configId, none = null }: ConflictsProps) {
  const t = useText();
  const [, go] = useLocation();
  const { data, error } = useRead(listConflicts, { config_id: configId });
  const [chosen, setChosen] = useState<Readonly<Record<string, Choice>>>({});
  const { write, isBusy, fault } = useWrite(resolveConflicts, {
    changes: [listConflicts, listSyncRuns],
    onDone: ({ id }) => go(`/runs/${id}`),
  });
  const open = data?.items ?? [];
  if (open.length === 0 && !error) return none;
  const nameOf = ({ key, field }: { key: string; field: string }) => `${key} ${field}`;
  const resolutions = open.flatMap((conflict) => {
    const choice = chosen[nameOf(conflict)];
    if (!choice || (choice.take === 'value' && choice.value === '')) return [];
    const { key, field } = conflict;
    return [
      {
        key,
        field: field as Resolution['field'],
        take: choice.take,
        ...(choice.take === 'value' && { value: choice.value }),
      },
    ];
  });
  const choose = (name: string, take: Choice['take'], value = '') =>
    setChosen({ ...chosen, [name]: { take, value } });
  return (
    <section className="block" aria-labelledby="conflicts">
      <header>
        <h2 className="h3" id="conflicts">
          {t('conflicts.title')}
        </h2>
        <span className="cap num">{open.length}</span>
      </header>
      <FaultBanner fault={error ?? fault} />
      <table className={`ledger fold ${css.conflicts}`}>
        <tbody>
          {open.map((conflict) => {
            const name = nameOf(conflict);
            const choice = chosen[name];
            const side = (take: 'store' | 'sheet') => (
              <Button
                size="xs"
                variant={choice?.take === take ? 'light' : 'default'}
                aria-pressed={choice?.take === take}
                onClick={() => choose(name, take)}
              >
                {t(`conflicts.${take}`, { value: conflict[take] ?? '—' })}
                <span className="sr"> {name}</span>
              </Button>
            );
            return (
              <tr key={name}>
                <td className="m">{conflict.row ?? '·'}</td>
                <td>
                  <div className="col gap1">
                    <span className="mono small">{conflict.key}</span>
                    <span className="mono small dim">{conflict.field}</span>
                  </div>
                </td>
                <td className={css.why}>{conflict.message}</td>
                <td className={css.choice}>
                  <span className="row wrap">
                    {side('store')}
                    {side('sheet')}
                    <TextInput
                      size="xs"
                      w={90}
                      aria-label={t('conflicts.otherOf', { name })}
                      placeholder={t('conflicts.other')}
                      value={choice?.take === 'value' ? choice.value : ''}
                      onChange={(event) => choose(name, 'value', event.currentTarget.value)}
                    />
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className={css.settle}>
        <Button
          disabled={resolutions.length === 0}
          loading={isBusy}
          onClick={() => write({ config_id: configId, resolutions })}
        >
          {resolutions.length === 0
            ? t('conflicts.choose')
            : t('conflicts.settle', { count: resolutions.length })}
        </Button>
      </div>
    </section>
  );
}
