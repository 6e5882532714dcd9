import '../../../ui/styles/segmented.ts';
import { Button, SegmentedControl } from '@mantine/core';
import { Plus } from 'lucide-react';
import { Link } from 'wouter';
import type { ApiFault } from '../../../api/fault.ts';
import { useText } from '../../../i18n/text.ts';
import { Banner } from '../../../ui/banner.tsx';
import panes from '../../../ui/editor/editor.module.css';
import { ratioOf } from '../facts.ts';
import { PlayerFrame, type ScriptFailure } from '../player-frame.tsx';
import css from './template.module.css';
import type { Aspect } from './template-fields.ts';

type PreviewPaneProps = {
  readonly name: string;
  readonly url: string | undefined;
  readonly aspects: readonly Aspect[];
  readonly aspect: Aspect;
  readonly setAspect: (aspect: string) => void;
  /** Why there is no preview, where it is at no place of the text. */
  readonly fault: ApiFault | null;
  readonly onFailure?: (failure: ScriptFailure) => void;
};

/** The template plays with its sample as a video would show it, in one of its shapes. */
export function PreviewPane({ name, url, aspects, aspect, setAspect, fault, onFailure }: PreviewPaneProps) {
  const t = useText();
  return (
    <section aria-label={t('preview.title')}>
      <div className={panes.bar}>
        <SegmentedControl
          aria-label={t('make.shape')}
          value={aspect}
          onChange={setAspect}
          data={[...aspects]}
        />
        <Button
          component={Link}
          href={`/videos/new?template=${name}`}
          size="xs"
          variant="subtle"
          className="push"
          leftSection={<Plus className="icon s" />}
        >
          {t('videos.new')}
        </Button>
      </div>
      <div className={css.player}>
        <PlayerFrame
          url={url}
          ratio={ratioOf(aspect)}
          title={t('make.preview')}
          {...(onFailure && { onFailure })}
        />
      </div>
      {fault && (
        <div className={css.note}>
          <Banner tone="warn" title={t('make.noPreview')}>
            {fault.message}
          </Banner>
        </div>
      )}
    </section>
  );
}
