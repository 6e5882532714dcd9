import { Fault } from '../errors.ts';
import type { Warning } from '../language.ts';
import type { TemplateContext } from './context.ts';
import type { Variable } from './engine/engine.ts';
import type { Plan } from './plans.ts';
import type { Data, Document, TemplateKind } from './schema.ts';
import type { Use } from './store.ts';

/** A content that parses, is safe and finds its parts; what a version of it will ask of its callers. */
export type Checked = {
  readonly variables: readonly Variable[];
  readonly uses: readonly Use[];
  readonly plan: Plan;
};

/**
 * Checks a content before it becomes a version.
 * @throws Fault template_invalid, template_too_complex, unsafe_context
 */
export async function check(
  { composer, engine }: TemplateContext,
  accountId: string,
  kind: TemplateKind,
  document: Document,
): Promise<Checked> {
  if (kind !== 'template' && document.layout !== undefined)
    throw new Fault('template_invalid.layout_kind', { kind });
  const composition = await composer.compose(accountId, kind, document, { by: 'main' });
  const variables = engine.variablesOf(composition);
  return { variables, uses: composition.uses, plan: { composition, variables, origin: {}, warnings: [] } };
}

/** Renders every fixture with the plan: one warning for each that fails or lacks a variable. */
export function runFixtures(
  { rendering }: TemplateContext,
  plan: Plan,
  fixtures: readonly { name: string; data: Data }[],
): Warning[] {
  return fixtures.flatMap(({ name, data }) => {
    try {
      rendering.fill(plan, data, { onMissing: 'error' });
      return [];
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const reason =
        error.code === 'missing_variables' ? `${error.code}: ${error.params['names']}` : error.code;
      return [{ key: 'fixture_failed', params: { fixture: name, reason } } as const];
    }
  });
}
