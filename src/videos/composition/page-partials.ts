import { Fault, type FaultDetail } from '../../errors.ts';
import type { QueueCaller } from '../../platform/fair-queue.ts';
import type { Program, Variable } from '../../templates/engine/engine.ts';
import { blankMustaches } from '../templates/blank-text.ts';
import type { JsonObject } from '../templates/data-schema.ts';
import type { ForbiddenItem } from './inspect-page.ts';
import type { PageReader } from './page-reader.ts';

/** A partial as it was written, and compiled. */
export type PagePartial = { readonly program: Program; readonly html: string; readonly css: string };

/** What a page takes of its account besides its data. */
export type PagePartials = {
  /** The partials that it includes, and those they include in turn, by name. */
  readonly partials: ReadonlyMap<string, PagePartial>;
  /** What the page and its partials read. */
  readonly variables: readonly Variable[];
  /** What they print as `@brand`. */
  readonly brand: JsonObject;
  /** The data with what the schemas of the partials give by default. */
  readonly withDefaults: (data: JsonObject) => JsonObject;
};

/** Finds them as they are at this moment. @throws Fault 422 for a partial that is missing or cannot be used */
export type FindPartials = (accountId: string, program: Program, brand?: string) => Promise<PagePartials>;

type CheckDeps = { readonly reader: Pick<PageReader, 'inspect'>; readonly loc: FaultDetail['loc'] };

/** Names the partial that brings what a page must not have, at its own line. @throws Fault template_invalid.video_partial */
export async function requireAllowedPartials(
  partials: PagePartials['partials'],
  { reader, loc, scripts }: CheckDeps & { readonly scripts: boolean },
  asker?: QueueCaller,
): Promise<void> {
  for (const [name, { html }] of partials) {
    const { forbidden } = await reader.inspect(blankMustaches(html), asker);
    const item = forbidden.find(({ what }) => what !== 'script' || !scripts);
    if (!item) continue;
    const key = 'template_invalid.video_partial';
    const params = { name, tag: tagOf(item), line: item.line, col: item.col };
    throw new Fault(key, params, { errors: [{ loc, key, params }] });
  }
}

function tagOf(item: ForbiddenItem): string {
  if (item.what === 'element') return item.tag;
  return { script: 'script', script_source: 'script src', import: 'style' }[item.what];
}
