import { Button } from '@mantine/core';
import { Plus } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { listVideoTemplates } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { pathOf } from './template/path.ts';
import { aboutOf, titleOf } from './template-words.ts';
import { VideoTabs } from './video-tabs.tsx';

const NewTemplate = lazy(() =>
  import('./template/new-template.tsx').then(({ NewTemplate: One }) => ({ default: One })),
);

/** What videos are made from: the account's own templates first, then the product's. */
export function VideoTemplates() {
  const t = useText();
  const { data, error, refetch } = useRead(listVideoTemplates, {});
  const [fresh, setFresh] = useSearchParam('new');
  const templates = [...(data?.items ?? [])].sort(
    (one, other) => Number(one.built_in) - Number(other.built_in),
  );
  return (
    <Page
      name={t('videos.templatesTitle')}
      title={t('nav.videos')}
      section="videos"
      tabs={<VideoTabs />}
      actions={
        <Button variant="filled" leftSection={<Plus className="icon" />} onClick={() => setFresh('1')}>
          {t('videoEditor.new')}
        </Button>
      }
    >
      {fresh !== '' && (
        <Suspense>
          <NewTemplate templates={templates} close={() => setFresh('')} />
        </Suspense>
      )}
      <FaultBanner fault={error} retry={() => void refetch()} />
      <table className="ledger">
        <thead>
          <tr>
            <th className="m">{t('make.length')}</th>
            <th>{t('make.template')}</th>
            <th className="opt">{t('make.shape')}</th>
            <th className="n">
              <span className="sr">{t('videos.new')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {templates.map((template) => (
            <tr key={template.name}>
              <td className="m">{template.manifest.duration} s</td>
              <td>
                <div className="col gap1">
                  <Link href={pathOf(template.name)} className="strong">
                    {titleOf(template)}
                  </Link>
                  <span className="small dim">
                    {aboutOf(template)}
                    {!template.built_in && ` ${t('videos.ownTemplate', { version: template.version ?? 1 })}`}
                  </span>
                </div>
              </td>
              <td className="opt dim num">{template.manifest.aspects.join(' · ')}</td>
              <td className="n">
                <Button
                  component={Link}
                  href={`/videos/new?template=${template.name}`}
                  size="xs"
                  leftSection={<Plus className="icon s" />}
                  aria-label={t('videos.newFrom', { template: titleOf(template) })}
                >
                  {t('videos.use')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Page>
  );
}
