import '../../ui/styles/checkbox.ts';
import '../../ui/styles/select.ts';
import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Input, Output } from '../../api/operation.ts';
import { exportTemplate } from '../../api/operations.gen.ts';
import { ownPath } from '../../api/own-path.ts';
import { useWrite } from '../../api/write.ts';
import { sizeOf } from '../../i18n/sizes.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import type { Data } from './use-preview.ts';

const SIZES = ['A4', 'Letter', 'A5', 'A3', 'Legal', 'Tabloid'] as const;

type PrintOptions = NonNullable<Input<typeof exportTemplate>['options']>;
type Printed = Output<typeof exportTemplate>;

type PdfDialogProps = {
  readonly template: string;
  readonly version: string;
  readonly data: Data;
  readonly close: () => void;
};

/** Prints a version on paper of a size, then offers the file: to look at, or to keep. */
export function PdfDialog({ template, version, data, close }: PdfDialogProps) {
  const t = useText();
  const [options, setOptions] = useState<PrintOptions>({ page_size: 'A4', landscape: false, margin: '15mm' });
  const [printed, setPrinted] = useState<Printed>();
  const { write, isBusy, fault } = useWrite(exportTemplate, { changes: [], onDone: setPrinted });
  const wrongMargin = fault?.about('margin');
  const change = (changed: PrintOptions) => {
    setPrinted(undefined);
    setOptions({ ...options, ...changed });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ template, version, format: 'pdf', data, options });
  };
  return (
    <Dialog onClose={close} title={t('pdf.title', { version })}>
      <form className="col gap4" onSubmit={submit}>
        <FaultBanner fault={wrongMargin === undefined ? fault : null} />
        <NativeSelect
          label={t('pdf.size')}
          data-autofocus
          value={options.page_size ?? 'A4'}
          onChange={({ currentTarget: { value } }) =>
            change({ page_size: SIZES.find((size) => size === value) ?? 'A4' })
          }
          data={[...SIZES]}
        />
        <NativeSelect
          label={t('pdf.orientation')}
          value={options.landscape ? 'landscape' : 'portrait'}
          onChange={({ currentTarget: { value } }) => change({ landscape: value === 'landscape' })}
          data={(['portrait', 'landscape'] as const).map((value) => ({ value, label: t(`pdf.${value}`) }))}
        />
        <TextInput
          label={t('pdf.margin')}
          description={t('pdf.marginHint')}
          value={String(options.margin ?? '')}
          error={wrongMargin}
          onChange={({ currentTarget: { value } }) => change({ margin: value })}
        />
        <Checkbox
          label={t('pdf.tagged')}
          checked={options.tagged ?? false}
          onChange={({ currentTarget: { checked } }) => change({ tagged: checked })}
        />
        {printed && <PrintedFile file={printed} />}
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t(printed ? 'action.close' : 'action.cancel')}
          </Button>
          {printed ? (
            <>
              <Button component="a" href={ownPath(printed.url)} download={printed.filename}>
                {t('pdf.download')}
              </Button>
              <Button
                component="a"
                href={ownPath(printed.url)}
                target="_blank"
                rel="noreferrer"
                variant="filled"
              >
                {t('pdf.open')}
              </Button>
            </>
          ) : (
            <Button type="submit" variant="filled" loading={isBusy}>
              {t('pdf.create')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** What came of it, and what is doubtful about it. */
function PrintedFile({ file }: { readonly file: Printed }) {
  const t = useText();
  const { pages = 1, bytes, filename, missing_variables: missing, warnings } = file;
  const doubts = [
    ...(missing.length > 0 ? [t('pdf.missing', { names: missing.join(', ') })] : []),
    ...warnings.map(({ message }) => message),
  ];
  const title = t('pdf.pages', { filename, count: pages, size: sizeOf(bytes) });
  return (
    <Banner tone={doubts.length > 0 ? 'warn' : 'ok'} title={title}>
      {doubts.join(' ')}
    </Banner>
  );
}
