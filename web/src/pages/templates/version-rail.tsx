import { Link } from 'wouter';
import { listVersions } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { ago } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { EnvironmentTags } from '../../ui/tag.tsx';
import css from './version-rail.module.css';

type VersionRailProps = {
  readonly template: string;
  readonly branch: string;
  /** Something was typed that is in no version yet. */
  readonly hasDraft: boolean;
};

/** The versions of a branch as a line, newest first. What is not saved yet is its first, dashed point. */
export function VersionRail({ template, branch, hasDraft }: VersionRailProps) {
  const t = useText();
  const { data, error, refetch } = useRead(listVersions, { template, branch, limit: 100 });
  const path = `/templates/${encodeURIComponent(template)}/diff`;
  return (
    <>
      <FaultBanner fault={error} retry={() => void refetch()} />
      <ol className={css.rail} aria-label={t('versions.of', { template })}>
        {hasDraft && (
          <li data-draft>
            <i aria-hidden="true" />
            <span className={css.entry}>
              <b className="mono">{t('versions.notSaved')}</b>
            </span>
          </li>
        )}
        {data?.items.map(({ id, version, created_at, message, author, environments }) => (
          <li key={id} data-live={environments.includes('production') || undefined}>
            <i aria-hidden="true" />
            <Link
              href={`${path}?from=${encodeURIComponent(version)}&to=${encodeURIComponent(branch)}`}
              className={css.entry}
            >
              <span className="row">
                <b className="mono">{version}</b>
                <span className="micro dim push">{ago(created_at)}</span>
              </span>
              <span className="small mid clip">
                {message !== '' && `${message} · `}
                <span className="dim">{author}</span>
              </span>
              {environments.length > 0 && <EnvironmentTags names={environments} />}
            </Link>
          </li>
        ))}
      </ol>
    </>
  );
}
