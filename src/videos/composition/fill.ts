import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Warning } from '../../language.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { applyEdits } from '../../platform/html/edits.ts';
import type { Engine, Program } from '../../templates/engine/engine.ts';
import { GIF, LIMITS, type VideoRequest } from '../request.ts';
import { createDataCheck, type DataCheck } from '../templates/check-data.ts';
import type { JsonObject } from '../templates/merge-data.ts';
import { valuesIn } from '../templates/schema-choices.ts';
import type { VideoTemplate } from '../templates/video-template.ts';
import { badField } from './bad-field.ts';
import type { Cue, FilledPage } from './composition.ts';
import type { Inspection } from './inspect-page.ts';
import { pagePreamble } from './page-preamble.ts';
import type { PageReader } from './page-reader.ts';
import { checkStage, refusePage } from './page-refusals.ts';
import { pageSize } from './page-size.ts';
import { pageTracks } from './page-tracks.ts';
import { parseCaptions } from './parse-captions.ts';

type Parts = {
  readonly engine: Pick<Engine, 'prepare' | 'render'>;
  readonly reader: Pick<PageReader, 'inspect'>;
  /** The rules of the fonts that are always there. */
  readonly fontFaces: string;
};

type Prepared = { readonly program: Program; readonly checkData: DataCheck; readonly weight: number };

/**
 * Fills a template with what is asked of a video. Everything that is wrong with either is a Fault of status 422 with
 * details: validation_failed, template_invalid, unsafe_context, template_too_complex, render_limit. Also
 * unavailable when too many wait.
 */
export type Fill = (
  template: VideoTemplate,
  request: VideoRequest,
  asker?: QueueCaller,
) => Promise<FilledPage>;

// In characters of code, which is most of what a program keeps in memory.
const KEPT_CODE = 32 * 1024 * 1024;
// What a parser takes of memory for each value of its schema, as measured.
const PARSER_BYTES = 2_000;
const MOST_BYTES = 2 * LIMITS.htmlBytes;
// More than a mail has: the first amount of money in a process alone loads the words of all currencies.
const RENDER_MS = 1_000;
// A video is asked for with the name of a template, so that is the field at fault.
const LOC = ['body', 'template'];

export function createFill({ engine, reader, fontFaces }: Parts): Fill {
  const kept = new LRUCache<string, Prepared>({
    maxSize: KEPT_CODE,
    sizeCalculation: ({ weight }) => weight,
  });

  async function prepare(
    { html, manifest: { schema } }: VideoTemplate,
    asker?: QueueCaller,
  ): Promise<Prepared> {
    const key = hash('sha256', JSON.stringify([html, schema]));
    const known = kept.get(key);
    if (known) return known;
    // Pictures written into a page make it as large as what a machine wrote.
    const program = await engine.prepare({ kind: 'template', html, schema, generated: true }, asker);
    const weight = program.weight + valuesIn(schema) * PARSER_BYTES;
    const prepared = { program, checkData: createDataCheck(schema), weight };
    kept.set(key, prepared);
    return prepared;
  }

  function render(program: Program, data: JsonObject): string {
    const { locale } = data;
    const { html, warnings } = engine.render(program, data, {
      partials: new Map(),
      locale: typeof locale === 'string' ? locale : undefined,
      limits: { bytes: MOST_BYTES, ms: RENDER_MS },
    });
    refuseLost(warnings);
    return html;
  }

  return async (template, request, asker) => {
    const { name, manifest } = template;
    const { title, duration, fps } = request;
    const frames = Math.max(1, Math.round(duration * fps));
    const timing = { ...pageSize(request, template), fps, frames };
    checkTimes(request);
    const captions = captionsOf(request.captions);
    const { program, checkData } = await prepare(template, asker);
    const data = checkData(name, manifest.defaults, { title, ...request.data });
    const html = render(program, { ...data, duration });
    const inspection = await reader.inspect(html, asker);
    refusePage(inspection, { loc: LOC, scripts: manifest.scripts });
    checkStage(inspection, LOC);
    return {
      ...timing,
      html: furnish(html, inspection, pagePreamble(html, timing, duration, fontFaces)),
      scripts: manifest.scripts,
      tracks: pageTracks(inspection.sounds, request.audio, LOC),
      captions,
    };
  };
}

/** A mail goes without what may not stand in it. Of a video nobody would know why a picture or sound is missing. */
function refuseLost(warnings: readonly Warning[]): void {
  for (const { key, params = {} } of warnings) {
    const path = ['data', ...String(params['variable']).split('.')];
    if (key === 'blocked_url') throw badField('validation_failed.video_address', path, params);
    if (key === 'html_too_long') throw badField('validation_failed.video_html', path, params);
  }
}

function furnish(html: string, { head, cuts }: Inspection, preamble: string): string {
  // Sorting keeps what begins at the same place in this order: a cut may begin where the head does.
  const edits = [{ start: head, end: head, text: preamble }, ...cuts.map((cut) => ({ ...cut, text: '' }))];
  return applyEdits(
    html,
    edits.sort((one, other) => one.start - other.start),
  );
}

function checkTimes({ format, duration, poster_at: poster }: VideoRequest): void {
  if (format === 'gif' && duration > GIF.seconds)
    throw badField('validation_failed.video_gif', ['duration'], { limit: GIF.seconds });
  if (poster !== undefined && poster >= duration)
    throw badField('validation_failed.video_poster', ['poster_at'], { duration });
}

function captionsOf(captions: VideoRequest['captions']): Cue[] {
  if (captions === undefined) return [];
  if (typeof captions === 'string') return parseCaptions(captions);
  const wrong = captions.findIndex(({ start, end }) => end <= start);
  if (wrong >= 0) throw badField('validation_failed.video_cue', ['captions', wrong, 'end']);
  return captions;
}
