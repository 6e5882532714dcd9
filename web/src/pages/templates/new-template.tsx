import { useState } from 'react';
import { useLocation } from 'wouter';
import { createTemplate, listTemplates } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { NewTemplateDialog } from '../../ui/editor/new-template-dialog.tsx';

const BLANK = '<!doctype html>\n<html>\n<body>\n<p>Hello {{name}}</p>\n</body>\n</html>\n';

/** A new template: blank, or a copy. It is live nowhere until someone promotes it. */
export function NewTemplate({ close }: { readonly close: () => void }) {
  const t = useText();
  const [, go] = useLocation();
  const [from, setFrom] = useState('');
  const { data } = useRead(listTemplates, { kind: 'template', limit: 200 });
  const { write, isBusy, fault } = useWrite(createTemplate, {
    changes: [listTemplates],
    onDone: (template) => go(`/templates/${encodeURIComponent(template.name)}`),
  });
  return (
    <NewTemplateDialog
      title={t('templates.new')}
      nameHint={t('templates.nameHint')}
      choices={(data?.items ?? []).map(({ name }) => ({ value: name, label: name }))}
      from={from}
      setFrom={setFrom}
      create={(name) => write({ name, environments: [], ...(from === '' ? { html: BLANK } : { from }) })}
      isBusy={isBusy}
      fault={fault}
      wrongName={fault?.about('name')}
      close={close}
    >
      <p className="small dim">{t('templates.liveLater')}</p>
    </NewTemplateDialog>
  );
}
