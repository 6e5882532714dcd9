import { z } from 'zod';
import type { Caller } from '../../src/identity/caller.ts';
import type { Call } from '../contract/define.ts';

/** A link that a person opens to connect. It works once. */
export const ConsentLink = z.object({
  provider: z.enum(['google', 'shopify']),
  url: z.string().meta({ description: 'Page for the user who requested it; works once' }),
  expires_at: z.iso.datetime(),
});

export const ReturnTo = z
  .string()
  .max(300)
  .regex(/^\/(?!\/)[\w\-./]*$/)
  .meta({ description: 'Path on this server to return to once connected; #connected=ID is added' });

type Started = { provider: 'google' | 'shopify'; link: string; expiresAt: Date };
type Asking = { accountId: string; userId: string | null; actor: string };

/** Only the person who asks can use the link: the one who is signed in, who holds the key, or who approved the connected app. */
export async function consentLink(
  { caller, baseUrl }: Pick<Call, 'caller' | 'baseUrl'>,
  start: (asking: Asking) => Promise<Started>,
) {
  const { provider, link, expiresAt } = await start({
    accountId: caller.accountId,
    userId: personOf(caller),
    actor: caller.actor,
  });
  return { provider, url: `${baseUrl}/connect/${provider}/${link}`, expires_at: expiresAt.toISOString() };
}

function personOf({ userId, keyHolder }: Caller): string | null {
  return userId ?? keyHolder ?? null;
}
