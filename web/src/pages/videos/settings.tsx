import '../../ui/styles/select.ts';
import { NativeSelect } from '@mantine/core';
import { useText } from '../../i18n/text.ts';
import { TextArea } from '../../ui/text-area.tsx';
import css from './make.module.css';

const STYLES = ['editorial', 'impact', 'cutout', 'neon', 'cinema'] as const;
const QUALITIES = ['draft', 'standard', 'high'] as const;
/** A transparent video is always a WebM. */
const FORMATS = ['mp4', 'webm', 'transparent', 'gif', 'png'] as const;

export type SettingsValues = {
  /** Empty for the template's own. */
  readonly style: string;
  /** SRT or WebVTT. */
  readonly captions: string;
  readonly quality: (typeof QUALITIES)[number];
  readonly format: (typeof FORMATS)[number];
};

type SettingsProps = {
  readonly values: SettingsValues;
  readonly onChange: (values: SettingsValues) => void;
  /** Whether the template takes a style. */
  readonly hasStyles: boolean;
  readonly errors: ReadonlyMap<string, string>;
};

/** How the video looks and what file it becomes. */
export function Settings({ values, onChange, hasStyles, errors }: SettingsProps) {
  const t = useText();
  return (
    <section className="block">
      <header>
        <h2 className="h3">{t('make.look')}</h2>
      </header>
      <div className="col gap3">
        {hasStyles && (
          <NativeSelect
            size="xs"
            label={t('make.style')}
            value={values.style}
            onChange={(event) => onChange({ ...values, style: event.currentTarget.value })}
            data={[
              { value: '', label: t('make.ownStyle') },
              ...STYLES.map((style) => ({ value: style, label: t(`make.style.${style}`) })),
            ]}
          />
        )}
        <div className={css.two}>
          <NativeSelect
            size="xs"
            label={t('make.quality')}
            value={values.quality}
            onChange={(event) =>
              onChange({ ...values, quality: chosen(QUALITIES, event.currentTarget.value) })
            }
            data={QUALITIES.map((quality) => ({ value: quality, label: t(`make.quality.${quality}`) }))}
          />
          <NativeSelect
            size="xs"
            label={t('make.format')}
            value={values.format}
            onChange={(event) => onChange({ ...values, format: chosen(FORMATS, event.currentTarget.value) })}
            data={FORMATS.map((format) => ({ value: format, label: t(`make.format.${format}`) }))}
          />
        </div>
        <TextArea
          size="xs"
          label={t('make.captions')}
          description={t('make.captionsHint')}
          value={values.captions}
          error={errors.get('captions')}
          onChange={(event) => onChange({ ...values, captions: event.currentTarget.value })}
        />
      </div>
    </section>
  );
}

function chosen<Choice extends string>(choices: readonly [Choice, ...Choice[]], value: string): Choice {
  return choices.find((one) => one === value) ?? choices[0];
}
