import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { applyEdits } from '../../platform/html/edits.ts';
import type { Engine, Program } from '../../templates/engine/engine.ts';
import { exactRate, NTSC } from '../frame-rate.ts';
import { badField, GIF, LIMITS, LOUDNESS, type VideoRequest } from '../request.ts';
import { createDataCheck, type DataCheck } from '../templates/check-data.ts';
import { type JsonObject, valuesIn } from '../templates/data-schema.ts';
import { dataWarnings } from '../templates/data-warnings.ts';
import { paletteOf, readsPalette, safeZone } from '../templates/styles.ts';
import type { VideoTemplate } from '../templates/video-template.ts';
import { type VideoBrand, withBrand } from './brand-defaults.ts';
import { parseCaptions } from './captions.ts';
import type { Cue, Filled, Timing } from './composition.ts';
import type { Inspection } from './inspect-page.ts';
import { type FindPartials, type PagePartials, requireAllowedPartials } from './page-partials.ts';
import { type PageReader, requireAllowed, requireStage } from './page-reader.ts';
import { pageSize, requireLength } from './page-size.ts';
import { pageTracks } from './tracks.ts';

type FillDeps = {
  readonly engine: Pick<Engine, 'prepare' | 'render'>;
  readonly reader: Pick<PageReader, 'inspect'>;
  /** Without it, no page takes anything of an account. */
  readonly partials?: FindPartials;
  /** CSS rules of the shipped fonts. */
  readonly fontFaces: string;
  readonly timeLimitFactor?: number;
};

type Prepared = { readonly program: Program; readonly checkData: DataCheck; readonly weight: number };

/**
 * Fills a template with a video request. Everything wrong with either is a Fault of status 422 with details:
 * validation_failed, template_invalid, unsafe_context, template_too_complex, render_limit. Also throws unavailable
 * when too many calls wait.
 */
export type Fill = (
  template: VideoTemplate,
  request: VideoRequest,
  asker?: QueueCaller,
  brand?: VideoBrand,
) => Promise<Filled>;

// In characters of code, which is most of a program's memory.
const MAX_CACHED_CODE = 32 * 1024 * 1024;
// Measured memory of a parser per value of its schema.
const PARSER_BYTES = 2_000;
const MAX_HTML_BYTES = 2 * LIMITS.htmlBytes;
// More than an email has: the first formatted amount of money in a process loads the currency names.
const RENDER_TIMEOUT_MS = 1_000;
// A request names its template, so this is the field at fault.
const LOC = ['body', 'template'];

export function createFill({
  engine,
  reader,
  partials: findPartials,
  fontFaces,
  timeLimitFactor = 1,
}: FillDeps): Fill {
  const cache = new LRUCache<string, Prepared>({
    maxSize: MAX_CACHED_CODE,
    sizeCalculation: ({ weight }) => weight,
  });

  async function prepare(
    { html, manifest: { schema } }: VideoTemplate,
    asker?: QueueCaller,
  ): Promise<Prepared> {
    const key = hash('sha256', JSON.stringify([html, schema]));
    const known = cache.get(key);
    if (known) return known;
    // Inlined images make a page as large as generated content.
    const program = await engine.prepare({ kind: 'template', html, schema, generated: true }, asker);
    const weight = program.weight + valuesIn(schema) * PARSER_BYTES;
    const prepared = { program, checkData: createDataCheck(schema), weight };
    cache.set(key, prepared);
    return prepared;
  }

  /** Most templates take nothing of their account, and no statement. */
  async function partialsOf(program: Program, brand?: string, asker?: QueueCaller): Promise<PagePartials> {
    const takesNothing = program.calls.length === 0 && program.brand.length === 0;
    if (takesNothing || asker?.accountId === undefined || !findPartials)
      return { partials: new Map(), variables: program.variables, brand: {}, withDefaults: (data) => data };
    return findPartials(asker.accountId, program, brand).catch((error: unknown) => {
      throw error instanceof Fault && error.status === 422 ? ofTemplate(error) : error;
    });
  }

  function render(program: Program, given: JsonObject, { partials, brand, withDefaults }: PagePartials) {
    const data = withDefaults(given);
    const { locale } = data;
    const { html, warnings } = engine.render(program, data, {
      partials: new Map([...partials].map(([name, partial]) => [name, partial.program])),
      brand,
      locale: typeof locale === 'string' ? locale : undefined,
      limits: { bytes: MAX_HTML_BYTES, ms: RENDER_TIMEOUT_MS * timeLimitFactor },
    });
    requireNothingLost(warnings);
    return html;
  }

  return async (template, request, asker, brand) => {
    const { name, manifest } = template;
    const { title, duration, loudness = LOUDNESS } = request;
    const fps = exactRate(request.fps);
    if (fps === undefined)
      throw badField('validation_failed.video_fps', ['fps'], { known: Object.keys(NTSC).join(', ') });
    const frames = Math.max(1, Math.round(duration * fps));
    const timing = { ...pageSize(request, template), fps, frames };
    requireAlphaFormat(request);
    requireTimes(request, timing);
    const captions = captionsOf(request.captions);
    const { program, checkData } = await prepare(template, asker);
    const wish = { manifest, html: template.html, data: request.data, fontFaces };
    const branded = withBrand(wish, brand);
    const data = checkData(name, manifest.defaults, { title, ...branded.data });
    const parts = await partialsOf(program, request.brand, asker);
    const html = render(program, { ...data, duration }, parts);
    const inspection = await reader.inspect(html, asker);
    if (inspection.forbidden.length > 0)
      await requireAllowedPartials(parts.partials, { reader, loc: LOC, scripts: manifest.scripts }, asker);
    requireAllowed(inspection, { loc: LOC, scripts: manifest.scripts });
    requireStage(inspection, LOC);
    const tracks = pageTracks(inspection, { asked: request.audio, timing, loc: LOC });
    const page = {
      ...timing,
      html: withPreamble(
        html,
        inspection,
        pagePreamble(html, {
          ...{ timing, duration, data, fontFaces },
          brandCss: branded.css + printedFaces(html, parts.brand),
        }),
      ),
      scripts: manifest.scripts,
      tracks,
      ...(tracks.length > 0 && loudness !== null && { loudness }),
      captions,
      ...(request.transparent && { transparent: true as const }),
    };
    const variables = parts.variables.map(({ name }) => name);
    const warnings = dataWarnings({ manifest, variables }, request.data);
    return { page, warnings, brand: branded.taken, partials: parts.partials };
  };
}

/** What is wrong with a partial is wrong with the template that includes it. */
function ofTemplate({ key, params, cause }: Fault): Fault {
  return new Fault(key, params, { errors: [{ loc: LOC, key, params }], cause });
}

/** An email is sent without forbidden content; in a video, a missing image or sound would go unexplained. */
function requireNothingLost(warnings: readonly Warning[]): void {
  for (const { key, params = {} } of warnings) {
    const path = ['data', ...String(params['variable']).split('.')];
    if (key === 'blocked_url') throw badField('validation_failed.video_address', path, params);
    if (key === 'blocked_style') throw badField('validation_failed.video_style', path, params);
    if (key === 'html_too_long') throw badField('validation_failed.video_html', path, params);
  }
}

function withPreamble(html: string, { head, cuts }: Inspection, preamble: string): string {
  // The sort is stable: a cut may start where the head does.
  const edits = [{ start: head, end: head, text: preamble }, ...cuts.map((cut) => ({ ...cut, text: '' }))];
  return applyEdits(
    html,
    edits.sort((one, other) => one.start - other.start),
  );
}

function requireAlphaFormat({ format, transparent }: VideoRequest): void {
  if (transparent && format !== 'webm')
    throw badField('validation_failed.video_transparent', ['transparent']);
}

function requireTimes({ format, duration, poster_at: poster }: VideoRequest, timing: Timing): void {
  if (format !== 'png') requireLength(timing);
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
  for (const [at, { words = [] }] of captions.entries()) {
    const backward = words.findIndex(({ start, end }) => end <= start);
    if (backward >= 0)
      throw badField('validation_failed.video_cue', ['captions', at, 'words', backward, 'end']);
  }
  return captions;
}

type Preamble = {
  readonly timing: Timing;
  readonly duration: number;
  readonly data: JsonObject;
  readonly fontFaces: string;
  readonly brandCss: string;
};

/**
 * The style in the head of every page: its measures as CSS variables, and what the HTML reads of the shipped fonts, the
 * colors and the safe zone. On one line, so that lines of the page keep their numbers.
 */
function pagePreamble(html: string, { timing, duration, data, fontFaces, brandCss }: Preamble): string {
  const { width, height, fps } = timing;
  const variables = `:root{--w:${width}px;--h:${height}px;--fps:${fps};--duration:${duration}s}`;
  const read = [
    ...(html.includes('var(--safe-') ? [safeZone(timing)] : []),
    ...(readsPalette(html) ? [paletteOf(data)] : []),
  ];
  return `<style>${[...facesOf(html + brandCss, fontFaces), variables, ...read, ...(brandCss ? [brandCss] : [])].join(' ').replace(/\s*\n\s*/g, ' ')}</style>`;
}

/** The rules of the brand's fonts that are files, where the page prints one: `{{@brand.fonts.heading}}`. */
function printedFaces(html: string, { font_faces: faces }: JsonObject): string {
  return typeof faces === 'string' && /brand-(?:heading|body)/.test(html) ? ` ${faces}` : '';
}

function facesOf(html: string, fontFaces: string): string[] {
  const faces = fontFaces.match(/@font-face\s*\{[^}]*\}/g) ?? [];
  return faces.filter((face) => {
    const [, family] = /font-family:\s*['"]?([^'";]+)/.exec(face) ?? [];
    return family !== undefined && html.includes(family);
  });
}
