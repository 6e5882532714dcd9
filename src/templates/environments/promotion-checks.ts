import { Fault, type FaultKey } from '../../errors.ts';
import {
  type CheckFinding,
  type Locale,
  localizeCheck,
  localizeFault,
  localizeFinding,
  plainReader,
} from '../../language.ts';
import type { TemplateContext } from '../context.ts';
import { createLinting } from '../lint/linting.ts';
import type { Finding } from '../lint/rules.ts';
import { SAMPLE_FIXTURE } from '../rendering/rendering.ts';
import { listFixtures } from '../repository/fixture-repo.ts';
import type { VersionRow } from '../repository/version-repo.ts';
import type { FoundContent } from '../resolve/find-version.ts';
import type { EnvironmentName } from '../schema.ts';
import { check, failedFixtures } from '../versions/check.ts';
import { compareContracts } from '../versions/contract.ts';

/** What one check of a promotion found, in the language of its reader. */
export type Check = {
  readonly check: 'contract' | 'fixtures' | 'lint';
  readonly passed: boolean;
  readonly findings: string[];
};

/** Checks whether a version can replace the one that an environment is on. */
export function createPromotionChecks(context: TemplateContext) {
  const linting = createLinting(context);

  return async (
    accountId: string,
    { template, version, document }: FoundContent,
    current: VersionRow | undefined,
    locale: Locale,
  ): Promise<Check[]> => {
    const { resolved } = await check(context, accountId, template.kind, document);
    const samples = await listFixtures(context.sql, accountId, template.id);
    const sample = samples.find(({ name }) => name === SAMPLE_FIXTURE)?.data;
    const lint = template.kind === 'template' && (await linting.lintFilled({ accountId }, resolved, sample));
    const result = (name: Check['check'], findings: readonly CheckFinding[]): Check => ({
      check: name,
      passed: findings.length === 0,
      findings: findings.map((finding) => localizeCheck(finding, locale)),
    });
    return [
      result('contract', current ? breakingChanges(current, version) : []),
      result(
        'fixtures',
        failedFixtures(context, resolved, samples).map((failed) => fixtureFinding(failed, locale)),
      ),
      result(
        'lint',
        lint ? lint.findings.filter(isError).map((finding) => lintFinding(finding, locale)) : [],
      ),
    ];
  };
}

function breakingChanges(current: VersionRow, version: VersionRow): CheckFinding[] {
  return compareContracts(current.variables, version.variables).flatMap((change) =>
    change.breaking ? [{ key: change.change, params: { variable: change.variable } }] : [],
  );
}

function fixtureFinding({ fixture, fault }: { fixture: string; fault: Fault }, locale: Locale): CheckFinding {
  const { names } = fault.params;
  if (fault.code === 'missing_variables' && names !== undefined)
    return { key: 'fixture_lacks', params: { fixture, names } };
  return { key: 'fixture', params: { fixture, reason: localizeFault(fault, plainReader(locale)).title } };
}

const isError = ({ severity }: Finding) => severity === 'error';

/** Such as `line 3: The link 'nowhere.com' does not work in an email (link-broken)`: a part of a sentence. */
function lintFinding({ rule, line, params }: Finding, locale: Locale): CheckFinding {
  const message = localizeFinding({ rule, params }, locale).message.replace(/\.$/, '');
  return line === undefined
    ? { key: 'lint', params: { rule, message } }
    : { key: 'lint_line', params: { rule, message, line } };
}

const FAULTS = {
  contract: 'breaking_change.promotion',
  fixtures: 'conflict.fixtures',
  lint: 'conflict.lint',
} as const satisfies Record<Check['check'], FaultKey>;

/** @throws Fault breaking_change, conflict: of the first check that failed, with the findings of all */
export function requirePassed(
  results: readonly Check[],
  version: VersionRow,
  environment: EnvironmentName,
): void {
  for (const { check: name, passed, findings } of results) {
    if (passed) continue;
    const params = { version: version.label, environment, changes: findings.join('; ') };
    throw new Fault(FAULTS[name], params, { data: { checks: results } });
  }
}
