import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import type { Run } from '../runs/run.ts';
import { WRITE_ROWS } from '../statement-size.ts';

const More = z.object({ more: z.boolean() });

/** `rows` are `packed` keys, folded keys, ids, weighings, titles, what is not null where untracked, and values; numbered from `first` in their order. */
export async function insertStore(
  sql: Sql | Tx,
  runId: string,
  first: number,
  rows: readonly string[],
): Promise<void> {
  const inserting = sql`
    insert into sync_read_store (run_id, seq, key, folded, variant_id, product_id, item_id, unit, title, untracked, vals)
    select ${runId}, ${first}::int + nth::int - 1, part[1], part[2], part[3], part[4], part[5], part[6],
      part[7], part[8] is not null, part[9:]
    from unnest(string_to_array(${rows.join(BETWEEN_ROWS)}, chr(29))) with ordinality as given (line, nth)
    cross join lateral string_to_array(line, chr(31), chr(30)) as part`;
  await inserting;
  forgetText(inserting);
}

/** `rows` are `packed` row numbers, keys, folded keys and values, then why each cannot be used, where one cannot. */
export async function insertSheet(
  sql: Sql | Tx,
  runId: string,
  columns: number,
  rows: readonly string[],
): Promise<void> {
  const inserting = sql`
    insert into sync_read_sheet (run_id, row_no, key, folded, vals, faults)
    select ${runId}, part[1]::int, part[2], part[3], part[4:3 + ${columns}::int],
      case when cardinality(part) > 3 + ${columns}::int then part[4 + ${columns}::int:] end
    from unnest(string_to_array(${rows.join(BETWEEN_ROWS)}, chr(29))) as given (line)
    cross join lateral string_to_array(line, chr(31), chr(30)) as part`;
  await inserting;
  forgetText(inserting);
}

/** Deletes up to WRITE_ROWS rows of each side that the run has read; returns whether there are more. */
export async function deleteSome(sql: Sql | Tx, runId: string): Promise<boolean> {
  const [row] = await sql`
    with store as (
      select min(seq) + ${WRITE_ROWS}::int as until from sync_read_store where run_id = ${runId}
    ), sheet as (
      select min(row_no) + ${WRITE_ROWS}::int as until from sync_read_sheet where run_id = ${runId}
    ), deleted_store as (
      delete from sync_read_store where run_id = ${runId} and seq < (select until from store)
    ), deleted_sheet as (
      delete from sync_read_sheet where run_id = ${runId} and row_no < (select until from sheet)
    )
    select exists (select from sync_read_store where run_id = ${runId} and seq >= (select until from store))
      or exists (select from sync_read_sheet where run_id = ${runId} and row_no >= (select until from sheet)) as more`;
  return More.parse(row).more;
}

/** Deletes up to WRITE_ROWS rows of each side and of the changes of an earlier plan of the run; returns whether there are more. */
export async function deleteSomeWithPlan(
  sql: Sql | Tx,
  { id, account_id: accountId }: Pick<Run, 'id' | 'account_id'>,
): Promise<boolean> {
  const [row] = await sql`
    with store as (
      select min(seq) + ${WRITE_ROWS}::int as until from sync_read_store where run_id = ${id}
    ), sheet as (
      select min(row_no) + ${WRITE_ROWS}::int as until from sync_read_sheet where run_id = ${id}
    ), change as (
      select min(seq) + ${WRITE_ROWS}::int as until from sync_changes where run_id = ${id} and account_id = ${accountId}
    ), deleted_store as (
      delete from sync_read_store where run_id = ${id} and seq < (select until from store)
    ), deleted_sheet as (
      delete from sync_read_sheet where run_id = ${id} and row_no < (select until from sheet)
    ), deleted_changes as (
      delete from sync_changes
      where run_id = ${id} and account_id = ${accountId} and seq < (select until from change)
    )
    select exists (select from sync_read_store where run_id = ${id} and seq >= (select until from store))
      or exists (select from sync_read_sheet where run_id = ${id} and row_no >= (select until from sheet))
      or exists (select from sync_changes
        where run_id = ${id} and account_id = ${accountId} and seq >= (select until from change)) as more`;
  return More.parse(row).more;
}

/**
 * A query of the driver (postgres 3.4.9) that has been answered is still held by the one before it, with all its text,
 * until memory is collected as a whole: a large store would be in memory once more.
 */
function forgetText(answered: object): void {
  Object.assign(answered, { args: [], parameters: [] });
}

/**
 * Texts in one, as the statements above take them apart: an array of arrays cannot be sent, and arrays of texts cost the
 * driver so much that a large store shows in the memory of the process.
 */
export function packed(texts: readonly (string | null)[]): string {
  return texts.map((text) => (text === null ? NOTHING : storable(text))).join(BETWEEN);
}

const BETWEEN = '\u001f';
const NOTHING = '\u001e';
const BETWEEN_ROWS = '\u001d';
const NOT_STORABLE = [BETWEEN, NOTHING, BETWEEN_ROWS, '\0'];

/** Without the separator of texts, and characters that the database can't store. */
function storable(text: string): string {
  let kept = text;
  for (const odd of NOT_STORABLE) if (kept.includes(odd)) kept = kept.replaceAll(odd, ' ');
  return kept;
}
