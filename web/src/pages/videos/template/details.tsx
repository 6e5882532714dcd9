import '../../../ui/styles/checkbox.ts';
import '../../../ui/styles/switch.ts';
import { Checkbox, Switch, TextInput } from '@mantine/core';
import { useId } from 'react';
import { useText } from '../../../i18n/text.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import css from './template.module.css';
import { ASPECTS, type Aspect, aspectsOf, type EditedTemplate, type Finding } from './template-fields.ts';

type DetailsProps = { readonly edited: EditedTemplate; readonly findings: readonly Finding[] };

/** What a template is beside its HTML and data: its name in lists, its shapes and its length. */
export function Details({ edited, findings }: DetailsProps) {
  const t = useText();
  const shapes = useId();
  const { content, set } = edited;
  const errorAt = (name: Finding['field']) => findings.find(({ field }) => field === name)?.message;
  const chosen = aspectsOf(content);
  const choose = (aspect: Aspect, isOn: boolean) =>
    set('aspects', ASPECTS.filter((one) => (one === aspect ? isOn : chosen.includes(one))).join(' '));
  return (
    <div className={css.details}>
      <TextInput
        label={t('make.title')}
        withAsterisk
        maxLength={100}
        value={content.title}
        error={errorAt('title')}
        onChange={(event) => set('title', event.currentTarget.value)}
      />
      <TextArea
        label={t('videoEditor.description')}
        value={content.description}
        error={errorAt('description')}
        onChange={(event) => set('description', event.currentTarget.value.slice(0, 500))}
      />
      <fieldset className={css.shapes} aria-describedby={errorAt('aspects') && shapes}>
        <legend>{t('videoEditor.shapes')}</legend>
        <div className="row wrap gap4">
          {ASPECTS.map((aspect) => (
            <Checkbox
              key={aspect}
              label={aspect}
              checked={chosen.includes(aspect)}
              onChange={(event) => choose(aspect, event.currentTarget.checked)}
            />
          ))}
        </div>
        {errorAt('aspects') && (
          <p id={shapes} className={css.error}>
            {errorAt('aspects')}
          </p>
        )}
      </fieldset>
      <TextInput
        label={t('videoEditor.seconds')}
        description={t('videoEditor.secondsAbout')}
        inputMode="decimal"
        value={content.duration}
        error={errorAt('duration')}
        onChange={(event) => set('duration', event.currentTarget.value)}
      />
      <Switch
        label={t('videoEditor.scripts')}
        description={t('videoEditor.scriptsAbout')}
        checked={content.scripts === 'true'}
        onChange={(event) => set('scripts', event.currentTarget.checked ? 'true' : '')}
      />
      <TextArea
        label={t('videoEditor.defaults')}
        description={t('videoEditor.defaultsAbout')}
        value={content.defaults}
        error={errorAt('defaults')}
        onChange={(event) => set('defaults', event.currentTarget.value)}
      />
    </div>
  );
}
