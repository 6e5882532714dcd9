import { z } from 'zod';
import { canonicalRange } from '../platform/ip-allowlist.ts';
import { RATE_NAMES, Rate } from '../platform/rates.ts';
import { RetentionDays } from '../retention/kinds.ts';

// What the text of a setting may be, and what it becomes.

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a number from 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65535, 'must be a number from 0 to 65535');

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

export const proxies = list.transform((entries, context) =>
  entries.map((entry) => {
    const range = PROXY_GROUPS.includes(entry) ? entry : canonicalRange(entry);
    if (range === undefined)
      context.addIssue(`'${entry}' is not an address, a CIDR range, loopback, linklocal or uniquelocal`);
    return range ?? '';
  }),
);

export const origins = list.transform((entries, context) =>
  entries.map((entry) => {
    const url = URL.parse(entry);
    if (!url || !/^https?:$/.test(url.protocol) || url.origin !== entry.toLowerCase().replace(/\/$/, ''))
      context.addIssue(
        `'${entry}' is not an origin; write scheme, host and port, such as http://localhost:5173`,
      );
    return url?.origin ?? '';
  }),
);

export const domains = list.transform((names, context) =>
  names.map((name) => {
    const domain = name.toLowerCase().replace(/^@/, '');
    if (!/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain)) context.addIssue(`'${name}' is not a domain`);
    return domain;
  }),
);

export const LOOPBACK_NAMES = ['127.0.0.1', '[::1]', 'localhost'];

// An attacker who can replace an issuer's keys in transit can sign in as any user.
export const issuerUrl = z.url({ protocol: /^https?$/ }).refine((issuer) => {
  const url = URL.parse(issuer);
  // What is no address at all has been told already.
  return !url || url.protocol === 'https:' || LOOPBACK_NAMES.includes(url.hostname);
}, 'must be an https address; http is only for a provider on this machine');

/** As OpenTelemetry writes them: `name=value,name=value`, with percent-encoded values. */
/** Not quoted: it may have a secret in it. */
export const collector = z
  .url({ protocol: /^https?$/ })
  .refine(
    (address) => !URL.canParse(address) || isPlain(new URL(address)),
    'must be a URL without user, password and query: send them in OTEL_EXPORTER_OTLP_HEADERS',
  );

function isPlain({ username, password, search, hash }: URL): boolean {
  return username === '' && password === '' && search === '' && hash === '';
}

export const headers = list.transform((entries, context) =>
  Object.fromEntries(
    entries.map((entry) => {
      const [, name = '', value = ''] = /^([\w-]+)\s*=\s*(.*)$/.exec(entry) ?? [];
      const decoded = decodedValue(value);
      // The entry is not quoted: it may be a secret.
      if (name === '' || decoded === undefined || !/^[\x20-\x7e]*$/.test(decoded))
        context.addIssue('must be headers such as authorization=Bearer%20TOKEN, comma-separated');
      return [name.toLowerCase(), decoded ?? ''];
    }),
  ),
);

function decodedValue(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue('must be valid JSON');
    return z.NEVER;
  }
});

/** Issuers that need no address in SIGN_IN_PROVIDERS. GitHub speaks OAuth without OpenID Connect. */
const KNOWN_ISSUERS: Readonly<Record<string, { readonly issuer: string; readonly label: string }>> = {
  google: { issuer: 'https://accounts.google.com', label: 'Google' },
  gitlab: { issuer: 'https://gitlab.com', label: 'GitLab' },
  github: { issuer: 'https://github.com', label: 'GitHub' },
};

export const signInProviders = json
  .pipe(
    z.record(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9-]{0,30}$/,
          'a name must start with a letter and have only lowercase letters, digits and dashes',
        ),
      z.strictObject({
        client_id: z.string().min(1),
        client_secret: z.string().min(1),
        issuer: issuerUrl.optional(),
        label: z.string().min(1).max(50).optional(),
      }),
    ),
  )
  .transform((entries, context) =>
    Object.entries(entries).map(([id, { client_id: clientId, client_secret: clientSecret, ...entry }]) => {
      const known = KNOWN_ISSUERS[id];
      const issuer = entry.issuer ?? known?.issuer;
      if (!issuer) context.addIssue(`${id} needs an issuer`);
      const label = entry.label ?? known?.label ?? id;
      return { id, label, issuer: issuer ?? '', clientId, clientSecret };
    }),
  );

export const prices = json.pipe(
  z.record(z.string(), z.tuple([z.number().nonnegative(), z.number().nonnegative()])),
);

/** US dollars; `none` is Infinity. */
export const budget = z.string().transform((text, context) => {
  const dollars = text === 'none' ? Number.POSITIVE_INFINITY : Number(text);
  if (dollars >= 0) return dollars;
  context.addIssue('must be an amount of US dollars, such as 25, or none');
  return z.NEVER;
});

export const retention = json.pipe(RetentionDays);

export const rates = json.pipe(z.partialRecord(z.enum(RATE_NAMES), Rate));
