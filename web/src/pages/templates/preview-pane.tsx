import '../../ui/styles/segmented.ts';
import { ActionIcon, SegmentedControl } from '@mantine/core';
import { Image, ImageOff, Moon, Sun } from 'lucide-react';
import { memo } from 'react';
import type { Output } from '../../api/operation.ts';
import { type getTemplate, renderTemplate } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { AsCode } from '../../ui/as-code/as-code.tsx';
import panes from '../../ui/editor/editor.module.css';
import { PreviewFrame } from '../../ui/preview-frame.tsx';
import css from './editor.module.css';
import { PdfButton } from './pdf-button.tsx';
import type { Data, Rendered } from './use-preview.ts';

const WIDTHS = ['320', '375', '600', 'full', 'text'] as const;

type PreviewPaneProps = {
  readonly template: Pick<Output<typeof getTemplate>, 'name' | 'version'>;
  readonly rendered: Rendered | undefined;
  /** What the variables are filled with. */
  readonly data: Data;
};

/** How the email looks: on its devices, by day and by night, and as plain text. What is chosen is in the address. */
export const PreviewPane = memo(({ template, rendered, data }: PreviewPaneProps) => {
  const t = useText();
  const [chosen, setWidth] = useSearchParam('width');
  const [dark, setDark] = useSearchParam('dark');
  const [images, setImages] = useSearchParam('images');
  const width = WIDTHS.find((one) => one === chosen) ?? '600';
  const isDark = dark === '1';
  const loadsImages = images === '1';
  const night = t(isDark ? 'preview.day' : 'preview.night');
  const pictures = t(loadsImages ? 'preview.blockImages' : 'preview.loadImages');
  return (
    <section aria-label={t('preview.title')}>
      <div className={panes.bar}>
        <SegmentedControl
          aria-label={t('preview.width')}
          value={width}
          onChange={setWidth}
          data={WIDTHS.map((value) => ({
            value,
            label: value === 'full' ? t('preview.full') : value === 'text' ? t('preview.text') : value,
          }))}
        />
        <span className="row push">
          <AsCode
            operation={renderTemplate}
            tool="render_template"
            input={{ template: template.name, version: template.version, data }}
          />
          <PdfButton template={template.name} version={template.version} data={data} />
          <ActionIcon
            title={pictures}
            aria-label={pictures}
            aria-pressed={loadsImages}
            onClick={() => setImages(loadsImages ? '' : '1')}
          >
            {loadsImages ? <ImageOff className="icon" /> : <Image className="icon" />}
          </ActionIcon>
          <ActionIcon
            title={night}
            aria-label={night}
            aria-pressed={isDark}
            onClick={() => setDark(isDark ? '' : '1')}
          >
            {isDark ? <Sun className="icon" /> : <Moon className="icon" />}
          </ActionIcon>
        </span>
      </div>
      <div className={css.inbox}>
        <span className="data strong clip">{rendered?.subject ?? t('preview.noSubject')}</span>
        <span className="small dim clip">{rendered?.preheader ?? ''}</span>
      </div>
      <div className={panes.stage}>
        {width === 'text' ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached without a mouse
          <section className={css.plain} tabIndex={0} aria-label={t('preview.text')}>
            <pre>{rendered?.text ?? ''}</pre>
          </section>
        ) : (
          <div className={css.paper} style={{ width: width === 'full' ? '100%' : `${width}px` }}>
            <PreviewFrame
              title={t('preview.of', { template: template.name })}
              html={rendered?.html ?? ''}
              isDark={isDark}
              loadsImages={loadsImages}
            />
          </div>
        )}
      </div>
    </section>
  );
});
