import { Fault, type FaultDetail } from '../../errors.ts';
import type { Warning } from '../../language.ts';
import type { TemplateContext } from '../context.ts';
import type { PartChoice, PartRequest, PartRow, Use } from '../repository/version-repo.ts';
import { type PartSource, storedParts } from '../resolve/compose.ts';
import { DEFAULT_BRANCH } from '../schema.ts';
import { type Checked, check, runFixtures } from '../versions/check.ts';
import type { ImportedTemplate, ImportedVersion } from './imported-template.ts';
import { type Pins, type PlannedTemplate, resolvePins } from './plan-import.ts';

export type CheckedTemplate = PlannedTemplate & {
  readonly versions: readonly CheckedVersion[];
  readonly notes: readonly Warning[];
};

type Failure = { readonly planned: PlannedTemplate; readonly problems: readonly FaultDetail[] };
type Outcome = { readonly passed: readonly CheckedTemplate[]; readonly failed: readonly Failure[] };

/**
 * Has importedTemplates to what every new version is held to, with the layouts and partials that come along.
 * @param all Every imported of the import, also those that are not to be written
 */
export async function checkImport(
  context: TemplateContext,
  accountId: string,
  coming: readonly PlannedTemplate[],
  all: readonly PlannedTemplate[],
  signal: AbortSignal,
): Promise<Outcome> {
  const passed: CheckedTemplate[] = [];
  const problems = new Map<PlannedTemplate, readonly FaultDetail[]>();
  for (const planned of coming) {
    signal.throwIfAborted();
    const own = await problemsAlone(context, accountId, planned.imported);
    if (own.length > 0) problems.set(planned, own);
  }
  const sound = new Set(coming.filter((planned) => !problems.has(planned)));
  const names = new Map(all.map((planned) => [planned.imported.key, planned]));
  const pins = new Map<PlannedTemplate, Pins>();
  for (const planned of sound)
    pins.set(planned, await resolvePins(context, accountId, planned, sound, names));
  const source = withImported(storedParts(context.sql), pins);
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
    return found ? [{ planned, problems: found.map((detail) => inPayload(detail, planned.imported)) }] : [];
  });
  return { passed, failed };
}

async function problemsAlone(
  context: TemplateContext,
  accountId: string,
  imported: ImportedTemplate,
): Promise<readonly FaultDetail[]> {
  const problems = [...imported.problems];
  for (const [index, version] of imported.versions.entries()) {
    if (isNeeded(imported, index))
      problems.push(...(await ownProblems(context, accountId, imported, version)));
  }
  return problems;
}

async function checkTogether(
  context: TemplateContext,
  accountId: string,
  planned: PlannedTemplate,
  pins: Pins,
): Promise<CheckedTemplate | { problems: readonly FaultDetail[] }> {
  const { imported } = planned;
  const problems: FaultDetail[] = [];
  const versions: CheckedVersion[] = [];
  const notes: Warning[] = [...imported.notes];
  for (const [index, version] of imported.versions.entries()) {
    const uses = pins.uses.get(version.id) ?? [];
    const verdict = await checkVersion(context, accountId, imported, version, uses);
    const params = { version: version.title };
    if (!('problems' in verdict)) versions.push(verdict);
    else if (isNeeded(imported, index)) problems.push(...verdict.problems);
    else if (!imported.history) notes.push({ key: 'import_version_left_out', params });
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
function isNeeded({ active, history }: ImportedTemplate, index: number): boolean {
  if (!history) return index === active;
  const label = history.versions[index]?.label;
  const shown = [...history.branches.map(({ head }) => head), ...Object.values(history.environments)];
  return label !== undefined && shown.includes(label);
}

async function runSamples(context: TemplateContext, accountId: string, { imported }: PlannedTemplate) {
  const version = imported.versions[imported.active];
  const samples = Object.entries(await imported.readFixtures()).map(([name, data]) => ({ name, data }));
  if (!version || samples.length === 0) return [];
  const { resolved } = await check(context, accountId, imported.kind, await version.read());
  return runFixtures(context, resolved, samples);
}

function inPayload(detail: FaultDetail, { from }: ImportedTemplate): FaultDetail {
  return { ...detail, loc: ['body', 'payload', from, ...detail.loc.slice(1)] };
}

/** A version that may be written. */
export type CheckedVersion = ImportedVersion & Pick<Checked, 'variables' | 'uses'>;

/** Whether a version stands for itself, whatever layout and partials it is put together with. */
async function ownProblems(
  { composer }: TemplateContext,
  accountId: string,
  { kind }: ImportedTemplate,
  version: ImportedVersion,
): Promise<readonly FaultDetail[]> {
  const document = await version.read();
  try {
    await composer.prepare(accountId, kind, document);
    return [];
  } catch (error) {
    return problemsOf(error, version);
  }
}

/** @param pins What a version of a bundle is pinned to; others take the newest there is */
async function checkVersion(
  context: TemplateContext,
  accountId: string,
  { kind, history }: ImportedTemplate,
  version: ImportedVersion,
  pins: readonly Use[],
): Promise<CheckedVersion | { readonly problems: readonly FaultDetail[] }> {
  const document = await version.read();
  try {
    if (!history) {
      const { variables, uses } = await check(context, accountId, kind, document);
      return { ...version, variables, uses };
    }
    const { composer, engine } = context;
    const composition = await composer.compose(accountId, kind, document, { by: 'pins' }, pins);
    return { ...version, variables: engine.variablesOf(composition), uses: pins };
  } catch (error) {
    return { problems: problemsOf(error, version) };
  }
}

function problemsOf(error: unknown, version: ImportedVersion): readonly FaultDetail[] {
  if (!(error instanceof Fault) || error.status !== 422) throw error;
  const { key, params, errors } = error;
  const details = errors.length > 0 ? errors : [{ loc: ['body', 'html'], key, params }];
  return details.map((detail) => asSent(detail, version));
}

/** The place in the text as it was sent, where it was rewritten since. */
function asSent(detail: FaultDetail, { placeBefore }: ImportedVersion): FaultDetail {
  const before = placeBefore[String(detail.loc[1])];
  const { line, col } = detail;
  if (!before || line === undefined || col === undefined) return detail;
  const place = before({ line, col });
  return 'params' in detail
    ? { ...detail, ...place, params: { ...detail.params, ...place } }
    : { ...detail, ...place };
}

/** The parts an account will have when all of these are written: the new ones hide those stored under their names. */
function withImported(stored: PartSource, arriving: ReadonlyMap<PlannedTemplate, Pins>): PartSource {
  const byName = new Map([...arriving.keys()].map((part) => [part.name, part.imported]));
  const versions = new Map<string, ArrivingPart>();
  for (const [{ imported }, { uses }] of arriving) {
    if (imported.kind === 'template') continue;
    for (const { id, read } of imported.versions) {
      const part = async () => ({ id, document: await read(), uses: [...(uses.get(id) ?? [])] });
      versions.set(id, part);
    }
  }

  return async (accountId, requests, choice) => {
    const found = requests.map((request) => findImported(request, choice));
    const open = requests
      .filter((_request, index) => found[index] === 'stored')
      // The account need not have a part yet that arrives pinned to a version it has.
      .map((request) => (byName.has(request.name) ? { ...request, optional: false } : request));
    const rest = open.length > 0 ? await stored(accountId, open, choice) : [];
    const rows = rest.values();
    return Array.fromAsync(found, (part) => (part === 'stored' ? rows.next().value : part?.()));
  };

  /** The version that will be found; undefined for none, 'stored' where it is one that the account has. */
  function findImported(request: PartRequest, choice: PartChoice): ArrivingPart | 'stored' | undefined {
    const imported = byName.get(request.name);
    if (!imported) return 'stored';
    const { kind, pin, optional } = request;
    const takesPin = imported.kind === kind ? choice.by === 'pins' : choice.by !== 'main' && !optional;
    if (takesPin && pin !== undefined) return versions.get(pin) ?? 'stored';
    return imported.kind === kind ? versions.get(headOf(imported)?.id ?? '') : undefined;
  }
}

type ArrivingPart = () => Promise<PartRow>;

/** The newest version on main. */
function headOf({ versions, history }: ImportedTemplate): ImportedVersion | undefined {
  const main = history?.branches.find(({ name }) => name === DEFAULT_BRANCH)?.head;
  const index = history ? history.versions.findIndex(({ label }) => label === main) : versions.length - 1;
  return versions[index];
}
