/*
 * "Show as code": what a form would send, as the call a program would make.
 * In: an operation and its input as the form has them. Out: curl, TypeScript and MCP, to copy.
 * Invariant: a secret of the form is never in the code.
 */
import { ActionIcon } from '@mantine/core';
import { Code } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Operation } from '../../api/operation.ts';
import { useText } from '../../i18n/text.ts';
import type { Shown } from './written-calls.ts';

const CodeDialog = lazy(() => import('./code-dialog.tsx').then(({ CodeDialog: One }) => ({ default: One })));

type AsCodeProps = Omit<Shown, 'operation'> & { readonly operation: Operation };

/** The button, and the dialog it opens. */
export function AsCode(shown: AsCodeProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const label = t('code.show');
  return (
    <>
      <ActionIcon title={label} aria-label={label} onClick={() => setOpen(true)}>
        <Code className="icon" />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <CodeDialog {...shown} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
