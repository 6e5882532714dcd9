import { Fault } from '../../errors.ts';
import { type Check, effectiveStyles as looksOf } from './effective-style.ts';
import { CLIP_BYTES, readPage } from './page.ts';
import { clientSupport } from './rules/client-support.ts';
import { envelope, preheader } from './rules/envelope.ts';
import { linkNames, links } from './rules/links.ts';
import { document, images, imageWeights, markup, size, styleSize } from './rules/markup.ts';
import { reading } from './rules/reading.ts';
import {
  type Finding,
  type Found,
  LINT_LIMITS,
  LINT_NOTES,
  LINT_RULES,
  type Mail,
  type Rule,
  type RuleId,
  type Severity,
} from './rules.ts';
import { chooseClients } from './support.ts';

export type LintOptions = {
  /** Mail clients by family or `family.platform`; without them those that matter. */
  readonly clients?: readonly string[] | undefined;
  /** Ids of the rules to follow; without them all. */
  readonly rules?: readonly string[] | undefined;
  /** Values that stand for data not known yet: an address made of one says nothing about the email. */
  readonly samples?: readonly string[];
  /** Bytes of images by their address, where they are known. */
  readonly weights?: Readonly<Record<string, number>>;
};

/** Sizes are bytes of HTML. */
export type LintReport = {
  /** From 100 for nothing wrong down to 0, see `score`. */
  readonly score: number;
  /**
   * Errors first, then in the order of the HTML, with what concerns the whole email before the rest. Before all stands
   * `partly-examined`, where the email was too large or too deeply nested to look at all of it.
   */
  readonly findings: readonly Finding[];
  readonly size: { readonly bytes: number; readonly clip_at: number };
};

const KNOWN = new Map([...LINT_RULES, ...LINT_NOTES].map((rule) => [rule.id, rule]));
const WEIGHTS = { error: 0, warning: 1, info: 2 } as const;

/**
 * Says what is wrong with a finished email, and for which email clients. Lines and columns are those of the HTML given.
 * The same email gets the same report. A hostile email holds its thread for some 100 ms: a server asks `Examiner`.
 * In: the email as it is sent. Out: a score, findings and sizes. Invariant: pure; nothing of the email is loaded or
 * run.
 * @throws Fault validation_failed for a rule or client that does not exist
 */
export function lint(mail: Mail, options: LintOptions = {}): LintReport {
  const { rules, samples = [] } = options;
  const followed = chooseRules(rules);
  const findings = gather(examine(mail, options), followed, samples);
  return { score: score(findings), findings: cut(findings), size: measure(mail) };
}

function chooseRules(wanted: readonly string[] | undefined): ReadonlySet<string> {
  const known = LINT_RULES.map(({ id }) => id);
  if (!wanted || wanted.length === 0) return new Set([...known, ...LINT_NOTES.map(({ id }) => id)]);
  const unknown = wanted.find((id) => !known.includes(id as RuleId));
  if (unknown !== undefined)
    throw new Fault('validation_failed.lint_rule', { name: unknown, known: known.join(', ') });
  return new Set([...wanted, 'partly-examined']);
}

/** Makes one finding of what is found again, and puts errors first. */
function gather(
  found: Iterable<Found>,
  followed: ReadonlySet<string>,
  samples: readonly string[],
): Finding[] {
  const findings = new Map<string, Finding>();
  for (const one of found) {
    const rule = KNOWN.get(one.rule);
    if (!rule || !followed.has(rule.id) || isSample(one, samples)) continue;
    const name = one.group ?? (rule.severity === 'info' ? rule.id : `${findings.size}`);
    const before = findings.get(name);
    findings.set(name, before ? { ...before, count: (before.count ?? 1) + 1 } : findingOf(one, rule));
  }
  return [...findings.values()].sort(byWeightThenPlace);
}

function isSample({ params }: Found, samples: readonly string[]): boolean {
  const address = params?.['address'];
  return typeof address === 'string' && samples.some((sample) => address.includes(sample));
}

function findingOf({ rule, at, params = {}, clients }: Found, { severity }: Rule): Finding {
  return { rule, severity, params, ...at, ...(clients && { clients }) };
}

function byWeightThenPlace(a: Finding, b: Finding): number {
  return weightOf(a) - weightOf(b) || (a.line ?? 0) - (b.line ?? 0) || (a.col ?? 0) - (b.col ?? 0);
}

function weightOf({ rule, severity }: Finding): number {
  return rule === 'partly-examined' ? -1 : WEIGHTS[severity];
}

function cut(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= LINT_LIMITS.findings) return findings;
  const shown = LINT_LIMITS.findings - 1;
  const params = { shown, total: findings.length };
  return [...findings.slice(0, shown), { rule: 'findings-cut', severity: 'info', params }];
}

function measure({ html }: Mail): LintReport['size'] {
  return { bytes: Buffer.byteLength(html), clip_at: CLIP_BYTES };
}

const CHECKS: readonly Check[] = [markup, document, images, links, linkNames, reading, clientSupport];

/**
 * Everything the rules see in an email. HTML with too many elements or levels is not read, only weighed.
 * @throws Fault validation_failed for a client that does not exist
 */
function* examine(mail: Mail, { clients: wanted, weights = {} }: LintOptions): Iterable<Found> {
  const clients = chooseClients(wanted);
  const page = readPage(mail.html);
  if (!page || page.isCut) yield { rule: 'partly-examined' };
  yield* size(mail);
  yield* envelope(mail);
  if (!page) return;
  const looks = looksOf(page);
  const examined = { mail, page, looks, clients };
  yield* styleSize(page);
  yield* preheader(examined);
  for (const check of CHECKS) yield* check(examined);
  yield* imageWeights(page, weights);
}

/** What the first place a rule finds costs, each place more, and the rule at most. */
const COSTS: Readonly<Record<Severity, { first: number; more: number; most: number }>> = {
  error: { first: 20, more: 5, most: 40 },
  warning: { first: 5, more: 1, most: 10 },
  info: { first: 0, more: 0, most: 0 },
};

/**
 * From 100 for an email without errors and warnings down to 0. A rule that finds an error costs 20, and 5 for each further
 * place up to 40; a warning costs 5, and 1 for each further place up to 10. Advice costs nothing, and whether the same
 * thing was found in many places counts once where they are reported as one finding.
 */
function score(findings: readonly Finding[]): number {
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  const costs = [...byRule.values()].map((found) => {
    const { first, more, most } = COSTS[found[0]?.severity ?? 'info'];
    return Math.min(first + more * (found.length - 1), most);
  });
  return Math.max(0, 100 - costs.reduce((sum, cost) => sum + cost, 0));
}
