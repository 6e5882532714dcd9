import { Fault } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { TemplateContext } from '../context.ts';
import type { Variable } from '../engine/engine.ts';
import type { Use } from '../repository/version-repo.ts';
import type { ResolvedTemplate } from '../resolve/resolve.ts';
import type { Data, Document, TemplateKind } from '../schema.ts';

/** A content that parses, is safe and finds its parts; the variables a version of it will have. */
export type Checked = {
  readonly variables: readonly Variable[];
  readonly uses: readonly Use[];
  readonly resolved: ResolvedTemplate;
};

/**
 * Checks a content before it becomes a version.
 * @throws Fault template_invalid, template_too_complex, unsafe_context
 */
export async function check(
  { composer, resolver }: TemplateContext,
  accountId: string,
  kind: TemplateKind,
  document: Document,
): Promise<Checked> {
  if (kind !== 'template' && document.layout !== undefined)
    throw new Fault('template_invalid.layout_kind', { kind });
  const composition = await composer.compose(accountId, kind, document, { by: 'main' });
  const resolved = await resolver.unstored(accountId, composition);
  return { variables: resolved.variables, uses: composition.uses, resolved };
}

/** Renders every fixture: one warning for each that fails or lacks a variable. */
export function runFixtures(
  context: TemplateContext,
  resolved: ResolvedTemplate,
  fixtures: readonly Fixture[],
): Warning[] {
  return failedFixtures(context, resolved, fixtures).map(({ fixture, fault: { code, params } }) => {
    const reason = code === 'missing_variables' ? `${code}: ${params['names']}` : code;
    return { key: 'fixture_failed', params: { fixture, reason } };
  });
}

type Fixture = { readonly name: string; readonly data: Data };

/** The fixtures that fail to render or lack a variable, with what each fails with. */
export function failedFixtures(
  { rendering }: TemplateContext,
  resolved: ResolvedTemplate,
  fixtures: readonly Fixture[],
): { fixture: string; fault: Fault }[] {
  return fixtures.flatMap(({ name, data }) => {
    try {
      rendering.fill(resolved, data, { onMissing: 'error' });
      return [];
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return [{ fixture: name, fault }];
    }
  });
}
