import type { ReactNode } from 'react';

type EmptyProps = { readonly title: string; readonly children: ReactNode; readonly actions: ReactNode };

/** A page that has nothing to show yet: one sentence and the next step. */
export function Empty({ title, children, actions }: EmptyProps) {
  return (
    <div className="empty">
      <div className="col gap4">
        <h2 className="sign h1">{title}</h2>
        <p className="prose">{children}</p>
        <div className="row wrap">{actions}</div>
      </div>
    </div>
  );
}
