import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '../../../api/call.ts';
import { deleteVideoTemplate, listVideoTemplates, saveVideoTemplate } from '../../../api/operations.gen.ts';
import { useWrite } from '../../../api/write.ts';
import { text, useText } from '../../../i18n/text.ts';
import { Confirm } from '../../../ui/confirm.tsx';
import { toast } from '../../../ui/toast.ts';
import type { OwnTemplate } from './template-fields.ts';
import { CHANGED_BY_SAVE } from './use-own-template.ts';

type DeleteTemplateProps = {
  readonly template: OwnTemplate;
  readonly hasDraft: boolean;
  readonly onDeleted: () => void;
  readonly close: () => void;
};

/** Asks first, since the earlier versions go; the newest can be brought back for a moment. */
export function DeleteTemplate({ template, hasDraft, onDeleted, close }: DeleteTemplateProps) {
  const t = useText();
  const queries = useQueryClient();
  const [, go] = useLocation();
  const { name, html, manifest } = template;
  const restore = async () => {
    await call(saveVideoTemplate, { template: name, html, manifest, expected_version: 0 });
    await Promise.all(CHANGED_BY_SAVE.map((read) => queries.invalidateQueries({ queryKey: [read] })));
    toast(text('videoEditor.restored', { template: name }));
  };
  const { write, isBusy, fault } = useWrite(deleteVideoTemplate, {
    changes: [listVideoTemplates],
    onDone: () => {
      onDeleted();
      go('/videos/templates');
      toast(t('videoEditor.deleted', { template: name }), {
        label: t('action.undo'),
        run: () => void restore().catch((error: Error) => toast(error.message)),
      });
    },
  });
  return (
    <Confirm
      title={t('videoEditor.deleteTitle', { template: name })}
      act={t('videoEditor.delete')}
      fault={fault}
      isBusy={isBusy}
      onConfirm={() => write({ template: name })}
      close={close}
    >
      <p>{t('videoEditor.deleteAbout')}</p>
      {hasDraft && <p>{t('videoEditor.deleteDraft')}</p>}
    </Confirm>
  );
}
