import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { rawData } from 'caniemail';
import { Fault } from '../../errors.ts';

type Feature = {
  readonly title: string;
  /** Clients as `family.platform` whose newest tested version does not support it at all. */
  readonly lackedBy: ReadonlySet<string>;
};

// Only the data is used: the checks of the package end in an exception for a client with a gap in it, and its CSS reader
// takes seconds for hostile input. The types of the package describe this file.
const data = JSON.parse(
  await readFile(fileURLToPath(import.meta.resolve('caniemail/caniemail.json')), 'utf8'),
) as typeof rawData;

const features = new Map(data.data.map(({ slug, title, stats }) => [slug, { title: title.trim(), stats }]));

/** What email clients can do, by slug of caniemail.com. Reading it takes some milliseconds: import this file when it is needed. */
export const SUPPORT = {
  features: new Map<string, Feature>(
    [...features].map(([slug, { title, stats }]) => [slug, { title, lackedBy: lacking(stats) }]),
  ),
  families: Object.keys(data.nicenames.family).filter((family) => clientsOf(family).length > 0),
  clients: Object.keys(data.nicenames.family).flatMap(clientsOf),
};

type Stats = (typeof data.data)[number]['stats'];

function clientsOf(family: string): string[] {
  const platforms = [...features.values()].flatMap(({ stats }) => Object.keys(byPlatform(stats, family)));
  return [...new Set(platforms)].map((platform) => `${family}.${platform}`);
}

function lacking(stats: Stats): Set<string> {
  const lacked = Object.keys(stats).flatMap((family) =>
    Object.entries(byPlatform(stats, family)).flatMap(([platform, versions]) => {
      const newest = newestOf(Object.keys(versions));
      return newest !== undefined && versions[newest]?.startsWith('n') ? [`${family}.${platform}`] : [];
    }),
  );
  return new Set(lacked);
}

/**
 * The data lists versions from old to new, but JavaScript puts whole numbers before the rest; so among numbers the
 * highest is newest. Years and months stay as listed: Outlook for macOS went from those to numbers.
 */
function newestOf(versions: readonly string[]): string | undefined {
  const last = versions.at(-1);
  const numbers = versions.filter((version) => Number.parseInt(version, 10) < 1000);
  if (last === undefined || !numbers.includes(last)) return last;
  return numbers.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
}

function byPlatform(stats: Stats, family: string): Record<string, Record<string, string>> {
  // The types name each family apart; here any may be asked for.
  return (stats as Record<string, Record<string, Record<string, string>> | undefined>)[family] ?? {};
}

/** The clients that matter when the caller names none. */
const DEFAULT_CLIENTS = [
  'gmail.desktop-webmail',
  'gmail.ios',
  'gmail.android',
  'outlook.windows',
  'outlook.windows-mail',
  'outlook.outlook-com',
  'apple-mail.macos',
  'apple-mail.ios',
  'yahoo.desktop-webmail',
  'samsung-email.android',
];

/**
 * Mail clients as `family.platform` for what a caller asked for, which may be a family alone.
 * @throws Fault validation_failed
 */
export function chooseClients(wanted: readonly string[] | undefined): string[] {
  if (!wanted || wanted.length === 0) return DEFAULT_CLIENTS;
  const chosen = wanted.flatMap((name) => {
    const found = SUPPORT.clients.filter((client) => client === name || client.startsWith(`${name}.`));
    if (found.length > 0) return found;
    const [family] = name.split('.');
    const near = SUPPORT.clients.filter((client) => client.startsWith(`${family}.`));
    const known = near.length > 0 ? near : SUPPORT.families;
    throw new Fault('validation_failed.lint_client', { name, known: known.join(', ') });
  });
  return [...new Set(chosen)];
}
