import { memo } from 'react';
import { listVersions } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { Rail, RailEntry } from '../../ui/editor/rail.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { EnvironmentTags } from '../../ui/tag.tsx';

type VersionRailProps = {
  readonly template: string;
  readonly branch: string;
  /** Something was typed that is in no version yet. */
  readonly hasDraft: boolean;
};

/** The versions of a branch. */
export const VersionRail = memo(({ template, branch, hasDraft }: VersionRailProps) => {
  const t = useText();
  const { data, error, refetch } = useRead(listVersions, { template, branch, limit: 100 });
  const path = `/templates/${encodeURIComponent(template)}/diff`;
  return (
    <>
      <FaultBanner fault={error} retry={() => void refetch()} />
      <Rail label={t('versions.of', { template })} hasDraft={hasDraft}>
        {data?.items.map(({ id, version, created_at, message, author, environments }) => (
          <RailEntry
            key={id}
            version={version}
            at={created_at}
            to={`${path}?from=${encodeURIComponent(version)}&to=${encodeURIComponent(branch)}`}
            isLive={environments.includes('production')}
          >
            <span className="small mid clip">
              {message !== '' && `${message} · `}
              <span className="dim">{author}</span>
            </span>
            {environments.length > 0 && <EnvironmentTags names={environments} />}
          </RailEntry>
        ))}
      </Rail>
    </>
  );
});
