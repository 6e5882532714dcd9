import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Ring } from '../contestants.ts';
import type { createCustomers } from '../customers.ts';
import type { DatabaseMeter } from './database-meter.ts';
import type { Target } from './requests.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Far fewer than 100 requests a second take at 20 a minute each, so histories are long ones. */
const CUSTOMERS = 20;

type Settings = Readonly<Record<string, string>>;

type GeneratorOptions = {
  readonly name: string;
  /** The checkout to start; default: this one. */
  readonly root?: string | undefined;
  readonly provider: string;
  readonly database?: { readonly url: string; readonly meter: DatabaseMeter } | undefined;
  /** Folder for a CPU profile, which the process writes when it ends. */
  readonly profiles?: string | undefined;
};

/** A server asked for hooks by many customers, with a model provider of its own. */
export async function startGenerator(
  { children, folder }: Ring,
  { name, root = ROOT, provider, database, profiles }: GeneratorOptions,
): Promise<Target> {
  const settings: Settings = {
    PORT: '0',
    AUTH_MODE: 'required',
    DATA_DIR: join(folder, name),
    OPENAI_API_KEY: 'bench',
    OPENAI_BASE_URL: `${provider}/v1`,
    RATE_LIMITS: JSON.stringify({ generate: { perSecond: 1000, burst: 1000 } }),
    ...(database && { DATABASE_URL: database.url }),
  };
  // Its own way to make them: the tables of another checkout may be others.
  const own = (await import(pathToFileURL(join(root, 'bench/customers.ts')).href)) as Customers;
  const keys = await own.createCustomers(settings, CUSTOMERS);
  const flags = ['--max-semi-space-size=8', ...profileFlags(profiles, name)];
  const { url, pid } = await children.start(name, [...flags, join(root, 'http/main.ts')], settings);
  const authorizations = keys.map((key) => `Bearer ${key}`);
  return { name, url: `${url}/api/v1/generate`, pid, authorizations, database: database?.meter };
}

type Customers = { readonly createCustomers: typeof createCustomers };

/** A route with the provider's SDK behind it, and nothing else. */
export async function startPassThrough(
  { children }: Ring,
  provider: string,
  profiles?: string,
): Promise<Target> {
  const name = 'pass-through';
  const script = join(ROOT, 'bench/pass-through.ts');
  const flags = ['--max-semi-space-size=8', ...profileFlags(profiles, name)];
  const { url, pid } = await children.start(name, [...flags, script, `${provider}/v1`]);
  return { name, url: `${url}/generate`, pid, authorizations: [] };
}

function profileFlags(folder: string | undefined, name: string): string[] {
  return folder === undefined
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`];
}
