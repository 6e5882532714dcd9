import { ActionIcon } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FileDown } from 'lucide-react';
import type { ApiFault } from '../../api/fault.ts';
import { exportTemplate } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { toast } from '../../ui/toast.ts';
import type { Data } from './use-preview.ts';

type PdfButtonProps = {
  readonly template: string;
  /** A saved version: what is not saved is in no PDF. */
  readonly version: string;
  readonly data: Data;
};

/** Downloads a version as a PDF, filled with the data. */
export function PdfButton({ template, version, data }: PdfButtonProps) {
  const t = useText();
  const label = t('preview.pdf', { version });
  const { mutate, isPending } = useMutation<void, ApiFault>({
    mutationFn: async () => {
      const { download } = await import('../../api/download.ts');
      await download(exportTemplate, { template, version, format: 'pdf', data });
    },
    onError: ({ message }) => toast(message),
  });
  return (
    <ActionIcon title={label} aria-label={label} loading={isPending} onClick={() => mutate()}>
      <FileDown className="icon" />
    </ActionIcon>
  );
}
