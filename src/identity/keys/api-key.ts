import { z } from 'zod';
import type { InputKey } from '../../language.ts';
import { canonicalRange } from '../../platform/ip-allowlist.ts';
import { SCOPES, type Scope } from '../caller.ts';
import type { KeyRow } from './key-repo.ts';

export const KeyName = z.string().trim().min(1).max(100);

export const KeyScopes = z
  .array(z.enum(SCOPES))
  .min(1)
  .transform((scopes) => [...new Set(scopes)]);

export const KeyExpiry = z.iso
  .datetime({ offset: true })
  .nullable()
  .optional()
  .meta({ description: 'Expiry time; null means never' });

const RANGE_FAULT: InputKey = 'ip_range';

export const KeyWhitelist = z
  .array(
    z
      .string()
      .max(64)
      .refine((entry) => canonicalRange(entry) !== undefined, RANGE_FAULT),
  )
  .max(100)
  .meta({ description: 'IPv4 and IPv6 addresses and CIDR ranges the key works from; empty allows any' });

/** An API key as it is shown: never the key itself. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  masked: z.string().meta({ description: 'Start and end of the key, such as sh_live_ab12…9f3c' }),
  scopes: z.array(z.enum(SCOPES)),
  ip_whitelist: z
    .array(z.string())
    .meta({ description: 'Addresses and ranges the key works from; empty allows any' }),
  origin: z.enum(['operator', 'account']).meta({
    description:
      'Creator: the operator of the server, or this account; plan limits apply only to the account',
  }),
  made_by: z.string().nullable().meta({
    description: 'ID of the member who owns the key; it never exceeds their role and ends when they leave',
  }),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable(),
  last_used_ip: z.string().nullable(),
});
export type ApiKey = z.output<typeof ApiKey>;

/** The same with the key, this once. */
export const NewApiKey = ApiKey.extend({
  key: z.string().optional().meta({
    description: 'The key, returned once; omitted when the response is replayed by idempotency key',
  }),
});
export type NewApiKey = z.output<typeof NewApiKey>;

/** What a new key is asked for with; without scopes it may work, see DEFAULT_KEY_SCOPES. */
export type KeyRequest = {
  readonly name: string;
  readonly scopes?: readonly Scope[] | undefined;
  readonly ip_whitelist: readonly string[];
  readonly expires_at?: string | null | undefined;
};

/** Changes to a key. Omitted fields stay as they are. */
export type KeyChanges = {
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly expires_at?: string | null | undefined;
  readonly ip_whitelist?: readonly string[] | undefined;
};

/** A key as its account sees it. */
export function presentKey(row: KeyRow): ApiKey {
  const { id, name, mask: masked, scopes, ip_whitelist, origin, made_by, last_used_ip } = row;
  return {
    id,
    name,
    masked,
    scopes,
    ip_whitelist,
    origin,
    made_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    last_used_ip,
  };
}
