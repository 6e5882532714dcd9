import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { Fill } from '../composition/fill.ts';
import type { PageReader } from '../composition/page-reader.ts';
import { refusePage } from '../composition/page-refusals.ts';
import { VideoRequest } from '../request.ts';
import { blankMustaches } from './blank-out.ts';
import { lintTemplate } from './lint.ts';
import type { VideoTemplate } from './video-template.ts';

type Parts = { readonly fill: Fill; readonly reader: Pick<PageReader, 'inspect'> };

/**
 * Finds what is wrong with a template before anyone uses it: it is read, compiled and filled with its sample at every
 * aspect. Answers what may be better. @throws Fault template_invalid, unsafe_context, template_too_complex,
 * render_limit, validation_failed.video_data, each with details; unavailable when too many wait
 */
export type CheckTemplate = (template: VideoTemplate, asker?: QueueCaller) => Promise<readonly Warning[]>;

export function createTemplateCheck({ fill, reader }: Parts): CheckTemplate {
  return async (template, asker) => {
    const { html, manifest } = template;
    // Before it is filled, the lines are those that its author sees.
    const inspection = await reader.inspect(blankMustaches(html), asker);
    refusePage(inspection, { loc: ['body', 'html'], scripts: manifest.scripts });
    await fillSample(template, asker).catch((error: unknown) => {
      throw error instanceof Fault ? asSaved(error) : error;
    });
    return lintTemplate(template, inspection);
  };

  async function fillSample(template: VideoTemplate, asker: QueueCaller | undefined): Promise<void> {
    const { title, duration, sample: data, aspects } = template.manifest;
    for (const aspect of aspects)
      await fill(template, VideoRequest.parse({ title, duration, data, aspect }), asker);
  }
}

/** Where a field of a request for a video is when a template is saved. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  template: ['html'],
  data: ['manifest', 'sample'],
  schema: ['manifest', 'schema'],
};

function asSaved({ key, params, errors, data, cause }: Fault): Fault {
  const told = errors.map((detail) => {
    const [source = 'body', field = '', ...path] = detail.loc;
    return { ...detail, loc: [source, ...(FIELDS[field] ?? [field]), ...path] };
  });
  return new Fault(key, params, { errors: told, data, cause });
}
