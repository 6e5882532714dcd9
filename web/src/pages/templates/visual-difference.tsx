import '../../ui/styles/select.ts';
import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { ApiFault } from '../../api/fault.ts';
import type { Output } from '../../api/operation.ts';
import { diffVersions } from '../../api/operations.gen.ts';
import { keyOf } from '../../api/read.ts';
import { number } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useSearchParam } from '../../search-param.ts';
import { AfterAWhile } from '../../ui/after.tsx';
import { Banner } from '../../ui/banner.tsx';
import { FaultBanner } from '../../ui/fault-banner.tsx';
import { PanelPicture } from './panel-picture.tsx';
import { PdfButton } from './pdf-button.tsx';
import type { Data } from './use-preview.ts';
import { useSample } from './use-sample.ts';
import css from './visual-difference.module.css';

type VisualDifferenceProps = {
  readonly template: string;
  readonly from: string;
  readonly to: string;
  readonly view: 'both' | 'slider' | 'pixels';
};

type Image = NonNullable<Output<typeof diffVersions>['image']>;

const DEVICES = ['desktop', 'tablet', 'mobile'] as const;
const SCHEMES = ['light', 'dark'] as const;
/** The pictures of two versions stay the same as long as a person looks. */
const STALE_MS = 10 * 60_000;

/** What a change looks like to a reader of the email: beside each other, one over the other, or only what differs. */
export function VisualDifference({ template, from, to, view }: VisualDifferenceProps) {
  const t = useText();
  const [chosenDevice, setDevice] = useSearchParam('device');
  const [chosenScheme, setScheme] = useSearchParam('scheme');
  const device = DEVICES.find((one) => one === chosenDevice) ?? 'tablet';
  const scheme = SCHEMES.find((one) => one === chosenScheme) ?? 'light';
  const input = { template, from, to, format: 'visual', device, color_scheme: scheme } as const;
  const { data, error, isPending, refetch } = useQuery<Output<typeof diffVersions>, ApiFault>({
    queryKey: keyOf(diffVersions, input),
    queryFn: ({ signal }) => call(diffVersions, input, signal),
    staleTime: STALE_MS,
  });
  const share = number(Math.max(0.1, Math.round((data?.changed ?? 0) * 1000) / 10));
  return (
    <div className="col gap4">
      <div className="row wrap gap3">
        <NativeSelect
          size="xs"
          aria-label={t('visual.device')}
          value={device}
          onChange={({ currentTarget }) => setDevice(currentTarget.value)}
          data={DEVICES.map((value) => ({ value, label: t(`visual.${value}`) }))}
        />
        <NativeSelect
          size="xs"
          aria-label={t('visual.scheme')}
          value={scheme}
          onChange={({ currentTarget }) => setScheme(currentTarget.value)}
          data={SCHEMES.map((value) => ({ value, label: t(`visual.${value}`) }))}
        />
        <span className="cap num" role="status">
          {data && (data.changed === 0 ? t('visual.same') : t('visual.changed', { share }))}
        </span>
      </div>
      <FaultBanner fault={error} retry={() => void refetch()} />
      {(data?.warnings ?? []).map(({ code, message }) => (
        <Banner key={message} tone={code.startsWith('sample_') ? 'plain' : 'warn'} title={message} />
      ))}
      {isPending && (
        <AfterAWhile>
          <p role="status" className="mid">
            {t('visual.waiting')}
          </p>
        </AfterAWhile>
      )}
      {data?.image && <Pictures {...{ template, from, to, view }} image={data.image} />}
    </div>
  );
}

function Pictures({ template, from, to, view, image }: VisualDifferenceProps & { readonly image: Image }) {
  const t = useText();
  if (view === 'pixels')
    return (
      <figure className={css.one} style={widthOf(image)}>
        <figcaption className="cap">{t('visual.legend')}</figcaption>
        <PanelPicture image={image} panel={2} alt={t('visual.differs', { from, to })} />
      </figure>
    );
  if (view === 'slider') return <Slider from={from} to={to} image={image} />;
  const sides = [
    [from, 0],
    [to, 1],
  ] as const;
  return (
    <div className={css.both}>
      {sides.map(([version, panel]) => (
        <figure key={panel} style={widthOf(image)}>
          <figcaption className="row">
            <span className="mono small">{version}</span>
            <VersionPdf template={template} version={version} />
          </figcaption>
          <PanelPicture image={image} panel={panel} alt={t('visual.pictureOf', { version })} />
        </figure>
      ))}
    </div>
  );
}

/** No picture is larger than the email. */
const widthOf = ({ panel_width: own }: Image) => ({ maxWidth: `${own}px` });

function VersionPdf({ template, version }: { readonly template: string; readonly version: string }) {
  const sample = useSample(template);
  return (
    <span className="push">
      <PdfButton template={template} version={version} data={(sample?.data ?? {}) as Data} />
    </span>
  );
}

type SliderProps = { readonly from: string; readonly to: string; readonly image: Image };

/** The old version left of a line, the new one right of it; the line moves by mouse, finger and arrow keys. */
function Slider({ from, to, image }: SliderProps) {
  const t = useText();
  const [at, setAt] = useState(50);
  return (
    <figure className={css.one} style={widthOf(image)}>
      <figcaption className="row">
        <span className="mono small">{from}</span>
        <span className="mono small push">{to}</span>
      </figcaption>
      <div className={css.slider}>
        <PanelPicture image={image} panel={1} alt={t('visual.pictureOf', { version: to })} />
        <div className={css.over} style={{ clipPath: `inset(0 ${100 - at}% 0 0)` }}>
          <PanelPicture image={image} panel={0} alt={t('visual.pictureOf', { version: from })} />
        </div>
        <i className={css.line} style={{ insetInlineStart: `${at}%` }} aria-hidden="true" />
        <input
          type="range"
          min={0}
          max={100}
          value={at}
          aria-label={t('visual.slider', { from })}
          aria-valuetext={`${at} %`}
          onChange={({ currentTarget }) => setAt(Number(currentTarget.value))}
        />
      </div>
    </figure>
  );
}
