import { useSyncExternalStore } from 'react';

/** What can be done about it, such as taking it back. */
type ToastAction = { readonly label: string; readonly run: () => void };

type Toast = { readonly id: number; readonly text: string; readonly action?: ToastAction };

const SHOWN_MS = 5_000;
const WITH_ACTION_MS = 10_000;
const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];
let count = 0;

/** Says that something is done, on whatever page the person is: for five seconds, or ten where one can answer. */
export function toast(text: string, action?: ToastAction): void {
  count += 1;
  const id = count;
  change([...toasts, { id, text, ...(action && { action }) }]);
  setTimeout(() => dismiss(id), action ? WITH_ACTION_MS : SHOWN_MS);
}

export function dismiss(id: number): void {
  change(toasts.filter((one) => one.id !== id));
}

export function useToasts(): readonly Toast[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}
