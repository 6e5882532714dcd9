import { Fault } from '../../errors.ts';
import data from './email-clients/email-clients.json' with { type: 'json' };

type Feature = {
  readonly title: string;
  /** Clients as `family.platform` whose newest tested version does not support it at all. */
  readonly lackedBy: ReadonlySet<string>;
};

/** What email clients can do, by slug of caniemail.com. Reading it takes some milliseconds: import this file when it is needed. */
export const SUPPORT = {
  features: new Map<string, Feature>(
    data.features.map(({ slug, title, lackedBy }) => [slug, { title, lackedBy: new Set(lackedBy) }]),
  ),
  families: data.families,
  clients: data.clients,
};

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
