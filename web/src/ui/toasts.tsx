import { ActionIcon, Button } from '@mantine/core';
import { X } from 'lucide-react';
import { useText } from '../i18n/text.ts';
import { dismiss, useToasts } from './toast.ts';

/** Messages about what was done, above every page. The region is always there, so that a reader hears what comes. */
export function Toasts() {
  const t = useText();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {useToasts().map(({ id, text, action }) => (
        <div key={id} className="toast">
          <span className="grow">{text}</span>
          {action && (
            <Button
              size="xs"
              onClick={() => {
                dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <ActionIcon size={28} aria-label={t('action.close')} onClick={() => dismiss(id)}>
            <X className="icon s" />
          </ActionIcon>
        </div>
      ))}
    </div>
  );
}
