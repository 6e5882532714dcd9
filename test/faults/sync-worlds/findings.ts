import { isCopyOf } from '../../../src/sync/ports/store-images.ts';
import type { Engine } from './engine.ts';
import { isOfProduct, type Values } from './goods.ts';
import type { Trial } from './trial.ts';

/** What of a world is not as it has to be once all is done. */
export function findings({ world, people }: Trial, doubtful: ReadonlySet<string>): string[] {
  const { direction, fields } = world;
  const store = world.store();
  const sheet = Map.groupBy(world.sheet(), ({ sku }) => sku ?? '');
  const wrong: string[] = [];

  for (const [sku, values] of store) {
    const rows = sheet.get(sku) ?? [];
    const isListed = people.isListed(sku);
    const isExpected = isListed || direction !== 'sheet_to_store';
    if (rows.length !== (isExpected ? 1 : 0)) wrong.push(`${sku} has ${rows.length} rows`);
    const right = isExpected ? people.truth.get(sku) : people.store.get(sku);
    for (const field of doubtful.has(sku) ? [] : fields) {
      if (isOfProduct(field) && !isExpected) continue;
      if (!isRight(field, values, right)) wrong.push(told('store', sku, field, values, right));
      for (const row of rows)
        if (!isRight(field, row, right)) wrong.push(told('sheet', sku, field, row, right));
    }
    // A row that was deleted while ours were written comes back whole, or as a new one.
    const notes = isListed ? [`note of ${sku}`] : [`note of ${sku}`, ''];
    if (rows.some(({ note }) => !notes.includes(String(note)))) wrong.push(`${sku} has the note of another`);
  }
  for (const [sku, rows] of sheet)
    if (!store.has(sku) && (sku !== 'MINE' || rows.length !== 1)) wrong.push(`${rows.length} rows of ${sku}`);
  if (!sheet.has('MINE')) wrong.push('a row that was not ours is gone');
  return wrong;
}

/** The store has a copy of a picture that was typed in the sheet, and the sheet its address. */
export function isRight(field: keyof Values, is: Values, right: Values | undefined): boolean {
  return is[field] === right?.[field] || (field === 'image' && isCopyOf(is.image, right?.image));
}

function told(side: string, sku: string, field: keyof Values, is: Values, right: Values | undefined): string {
  return `${side} ${sku} ${field}: ${is[field]}, not ${right?.[field]}`;
}

/**
 * Rows left to a person, which wait whole: it is no longer known which side changed their quantity, or, after
 * an outage, a cell whose write was lost has since changed on both sides.
 */
export async function doubts({ sql }: Engine, { world, count }: Trial): Promise<Set<string>> {
  const at = world.settings.mappings.findIndex(({ store_field }) => store_field === 'inventory_quantity') + 1;
  const rows = await sql<{ key: string }[]>`
    select key from sync_base where config_id = ${world.id} and vals[${at}::int] is null
    union
    select key from sync_changes where ${count.failed > 0} and state = 'conflict' and run_id = (
      select id from sync_runs where config_id = ${world.id} order by seq desc limit 1)`;
  return new Set(rows.map(({ key }) => key));
}
