import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { rawData } from 'caniemail';

type Stats = (typeof rawData.data)[number]['stats'];

/**
 * The text of email-clients.json: what each email client lacks, from the data of caniemail.com. Only the data of the
 * package is used, and only here: it brings a code formatter and a compiler, its checks end in an exception for a client
 * with a gap in it, and its CSS reader takes seconds for hostile input.
 */
export async function emailClientsFile(): Promise<string> {
  const read = async (file: string) =>
    JSON.parse(await readFile(fileURLToPath(import.meta.resolve(`caniemail/${file}`)), 'utf8'));
  // The types of the package describe this file.
  const data = (await read('caniemail.json')) as typeof rawData;
  const { version } = (await read('package.json')) as { version: string };
  // Of two entries with one slug, the later one counts.
  const entries = [...new Map(data.data.map((entry) => [entry.slug, entry])).values()];
  const clientsOf = (family: string) => [
    ...new Set(
      entries
        .flatMap(({ stats }) => Object.keys(byPlatform(stats, family)))
        .map((name) => `${family}.${name}`),
    ),
  ];
  const families = Object.keys(data.nicenames.family).filter((family) => clientsOf(family).length > 0);
  const clients = families.flatMap(clientsOf);
  const features = entries.map(({ slug, title, stats }) =>
    JSON.stringify({ slug, title: title.trim(), lackedBy: lacking(stats) }),
  );
  const source = `caniemail ${version}: data of caniemail.com, MIT License, © Rémi Parmentier, Andrew Powell`;
  return `{
"source": ${JSON.stringify(source)},
"families": ${JSON.stringify(families)},
"clients": ${JSON.stringify(clients)},
"features": [
${features.join(',\n')}
]
}
`;
}

/** Clients as `family.platform` whose newest tested version does not support it at all. */
function lacking(stats: Stats): string[] {
  const lacked = Object.keys(stats).flatMap((family) =>
    Object.entries(byPlatform(stats, family)).flatMap(([platform, versions]) => {
      const newest = newestOf(Object.keys(versions));
      return newest !== undefined && versions[newest]?.startsWith('n') ? [`${family}.${platform}`] : [];
    }),
  );
  return [...new Set(lacked)];
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
