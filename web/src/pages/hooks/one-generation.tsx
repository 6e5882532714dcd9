import { Button } from '@mantine/core';
import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { download } from '../../api/download.ts';
import {
  deleteGeneration,
  downloadGeneration,
  getGeneration,
  listHistory,
} from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { ago } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import css from './history.module.css';
import { HookLine, HookLines } from './hook-line.tsx';
import { type Format, useDownload } from './use-download.ts';

type OneGenerationProps = {
  readonly id: string;
  readonly formats: readonly Format[];
  readonly close: () => void;
};

/** One generation of the history with its hooks, and what can be done with it. */
export function OneGeneration({ id, formats, close }: OneGenerationProps) {
  const t = useText();
  const [isDeleting, setDeleting] = useState(false);
  const { data, error, refetch } = useRead(getGeneration, { generation_id: id });
  const { failed, keep } = useDownload();
  const { write, isBusy, fault } = useWrite(deleteGeneration, {
    changes: [listHistory],
    said: t('history.deleted', { topic: data?.topic ?? '' }),
    onDone: close,
  });
  if (isDeleting && data)
    return (
      <Confirm
        title={t('history.deleteTitle', { topic: data.topic })}
        act={t('history.delete')}
        fault={fault}
        isBusy={isBusy}
        onConfirm={() => write({ generation_id: id })}
        close={() => setDeleting(false)}
      >
        {t('history.deleteAbout', { count: data.count })}
      </Confirm>
    );
  return (
    <Dialog onClose={close} size={860} title={data?.topic ?? t('hooks.history')}>
      <div className={css.dialog}>
        <FaultBanner fault={error} retry={() => void refetch()} />
        <FaultBanner fault={failed} />
        {data && (
          <>
            <div className="row wrap small dim">
              <span>{ago(data.date)}</span>
              <Link href={`/generator?topic=${encodeURIComponent(data.topic)}`} className="push">
                {t('history.again')}
              </Link>
            </div>
            <HookLines>
              {data.details.map((hook, index) => (
                <HookLine key={hook.id} hook={{ ...hook, generation: id, index }} place={index + 1} />
              ))}
            </HookLines>
            <div className="row wrap">
              <Button
                size="xs"
                variant="subtle"
                color="red"
                leftSection={<Trash2 className="icon" />}
                onClick={() => setDeleting(true)}
              >
                {t('history.delete')}
              </Button>
              <span className="push" />
              {formats.map((format) => (
                <Button
                  key={format}
                  size="xs"
                  leftSection={<Download className="icon" />}
                  onClick={() => keep(() => download(downloadGeneration, { generation_id: id, format }))}
                >
                  {format.toUpperCase()}
                </Button>
              ))}
            </div>
          </>
        )}
      </div>
    </Dialog>
  );
}
