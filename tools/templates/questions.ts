import { Fault } from '../../src/errors.ts';
import { DEFAULT_BRANCH } from '../../src/templates/schema.ts';
import type { Call } from '../contract/define.ts';
import type { Question } from '../contract/require-confirmed.ts';

/** Characters of a diff that a person is shown; the whole one is a call away. */
const SHOWN = 1_500;

type Move = {
  readonly key: 'promote' | 'promote_forced' | 'roll_back';
  /** A version, branch or environment of the template, whose content production would show. */
  readonly version: string;
};

/**
 * What a person is asked before production of a template shows something else: which version, and the beginning of the
 * diff. Undefined when it shows that already.
 * @throws Fault not_found
 */
export async function productionQuestion(
  { app, caller: { accountId } }: Call,
  template: string,
  { key, version }: Move,
): Promise<Question | undefined> {
  const between = (from: string) =>
    app.templates.diffing.diff(accountId, template, { from, to: version, format: 'unified' });
  const now = await between('production').catch((error: unknown) => {
    if (error instanceof Fault && error.code === 'not_found') return undefined;
    throw error;
  });
  // Nothing is in production; what is not there at all is found out here.
  if (!now) return { key: 'promote_first', params: { template, version: (await between(version)).to } };
  if (now.from === now.to) return undefined;
  return { key, params: { template, version: now.to, previous: now.from }, shown: beginning(now.unified) };
}

/**
 * What a person is asked about a branch: with the beginning of what it says in place of main.
 * @throws Fault not_found
 */
export async function branchQuestion(
  { app, caller: { accountId } }: Call,
  template: string,
  branch: string,
  key: 'delete_branch' | 'merge_theirs',
): Promise<Question> {
  const between = { from: DEFAULT_BRANCH, to: branch, format: 'unified' } as const;
  const { unified } = await app.templates.diffing.diff(accountId, template, between);
  return { key, params: { template, branch }, shown: beginning(unified) };
}

function beginning(diff = ''): string {
  return diff.length > SHOWN ? `${diff.slice(0, SHOWN)}\n[…]` : diff;
}
