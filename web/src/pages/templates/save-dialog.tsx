import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Output } from '../../api/operation.ts';
import {
  getTemplate,
  listBranches,
  listTemplates,
  listVersions,
  updateTemplate,
} from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import type { EditedDocument } from './use-document.ts';

type SaveDialogProps = {
  readonly template: Output<typeof getTemplate>;
  readonly branch: string;
  readonly document: EditedDocument;
  readonly close: () => void;
};

/** Asks for one line about the change, and saves it as a version. What someone else saved since is never overwritten unseen. */
export function SaveDialog({ template, branch, document, close }: SaveDialogProps) {
  const t = useText();
  const [, go] = useLocation();
  const [message, setMessage] = useState('');
  const { write, isBusy, fault } = useWrite(updateTemplate, {
    changes: [getTemplate, listVersions, listTemplates, listBranches],
    said: ({ version }) => t('editor.saved', { version }),
    onDone: () => {
      document.discard();
      close();
    },
  });
  const base = document.olderBase ?? template.version;
  const save = (expected: string) =>
    write({ template: template.name, branch, message, expected_head: expected, ...document.changes });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save(base);
  };
  const hasMoved = fault?.code === 'head_moved';
  const compare = () => {
    close();
    go(`/templates/${encodeURIComponent(template.name)}/diff?from=${base}&to=${encodeURIComponent(branch)}`);
  };
  return (
    <Dialog onClose={close} title={t('editor.saveTitle', { template: template.name })}>
      <form className="col gap4" onSubmit={submit}>
        {hasMoved ? (
          <Banner tone="err" title={fault.title} id={fault.requestId}>
            {t('editor.moved')}
          </Banner>
        ) : (
          <FaultBanner fault={fault} />
        )}
        <p className="mid">{t('editor.changed', { fields: Object.keys(document.changes).join(', ') })}</p>
        <TextInput
          label={t('editor.message')}
          placeholder={t('editor.messageHint')}
          maxLength={500}
          data-autofocus
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <div className="row dialog-acts">
          <Button variant="subtle" onClick={close}>
            {t('action.cancel')}
          </Button>
          {hasMoved && <Button onClick={compare}>{t('editor.compareMoved')}</Button>}
          {hasMoved ? (
            <Button
              color="red"
              loading={isBusy}
              // Until the newer version is read, there is nothing that this could be saved on.
              disabled={base === template.version}
              onClick={() => save(template.version)}
            >
              {t('editor.saveOver')}
            </Button>
          ) : (
            <Button type="submit" variant="filled" loading={isBusy}>
              {t('editor.save')}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
