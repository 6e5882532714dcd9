import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { generateHooks } from '../../api/operations.gen.ts';
import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { AsCode } from '../../ui/as-code/as-code.tsx';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { type FormValues, useFormValues } from './form-values.ts';
import css from './generator.module.css';
import { type FieldFaults, GeneratorForm } from './generator-form.tsx';
import { HookLine, HookLines } from './hook-line.tsx';
import { Exhausted, isExhausted, QuotaBadge, useUsage } from './quota.tsx';
import { HooksTabs } from './tabs.tsx';
import { type Generation, type HookRequest, useGeneration, type WrittenHook } from './use-generation.ts';

/** Writes hooks for a topic: the form on the left, what is written on the right. */
export function Generator() {
  const t = useText();
  const { values, change } = useFormValues();
  const [faults, setFaults] = useState<FieldFaults>({});
  const fields = { topic: useRef<HTMLTextAreaElement>(null), key: useRef<HTMLInputElement>(null) };
  const generation = useGeneration();
  const { data: config } = useServerConfig();
  const { data: usage } = useUsage();
  const provider = config?.providers.find(({ id }) => id === values.provider);
  const paysSelf = config?.own_key_free === true && values.key.trim() !== '' && values.provider !== 'builtin';
  const isBlocked = usage !== undefined && isExhausted(usage) && !paysSelf;

  /** True where the request may go; else says why it may not, where it can be put right. */
  const check = (): boolean => {
    const topic = values.topic.trim() === '' ? t('generator.errors.topicRequired') : undefined;
    const isKeyless = provider?.server_key === false && values.key.trim() === '';
    const key = isKeyless ? t('generator.errors.keyRequired', { provider: provider.label }) : undefined;
    setFaults({ topic, key });
    if (topic !== undefined) fields.topic.current?.focus();
    else if (key !== undefined) fields.key.current?.focus();
    return topic === undefined && key === undefined;
  };
  const submit = () => {
    if (!isBlocked && !generation.isRunning && check()) generation.start(requestOf(values));
  };
  const more = ({ style }: WrittenHook) => {
    if (check()) generation.add({ ...requestOf(values), count: 3, ...(style && { styles: [style] }) });
  };
  return (
    <Page name={t('generator.title')} section="hooks" tabs={<HooksTabs />}>
      <div className={css.generator}>
        <GeneratorForm
          values={values}
          change={(part) => {
            setFaults({});
            change(part);
          }}
          faults={faults}
          isRunning={generation.isRunning}
          isBlocked={isBlocked}
          fields={fields}
          submit={submit}
          stop={generation.stop}
        >
          <div className="row gap2">
            <QuotaBadge />
            <AsCode operation={generateHooks} tool="generate_hooks" input={requestOf(values)} />
          </div>
        </GeneratorForm>
        <section className="col gap4" aria-label={t('generator.results')}>
          {isBlocked && !generation.isRunning && <Exhausted />}
          <Failure
            generation={generation}
            isBlocked={isBlocked}
            useBuiltin={() => change({ provider: 'builtin' })}
          />
          <Results
            generation={generation}
            onMore={isBlocked || generation.isRunning ? undefined : more}
            isBlocked={isBlocked}
          />
        </section>
      </div>
    </Page>
  );
}

type FailureProps = {
  readonly generation: Generation;
  readonly isBlocked: boolean;
  readonly useBuiltin: () => void;
};

/** Why nothing more was written. The form stays as it is. */
function Failure({ generation: { fault, notice, wasStopped, hooks }, isBlocked, useBuiltin }: FailureProps) {
  const t = useText();
  if (fault?.code === 'quota_exhausted') return isBlocked ? null : <Exhausted message={fault.message} />;
  if (fault?.code === 'api_key_required')
    return (
      <Banner
        tone="err"
        title={fault.title}
        id={fault.requestId}
        action={
          <Button size="xs" onClick={useBuiltin}>
            {t('generator.useBuiltin')}
          </Button>
        }
      >
        {fault.message}
      </Banner>
    );
  if (fault) return <FaultBanner fault={fault} />;
  if (wasStopped)
    return (
      <Banner title={t('generator.stopped')}>{t('generator.stoppedAbout', { count: hooks.length })}</Banner>
    );
  return notice ? <Banner title={notice} /> : null;
}

type ResultsProps = {
  readonly generation: Generation;
  readonly onMore: ((hook: WrittenHook) => void) | undefined;
  readonly isBlocked: boolean;
};

function Results({
  generation: { topic, hooks, isRunning, awaited, fault },
  onMore,
  isBlocked,
}: ResultsProps) {
  const t = useText();
  if (topic === undefined || (hooks.length === 0 && !isRunning))
    return fault || isBlocked ? null : <p className={`prose ${css.nothing}`}>{t('generator.nothing')}</p>;
  return (
    <div className="col gap3">
      <header className={css.head}>
        <h2 className="sign h2">{t('generator.about', { topic })}</h2>
        <span className="cap num" role="status">
          {t('generator.written', { count: hooks.length })}
        </span>
      </header>
      <HookLines>
        {hooks.map((hook, at) => (
          <HookLine key={hook.id} hook={hook} place={at + 1} onMore={onMore && (() => onMore(hook))} />
        ))}
        {isRunning && BONES.slice(0, awaited).map((bone) => <Bone key={bone} />)}
      </HookLines>
    </div>
  );
}

const BONES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

function Bone() {
  return (
    <li className={css.bone} aria-hidden="true">
      <i className={`bone ${css.line}`} />
    </li>
  );
}

function requestOf({ topic, count, provider, platform, voice, model, key }: FormValues): HookRequest {
  // What is empty is left out: the server then decides.
  const ofModel = {
    ...(model.trim() !== '' && { model: model.trim() }),
    ...(key.trim() !== '' && { api_key: key.trim() }),
  };
  return {
    topic: topic.trim(),
    count: Number(count) as 3 | 5 | 10,
    provider: provider as NonNullable<HookRequest['provider']>,
    ...(platform !== '' && { platform: platform as NonNullable<HookRequest['platform']> }),
    ...(voice !== '' && { brand_voice_id: voice }),
    ...(provider !== 'builtin' && ofModel),
  };
}
