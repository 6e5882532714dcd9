import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ago } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import css from './rail.module.css';

type RailProps = {
  readonly label: string;
  /** Something was typed that is in no version yet. */
  readonly hasDraft: boolean;
  readonly children: ReactNode;
};

/** Versions as a line, newest first. What is not saved yet is its first, dashed point. */
export function Rail({ label, hasDraft, children }: RailProps) {
  const t = useText();
  return (
    <ol className={css.rail} aria-label={label}>
      {hasDraft && (
        <li data-draft>
          <i aria-hidden="true" />
          <span className={css.entry}>
            <b className="mono">{t('versions.notSaved')}</b>
          </span>
        </li>
      )}
      {children}
    </ol>
  );
}

type RailEntryProps = {
  readonly version: string;
  readonly at: string;
  readonly to: string;
  readonly isLive: boolean;
  /** The page shows this one. */
  readonly isShown?: boolean;
  readonly children: ReactNode;
};

export function RailEntry({ version, at, to, isLive, isShown = false, children }: RailEntryProps) {
  return (
    <li data-live={isLive || undefined} data-shown={isShown || undefined}>
      <i aria-hidden="true" />
      <Link href={to} className={css.entry} aria-current={isShown || undefined}>
        <span className="row">
          <b className="mono">{version}</b>
          <span className="micro dim push">{ago(at)}</span>
        </span>
        {children}
      </Link>
    </li>
  );
}
