import { Fault } from '../../errors.ts';
import type { Locale } from '../../language.ts';
import type { Sql, Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { type Author, type TemplateContext, write } from '../context.ts';
import {
  deleteApprovals,
  type EnvironmentRow,
  insertApproval,
  movePointer,
  type PastVersion,
  pastVersions,
  selectEnvironment,
  selectEnvironmentForUpdate,
} from '../repository/environment-repo.ts';
import { type TemplateRow, touchTemplate } from '../repository/template-repo.ts';
import { labelsOf, type VersionRow } from '../repository/version-repo.ts';
import {
  choiceOf,
  findById,
  findContent,
  findInEnvironment,
  findVersion,
  lockTemplate,
} from '../resolve/find-version.ts';
import { DEFAULT_BRANCH, type EnvironmentName } from '../schema.ts';
import { type Check, createPromotionChecks, requirePassed } from './promotion-checks.ts';

export type Promotion = {
  readonly to: EnvironmentName;
  /** A branch or an environment whose version to take. */
  readonly from?: string | undefined;
  readonly version?: string | undefined;
  readonly force: boolean;
  readonly note: string;
  /** The language of the findings. */
  readonly locale: Locale;
  /** The version that the environment must still be on; null for none. */
  readonly replaces?: string | null | undefined;
};

/** How many versions an error names. */
const NAMED_VERSIONS = 5;

type Promoted = {
  readonly template: string;
  readonly environment: EnvironmentName;
  readonly version: string;
  readonly previous?: string;
  readonly status: 'promoted' | 'awaiting_approval' | 'unchanged';
  readonly id?: string;
  readonly approvals: number;
  readonly approvals_required: number;
  readonly checks: readonly Check[];
};

type Move = {
  readonly template: TemplateRow;
  readonly version: VersionRow;
  readonly shown: VersionRow | undefined;
  readonly environment: EnvironmentRow;
  readonly action: 'promoted' | 'rolled_back';
  readonly forced: boolean;
  readonly note: string;
};

/** Promotes versions to environments after checks, and rolls environments back immediately. */
export function createPromotion(context: TemplateContext) {
  const { sql } = context;
  const checks = createPromotionChecks(context);

  async function move(tx: Tx, { accountId, actor }: Author, { template, version, shown, ...move }: Move) {
    const { environment, action, forced, note } = move;
    const pointer = { environment: environment.name, version_id: version.id, previous_id: shown?.id ?? null };
    const event = { id: newId('pev'), ...pointer, action, forced, note, actor };
    await movePointer(tx, accountId, template.id, event);
    await deleteApprovals(tx, accountId, template.id, environment.name);
    await touchTemplate(tx, accountId, template.id);
    return {
      result: { id: event.id },
      event: {
        action: `environment.${action}`,
        target: template.name,
        from: shown?.label,
        to: version.label,
        detail: { environment: environment.name, forced, note },
      },
    };
  }

  return {
    /**
     * Puts an environment on another version, when the checks pass or are forced and enough people approve.
     * @throws Fault breaking_change, conflict, forbidden
     */
    async promote(author: Author, name: string, promotion: Promotion): Promise<Promoted> {
      const { to, from, version: wanted, force, note, locale, replaces } = promotion;
      const { accountId, actor } = author;
      const choice = wanted
        ? { version: wanted }
        : choiceOf(from ?? (to === 'production' ? 'staging' : DEFAULT_BRANCH));
      const found = await findContent(sql, accountId, name, choice);
      const { template, version } = found;
      const { version: shown } = await findInEnvironment(sql, accountId, name, to);
      if (replaces !== undefined && replaces !== (shown?.label ?? null)) throw environmentMoved(to, shown);
      const base = {
        template: name,
        environment: to,
        version: version.label,
        ...(shown && { previous: shown.label }),
      };
      const { approvals: required } = await findEnvironment(sql, accountId, to);
      const needs = { approvals: 0, approvals_required: required, checks: [] as Check[] };
      if (shown?.id === version.id) return { ...base, ...needs, status: 'unchanged' };
      const results = await checks(accountId, found, shown, locale);
      if (!force) requirePassed(results, version, to);
      return write<Promoted>(context, author, async (tx) => {
        const locked = await lockTemplate(tx, accountId, name);
        const environment = await lockEnvironment(tx, accountId, to);
        await requireSourceEnvironment(tx, accountId, locked, version, environment);
        const { version: now } = await findInEnvironment(tx, accountId, name, to);
        if (locked.id !== template.id || now?.id !== shown?.id) throw environmentMoved(to, now);
        const approval = {
          templateId: locked.id,
          environment: to,
          versionId: version.id,
          actor: author.approver ?? actor,
        };
        const approvals = environment.approvals > 0 ? await insertApproval(tx, accountId, approval) : 0;
        const answer = { ...base, approvals, approvals_required: environment.approvals, checks: results };
        if (approvals < environment.approvals) {
          const event = {
            action: 'environment.approved',
            target: name,
            to: version.label,
            detail: { environment: to },
          };
          return { result: { ...answer, status: 'awaiting_approval' }, event };
        }
        const forced = force && results.some(({ passed }) => !passed);
        const moved = await move(tx, author, {
          template: locked,
          version,
          shown,
          environment,
          action: 'promoted',
          forced,
          note,
        });
        return { result: { ...answer, ...moved.result, status: 'promoted' }, event: moved.event };
      });
    },

    /** Label of the version that a rollback without `to` goes back to, if there is one. @throws Fault not_found */
    async previous(
      accountId: string,
      name: string,
      environment: EnvironmentName,
    ): Promise<string | undefined> {
      const { template } = await findVersion(sql, accountId, name, { environment });
      const past = await pastVersions(sql, accountId, template.id, environment);
      return (await previousVersion(sql, accountId, past))?.label;
    },

    /**
     * Puts an environment back on a version it was on before, without checks: it was checked when it was promoted.
     * Without `to`, the one before the last promotion.
     */
    async rollback(
      author: Author,
      name: string,
      environmentName: EnvironmentName,
      to: string | undefined,
      note: string,
    ) {
      const { accountId } = author;
      return write(context, author, async (tx) => {
        const template = await lockTemplate(tx, accountId, name);
        const environment = await lockEnvironment(tx, accountId, environmentName);
        const { version: shown } = await findVersion(tx, accountId, name, { environment: environmentName });
        const past = await pastVersions(tx, accountId, template.id, environmentName);
        const version =
          to === undefined
            ? await previousVersion(tx, accountId, past)
            : (await findVersion(tx, accountId, name, choiceOf(to))).version;
        if (!version) throw await noOlder(tx, accountId, { name, environment: environmentName, past, shown });
        const place = { environment: environmentName, version: version.label };
        if (version.id === shown.id) throw new Fault('conflict.already_there', place);
        if (!past.some(({ version_id }) => version_id === version.id))
          throw new Fault('conflict.never_shown', place);
        const change = {
          template,
          version,
          shown,
          environment,
          action: 'rolled_back',
          forced: false,
          note,
        } as const;
        const moved = await move(tx, author, change);
        const answer = { template: name, ...place, previous: shown.label };
        return { result: { ...answer, ...moved.result }, event: moved.event };
      });
    },
  };
}

function environmentMoved(environment: EnvironmentName, now: VersionRow | undefined): Fault {
  return new Fault('conflict.environment_moved', { environment, version: now?.label ?? '-' });
}

/** There is nothing before the first version, but there may be something after it to go forward to. */
async function noOlder(
  tx: Tx,
  accountId: string,
  place: {
    readonly name: string;
    readonly environment: EnvironmentName;
    readonly past: readonly PastVersion[];
    readonly shown: VersionRow;
  },
): Promise<Fault> {
  const { name: template, environment, past, shown } = place;
  const others = new Set(past.map(({ version_id }) => version_id).filter((id) => id !== shown.id));
  const newest = [...others].reverse().slice(0, NAMED_VERSIONS);
  if (newest.length === 0) return new Fault('conflict.no_previous', { environment, template });
  const labels = await labelsOf(tx, accountId, newest);
  const versions = newest.flatMap((id) => labels.get(id) ?? []);
  const [latest = ''] = versions;
  const told = { template, environment, version: shown.label, versions: versions.join(', '), newest: latest };
  return new Fault('conflict.no_older', told);
}

async function previousVersion(
  tx: Sql | Tx,
  accountId: string,
  past: readonly PastVersion[],
): Promise<VersionRow | undefined> {
  const id = beforeLastPromotion(past);
  return id === undefined ? undefined : findById(tx, accountId, id);
}

/** Rolling back twice goes back two promotions. */
function beforeLastPromotion(past: readonly PastVersion[]): string | undefined {
  const stack: string[] = [];
  for (const { version_id, action } of past) {
    if (action !== 'rolled_back') stack.push(version_id);
    else while (stack.length > 1 && stack.at(-1) !== version_id) stack.pop();
  }
  return stack.at(-2);
}

/** Finds an environment and blocks changes to its protection until the transaction ends. @throws Fault forbidden when it is frozen */
async function lockEnvironment(tx: Tx, accountId: string, name: EnvironmentName): Promise<EnvironmentRow> {
  const environment = await selectEnvironmentForUpdate(tx, accountId, name);
  if (!environment) throw new Error(`account ${accountId} has no environment ${name}`);
  if (environment.frozen) throw new Fault('forbidden.frozen', { environment: name });
  return environment;
}

async function findEnvironment(sql: Sql, accountId: string, name: EnvironmentName): Promise<EnvironmentRow> {
  const found = await selectEnvironment(sql, accountId, name);
  if (!found) throw new Error(`account ${accountId} has no environment ${name}`);
  return found;
}

async function requireSourceEnvironment(
  tx: Tx,
  accountId: string,
  template: TemplateRow,
  version: VersionRow,
  environment: EnvironmentRow,
) {
  const required = environment.require_from;
  if (required === null) return;
  const { version: there } = await findInEnvironment(tx, accountId, template.name, required);
  if (there?.id === version.id) return;
  throw new Fault('conflict.require_from', {
    environment: environment.name,
    required,
    version: version.label,
  });
}
