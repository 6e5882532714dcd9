import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';
import { useArrival } from './focus.ts';

type Crumb = { readonly to: string; readonly label: string };

type PageProps = {
  /** What the tab of the browser says. */
  readonly name: string;
  readonly title?: ReactNode;
  readonly crumbs?: readonly Crumb[];
  readonly actions?: ReactNode;
  readonly tabs?: ReactNode;
  /** Fills the window, and its parts scroll. */
  readonly flush?: boolean;
  readonly section?: string;
  /** How far the work is that the page shows, in percent. */
  readonly job?: number;
  readonly children: ReactNode;
};

/** A page on the sheet: its head, its tabs and its body. */
export function Page({
  name,
  title = name,
  crumbs = [],
  actions,
  tabs,
  flush,
  section,
  job,
  children,
}: PageProps) {
  const heading = useArrival();
  useEffect(() => {
    document.title = `${name} · Stallhand`;
  }, [name]);
  return (
    <main className={`page${flush ? ' flush' : ''}`} data-section={section}>
      {job !== undefined && (
        <div className="jobline" aria-hidden="true">
          <i style={{ width: `${Math.max(2, job)}%` }} />
        </div>
      )}
      <div className="page-head">
        {crumbs.map(({ to, label }) => (
          <span key={to} className="crumb">
            <Link href={to}>{label}</Link>
            <span aria-hidden="true">/</span>
          </span>
        ))}
        <h1 className="sign" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="row push actions">{actions}</div>}
      </div>
      {tabs && <div className="page-tabs">{tabs}</div>}
      <div className="page-body">{children}</div>
    </main>
  );
}
