import type { Sql } from '../../platform/database/database.ts';
import type { SyncNoteKey } from '../change.ts';
import type { Run } from '../runs/run.ts';
import { type StoreField, specOf } from '../values/field.ts';
import { listDivided } from './join-repo.ts';
import type { RowPlan } from './plan-row.ts';
import type { PlannedChange } from './planned-change-repo.ts';

export type SharedValues = {
  /** The plans of the next rows, without what their rows disagree on, and without sending the store a value twice. */
  settle(plans: readonly RowPlan[]): Promise<readonly RowPlan[]>;
};

type SharedValuesDeps = {
  readonly sql: Sql;
  readonly run: Run;
  /** Whether variants share inventory items. */
  readonly sharesItems: boolean;
};

/**
 * What several rows have in common, since the store has it only once: what belongs to a product, such as its title, and to an
 * item where variants share one. The first of the rows tells the store, if all of them say the same; blank cells say
 * nothing. In both directions only rows that have changed count: the others follow the store.
 */
export function createSharedValues({ sql, run, sharesItems }: SharedValuesDeps): SharedValues {
  const { mappings } = run.settings;
  const baseOf = run.direction === 'two_way' ? run.config_id : null;
  const told = new Set<string>();

  return {
    async settle(plans) {
      let settled = plans;
      for (const [nth, { store_field: field }] of mappings.entries()) {
        const sharing = sharingOf(field, sharesItems);
        if (sharing && plans.some(({ changes }) => changes.some((change) => tells(change, field))))
          settled = await settleField(settled, { field, position: nth + 1, ...sharing });
      }
      return settled;
    },
  };

  async function settleField(plans: readonly RowPlan[], shared: Shared): Promise<readonly RowPlan[]> {
    const { field, position, by } = shared;
    const telling = plans.flatMap(({ changes }) => changes.filter((change) => tells(change, field)));
    const ids = [...new Set(telling.map((change) => idOf(change, by)))];
    const isDivided = new Set(await listDivided(sql, run.id, by, { position, baseOf }, ids));
    return plans.map((plan) => settlePlan(plan, shared, isDivided));
  }

  function settlePlan(plan: RowPlan, { field, by, note }: Shared, divided: ReadonlySet<string>): RowPlan {
    const telling = plan.changes.find((change) => tells(change, field));
    if (!telling) return plan;
    const id = idOf(telling, by);
    if (divided.has(id)) {
      const { row, key: sku } = plan.row;
      const changes = plan.changes.filter((change) => change.field !== field);
      return { ...plan, changes, notes: [...plan.notes, { key: note, row, sku, field }] };
    }
    const isShared = told.has(`${field} ${id}`);
    told.add(`${field} ${id}`);
    return isShared ? { ...plan, changes: plan.changes.filter((change) => change !== telling) } : plan;
  }
}

type Sharing = { readonly by: 'product' | 'item'; readonly note: SyncNoteKey };
type Shared = Sharing & { readonly field: StoreField; readonly position: number };

function sharingOf(field: StoreField, sharesItems: boolean): Sharing | undefined {
  switch (specOf(field).level) {
    case 'product':
      return { by: 'product', note: field === 'title' ? 'titles_differ' : 'product_values_differ' };
    case 'item':
    case 'quantity':
      return sharesItems ? { by: 'item', note: 'items_differ' } : undefined;
    case 'variant':
      return undefined;
  }
}

function tells({ side, field, state }: PlannedChange, wanted: StoreField): boolean {
  return side === 'store' && field === wanted && state === 'planned';
}

function idOf({ productId, itemId }: PlannedChange, by: 'product' | 'item'): string {
  return (by === 'product' ? productId : itemId) ?? '';
}
