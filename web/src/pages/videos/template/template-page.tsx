import { Button } from '@mantine/core';
import { Copy } from 'lucide-react';
import { Link, useParams } from 'wouter';
import { getVideoTemplate } from '../../../api/operations.gen.ts';
import { useRead } from '../../../api/read.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchParam } from '../../../search-param.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Opening } from '../../../ui/editor/opening.tsx';
import { Page } from '../../../ui/page.tsx';
import { aboutOf, titleOf } from '../template-words.ts';
import { useVideoPreview } from '../use-video-preview.ts';
import { PreviewPane } from './preview-pane.tsx';
import css from './template.module.css';
import type { OwnTemplate } from './template-fields.ts';
import { Workbench } from './workbench.tsx';

/** A video template: the editor of one's own, and a look at one of the product's, which can be copied. */
export function TemplatePage() {
  const t = useText();
  const { name = '' } = useParams<{ name: string }>();
  const template = decodeURIComponent(name);
  const { data, error, refetch } = useRead(getVideoTemplate, { template });
  if (data && data.name === template)
    return data.built_in ? <BuiltIn template={data} /> : <Workbench key={template} template={data} />;
  return (
    <Opening
      name={template}
      section="videos"
      crumbs={[{ to: '/videos/templates', label: t('videos.templatesTitle') }]}
      error={error}
      retry={() => void refetch()}
    />
  );
}

function BuiltIn({ template }: { readonly template: OwnTemplate }) {
  const t = useText();
  const [chosen, setAspect] = useSearchParam('aspect');
  const { name, manifest } = template;
  const aspect = manifest.aspects.find((one) => one === chosen) ?? manifest.aspects[0] ?? '9:16';
  const { data, error } = useVideoPreview({ template: name, aspect });
  return (
    <Page
      flush
      section="videos"
      name={titleOf(template)}
      crumbs={[{ to: '/videos/templates', label: t('videos.templatesTitle') }]}
      actions={
        <Button
          component={Link}
          href={`/videos/templates?new=1&from=${name}`}
          variant="filled"
          leftSection={<Copy className="icon" />}
        >
          {t('videoEditor.copy')}
        </Button>
      }
    >
      <div className={css.builtIn}>
        <div className={css.details}>
          <p className="prose">{aboutOf(template)}</p>
          <Banner title={t('videoEditor.builtIn')}>{t('videoEditor.builtInNext')}</Banner>
        </div>
        <PreviewPane
          name={name}
          url={data?.url}
          aspects={manifest.aspects}
          aspect={aspect}
          setAspect={setAspect}
          fault={error}
        />
      </div>
    </Page>
  );
}
