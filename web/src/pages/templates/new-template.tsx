import '../../ui/styles/modal.ts';
import '../../ui/styles/select.ts';
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { createTemplate, listTemplates } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';

const BLANK = '<!doctype html>\n<html>\n<body>\n<p>Hello {{name}}</p>\n</body>\n</html>\n';

/** A new template: blank, or a copy. It is live nowhere until someone promotes it. */
export function NewTemplate({ close }: { readonly close: () => void }) {
  const t = useText();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [from, setFrom] = useState('');
  const { data } = useRead(listTemplates, { kind: 'template', limit: 200 });
  const { write, isBusy, fault } = useWrite(createTemplate, {
    changes: [listTemplates],
    onDone: (template) => go(`/templates/${encodeURIComponent(template.name)}`),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write({ name, environments: [], ...(from === '' ? { html: BLANK } : { from }) });
  };
  return (
    <Modal
      opened
      onClose={close}
      title={t('templates.new')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <form className="col gap4" onSubmit={submit}>
        <FaultBanner fault={fault?.about('name') === undefined ? fault : null} />
        <TextInput
          label={t('templates.name')}
          description={t('templates.nameHint')}
          required
          data-autofocus
          value={name}
          error={fault?.about('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('templates.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
          data={[
            { value: '', label: t('templates.blank') },
            ...(data?.items ?? []).map(({ name: other }) => ({ value: other, label: other })),
          ]}
        />
        <p className="small dim">{t('templates.liveLater')}</p>
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" variant="filled" loading={isBusy}>
            {t('templates.create')}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
