import { ActionIcon, Button, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { State } from '../../ui/state.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { FileField } from '../assets/file-field.tsx';
import css from './brand.module.css';
import { type Brand, COLORS, type Draft, FONTS, LOGOS, VOICE_TEXTS } from './brand-draft.ts';

type FieldParts = {
  readonly draft: Draft;
  readonly set: (field: string, value: string) => void;
  /** What the server says of a field, such as `colors.primary`. */
  readonly errorAt: (field: string) => string | undefined;
};

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className="block" aria-labelledby={id}>
      <header>
        <h2 className="h3" id={id}>
          {title}
        </h2>
      </header>
      <div className="col gap4">{children}</div>
    </section>
  );
}

type LooksProps = FieldParts & {
  readonly warnings: Brand['warnings'];
  /** The colors of the form are others than those that the warnings are about. */
  readonly hasNewColors: boolean;
};

/** Name, logos, colors and fonts. */
export function Looks({ warnings, hasNewColors, ...parts }: LooksProps) {
  const t = useText();
  const { draft, set, errorAt } = parts;
  const contrast = warnings.filter(({ code }) => code === 'low_contrast');
  return (
    <Section title={t('brand.looks')}>
      <Line {...parts} field="name" label={t('brand.name')} />
      <div className={css.two}>
        {LOGOS.map((logo) => (
          <FileField
            key={logo}
            type="image"
            label={t(`brand.logo.${logo}`)}
            value={draft[`logos.${logo}`] ?? ''}
            error={errorAt(`logos.${logo}`)}
            onChange={(value) => set(`logos.${logo}`, value)}
          />
        ))}
      </div>
      <div className={css.colors}>
        {COLORS.map((color) => (
          <ColorField key={color} {...parts} color={color} label={t(`brand.color.${color}`)} />
        ))}
      </div>
      <div className="col gap1" role="status">
        {hasNewColors ? (
          <span className="small dim">{t('brand.contrastLater')}</span>
        ) : (
          contrast.map(({ message, pair }) => (
            <span key={pair} className={css.warning}>
              <State kind="warn">{message}</State>
            </span>
          ))
        )}
        {!hasNewColors && contrast.length === 0 && draft['colors.primary'] && (
          <State kind="ok">{t('brand.contrastGood')}</State>
        )}
        {warnings
          .filter(({ code }) => code !== 'low_contrast')
          .map(({ message }) => (
            <span key={message} className={css.warning}>
              <State kind="warn">{message}</State>
            </span>
          ))}
      </div>
      <div className={css.two}>
        {FONTS.map((font) => (
          <FileField
            key={font}
            type="font"
            label={t(`brand.font.${font}`)}
            value={draft[`fonts.${font}`] ?? ''}
            error={errorAt(`fonts.${font}`)}
            onChange={(value) => set(`fonts.${font}`, value)}
          />
        ))}
      </div>
    </Section>
  );
}

type ColorFieldProps = FieldParts & { readonly color: string; readonly label: string };

/** A color as a swatch that opens the browser's own picker, and as text. */
function ColorField({ draft, set, errorAt, color, label }: ColorFieldProps) {
  const t = useText();
  const field = `colors.${color}`;
  const value = draft[field] ?? '';
  const isColor = /^#[0-9a-f]{6}$/i.test(value);
  return (
    <div className={css.color}>
      <input
        type="color"
        className={css.swatch}
        data-none={!isColor || undefined}
        aria-label={t('brand.pick', { color: label })}
        value={isColor ? value : '#808080'}
        onChange={(event) => set(field, event.currentTarget.value)}
      />
      <TextInput
        size="xs"
        className="grow"
        label={label}
        placeholder="#12543f"
        value={value}
        error={errorAt(field)}
        onChange={(event) => set(field, event.currentTarget.value)}
      />
    </div>
  );
}

/** How it sounds, for hooks and for what models write. */
export function Voice(parts: FieldParts) {
  const t = useText();
  return (
    <Section title={t('brand.voice')}>
      {VOICE_TEXTS.map((text) => (
        <Lines
          key={text}
          {...parts}
          field={`voice.${text}`}
          label={t(`brand.voice.${text}`)}
          hint={t(`brand.voiceHint.${text}`)}
        />
      ))}
      <Lines {...parts} field="voice.samples" label={t('brand.voice.samples')} hint={t('brand.onePerLine')} />
      <Line
        {...parts}
        field="voice.forbidden_words"
        label={t('brand.voice.forbidden')}
        hint={t('brand.commas')}
      />
    </Section>
  );
}

/** What the law and the footer of an email want to know. */
export function Facts(parts: FieldParts) {
  const t = useText();
  return (
    <Section title={t('brand.facts')}>
      <Line {...parts} field="address" label={t('brand.address')} />
      <Line
        {...parts}
        field="unsubscribe_url"
        label={t('brand.unsubscribe')}
        hint={t('brand.unsubscribeHint')}
      />
      <Lines {...parts} field="footer" label={t('brand.footer')} />
      <Line {...parts} field="languages" label={t('brand.languages')} hint={t('brand.languagesHint')} />
      <Links {...parts} />
    </Section>
  );
}

const USUAL_LINKS = ['website', 'instagram', 'facebook', 'tiktok', 'youtube'];

function Links(parts: FieldParts) {
  const t = useText();
  const { draft, set } = parts;
  const [added, setAdded] = useState<readonly string[]>([]);
  const filled = Object.keys(draft).flatMap((field) => (field.startsWith('links.') ? [field.slice(6)] : []));
  const shown = [...new Set([...filled.filter((name) => draft[`links.${name}`] !== ''), ...added])];
  const next = USUAL_LINKS.find((name) => !shown.includes(name));
  return (
    <fieldset className={css.links}>
      <legend>{t('brand.links')}</legend>
      {shown.map((name) => (
        <div key={name} className="row">
          <span className="grow">
            <Line {...parts} field={`links.${name}`} label={name} />
          </span>
          <ActionIcon
            className={css.remove}
            aria-label={t('brand.removeLink', { name })}
            onClick={() => {
              set(`links.${name}`, '');
              setAdded(added.filter((one) => one !== name));
            }}
          >
            <X className="icon s" />
          </ActionIcon>
        </div>
      ))}
      {next && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<Plus className="icon s" />}
          onClick={() => setAdded([...added, next])}
        >
          {t('brand.addLink', { name: next })}
        </Button>
      )}
    </fieldset>
  );
}

type LineProps = FieldParts & { readonly field: string; readonly label: string; readonly hint?: string };

function Line({ draft, set, errorAt, field, label, hint }: LineProps) {
  return (
    <TextInput
      size="xs"
      label={label}
      description={hint}
      value={draft[field] ?? ''}
      error={errorAt(field)}
      onChange={(event) => set(field, event.currentTarget.value)}
    />
  );
}

function Lines({ draft, set, errorAt, field, label, hint }: LineProps) {
  return (
    <TextArea
      size="xs"
      label={label}
      description={hint}
      value={draft[field] ?? ''}
      error={errorAt(field)}
      onChange={(event) => set(field, event.currentTarget.value)}
    />
  );
}
