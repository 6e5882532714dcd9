import type { EnvironmentRow, EventRow, PointerRow } from './environments/store.ts';
import type { FixtureRow } from './fixtures/store.ts';
import type { TemplateRow, VersionRow } from './store.ts';

/** What the environments show of one template: `{ staging: 'v1.0.0', production: 'v1.0.0' }`. */
function presentPointers(pointers: readonly PointerRow[], templateId: string): Record<string, string> {
  const mine = pointers.filter((pointer) => pointer.template_id === templateId);
  return Object.fromEntries(mine.map(({ environment, label }) => [environment, label]));
}

export function presentSummary(
  row: TemplateRow,
  head: { label: string; branch: string },
  pointers: readonly PointerRow[],
) {
  const { id, name, kind, description, tags } = row;
  return {
    id,
    name,
    kind,
    description,
    tags,
    version: head.label,
    branch: head.branch,
    environments: presentPointers(pointers, id),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentVariables(variables: VersionRow['variables']) {
  return variables.map(({ declared: _declared, ...variable }) => variable);
}

export function presentEvent({ seq: _seq, label, previous, created_at, ...event }: EventRow) {
  return { ...event, version: label, ...(previous && { previous }), created_at: created_at.toISOString() };
}

export function presentEnvironment({ name, require_from, approvals, frozen }: EnvironmentRow) {
  return { name, ...(require_from && { require_from }), approvals, freeze: frozen };
}

export function presentFixture({ created_at, updated_at, ...fixture }: FixtureRow) {
  return { ...fixture, created_at: created_at.toISOString(), updated_at: updated_at.toISOString() };
}

/** The entity tag of a template: it moves with every change a reader can see. */
export function etagOf({ id, revision }: Pick<TemplateRow, 'id' | 'revision'>): string {
  return `${id}.${revision}`;
}
