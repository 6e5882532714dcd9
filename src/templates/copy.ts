import type { Sql } from '../platform/database/database.ts';
import { listFixtures } from './repository/fixture-repo.ts';
import { choiceOf, findContent } from './resolve/find-version.ts';
import type { Data, Document, TemplateKind } from './schema.ts';

/** What a new template takes from the one it is copied from, unless it says otherwise. */
export type Copied = {
  readonly kind: TemplateKind;
  readonly tags: readonly string[];
  readonly fixtures: Readonly<Record<string, Data>>;
  readonly document: Document;
  readonly message: string;
};

/** A template named together with one of its versions: `welcome@production`. */
export type Place = { readonly template: string; readonly reference: string | undefined };

/** Splits `welcome@production`; no template has an `@` in its name, no reference has one either. */
export function placeOf(text: string): Place {
  const at = text.indexOf('@');
  return at === -1
    ? { template: text, reference: undefined }
    : { template: text.slice(0, at), reference: text.slice(at + 1) || undefined };
}

/** Reads the template to copy, on main unless a version, branch or environment follows its name. @throws Fault not_found */
export async function readCopy(sql: Sql, accountId: string, from: string): Promise<Copied> {
  const { template: name, reference } = placeOf(from);
  const choice = reference === undefined ? {} : choiceOf(reference);
  const { template, version, document } = await findContent(sql, accountId, name, choice);
  const fixtures = await listFixtures(sql, accountId, template.id);
  return {
    kind: template.kind,
    tags: template.tags,
    fixtures: Object.fromEntries(fixtures.map(({ name: fixture, data }) => [fixture, data])),
    document,
    message: `Copy of ${name} ${version.label}`,
  };
}
