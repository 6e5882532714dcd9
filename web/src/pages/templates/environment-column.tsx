import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Output } from '../../api/operation.ts';
import type { listVersions } from '../../api/operations.gen.ts';
import { ago } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import css from './environments.module.css';

type EnvironmentColumnProps = {
  readonly tag: ReactNode;
  readonly version: string | undefined;
  readonly about: Output<typeof listVersions>['items'][number] | undefined;
  readonly before?: string | undefined;
  readonly isFrozen?: boolean | undefined;
  readonly isLive?: boolean;
  readonly action:
    | { readonly label: string; readonly isNext?: boolean; readonly act: () => void }
    | undefined;
  /** Why there is nothing to do. */
  readonly idle: string;
};

/** One place where a version is, with the one thing to do there. */
export function EnvironmentColumn({
  tag,
  version,
  about,
  before,
  isFrozen,
  isLive,
  action,
  idle,
}: EnvironmentColumnProps) {
  const t = useText();
  return (
    <article className={`${css.column} ${isLive ? css.live : ''}`}>
      <header>
        {tag}
        {about && <span className="cap push">{ago(about.created_at)}</span>}
      </header>
      <p className={`sign ${css.version}`}>{version ?? t('environments.none')}</p>
      <p className="mid">{about?.message || about?.bump_reason || ' '}</p>
      <div className="lines">
        <div>
          <span>{t('environments.by')}</span>
          <span>{about?.author ?? ''}</span>
        </div>
        {before && (
          <div>
            <span>{t('environments.before')}</span>
            <span className="mono was">{before}</span>
          </div>
        )}
      </div>
      {isFrozen && <State kind="void">{t('environments.frozen')}</State>}
      {action ? (
        <Button fullWidth variant={action.isNext ? 'filled' : 'default'} onClick={action.act}>
          {action.label}
        </Button>
      ) : (
        // Not `disabled`: what was just pressed keeps the focus.
        <Button fullWidth data-disabled aria-disabled>
          {idle}
        </Button>
      )}
    </article>
  );
}
