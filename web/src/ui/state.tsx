import type { ReactNode } from 'react';

type StateProps = {
  readonly kind: 'ok' | 'warn' | 'err' | 'run' | 'void' | 'idle';
  readonly children: ReactNode;
};

/** A state as a shape and a word, never as color alone. */
export function State({ kind, children }: StateProps) {
  return <span className={`state ${kind}`}>{children}</span>;
}
