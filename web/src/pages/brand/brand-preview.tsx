import { useQuery } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { listFixtures, renderTemplate } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import { PlayerFrame } from '../videos/player-frame.tsx';
import { useVideoPreview } from '../videos/use-video-preview.ts';
import css from './brand.module.css';
import type { Draft } from './brand-draft.ts';

/** The mail that every account has. */
const MAIL = 'welcome';

type BrandPreviewProps = { readonly brand: string; readonly version: number; readonly draft: Draft };

/** A mail with the brand as it is saved, and a video with what is typed. */
export function BrandPreview({ brand, version, draft }: BrandPreviewProps) {
  const t = useText();
  return (
    <aside className={css.preview} aria-label={t('brand.preview')}>
      <figure>
        <figcaption className="cap">{t('brand.inVideo')}</figcaption>
        <div className={css.video}>
          <Video draft={draft} />
        </div>
      </figure>
      <figure>
        <figcaption className="cap">{t('brand.inMail')}</figcaption>
        <Mail brand={brand} version={version} />
      </figure>
    </aside>
  );
}

function Video({ draft }: { readonly draft: Draft }) {
  const t = useText();
  const colors = { color: 'primary', accent: 'accent', background: 'background' } as const;
  const shown = Object.fromEntries(
    Object.entries(colors)
      .map(([field, color]) => [field, draft[`colors.${color}`] ?? ''])
      .filter(([, value]) => /^#[0-9a-f]{6}$/i.test(value ?? '')),
  );
  const name = draft['name'] ?? '';
  const preview = useVideoPreview({
    template: 'default',
    aspect: '1:1',
    duration: 3,
    data: { title: name === '' ? t('brand.sampleTitle') : name },
    brand: { ...shown, ...(name !== '' && { name }) },
  });
  return <PlayerFrame url={preview.data?.url} ratio={1} title={t('brand.inVideo')} />;
}

function Mail({ brand, version }: Omit<BrandPreviewProps, 'draft'>) {
  const t = useText();
  const { data: samples } = useRead(listFixtures, { template: MAIL });
  const sample = samples?.items[0];
  const { data } = useQuery({
    queryKey: ['brand-mail', brand, version],
    queryFn: ({ signal }) =>
      call(
        renderTemplate,
        { template: MAIL, brand, data: sample?.data ?? {}, on_missing: 'keep' } as Parameters<
          typeof call<typeof renderTemplate>
        >[1],
        signal,
      ),
    enabled: samples !== undefined,
    retry: false,
  });
  return (
    <div className={css.mail}>
      {data && <PreviewFrame html={data.html} title={t('brand.inMail')} isDark={false} loadsImages={false} />}
    </div>
  );
}
