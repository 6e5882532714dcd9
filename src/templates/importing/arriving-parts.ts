import { hashDocument } from '../document.ts';
import type { Parts, PartVersion } from '../parts.ts';
import { DEFAULT_BRANCH, type Document } from '../schema.ts';
import type { Arrival, ArrivingVersion } from './arrival.ts';
import type { Planned } from './plan-arrivals.ts';
import type { Pins } from './resolve-pins.ts';

/** The parts an account will have when all of these are written: the new ones first, then those it has. */
export function arrivingParts(stored: Parts, arriving: ReadonlyMap<Planned, Pins>): Parts {
  const byName = new Map([...arriving.keys()].map((part) => [part.name, part]));
  const documents = new Map<string, Document>();
  const versions = new Map<string, PartVersion>();
  for (const [{ arrival }, { uses }] of arriving) {
    for (const { id, document } of arrival.versions) {
      documents.set(id, document);
      versions.set(id, { id, content: hashDocument(document), uses: [...(uses.get(id) ?? [])] });
    }
  }
  return {
    async find(accountId, name) {
      const part = byName.get(name);
      return part ? { id: name, name, kind: part.arrival.kind } : stored.find(accountId, name);
    },
    async head(accountId, row) {
      const part = byName.get(row.name);
      const head = part && versions.get(headOf(part.arrival)?.id ?? '');
      return head ?? stored.head(accountId, row);
    },
    async shown(accountId, row, environment) {
      return byName.has(row.name) ? undefined : stored.shown(accountId, row, environment);
    },
    byId: async (accountId, id) => versions.get(id) ?? stored.byId(accountId, id),
    content: async (accountId, version) => documents.get(version.id) ?? stored.content(accountId, version),
  };
}

/** The newest version on main. */
function headOf({ versions, history }: Arrival): ArrivingVersion | undefined {
  const main = history?.branches.find(({ name }) => name === DEFAULT_BRANCH)?.head;
  const index = history ? history.versions.findIndex(({ label }) => label === main) : versions.length - 1;
  return versions[index];
}
