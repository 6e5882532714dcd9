import type { FaultDetail } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import { check, runFixtures } from '../check.ts';
import type { TemplateContext } from '../context.ts';
import { storedParts } from '../resolve/compose.ts';
import type { Arrival } from './arrival.ts';
import { withArrivals } from './arriving-parts.ts';
import { type CheckedVersion, checkVersion, ownProblems } from './check-version.ts';
import type { Planned } from './plan-arrivals.ts';
import { type Pins, resolvePins } from './resolve-pins.ts';

export type CheckedArrival = Planned & {
  readonly versions: readonly CheckedVersion[];
  readonly notes: readonly Warning[];
};

type Failure = { readonly planned: Planned; readonly problems: readonly FaultDetail[] };
type Outcome = { readonly passed: readonly CheckedArrival[]; readonly failed: readonly Failure[] };

/**
 * Holds arrivals to what every new version is held to, with the layouts and partials that come along.
 * @param all Every arrival of the import, also those that are not to be written
 */
export async function checkArrivals(
  context: TemplateContext,
  accountId: string,
  coming: readonly Planned[],
  all: readonly Planned[],
  signal: AbortSignal,
): Promise<Outcome> {
  const passed: CheckedArrival[] = [];
  const problems = new Map<Planned, readonly FaultDetail[]>();
  for (const planned of coming) {
    signal.throwIfAborted();
    const own = await problemsAlone(context, accountId, planned.arrival);
    if (own.length > 0) problems.set(planned, own);
  }
  const sound = coming.filter((planned) => !problems.has(planned));
  const pins = new Map<Planned, Pins>();
  for (const planned of sound) pins.set(planned, await resolvePins(context, accountId, planned, sound, all));
  const source = withArrivals(storedParts(context.sql), pins);
  const composer = { ...context.composer, compose: context.composer.composeFrom(source) };
  const together = { ...context, composer };
  for (const [planned, pinned] of pins) {
    signal.throwIfAborted();
    const result = await checkTogether(together, accountId, planned, pinned);
    if ('problems' in result) problems.set(planned, result.problems);
    else passed.push(result);
  }
  const failed = coming.flatMap((planned) => {
    const found = problems.get(planned);
    return found ? [{ planned, problems: found.map((detail) => inPayload(detail, planned.arrival)) }] : [];
  });
  return { passed, failed };
}

async function problemsAlone(
  context: TemplateContext,
  accountId: string,
  arrival: Arrival,
): Promise<readonly FaultDetail[]> {
  const problems = [...arrival.problems];
  for (const [index, version] of arrival.versions.entries()) {
    if (isNeeded(arrival, index)) problems.push(...(await ownProblems(context, accountId, arrival, version)));
  }
  return problems;
}

async function checkTogether(
  context: TemplateContext,
  accountId: string,
  planned: Planned,
  pins: Pins,
): Promise<CheckedArrival | { problems: readonly FaultDetail[] }> {
  const { arrival } = planned;
  const problems: FaultDetail[] = [];
  const versions: CheckedVersion[] = [];
  const notes: Warning[] = [...arrival.notes];
  for (const [index, version] of arrival.versions.entries()) {
    const uses = pins.uses.get(version.id) ?? [];
    const verdict = await checkVersion(context, accountId, arrival, version, uses);
    const params = { version: version.title };
    if (!('problems' in verdict)) versions.push(verdict);
    else if (isNeeded(arrival, index)) problems.push(...verdict.problems);
    else if (!arrival.history) notes.push({ key: 'import_version_left_out', params });
    else {
      notes.push({ key: 'import_old_version', params });
      versions.push({ ...version, variables: [], uses });
    }
  }
  if (problems.length > 0) return { problems };
  for (const version of pins.lost) notes.push({ key: 'import_pin', params: { version } });
  return { ...planned, versions, notes: [...notes, ...(await runSamples(context, accountId, planned))] };
}

/** What is shown or worked on must be right; older states are history. */
function isNeeded({ active, history }: Arrival, index: number): boolean {
  if (!history) return index === active;
  const label = history.versions[index]?.label;
  const shown = [...history.branches.map(({ head }) => head), ...Object.values(history.environments)];
  return label !== undefined && shown.includes(label);
}

async function runSamples(context: TemplateContext, accountId: string, { arrival }: Planned) {
  const version = arrival.versions[arrival.active];
  const samples = Object.entries(arrival.fixtures).map(([name, data]) => ({ name, data }));
  if (!version || samples.length === 0) return [];
  const { resolved } = await check(context, accountId, arrival.kind, version.document);
  return runFixtures(context, resolved, samples);
}

function inPayload(detail: FaultDetail, { from }: Arrival): FaultDetail {
  return { ...detail, loc: ['body', 'payload', from, ...detail.loc.slice(1)] };
}
