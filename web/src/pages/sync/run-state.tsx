import type { Output } from '../../api/operation.ts';
import type { getSyncRun } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';

export type RunRecord = Output<typeof getSyncRun>;

const KINDS = {
  queued: 'run',
  planning: 'run',
  applying: 'run',
  awaiting_confirmation: 'warn',
  succeeded: 'ok',
  partial: 'warn',
  failed: 'err',
  canceled: 'void',
} as const;

/** Whether it goes on without a person. */
export const isRunning = ({ status }: Pick<RunRecord, 'status'>): boolean => KINDS[status] === 'run';

/** How a run stands, in a shape and a few words. */
export function RunState({
  run,
  isUndone = false,
}: {
  readonly run: RunRecord;
  readonly isUndone?: boolean;
}) {
  const t = useText();
  if (isUndone) return <State kind="void">{t('run.undone')}</State>;
  const { status, changed, errors } = run;
  const isQuiet = status === 'succeeded' && changed === 0;
  return (
    <State kind={KINDS[status]}>
      {isQuiet
        ? t('run.nothing')
        : status === 'partial'
          ? t('run.partial', { count: errors.length })
          : t(`run.status.${status}`)}
    </State>
  );
}
