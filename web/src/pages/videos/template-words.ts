import type { Output } from '../../api/operation.ts';
import type { listVideoTemplates } from '../../api/operations.gen.ts';
import { isTextKey, text } from '../../i18n/text.ts';

export type VideoTemplate = Output<typeof listVideoTemplates>['items'][number];

/**
 * What a template is called. The product's own are described in the reader's language, those of the account as they were
 * written.
 */
export function titleOf({ name, built_in, manifest }: VideoTemplate): string {
  const key = `videoTemplate.${name}`;
  return built_in && isTextKey(key) ? text(key) : manifest.title;
}

export function aboutOf({ name, built_in, manifest }: VideoTemplate): string {
  const key = `videoTemplateAbout.${name}`;
  return built_in && isTextKey(key) ? text(key) : manifest.description;
}

/** What a field of a template's data is called: the schema's title, else its name as words. */
export function labelOf(template: VideoTemplate, name: string, title: string | undefined): string {
  const own = `videoField.${template.name}_${name}`;
  const shared = `videoField.${name}`;
  if (template.built_in) {
    if (isTextKey(own)) return text(own);
    if (isTextKey(shared)) return text(shared);
  }
  const words = title ?? name.replaceAll(/[_-]+/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
