import { lazy, Suspense } from 'react';
import type { ConfirmProps } from './confirm-dialog.tsx';

const ConfirmDialog = lazy(() =>
  import('./confirm-dialog.tsx').then(({ ConfirmDialog: One }) => ({ default: One })),
);

/** Asks before something is deleted. The dialog is loaded when it is first needed. */
export function Confirm(props: ConfirmProps) {
  return (
    <Suspense>
      <ConfirmDialog {...props} />
    </Suspense>
  );
}
