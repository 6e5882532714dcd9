import { z } from 'zod';
import { ROLES } from '../../src/identity/caller.ts';
import { INVITED_ROLES } from '../../src/identity/members/roles.ts';
import { defineTool } from '../contract/define.ts';

const Account = z.object({
  id: z.string(),
  name: z.string(),
  role: z.enum(ROLES).nullable().meta({ description: 'Role; null for an API key, which has scopes instead' }),
  plan: z.string().meta({ description: 'Hooks plan: free, pro or enterprise' }),
  current: z.boolean().meta({ description: 'True for the account of this call' }),
  status: z.enum(['active', 'deleted']),
  restorable_until: z.iso
    .datetime()
    .optional()
    .meta({ description: 'Until then, an owner can restore the deleted account' }),
});

const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.enum(INVITED_ROLES),
  invited_by: z.string(),
  expires_at: z.iso.datetime(),
  account: z.object({ id: z.string(), name: z.string() }),
});

export const listAccounts = defineTool({
  name: 'list_accounts',
  title: 'List accounts',
  description:
    "List the caller's accounts with role and plan, and their open invitations. To work in another account, send its ID in the header Stallhand-Account. To join one, a person calls POST /api/v1/invitations/{id}/accept.",
  keywords: {
    en: ['switch workspace', 'my other accounts', 'invitations I got', 'organizations I belong to'],
    es: ['mis cuentas', 'cambiar de cuenta', 'otras cuentas', 'invitaciones recibidas', 'organizaciones'],
  },
  toolset: 'account',
  effect: 'read',
  scope: 'account:read',
  whileDeleted: true,
  rest: { route: 'GET /api/v1/user/accounts' },
  input: z.object({}),
  output: z.object({ items: z.array(Account), invitations: z.array(Invitation) }),
  run: (_input, { app, caller }) => app.personAccounts(caller),
  examples: [{ title: 'All accounts', input: {} }],
});
