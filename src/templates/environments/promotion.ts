import { Fault } from '../../errors.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { check, runFixtures } from '../check.ts';
import type { Author, TemplateContext } from '../context.ts';
import { compareContracts, describe } from '../contract.ts';
import { createFixtureStore } from '../fixtures/store.ts';
import { createLookup } from '../lookup.ts';
import { DEFAULT_BRANCH, type EnvironmentName } from '../schema.ts';
import { createTemplateStore, type TemplateRow, type VersionRow } from '../store.ts';
import { write } from '../write.ts';
import { createEnvironmentStore, type EnvironmentRow, type ShownVersion } from './store.ts';

export type Promotion = {
  readonly to: EnvironmentName;
  /** A branch or an environment whose version to take. */
  readonly from?: string | undefined;
  readonly version?: string | undefined;
  readonly force: boolean;
  readonly note: string;
};

type Check = {
  readonly check: 'fixtures' | 'contract';
  readonly passed: boolean;
  readonly findings: string[];
};

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

/** Moves environments: forward when the checks pass, back at once. */
export function createPromotion(context: TemplateContext) {
  const store = createEnvironmentStore(context.sql);
  const templates = createTemplateStore(context.sql);
  const lookup = createLookup(context.sql);

  async function checks(
    accountId: string,
    template: TemplateRow,
    version: VersionRow,
    shown: VersionRow | undefined,
  ) {
    const document = await templates.content(accountId, version.content);
    const { plan } = await check(context, accountId, template.kind, document);
    const failures = runFixtures(
      context,
      plan,
      await createFixtureStore(context.sql).list(accountId, template.id),
    );
    const changes = shown ? compareContracts(shown.variables, version.variables) : [];
    const breaking = changes.filter((change) => change.breaking).map(describe);
    const fixtures = failures.map(({ params }) => `${params?.['fixture']}: ${params?.['reason']}`);
    return [
      { check: 'contract', passed: breaking.length === 0, findings: breaking },
      { check: 'fixtures', passed: fixtures.length === 0, findings: fixtures },
    ] satisfies Check[];
  }

  async function move(tx: Tx, { accountId, actor }: Author, { template, version, shown, ...move }: Move) {
    const { environment, action, forced, note } = move;
    const inside = createEnvironmentStore(tx);
    const pointer = { environment: environment.name, version_id: version.id, previous_id: shown?.id ?? null };
    const event = { id: newId('pev'), ...pointer, action, forced, note, actor };
    await inside.point(accountId, template.id, event);
    await inside.forgetApprovals(accountId, template.id, environment.name);
    await createTemplateStore(tx).touchTemplate(accountId, template.id);
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
     * Makes an environment show another version, when the checks pass or are forced and enough people approve.
     * @throws Fault breaking_change, conflict, forbidden
     */
    async promote(author: Author, name: string, promotion: Promotion): Promise<Promoted> {
      const { to, from, version: wanted, force, note } = promotion;
      const { accountId, actor } = author;
      const template = await lookup.template(accountId, name);
      const version = wanted
        ? await lookup.version(accountId, template, wanted)
        : await lookup.reference(
            accountId,
            template,
            from ?? (to === 'production' ? 'staging' : DEFAULT_BRANCH),
          );
      const shown = await lookup.shown(accountId, template, to);
      const base = {
        template: name,
        environment: to,
        version: version.label,
        ...(shown && { previous: shown.label }),
      };
      const { approvals: required } = await findEnvironment(store, accountId, to);
      const needs = { approvals: 0, approvals_required: required, checks: [] as Check[] };
      if (shown?.id === version.id) return { ...base, ...needs, status: 'unchanged' };
      const results = await checks(accountId, template, version, shown);
      if (!force) demandPassed(results, version, to);
      return write<Promoted>(context, author, async (tx) => {
        const locked = await createLookup(tx).lock(accountId, name);
        const inside = createEnvironmentStore(tx);
        const environment = await demandOpen(tx, accountId, to);
        await demandShownFirst(tx, accountId, locked, version, environment);
        const now = await createLookup(tx).shown(accountId, locked, to);
        if (locked.id !== template.id || now?.id !== shown?.id)
          throw new Fault('conflict.environment_moved', { environment: to, version: now?.label ?? '-' });
        const approval = { templateId: locked.id, environment: to, versionId: version.id, actor };
        const approvals = environment.approvals > 0 ? await inside.approve(accountId, approval) : 0;
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

    /**
     * Makes an environment show a version again that it has shown before, at once and without checks: it was checked
     * when it was promoted. Without `to`, the one before the promotion of what it shows now.
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
        const inside = createLookup(tx);
        const template = await inside.lock(accountId, name);
        const environment = await demandOpen(tx, accountId, environmentName);
        const shown = await inside.shownOrFault(accountId, template, environmentName);
        const past = await createEnvironmentStore(tx).shownVersions(accountId, template.id, environmentName);
        const wanted =
          to === undefined ? beforeLastPromotion(past) : (await inside.reference(accountId, template, to)).id;
        if (wanted === undefined)
          throw new Fault('conflict.no_previous', { environment: environmentName, template: name });
        const version = await inside.byId(accountId, wanted);
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

/** Going back twice goes back two promotions, not forth again. */
function beforeLastPromotion(past: readonly ShownVersion[]): string | undefined {
  const stack: string[] = [];
  for (const { version_id, action } of past) {
    if (action !== 'rolled_back') stack.push(version_id);
    else while (stack.length > 1 && stack.at(-1) !== version_id) stack.pop();
  }
  return stack.at(-2);
}

/** What an environment demands, which stays so until the transaction ends. @throws Fault forbidden when it is frozen */
async function demandOpen(tx: Tx, accountId: string, name: EnvironmentName): Promise<EnvironmentRow> {
  const environment = await createEnvironmentStore(tx).lock(accountId, name);
  if (!environment) throw new Error(`account ${accountId} has no environment ${name}`);
  if (environment.frozen) throw new Fault('forbidden.frozen', { environment: name });
  return environment;
}

async function findEnvironment(
  store: ReturnType<typeof createEnvironmentStore>,
  accountId: string,
  name: EnvironmentName,
): Promise<EnvironmentRow> {
  const found = await store.find(accountId, name);
  if (!found) throw new Error(`account ${accountId} has no environment ${name}`);
  return found;
}

async function demandShownFirst(
  tx: Tx,
  accountId: string,
  template: TemplateRow,
  version: VersionRow,
  environment: EnvironmentRow,
) {
  const required = environment.require_from;
  if (required === null) return;
  const there = await createLookup(tx).shown(accountId, template, required);
  if (there?.id === version.id) return;
  throw new Fault('conflict.require_from', {
    environment: environment.name,
    required,
    version: version.label,
  });
}

function demandPassed(results: readonly Check[], version: VersionRow, environment: EnvironmentName): void {
  for (const { check: name, passed, findings } of results) {
    if (passed) continue;
    const params = { version: version.label, environment, changes: findings.join('; ') };
    const key = name === 'contract' ? 'breaking_change.promotion' : 'conflict.fixtures';
    throw new Fault(key, params, { data: { checks: results } });
  }
}
