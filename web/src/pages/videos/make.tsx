import '../../ui/styles/select.ts';
import '../../ui/styles/segmented.ts';
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { Clapperboard } from 'lucide-react';
import { type FormEvent, lazy, Suspense, useId, useState } from 'react';
import { useLocation } from 'wouter';
import type { Input } from '../../api/operation.ts';
import { createVideo, listVideos } from '../../api/operations.gen.ts';
import { useWrite } from '../../api/write.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { AsCode } from '../../ui/as-code/as-code.tsx';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { Page } from '../../ui/page.tsx';
import { type Data, fieldsOf, takes, withoutEmpty } from './data-schema.ts';
import { ratioOf } from './facts.ts';
import { errorsAt, isPlaced } from './field-errors.ts';
import css from './make.module.css';
import { PlayerFrame } from './player-frame.tsx';
import { Settings, type SettingsValues } from './settings.tsx';
import { aboutOf, labelOf, titleOf, type VideoTemplate } from './template-words.ts';
import { useVideoPreview } from './use-video-preview.ts';

const DataForm = lazy(() => import('./data-form.tsx').then(({ DataForm: One }) => ({ default: One })));
const ProductPicker = lazy(() =>
  import('./product-picker.tsx').then(({ ProductPicker: One }) => ({ default: One })),
);

type MakeProps = {
  readonly templates: readonly VideoTemplate[];
  readonly template: VideoTemplate;
  /** What the address said. */
  readonly title: string;
  readonly data: Data;
};

type Aspect = VideoTemplate['manifest']['aspects'][number];

/** The form of a video beside the video as it would be. */
export function Make({ templates, template, title: givenTitle, data: givenData }: MakeProps) {
  const t = useText();
  const form = useId();
  const [, go] = useLocation();
  const [, setTemplate] = useSearchParam('template');
  const [chosenAspect, setAspect] = useSearchParam('aspect');
  const [title, setTitle] = useState(givenTitle);
  const [typedSeconds, setSeconds] = useState<string>();
  const [data, setData] = useState(givenData);
  const [settings, setSettings] = useState<SettingsValues>({
    style: '',
    captions: '',
    quality: 'standard',
    format: 'mp4',
  });
  const { name, manifest } = template;
  const aspect = manifest.aspects.find((one) => one === chosenAspect) ?? manifest.aspects[0] ?? '9:16';
  const seconds = typedSeconds ?? String(manifest.duration);
  const duration = numberOf(seconds);
  const fields = fieldsOf(manifest.schema);
  const known = new Set(fields.map(({ name: field }) => field));
  const filled = withoutEmpty(Object.fromEntries(Object.entries(data).filter(([field]) => known.has(field))));
  const isBlank = title === '' && Object.keys(filled).length === 0;
  const sent = { ...filled, ...(settings.style !== '' && { style: settings.style }) };
  const preview = useVideoPreview({
    template: name,
    aspect,
    ...(duration >= 0.5 && duration <= 600 && { duration }),
    // Before anything is filled in, the sample shows what the template is for.
    ...(!isBlank && { data: { ...sent, ...(title !== '' && { title }) } as Data as never }),
  });
  const { write, isBusy, fault } = useWrite(createVideo, {
    changes: [listVideos],
    onDone: ({ id }) => go(`/videos/${id}`),
  });
  const request = requestOf({ title, duration, name, aspect, sent, settings });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    write(request);
  };
  const errors = errorsAt(fault ?? preview.error);
  const sample = () => {
    const { brand: _brand, title: sampleTitle, style: _style, ...own } = manifest.sample as Data;
    setData({ ...data, ...own });
    if (title === '' && typeof sampleTitle === 'string') setTitle(sampleTitle);
  };
  return (
    <Page
      flush
      section="videos"
      name={t('videos.new')}
      crumbs={[{ to: '/videos', label: t('nav.videos') }]}
      actions={
        <>
          <AsCode operation={createVideo} tool="create_video" input={request} />
          <Button
            type="submit"
            form={form}
            variant="filled"
            loading={isBusy}
            leftSection={<Clapperboard className="icon" />}
          >
            {Number.isFinite(duration) ? t('make.render', { seconds: duration }) : t('make.renderIt')}
          </Button>
        </>
      }
    >
      <div className={css.make}>
        <form id={form} className={css.form} onSubmit={submit} noValidate>
          {fault && !isPlaced(fault) && <FaultBanner fault={fault} />}
          <TextInput
            size="xs"
            label={t('make.title')}
            withAsterisk
            aria-required
            maxLength={500}
            value={title}
            error={errors.get('title')}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <div className={css.two}>
            <NativeSelect
              size="xs"
              label={t('make.template')}
              value={name}
              error={errors.get('template')}
              onChange={(event) => {
                setSeconds(undefined);
                setTemplate(event.currentTarget.value);
              }}
              data={templates.map((one) => ({ value: one.name, label: titleOf(one) }))}
            />
            <TextInput
              size="xs"
              label={t('make.seconds')}
              withAsterisk
              aria-required
              inputMode="decimal"
              value={seconds}
              error={errors.get('duration')}
              onChange={(event) => setSeconds(event.currentTarget.value)}
            />
          </div>
          <p className="small dim">{aboutOf(template)}</p>
          <div>
            <span className={css.label} id={`${form}-shape`}>
              {t('make.shape')}
            </span>
            <SegmentedControl
              fullWidth
              aria-labelledby={`${form}-shape`}
              value={aspect}
              onChange={(value) => setAspect(value)}
              data={[...manifest.aspects]}
            />
          </div>
          <section className="block" aria-labelledby={`${form}-data`}>
            <header>
              <h2 className="h3" id={`${form}-data`}>
                {t('make.content')}
              </h2>
              <Button size="compact-xs" variant="subtle" className="push" onClick={sample}>
                {t('make.fillSample')}
              </Button>
            </header>
            <div className="col gap3">
              {name === 'product' && (
                <Suspense>
                  <ProductPicker
                    onChoose={(product) => {
                      setTitle(product.title);
                      setData({ ...data, ...product.data });
                    }}
                  />
                </Suspense>
              )}
              <Suspense>
                <DataForm
                  fields={fields}
                  data={data}
                  onChange={setData}
                  labelOf={(field, written) => labelOf(template, field, written)}
                  aboutOf={(field) => (template.built_in ? undefined : field.description)}
                  errorAt={(path) => errors.get(['data', ...path].join('.'))}
                />
              </Suspense>
            </div>
          </section>
          <Settings
            values={settings}
            onChange={setSettings}
            hasStyles={takes(manifest.schema, 'style')}
            errors={errors}
          />
        </form>
        <section className={css.look} aria-label={t('make.preview')}>
          <div className={css.stage}>
            <PlayerFrame url={preview.data?.url} ratio={ratioOf(aspect)} title={t('make.preview')} />
          </div>
          <Notes
            isSample={isBlank}
            warnings={preview.data?.warnings ?? []}
            fault={preview.error && !isPlaced(preview.error) ? preview.error : null}
            isIncomplete={preview.error !== null && isPlaced(preview.error)}
          />
        </section>
      </div>
    </Page>
  );
}

/** What was typed as a number, with a point or a comma; NaN for nothing. */
function numberOf(typed: string): number {
  return typed.trim() === '' ? Number.NaN : Number(typed.replace(',', '.'));
}

type NotesProps = {
  readonly isSample: boolean;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
  readonly fault: Error | null;
  readonly isIncomplete: boolean;
};

/** What is to know of the preview, below it. */
function Notes({ isSample, warnings, fault, isIncomplete }: NotesProps) {
  const t = useText();
  return (
    <div className={css.notes} role="status">
      {isSample && <p className="small dim">{t('make.sampleShown')}</p>}
      {isIncomplete && <p className="small dim">{t('make.incomplete')}</p>}
      {fault && (
        <Banner tone="warn" title={t('make.noPreview')}>
          {fault.message}
        </Banner>
      )}
      {warnings.map(({ code, message }) => (
        <Banner key={`${code} ${message}`} tone="warn" title={message} />
      ))}
    </div>
  );
}

type Wanted = {
  readonly title: string;
  readonly duration: number;
  readonly name: string;
  readonly aspect: Aspect;
  readonly sent: Data;
  readonly settings: SettingsValues;
};

function requestOf({ title, duration, name, aspect, sent, settings }: Wanted): Input<typeof createVideo> {
  const { captions, quality, format } = settings;
  return {
    ...(title !== '' && { title }),
    duration,
    template: name,
    aspect,
    data: sent,
    quality,
    ...(format === 'transparent' ? { format: 'webm', transparent: true } : { format }),
    ...(captions.trim() !== '' && { captions }),
  } as Input<typeof createVideo>;
}
