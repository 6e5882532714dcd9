import { Button, Textarea } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import {
  diffVersions,
  getTemplate,
  listEnvironmentHistory,
  listTemplates,
  listVersions,
  promoteTemplate,
  rollbackTemplate,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { toast } from '../../ui/toast.ts';
import css from './environments.module.css';

/** An environment that is to show another version, and what it shows now. */
export type Move = {
  readonly kind: 'promote' | 'rollback';
  readonly to: 'staging' | 'production';
  readonly version: string;
  readonly now: string | undefined;
};

type MoveDialogProps = { readonly template: string; readonly move: Move; readonly close: () => void };

const CHANGES = [getTemplate, listTemplates, listVersions, listEnvironmentHistory];

/** What is seen now and what will be, what callers must change, and the button that does it. */
export function MoveDialog({ template, move, close }: MoveDialogProps) {
  const t = useText();
  const [note, setNote] = useState('');
  const { kind, to, version, now } = move;
  const promote = useWrite(promoteTemplate, {
    changes: CHANGES,
    onDone: ({ status, version: moved }) => {
      toast(
        t(status === 'awaiting_approval' ? 'move.waits' : 'move.done', { environment: to, version: moved }),
      );
      close();
    },
  });
  const rollback = useWrite(rollbackTemplate, {
    changes: CHANGES,
    onDone: ({ version: moved }) => {
      toast(t('move.done', { environment: to, version: moved }));
      close();
    },
  });
  const fault = promote.fault ?? rollback.fault;
  const act = (force: boolean) =>
    kind === 'promote'
      ? promote.write({ template, to, version, note, force })
      : rollback.write({ template, environment: to, to: version, message: note });
  const title = kind === 'promote' ? 'move.promote' : 'move.rollBack';
  return (
    <Dialog onClose={close} size={560} title={t(title, { template, environment: to })}>
      <div className="col gap4">
        <div className={css.swap}>
          <div>
            <span className="cap">{t(to === 'production' ? 'move.seeNow' : 'move.stagingNow')}</span>
            <span className={`sign was ${css.version}`}>{now ?? t('environments.none')}</span>
          </div>
          <ArrowRight className="icon dim" aria-hidden="true" />
          <div>
            <span className="cap">{t('move.willSee')}</span>
            <span className={`sign ${css.version}`}>{version}</span>
          </div>
        </div>
        {now !== undefined && <Difference template={template} from={now} to={version} />}
        <FaultBanner fault={fault} />
        <Textarea
          label={t('move.note')}
          placeholder={t('move.noteHint')}
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          {fault && kind === 'promote' && FORCEABLE.includes(fault.code) && (
            <Button color="red" loading={promote.isBusy} onClick={() => act(true)}>
              {t('move.anyway')}
            </Button>
          )}
          <Button variant="filled" loading={promote.isBusy || rollback.isBusy} onClick={() => act(false)}>
            {kind === 'promote'
              ? t('environments.promoteTo', { environment: to })
              : t('environments.rollBackTo', { version })}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** What the checks of a promotion refuse, and a person may let through. */
const FORCEABLE = ['breaking_change'];

function Difference({
  template,
  from,
  to,
}: {
  readonly template: string;
  readonly from: string;
  readonly to: string;
}) {
  const t = useText();
  const { data } = useRead(diffVersions, { template, from, to, format: 'schema' });
  if (!data) return null;
  const path = `/templates/${encodeURIComponent(template)}/diff?from=${from}&to=${to}`;
  return (
    <>
      {data.breaking && (
        <Banner tone="warn" title={t('move.breaking')}>
          {(data.schema_changes ?? [])
            .filter(({ breaking }) => breaking)
            .map(({ variable }) => variable)
            .join(', ')}
        </Banner>
      )}
      <div className="lines">
        <div>
          <span>{t('move.changes')}</span>
          <Link href={path}>{t('move.lines', { added: data.stats.added, removed: data.stats.removed })}</Link>
        </div>
      </div>
    </>
  );
}
