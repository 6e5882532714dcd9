import '../../ui/styles/password.ts';
import '../../ui/styles/select.ts';
import { Button, Loader, NativeSelect, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { Square } from 'lucide-react';
import { type FormEvent, type ReactNode, type RefObject, useId } from 'react';
import { listBrandVoices } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { COUNT_CHOICES, type FormValues } from './form-values.ts';
import css from './generator.module.css';

export type FieldFaults = { readonly topic?: string | undefined; readonly key?: string | undefined };

type GeneratorFormProps = {
  readonly values: FormValues;
  readonly change: (part: Partial<FormValues>) => void;
  readonly faults: FieldFaults;
  readonly isRunning: boolean;
  readonly isBlocked: boolean;
  readonly fields: {
    readonly topic: RefObject<HTMLTextAreaElement | null>;
    readonly key: RefObject<HTMLInputElement | null>;
  };
  readonly submit: () => void;
  readonly stop: () => void;
  readonly children: ReactNode;
};

/** What to write about, how many, and who writes. */
export function GeneratorForm({
  values,
  change,
  faults,
  isRunning,
  isBlocked,
  fields,
  submit,
  stop,
  children,
}: GeneratorFormProps) {
  const t = useText();
  const countId = useId();
  const { data: config } = useServerConfig();
  const { data: voices } = useRead(listBrandVoices, {});
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <form className={css.form} onSubmit={onSubmit} noValidate>
      <Textarea
        ref={fields.topic}
        label={t('generator.topic')}
        description={t('generator.topicHint')}
        name="topic"
        maxLength={500}
        value={values.topic}
        error={faults.topic}
        onChange={({ currentTarget }) => change({ topic: currentTarget.value })}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className={css.two}>
        <div role="radiogroup" aria-labelledby={countId}>
          <span className={`mantine-InputWrapper-label ${css.label}`} id={countId}>
            {t('generator.count')}
          </span>
          <div className={css.counts}>
            {COUNT_CHOICES.map((count) => (
              <label key={count}>
                <input
                  type="radio"
                  name="count"
                  value={count}
                  checked={values.count === count}
                  onChange={() => change({ count })}
                />
                {count}
              </label>
            ))}
          </div>
        </div>
        <NativeSelect
          label={t('generator.platform')}
          name="platform"
          value={values.platform}
          onChange={({ currentTarget }) => change({ platform: currentTarget.value })}
          data={[
            { value: '', label: t('generator.anywhere') },
            ...(config?.platforms ?? [])
              .filter(({ id }) => id !== 'generic')
              .map(({ id: value, label }) => ({ value, label })),
          ]}
        />
      </div>
      <div className={css.two}>
        <NativeSelect
          label={t('generator.provider')}
          name="provider"
          value={values.provider}
          onChange={({ currentTarget }) => change({ provider: currentTarget.value })}
          data={(config?.providers ?? []).map(({ id: value, label }) => ({ value, label }))}
        />
        {voices !== undefined && voices.items.length > 0 && (
          <NativeSelect
            label={t('generator.voice')}
            name="voice"
            value={values.voice}
            onChange={({ currentTarget }) => change({ voice: currentTarget.value })}
            data={[
              { value: '', label: t('generator.noVoice') },
              ...voices.items.map(({ id: value, name: label }) => ({ value, label })),
            ]}
          />
        )}
      </div>
      {values.provider !== 'builtin' && (
        <OfModel values={values} change={change} fault={faults.key} field={fields.key} />
      )}
      <div className="col gap3">
        <div className="row">
          {!isBlocked && (
            <Button
              type="submit"
              variant="filled"
              className="grow"
              disabled={isRunning}
              leftSection={isRunning && <Loader size={14} color="var(--mg)" />}
            >
              {isRunning ? t('generator.writing') : t('generator.write', { count: Number(values.count) })}
            </Button>
          )}
          {isRunning && (
            <Button leftSection={<Square className="icon" />} onClick={stop}>
              {t('generator.stop')}
            </Button>
          )}
        </div>
        {children}
      </div>
    </form>
  );
}

type OfModelProps = Pick<GeneratorFormProps, 'values' | 'change'> & {
  readonly fault: string | undefined;
  readonly field: RefObject<HTMLInputElement | null>;
};

/** What only a model needs. The key of a person goes to the provider with this one request. */
function OfModel({ values, change, fault, field }: OfModelProps) {
  const t = useText();
  const models = useId();
  const { data: config } = useServerConfig();
  const provider = config?.providers.find(({ id }) => id === values.provider);
  const known = (provider?.models ?? []).filter((name) => name !== '*');
  return (
    <>
      <TextInput
        label={t('generator.model')}
        placeholder={t('generator.modelHint')}
        name="model"
        list={models}
        autoComplete="off"
        spellCheck={false}
        value={values.model}
        onChange={({ currentTarget }) => change({ model: currentTarget.value })}
      />
      <datalist id={models}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <PasswordInput
        ref={field}
        label={t('generator.key', { provider: provider?.label ?? '' })}
        description={t(provider?.server_key ? 'generator.keyOptional' : 'generator.keyNeeded')}
        name="api_key"
        autoComplete="off"
        value={values.key}
        error={fault}
        aria-invalid={fault !== undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('auth.showPassword') }}
        onChange={({ currentTarget }) => change({ key: currentTarget.value })}
      />
      {values.key !== '' && (
        <label className="row small">
          <input
            type="checkbox"
            className={css.check}
            checked={values.keepsKey}
            onChange={({ currentTarget }) => change({ keepsKey: currentTarget.checked })}
          />
          {t('generator.keep')}
        </label>
      )}
    </>
  );
}
