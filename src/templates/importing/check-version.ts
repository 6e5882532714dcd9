import { Fault, type FaultDetail } from '../../errors.ts';
import { type Checked, check } from '../check.ts';
import type { TemplateContext } from '../context.ts';
import type { Use } from '../repository/version-repo.ts';
import type { Arrival, ArrivingVersion } from './arrival.ts';

/** A version that may be written. */
export type CheckedVersion = ArrivingVersion & Pick<Checked, 'variables' | 'uses'>;

/** Whether a version stands for itself, whatever layout and partials it is put together with. */
export async function ownProblems(
  { composer }: TemplateContext,
  accountId: string,
  { kind }: Arrival,
  version: ArrivingVersion,
): Promise<readonly FaultDetail[]> {
  try {
    await composer.prepare(accountId, kind, version.document);
    return [];
  } catch (error) {
    return problemsOf(error, version);
  }
}

/** @param pins What a version of a bundle is pinned to; others take the newest there is */
export async function checkVersion(
  context: TemplateContext,
  accountId: string,
  { kind, history }: Arrival,
  version: ArrivingVersion,
  pins: readonly Use[],
): Promise<CheckedVersion | { readonly problems: readonly FaultDetail[] }> {
  try {
    if (!history) {
      const { variables, uses } = await check(context, accountId, kind, version.document);
      return { ...version, variables, uses };
    }
    const { composer, engine } = context;
    const composition = await composer.compose(accountId, kind, version.document, { by: 'pins' }, pins);
    return { ...version, variables: engine.variablesOf(composition), uses: pins };
  } catch (error) {
    return { problems: problemsOf(error, version) };
  }
}

function problemsOf(error: unknown, version: ArrivingVersion): readonly FaultDetail[] {
  if (!(error instanceof Fault) || error.status !== 422) throw error;
  const { key, params, errors } = error;
  const details = errors.length > 0 ? errors : [{ loc: ['body', 'html'], key, params }];
  return details.map((detail) => asSent(detail, version));
}

/** The place in the text as it was sent, where it was rewritten since. */
function asSent(detail: FaultDetail, { placeBefore }: ArrivingVersion): FaultDetail {
  const before = placeBefore[String(detail.loc[1])];
  const { line, col } = detail;
  if (!before || line === undefined || col === undefined) return detail;
  const place = before({ line, col });
  return 'params' in detail
    ? { ...detail, ...place, params: { ...detail.params, ...place } }
    : { ...detail, ...place };
}
