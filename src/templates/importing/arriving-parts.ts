import type { PartChoice, PartRequest, PartRow } from '../repository/version-repo.ts';
import type { PartSource } from '../resolve/compose.ts';
import { DEFAULT_BRANCH } from '../schema.ts';
import type { Arrival, ArrivingVersion } from './arrival.ts';
import type { Planned } from './plan-arrivals.ts';
import type { Pins } from './resolve-pins.ts';

/** The parts an account will have when all of these are written: the new ones hide those stored under their names. */
export function withArrivals(stored: PartSource, arriving: ReadonlyMap<Planned, Pins>): PartSource {
  const byName = new Map([...arriving.keys()].map((part) => [part.name, part.arrival]));
  const versions = new Map<string, PartRow>();
  for (const [{ arrival }, { uses }] of arriving) {
    for (const { id, document } of arrival.versions)
      versions.set(id, { id, document, uses: [...(uses.get(id) ?? [])] });
  }

  return async (accountId, requests, choice) => {
    const found = requests.map((request) => findArriving(request, choice));
    const open = requests
      .filter((_request, index) => found[index] === 'stored')
      // The account need not have a part yet that arrives pinned to a version it has.
      .map((request) => (byName.has(request.name) ? { ...request, optional: false } : request));
    const rest = open.length > 0 ? await stored(accountId, open, choice) : [];
    const rows = rest.values();
    return found.map((part) => (part === 'stored' ? rows.next().value : part));
  };

  /** The version that will be found; undefined for none, 'stored' where it is one that the account has. */
  function findArriving(request: PartRequest, choice: PartChoice): PartRow | 'stored' | undefined {
    const arrival = byName.get(request.name);
    if (!arrival) return 'stored';
    const { kind, pin, optional } = request;
    const takesPin = arrival.kind === kind ? choice.by === 'pins' : choice.by !== 'main' && !optional;
    if (takesPin && pin !== undefined) return versions.get(pin) ?? 'stored';
    return arrival.kind === kind ? versions.get(headOf(arrival)?.id ?? '') : undefined;
  }
}

/** The newest version on main. */
function headOf({ versions, history }: Arrival): ArrivingVersion | undefined {
  const main = history?.branches.find(({ name }) => name === DEFAULT_BRANCH)?.head;
  const index = history ? history.versions.findIndex(({ label }) => label === main) : versions.length - 1;
  return versions[index];
}
