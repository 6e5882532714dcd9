import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { closest } from '../../platform/closest.ts';
import { contentTag } from '../../platform/content-tag.ts';
import type { Sql } from '../../platform/database/database.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import { byNumber, type Page, type PageRequest, pageOf } from '../../platform/paging.ts';
import { badField } from '../request.ts';
import type { BuiltIns } from './built-ins.ts';
import type { CheckTemplate } from './check-template.ts';
import type { VersionRow } from './template-repo.ts';
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

type Precondition = {
  /** Entity tags; the replaced template must have one of them. */
  readonly ifMatch?: readonly string[] | undefined;
  /** The newest version the caller knows, 0 for none. */
  readonly expectedVersion?: number | undefined;
};

type RolledBack = { readonly template: VideoTemplate; readonly rolledBackFrom: number };

export type VideoTemplates = ReturnType<typeof createVideoTemplates>;

const LIMITS = { limit: 200, versions: 50 };

/**
 * Video templates. In: an account and a name, or a template to save. Out: built-in templates and the account's own.
 * Invariant: no template of an account has the name of a built-in one, and none is saved that cannot be filled with its
 * sample.
 */
export function createVideoTemplates({ sql, builtIns, check }: TemplatesDeps) {
  const builtInByName = new Map(builtIns.templates.map((template) => [template.name, template]));

  async function find(accountId: string, name: string): Promise<VideoTemplate | undefined> {
    const builtIn = builtInByName.get(name);
    if (builtIn) return builtIn;
    const row = await templateRepo.findTemplate(sql, accountId, name);
    return row && toTemplate(row);
  }

  async function get(accountId: string, name: string, version?: number): Promise<VideoTemplate> {
    const found = await find(accountId, name);
    if (found && version !== undefined) return toTemplate(await versionOf(accountId, name, version));
    if (found) return found;
    const suggestion = closest(name, await namesOf(accountId));
    if (suggestion === undefined) throw new Fault('not_found.video_template', { name });
    throw new Fault('not_found.video_template_close', { name, suggestion });
  }

  async function versionOf(accountId: string, name: string, version: number) {
    const row = await templateRepo.findVersion(sql, accountId, name, version);
    if (!row) throw new Fault('not_found.video_template_version', { name, version });
    return row;
  }

  function requireOwnName(name: string): void {
    if (builtInByName.has(name)) throw new Fault('built_in.video_template', { name });
  }

  async function list(accountId: string): Promise<VideoTemplate[]> {
    const own = (await templateRepo.listTemplates(sql, accountId)).map(toTemplate);
    const all = new Map([...own, ...builtInByName.values()].map((template) => [template.name, template]));
    return [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  return {
    /** All templates, sorted by name. */
    list,

    /**
     * The version in use, or an earlier one of the account's own.
     * @throws Fault not_found.video_template, not_found.video_template_version
     */
    get,

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
     * @throws Fault built_in.video_template, those of `CheckTemplate`, conflict.too_many_video_templates,
     * precondition_failed.etag, head_moved.video_template, conflict.video_template_deleted, name_taken.video_template
     */
    async save(
      accountId: string,
      content: { readonly name: string; readonly html: string; readonly manifest: Manifest },
      { ifMatch, expectedVersion, ...asker }: QueueCaller & Precondition = {},
    ): Promise<Saved> {
      requireOwnName(content.name);
      const warnings = await check(toTemplate({ ...content, version: 0 }), { ...asker, accountId });
      const replaced = ifMatch && (await find(accountId, content.name));
      if (ifMatch && !(replaced && ifMatch.includes(replaced.tag)))
        throw new Fault('precondition_failed.etag');
      const version = await templateRepo.saveTemplate(sql, accountId, content, {
        ...LIMITS,
        expectedVersion,
      });
      if (version === undefined) throw await whyNotSaved(accountId, content.name, expectedVersion);
      return { created: version === 1, template: toTemplate({ ...content, version }), warnings };
    },

    /**
     * Deletes a template with its versions; its videos stay.
     * @throws Fault built_in.video_template, not_found.video_template, precondition_failed.etag
     */
    async remove(accountId: string, name: string, ifMatch?: readonly string[]): Promise<void> {
      requireOwnName(name);
      const template = await get(accountId, name);
      if (ifMatch && !ifMatch.includes(template.tag)) throw new Fault('precondition_failed.etag');
      await templateRepo.deleteTemplate(sql, accountId, name);
    },

    /** Newest first; a built-in template has none. @throws Fault not_found.video_template, validation_failed.cursor */
    async versions(accountId: string, name: string, request: PageRequest): Promise<Page<VersionRow>> {
      const { before, limit } = byNumber(request);
      await get(accountId, name);
      const rows = await templateRepo.listVersions(sql, accountId, name, { before, limit: limit + 1 });
      return pageOf(
        rows,
        limit,
        ({ version }) => version,
        (row) => row,
      );
    },

    /**
     * Saves the content of an earlier version as a new one, if it still can be filled: its partials may have changed.
     * @param to by default the version before the newest
     * @throws Fault built_in.video_template, not_found.video_template, not_found.video_template_version,
     * conflict.video_template_first, those of `CheckTemplate`
     */
    async rollback(accountId: string, name: string, to?: number, signal?: AbortSignal): Promise<RolledBack> {
      requireOwnName(name);
      const current = await get(accountId, name);
      const wanted = to ?? (current.version ?? 0) - 1;
      if (to === undefined && wanted < 1) throw new Fault('conflict.video_template_first', { name });
      const row = await versionOf(accountId, name, wanted);
      await check(toTemplate(row), { signal, accountId });
      const options = { ...LIMITS, rolledBackFrom: wanted };
      const version = await templateRepo.saveTemplate(sql, accountId, row, options);
      if (version === undefined)
        throw new Fault('conflict.too_many_video_templates', { limit: LIMITS.limit });
      return { template: toTemplate({ ...row, version }), rolledBackFrom: wanted };
    },

    /** The account's own templates, for its export. */
    async saved(accountId: string) {
      return templateRepo.listTemplates(sql, accountId);
    },
  };

  async function whyNotSaved(accountId: string, name: string, expected: number | undefined): Promise<Fault> {
    const version = (await templateRepo.findTemplate(sql, accountId, name))?.version ?? 0;
    if (version === 0 && expected) return new Fault('conflict.video_template_deleted', { name });
    if (expected === undefined || expected === version)
      return new Fault('conflict.too_many_video_templates', { limit: LIMITS.limit });
    if (expected === 0) return new Fault('name_taken.video_template', { name });
    return new Fault('head_moved.video_template', { name, version, expected });
  }

  async function namesOf(accountId: string): Promise<string[]> {
    return (await list(accountId)).map(({ name }) => name);
  }
}

function toTemplate(content: Pick<VideoTemplate, 'name' | 'html' | 'manifest' | 'version'>): VideoTemplate {
  const { name, html, manifest, version } = content;
  return { name, builtIn: false, version, html, manifest, tag: contentTag({ name, html, manifest }) };
}
