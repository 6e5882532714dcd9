import { Link } from 'wouter';
import { number, shortDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { State } from '../../ui/state.tsx';
import { Tally } from '../../ui/tally.tsx';
import type { Video } from './facts.ts';

const STEPS = ['pending', 'rendering', 'finalizing'] as const;

/** How far it is: frames counted, the time left, and the steps. */
export function Progress({ video: { title, status, frames, eta_s } }: { readonly video: Video }) {
  const t = useText();
  const at = (STEPS as readonly string[]).indexOf(status);
  return (
    <>
      <section className="col gap3">
        <div className="row base">
          <span className="fig">
            {number(frames.done)}
            <small> {t('video.ofFrames', { total: frames.total })}</small>
          </span>
          {eta_s !== null && (
            <span className="push mid num">{t('video.left', { count: Math.max(1, Math.ceil(eta_s)) })}</span>
          )}
        </div>
        <Tally
          value={frames.done}
          max={frames.total}
          tone="mg"
          label={t('video.framesOfTitle', { video: title })}
        />
        <p className="small dim">{t('video.mayLeave')}</p>
      </section>
      <section className="block">
        <header>
          <h2 className="h3">{t('video.steps')}</h2>
        </header>
        <table className="ledger data">
          <tbody>
            {STEPS.map((step, place) => (
              <tr key={step}>
                <td className="m">{place + 1}</td>
                <td>
                  <State kind={place < at ? 'ok' : place === at ? 'run' : 'void'}>
                    {t(`video.step.${step}`)}
                  </State>
                </td>
                <td className="dim">{t(`video.stepAbout.${step}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

/** Why there is no video, and the one thing to do about it. */
export function Failure({ video }: { readonly video: Video }) {
  const t = useText();
  const { error, template_version: own, attempt } = video;
  if (error === null) return null;
  return (
    <Banner
      tone="err"
      title={error.line === undefined ? t('video.failedTitle') : t('video.failedAt', { line: error.line })}
    >
      {error.message} {own !== null && <Link href="/videos/templates">{t('video.openTemplate')}</Link>}
      {attempt > 1 && <> {t('video.attempts', { count: attempt })}</>}
    </Banner>
  );
}

export function Warnings({ video: { warnings } }: { readonly video: Video }) {
  return warnings.map(({ code, message }) => (
    <Banner key={`${code} ${message}`} tone="warn" title={message} />
  ));
}

/** What was asked for, and what came of it. */
export function Order({ video }: { readonly video: Video }) {
  const t = useText();
  const { id, template, width, height, fps, duration, quality, format, size_bytes: bytes, brand } = video;
  return (
    <section className="block">
      <header>
        <h2 className="h3">{t('video.order')}</h2>
      </header>
      <div className="lines">
        <div>
          <span>{t('make.template')}</span>
          <span className="mono">{template}</span>
        </div>
        <div>
          <span>{t('video.size')}</span>
          <span>{t('video.sizeIs', { width: String(width), height: String(height), fps })}</span>
        </div>
        <div>
          <span>{t('make.length')}</span>
          <span>{t('make.lengthIs', { count: duration })}</span>
        </div>
        <div>
          <span>{t('video.file')}</span>
          <span>
            {format.toUpperCase()}, {t(`make.quality.${quality}`)}
            {bytes !== null && `, ${number(Math.round(bytes / 104_857.6) / 10)} MB`}
          </span>
        </div>
        {brand !== null && (
          <div>
            <span>{t('nav.brand')}</span>
            <span>{brand.fields.map((field) => field.replace('brand.', '')).join(', ')}</span>
          </div>
        )}
        <div>
          <span>{t('video.asked')}</span>
          <span>{shortDate(video.created_at)}</span>
        </div>
        <div>
          <span>{t('video.id')}</span>
          <span className="row mono">
            {id}
            <CopyButton value={id} label={t('video.copyId')} />
          </span>
        </div>
      </div>
    </section>
  );
}
