import { ActionIcon } from '@mantine/core';
import { X } from 'lucide-react';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import { Tally } from '../../ui/tally.tsx';
import css from './assets.module.css';
import type { Upload } from './use-uploads.ts';

type UploadListProps = { readonly uploads: readonly Upload[]; readonly dismiss: (id: number) => void };

/** Files on their way with how much is sent, and those that were refused with the reason. */
export function UploadList({ uploads, dismiss }: UploadListProps) {
  const t = useText();
  if (uploads.length === 0) return null;
  return (
    <ul className={css.uploads} aria-label={t('assets.uploads')} aria-live="polite">
      {uploads.map(({ id, path, share, refusal }) => (
        <li key={id} data-refused={refusal !== undefined || undefined}>
          <span className="mono small clip">{path}</span>
          {refusal === undefined ? (
            <span className={css.share}>
              <Tally
                value={Math.round(share * 100)}
                max={100}
                tone="mg"
                label={t('assets.sent', { file: path })}
              />
            </span>
          ) : (
            <>
              <span className={css.refusal}>
                <State kind="err">{refusal}</State>
              </span>
              <ActionIcon
                size={28}
                aria-label={t('assets.dismiss', { file: path })}
                onClick={() => dismiss(id)}
              >
                <X className="icon s" />
              </ActionIcon>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
