import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { closest } from '../../platform/closest.ts';
import { contentTag } from '../../platform/content-tag.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { badField } from '../composition/bad-field.ts';
import type { BuiltIns } from './built-ins.ts';
import type { CheckTemplate } from './check-template.ts';
import { createVideoTemplateStore } from './store.ts';
import type { Manifest, VideoTemplate } from './video-template.ts';

type Parts = {
  readonly sql: Sql;
  readonly builtIns: Pick<BuiltIns, 'templates'>;
  readonly check: CheckTemplate;
};

type Saved = {
  /** False when it took the place of one the account had. */
  readonly created: boolean;
  readonly template: VideoTemplate;
  readonly warnings: readonly Warning[];
};

export type VideoTemplates = ReturnType<typeof createVideoTemplates>;

const MOST_SAVED = 200;

/** The video templates an account can use: those that come with the product, and its own, which stand before ours of the same name. */
export function createVideoTemplates({ sql, builtIns, check }: Parts) {
  const store = createVideoTemplateStore(sql);
  const ours = new Map(builtIns.templates.map((template) => [template.name, template]));

  async function find(accountId: string, name: string): Promise<VideoTemplate | undefined> {
    const row = await store.find(accountId, name);
    return row ? present(row) : ours.get(name);
  }

  async function list(accountId: string): Promise<VideoTemplate[]> {
    const own = (await store.list(accountId)).map(present);
    const all = new Map([...ours.values(), ...own].map((template) => [template.name, template]));
    return [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  return {
    /** All of them, in the order of their names. */
    list,

    /** @throws Fault not_found.video_template */
    async get(accountId: string, name: string): Promise<VideoTemplate> {
      const found = await find(accountId, name);
      if (found) return found;
      const suggestion = closest(name, await namesOf(accountId));
      if (suggestion === undefined) throw new Fault('not_found.video_template', { name });
      throw new Fault('not_found.video_template_close', { name, suggestion });
    },

    /** The one a video is asked for with. @throws Fault validation_failed.video_template, since it is a field of the request */
    async choose(accountId: string, name: string): Promise<VideoTemplate> {
      const found = await find(accountId, name);
      if (found) return found;
      const suggestion = closest(name, await namesOf(accountId));
      if (suggestion === undefined)
        throw badField('validation_failed.video_template', ['template'], { name });
      throw badField('validation_failed.video_template_close', ['template'], { name, suggestion });
    },

    /**
     * Keeps a template of the account's own, in place of what it had under the name.
     * @param ifMatch Tags, one of which what is to be replaced has; unset, anything.
     * @throws Fault those of `CheckTemplate`, conflict.too_many_video_templates, precondition_failed.etag
     */
    async save(
      accountId: string,
      content: { readonly name: string; readonly html: string; readonly manifest: Manifest },
      { ifMatch, ...asker }: QueueCaller & { readonly ifMatch?: readonly string[] | undefined } = {},
    ): Promise<Saved> {
      const template = present(content);
      const warnings = await check(template, { ...asker, accountId });
      const replaced = ifMatch && (await find(accountId, content.name));
      if (ifMatch && !(replaced && ifMatch.includes(replaced.tag)))
        throw new Fault('precondition_failed.etag');
      const saved = await store.save(accountId, content, MOST_SAVED);
      if (!saved) throw new Fault('conflict.too_many_video_templates', { limit: MOST_SAVED });
      return { created: saved === 'created', template, warnings };
    },

    /** Those the account has saved, for its export. */
    async saved(accountId: string) {
      return store.list(accountId);
    },
  };

  async function namesOf(accountId: string): Promise<string[]> {
    return (await list(accountId)).map(({ name }) => name);
  }
}

function present(content: Pick<VideoTemplate, 'name' | 'html' | 'manifest'>): VideoTemplate {
  const { name, html, manifest } = content;
  return { name, builtIn: false, html, manifest, tag: contentTag({ name, html, manifest }) };
}
