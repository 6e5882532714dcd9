import { listVideoTemplateVersions } from '../../../api/operations.gen.ts';
import { useRead } from '../../../api/read.ts';
import { useText } from '../../../i18n/text.ts';
import { Rail, RailEntry } from '../../../ui/editor/rail.tsx';
import { FaultBanner } from '../../../ui/fault-banner.tsx';
import { pathOf } from './path.ts';

type VersionsProps = {
  readonly template: string;
  readonly newest: number;
  readonly shown: number | undefined;
  readonly hasDraft: boolean;
};

/** The versions of a template: each opens as the changes since. The newest is the one that videos are made from. */
export function Versions({ template, newest, shown, hasDraft }: VersionsProps) {
  const t = useText();
  const { data, error, refetch } = useRead(listVideoTemplateVersions, { template, limit: 50 });
  return (
    <>
      <FaultBanner fault={error} retry={() => void refetch()} />
      <Rail label={t('versions.of', { template })} hasDraft={hasDraft}>
        {data?.items.map(({ version, title, rolled_back_from: from, created_at: at }) => (
          <RailEntry
            key={version}
            version={`v${version}`}
            at={at}
            to={version === newest && !hasDraft ? pathOf(template) : `${pathOf(template)}?version=${version}`}
            isLive={version === newest}
            isShown={version === shown}
          >
            <span className="small mid clip">
              {from === null ? title : t('videoEditor.backTo', { version: from })}
            </span>
            {version === newest && <span className="small dim">{t('videoEditor.inUse')}</span>}
          </RailEntry>
        ))}
      </Rail>
    </>
  );
}
