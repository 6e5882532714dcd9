import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { listVideoTemplates } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import css from './gallery.module.css';
import { PlayerFrame } from './player-frame.tsx';
import { titleOf } from './template-words.ts';
import { useVideoPreview } from './use-video-preview.ts';

const STARTERS = ['product', 'hook', 'testimonial', 'listicle'] as const;

/** A wall without videos: what a video is, templates to start from, and one that plays. */
export function Starters() {
  const t = useText();
  const [shown, show] = useState<(typeof STARTERS)[number]>('product');
  const { data } = useRead(listVideoTemplates, {});
  const preview = useVideoPreview({ template: shown, aspect: '9:16' });
  const starters = STARTERS.flatMap((name) => data?.items.find((one) => one.name === name) ?? []);
  return (
    <div className={css.start}>
      <div className="col gap4">
        <h2 className="sign h1">{t('videos.empty')}</h2>
        <p className="prose">{t('videos.emptyNext')}</p>
        <table className="ledger">
          <tbody>
            {starters.map((template) => (
              <tr key={template.name} data-on={template.name === shown || undefined}>
                <td className="m">{template.manifest.duration} s</td>
                <td>
                  <Link
                    href={`/videos/new?template=${template.name}`}
                    className="strong"
                    onMouseEnter={() => show(template.name as typeof shown)}
                    onFocus={() => show(template.name as typeof shown)}
                  >
                    {titleOf(template)}
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="row wrap">
          <Button component={Link} href={`/videos/new?template=${shown}`} variant="filled">
            {t('videos.startWith')}
          </Button>
          <Button component={Link} href="/videos/templates">
            {t('videos.allTemplates')}
          </Button>
        </div>
      </div>
      <div className={css.screen}>
        <PlayerFrame url={preview.data?.url} ratio={9 / 16} title={t('make.preview')} />
      </div>
    </div>
  );
}
