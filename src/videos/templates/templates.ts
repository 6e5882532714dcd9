import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { closest } from '../../platform/closest.ts';
import { contentTag } from '../../platform/content-tag.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { badField } from '../request.ts';
import type { BuiltIns } from './built-ins.ts';
import type { CheckTemplate } from './check-template.ts';
import * as templateRepo from './template-repo.ts';
import type { Manifest, VideoTemplate } from './video-template.ts';

type TemplatesDeps = {
  readonly sql: Sql;
  readonly builtIns: Pick<BuiltIns, 'templates'>;
  readonly check: CheckTemplate;
};

type Saved = {
  /** False when it replaced an existing one. */
  readonly created: boolean;
  readonly template: VideoTemplate;
  readonly warnings: readonly Warning[];
};

export type VideoTemplates = ReturnType<typeof createVideoTemplates>;

const MAX_SAVED_TEMPLATES = 200;

/**
 * Video templates. In: an account and a name, or a template to save. Out: built-in templates and the account's own.
 * Invariant: an own template overrides a built-in one of the same name, and no template is saved that cannot be
 * filled with its sample.
 */
export function createVideoTemplates({ sql, builtIns, check }: TemplatesDeps) {
  const builtInByName = new Map(builtIns.templates.map((template) => [template.name, template]));

  async function find(accountId: string, name: string): Promise<VideoTemplate | undefined> {
    const row = await templateRepo.findTemplate(sql, accountId, name);
    return row ? toTemplate(row) : builtInByName.get(name);
  }

  async function list(accountId: string): Promise<VideoTemplate[]> {
    const own = (await templateRepo.listTemplates(sql, accountId)).map(toTemplate);
    const all = new Map([...builtInByName.values(), ...own].map((template) => [template.name, template]));
    return [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  return {
    /** All templates, sorted by name. */
    list,

    /** @throws Fault not_found.video_template */
    async get(accountId: string, name: string): Promise<VideoTemplate> {
      const found = await find(accountId, name);
      if (found) return found;
      const suggestion = closest(name, await namesOf(accountId));
      if (suggestion === undefined) throw new Fault('not_found.video_template', { name });
      throw new Fault('not_found.video_template_close', { name, suggestion });
    },

    /**
     * Finds the template of a video request.
     * @throws Fault validation_failed.video_template, since it is a field of the request
     */
    async choose(accountId: string, name: string): Promise<VideoTemplate> {
      const found = await find(accountId, name);
      if (found) return found;
      const suggestion = closest(name, await namesOf(accountId));
      if (suggestion === undefined)
        throw badField('validation_failed.video_template', ['template'], { name });
      throw badField('validation_failed.video_template_close', ['template'], { name, suggestion });
    },

    /**
     * Saves a template of the account, replacing one of the same name.
     * @param ifMatch entity tags; the replaced template must have one of them
     * @throws Fault those of `CheckTemplate`, conflict.too_many_video_templates, precondition_failed.etag
     */
    async save(
      accountId: string,
      content: { readonly name: string; readonly html: string; readonly manifest: Manifest },
      { ifMatch, ...asker }: QueueCaller & { readonly ifMatch?: readonly string[] | undefined } = {},
    ): Promise<Saved> {
      const template = toTemplate(content);
      const warnings = await check(template, { ...asker, accountId });
      const replaced = ifMatch && (await find(accountId, content.name));
      if (ifMatch && !(replaced && ifMatch.includes(replaced.tag)))
        throw new Fault('precondition_failed.etag');
      const saved = await templateRepo.saveTemplate(sql, accountId, content, MAX_SAVED_TEMPLATES);
      if (!saved) throw new Fault('conflict.too_many_video_templates', { limit: MAX_SAVED_TEMPLATES });
      return { created: saved === 'created', template, warnings };
    },

    /** The account's own templates, for its export. */
    async saved(accountId: string) {
      return templateRepo.listTemplates(sql, accountId);
    },
  };

  async function namesOf(accountId: string): Promise<string[]> {
    return (await list(accountId)).map(({ name }) => name);
  }
}

function toTemplate(content: Pick<VideoTemplate, 'name' | 'html' | 'manifest'>): VideoTemplate {
  const { name, html, manifest } = content;
  return { name, builtIn: false, html, manifest, tag: contentTag({ name, html, manifest }) };
}
