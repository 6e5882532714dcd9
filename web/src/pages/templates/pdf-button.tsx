import { ActionIcon } from '@mantine/core';
import { FileDown } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import type { Data } from './use-preview.ts';

const PdfDialog = lazy(() => import('./pdf-dialog.tsx').then(({ PdfDialog: One }) => ({ default: One })));

type PdfButtonProps = {
  readonly template: string;
  /** A saved version: what is not saved is in no PDF. */
  readonly version: string;
  readonly data: Data;
};

/** Asks how a version, filled with the data, is printed. */
export function PdfButton({ template, version, data }: PdfButtonProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const label = t('preview.pdf', { version });
  return (
    <>
      <ActionIcon title={label} aria-label={label} onClick={() => setOpen(true)}>
        <FileDown className="icon" />
      </ActionIcon>
      <Suspense>
        {isOpen && <PdfDialog {...{ template, version, data }} close={() => setOpen(false)} />}
      </Suspense>
    </>
  );
}
