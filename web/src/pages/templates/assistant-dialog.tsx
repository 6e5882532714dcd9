import { Button } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useLocation } from 'wouter';
import type { Output } from '../../api/operation.ts';
import type { getTemplate } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { toast } from '../../ui/toast.ts';
import { useAssistant } from './use-assistant.ts';
import type { EditedDocument } from './use-document.ts';

const AssistantProposal = lazy(() =>
  import('./assistant-proposal.tsx').then(({ AssistantProposal: One }) => ({ default: One })),
);

type AssistantDialogProps = {
  readonly template: Output<typeof getTemplate>;
  readonly document: EditedDocument;
  readonly close: () => void;
};

const MAX_CHARACTERS = 4000;

/** Tells the assistant what to change, and shows what it would change. Nothing changes until a person accepts. */
export function AssistantDialog({ template, document, close }: AssistantDialogProps) {
  const t = useText();
  const [, go] = useLocation();
  const [instruction, setInstruction] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const assistant = useAssistant(template, document);
  const { proposal, isRunning, isChecking, written } = assistant;
  const leave = () => {
    if (proposal) void assistant.drop(proposal);
    close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const asked = instruction.trim();
    setEmpty(asked === '');
    if (asked !== '' && !isRunning) void assistant.start(asked, t('assistant.typed'));
  };
  return (
    <Dialog
      // A click beside it must not throw away what was typed or written.
      closeOnClickOutside={false}
      size={proposal ? '72rem' : 'lg'}
      onClose={leave}
      title={t('assistant.title')}
    >
      <form className="col gap4" onSubmit={submit} noValidate>
        <TextArea
          label={t('assistant.instruction')}
          description={t(document.isChanged ? 'assistant.aboutTyped' : 'assistant.about')}
          error={isEmpty && instruction.trim() === '' ? t('assistant.empty') : undefined}
          value={instruction}
          onChange={({ currentTarget }) => setInstruction(currentTarget.value.slice(0, MAX_CHARACTERS))}
        />
        <FaultBanner fault={assistant.fault} />
        {assistant.wasStopped && <Banner title={t('assistant.stopped')} />}
        {isRunning && (
          <p className="mid num" role="status">
            {t(isChecking ? 'assistant.checking' : 'assistant.writing')}
            {written > 0 && <span aria-hidden="true"> {t('assistant.written', { count: written })}</span>}
          </p>
        )}
        {proposal && (
          <Suspense fallback={null}>
            <AssistantProposal proposal={proposal} content={document.content} />
          </Suspense>
        )}
        <div className="row wrap dialog-acts">
          {proposal ? (
            <>
              <Button variant="subtle" onClick={() => void assistant.drop(proposal)}>
                {t('assistant.discard')}
              </Button>
              <Button
                onClick={() => {
                  void assistant.keep();
                  go(`/templates/${encodeURIComponent(template.name)}?branch=${proposal.branch}`);
                }}
              >
                {t('assistant.keep')}
              </Button>
              <Button
                variant="filled"
                onClick={() => {
                  document.take(proposal.fields);
                  toast(t('assistant.accepted'));
                  leave();
                }}
              >
                {t('assistant.accept')}
              </Button>
            </>
          ) : (
            <>
              <Button variant="subtle" onClick={isRunning ? assistant.stop : leave}>
                {t(isRunning ? 'assistant.stop' : 'action.cancel')}
              </Button>
              <Button type="submit" variant="filled" loading={isRunning}>
                {t('assistant.write')}
              </Button>
            </>
          )}
        </div>
      </form>
    </Dialog>
  );
}
