import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { Filled } from '../composition/composition.ts';
import type { Fill } from '../composition/fill.ts';
import type { Inspection } from '../composition/inspect-page.ts';
import { type PageReader, requireAllowed } from '../composition/page-reader.ts';
import { VideoRequest } from '../request.ts';
import { blankComments, blankMustaches } from './blank-text.ts';
import type { VideoTemplate } from './video-template.ts';

type CheckDeps = { readonly fill: Fill; readonly reader: Pick<PageReader, 'inspect'> };

/**
 * Checks a template before it is used: reads it, compiles it and fills it with its sample at every aspect. Returns
 * warnings.
 * @throws Fault template_invalid, unsafe_context, template_too_complex, render_limit, validation_failed.video_data,
 * each with details; unavailable when too many calls wait
 */
export type CheckTemplate = (template: VideoTemplate, asker?: QueueCaller) => Promise<readonly Warning[]>;

export function createTemplateCheck({ fill, reader }: CheckDeps): CheckTemplate {
  return async (template, asker) => {
    const { html, manifest } = template;
    // Checked before filling, so that line numbers are those of the author.
    const inspection = await reader.inspect(blankMustaches(html), asker);
    requireAllowed(inspection, { loc: ['body', 'html'], scripts: manifest.scripts });
    const partials = await fillSample(template, asker).catch((error: unknown) => {
      throw error instanceof Fault ? relocateFault(error, SAVED_FIELDS) : error;
    });
    return lintTemplate(template, inspection, await inspectPartials(partials, asker));
  };

  async function fillSample(template: VideoTemplate, asker?: QueueCaller): Promise<Filled['partials']> {
    const { title, duration, sample: data, aspects } = template.manifest;
    const partials: Filled['partials'][] = [];
    for (const aspect of aspects)
      partials.push(
        (await fill(template, VideoRequest.parse({ title, duration, data, aspect }), asker)).partials,
      );
    return partials[0] ?? new Map();
  }

  async function inspectPartials(
    partials: Filled['partials'],
    asker?: QueueCaller,
  ): Promise<LintedPartial[]> {
    return Promise.all(
      [...partials].map(async ([name, { html, css }]) => {
        const { canvases } = await reader.inspect(blankMustaches(html), asker);
        return { name, text: `${html}\n${css}`, canvases };
      }),
    );
  }
}

type Fields = Readonly<Record<string, readonly string[]>>;

/** Fields of a video request and their path when a template is saved. */
const SAVED_FIELDS: Fields = {
  template: ['html'],
  data: ['manifest', 'sample'],
  schema: ['manifest', 'schema'],
};

/** The fault of a video request as that of another one, which has its fields at other paths. */
export function relocateFault({ key, params, errors, data, cause }: Fault, fields: Fields): Fault {
  const details = errors.map((detail) => {
    const [source = 'body', field = '', ...path] = detail.loc;
    return { ...detail, loc: [source, ...(fields[field] ?? [field]), ...path] };
  });
  return new Fault(key, params, { errors: details, data, cause });
}

type Linted = Pick<VideoTemplate, 'html' | 'manifest'>;
type LintedPartial = Pick<Inspection, 'canvases'> & { readonly name: string; readonly text: string };

const ANIMATED =
  /@keyframes|\banimation(?:-name)?\s*:|\btransition\s*:|<(?:animate|set)\b|\bdata-(?:scene|split|enter|count-to|captions)\b/i;
// Each match takes a whole value, so that no text is scanned twice.
const ANIMATION_VALUES = /\banimation(?:-iteration-count)?\s*:([^;}"']*)|\brepeatCount\s*=\s*["']?(\w*)/gi;
const ENDLESS = /\b(?:infinite|indefinite)\b/i;
const REMOTE = /(?:\b(?:src|srcset|href)\s*=\s*["']?|url\(\s*["']?)(https:\/\/[^\s"')<>]+)/gi;
const LINK_TO_PAGE = /<a\s[^>]*$/i;

const MAX_PER_KIND = 10;
const MAX_SHOWN_CHARS = 200;

/**
 * Finds what makes videos of a template slower, less predictable or less lively, in line order; what is in its partials
 * comes last, without lines.
 */
export function lintTemplate(
  { html, manifest }: Linted,
  { canvases }: Pick<Inspection, 'canvases'>,
  partials: readonly LintedPartial[] = [],
): Warning[] {
  const text = textOf(html);
  const isAnimated = [text, ...partials.map((partial) => textOf(partial.text))].some((one) =>
    ANIMATED.test(one),
  );
  const still = !manifest.scripts && !isAnimated;
  const found: Warning[] = [
    ...(still ? [{ key: 'video_no_animation' } as const] : []),
    ...(manifest.scripts ? [{ key: 'video_scripts' } as const] : []),
    ...canvases.slice(0, MAX_PER_KIND).map((spot) => ({ key: 'video_canvas', ...spot }) as const),
    ...endless(text).map((index) => ({ key: 'video_endless_animation', ...placeIn(text, index) }) as const),
    ...remotes(text),
  ];
  return [
    ...found.sort((one, other) => (one.line ?? 0) - (other.line ?? 0)),
    ...partials.flatMap(lintPartial).slice(0, MAX_PER_KIND),
  ];
}

function lintPartial({ name, text: written, canvases }: LintedPartial): Warning[] {
  const text = textOf(written);
  const params = { name };
  return [
    ...(canvases.length > 0 ? [{ key: 'video_canvas.partial', params } as const] : []),
    ...(endless(text).length > 0 ? [{ key: 'video_endless_animation.partial', params } as const] : []),
    ...remotes(text).map(({ line: _line, col: _col, ...warning }) => warning),
  ];
}

/** Where endless animations are. */
function endless(text: string): number[] {
  return [...text.matchAll(ANIMATION_VALUES)]
    .filter(([, css = '', svg = '']) => ENDLESS.test(css || svg))
    .slice(0, MAX_PER_KIND)
    .map(({ index }) => index);
}

function remotes(text: string): Warning[] {
  return [...text.matchAll(REMOTE)]
    .filter(({ index }) => !LINK_TO_PAGE.test(text.slice(Math.max(0, index - MAX_SHOWN_CHARS), index)))
    .slice(0, MAX_PER_KIND)
    .map(({ index, 1: address = '' }) => ({
      key: 'video_remote_address',
      params: { address: address.slice(0, MAX_SHOWN_CHARS) },
      ...placeIn(text, index),
    }));
}

function textOf(html: string): string {
  return blankComments(blankMustaches(html));
}

function placeIn(text: string, at: number): { line: number; col: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, col: at - before.lastIndexOf('\n') };
}
