import { z } from 'zod';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { EnvironmentName } from '../schema.ts';

const PointerRow = z.object({
  template_id: z.string(),
  environment: EnvironmentName,
  version_id: z.string(),
  label: z.string(),
});
export type PointerRow = z.output<typeof PointerRow>;

const EnvironmentRow = z.object({
  name: EnvironmentName,
  require_from: EnvironmentName.nullable(),
  approvals: z.number(),
  frozen: z.boolean(),
});
export type EnvironmentRow = z.output<typeof EnvironmentRow>;

const PointerEventRow = z.object({
  seq: z.number(),
  id: z.string(),
  environment: EnvironmentName,
  label: z.string(),
  previous: z.string().nullable(),
  action: z.enum(['created', 'promoted', 'rolled_back']),
  forced: z.boolean(),
  note: z.string(),
  actor: z.string(),
  created_at: z.date(),
});
export type PointerEventRow = z.output<typeof PointerEventRow>;

const PastVersion = z.object({ version_id: z.string(), action: PointerEventRow.shape.action });
export type PastVersion = z.output<typeof PastVersion>;

export type NewPointerEvent = {
  readonly id: string;
  readonly environment: EnvironmentName;
  readonly version_id: string;
  readonly previous_id: string | null;
  readonly action: PointerEventRow['action'];
  readonly forced: boolean;
  readonly note: string;
  readonly actor: string;
};

export async function insertDefaultEnvironments(sql: Sql | Tx, accountId: string): Promise<void> {
  await sql`
    insert into environments (account_id, name, position)
    values (${accountId}, 'staging', 1), (${accountId}, 'production', 2) on conflict do nothing`;
}

export async function listEnvironments(sql: Sql | Tx, accountId: string): Promise<EnvironmentRow[]> {
  const rows = await sql`
    select name, require_from, approvals, frozen from environments
    where account_id = ${accountId} order by position`;
  return z.array(EnvironmentRow).parse(rows);
}

export async function selectEnvironment(
  sql: Sql | Tx,
  accountId: string,
  name: string,
): Promise<EnvironmentRow | undefined> {
  const [row] = await sql`
    select name, require_from, approvals, frozen from environments
    where account_id = ${accountId} and name = ${name}`;
  return row && EnvironmentRow.parse(row);
}

/** Blocks changes to the protection of an environment until the transaction ends. */
export async function selectEnvironmentForUpdate(
  sql: Sql | Tx,
  accountId: string,
  name: string,
): Promise<EnvironmentRow | undefined> {
  const [row] = await sql`
    select name, require_from, approvals, frozen from environments
    where account_id = ${accountId} and name = ${name} for update`;
  return row && EnvironmentRow.parse(row);
}

export async function updateProtection(sql: Sql | Tx, accountId: string, row: EnvironmentRow): Promise<void> {
  await sql`
    update environments
    set require_from = ${row.require_from}, approvals = ${row.approvals}, frozen = ${row.frozen}
    where account_id = ${accountId} and name = ${row.name}`;
}

/** The versions that the environments are on, for the given templates. */
export async function selectPointers(
  sql: Sql | Tx,
  accountId: string,
  templateIds: readonly string[],
): Promise<PointerRow[]> {
  const rows = await sql`
    select p.template_id, p.environment, p.version_id, v.label
    from pointers p join versions v on v.id = p.version_id
    where p.account_id = ${accountId} and p.template_id = any (${[...templateIds]}::text[])`;
  return z.array(PointerRow).parse(rows);
}

export async function movePointer(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  event: NewPointerEvent,
): Promise<void> {
  await sql`
    insert into pointers (account_id, template_id, environment, version_id)
    values (${accountId}, ${templateId}, ${event.environment}, ${event.version_id})
    on conflict (template_id, environment) do update set version_id = excluded.version_id`;
  // Where a new template starts is no promotion.
  await sql`
    with moved as (
      insert into pointer_events (id, account_id, template_id, environment, version_id, previous_id, action,
        forced, note, actor)
      values (${event.id}, ${accountId}, ${templateId}, ${event.environment}, ${event.version_id},
        ${event.previous_id}, ${event.action}, ${event.forced}, ${event.note}, ${event.actor})
      returning template_id, environment, version_id, previous_id, action, note, actor)
    select emit_event(${accountId}, 'environment.promoted', jsonb_build_object('template', t.name,
      'environment', m.environment, 'version', v.label, 'previous', p.label, 'action', m.action,
      'note', m.note, 'actor', m.actor))
    from moved m join templates t on t.id = m.template_id join versions v on v.id = m.version_id
      left join versions p on p.id = m.previous_id
    where m.action <> 'created'`;
}

export async function listPointerEvents(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  filter: { environment: EnvironmentName; before: number; limit: number },
): Promise<PointerEventRow[]> {
  const rows = await sql`
    select e.seq, e.id, e.environment, v.label, p.label as previous, e.action, e.forced, e.note, e.actor, e.created_at
    from pointer_events e
    join versions v on v.id = e.version_id
    left join versions p on p.id = e.previous_id
    where e.account_id = ${accountId} and e.template_id = ${templateId}
      and e.environment = ${filter.environment} and e.seq < ${filter.before}
    order by e.seq desc limit ${filter.limit}`;
  return z.array(PointerEventRow).parse(rows);
}

/** The versions that the environment has been on, oldest first. */
export async function pastVersions(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  environment: string,
): Promise<PastVersion[]> {
  const rows = await sql`
    select version_id, action from pointer_events
    where account_id = ${accountId} and template_id = ${templateId} and environment = ${environment}
    order by seq`;
  return z.array(PastVersion).parse(rows);
}

/** Records the approval of one person and returns how many there are for the version. */
export async function insertApproval(
  sql: Sql | Tx,
  accountId: string,
  approval: { templateId: string; environment: string; versionId: string; actor: string },
): Promise<number> {
  await sql`
    insert into promotion_approvals (account_id, template_id, environment, version_id, actor)
    values (${accountId}, ${approval.templateId}, ${approval.environment}, ${approval.versionId},
      ${approval.actor}) on conflict do nothing`;
  const [row] = await sql`
    select count(*)::int as count from promotion_approvals
    where account_id = ${accountId} and template_id = ${approval.templateId}
      and environment = ${approval.environment} and version_id = ${approval.versionId}`;
  return z.object({ count: z.number() }).parse(row).count;
}

/** A promotion uses up the approvals it required. */
export async function deleteApprovals(
  sql: Sql | Tx,
  accountId: string,
  templateId: string,
  environment: string,
): Promise<void> {
  await sql`
    delete from promotion_approvals
    where account_id = ${accountId} and template_id = ${templateId} and environment = ${environment}`;
}
