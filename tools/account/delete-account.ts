import { z } from 'zod';
import { defineTool } from '../contract/define.ts';

export const deleteAccount = defineTool({
  name: 'delete_account',
  title: 'Delete the account',
  description:
    "Delete the account. Sign-ins, keys, jobs, syncs and links stop immediately, and subscriptions end. Owners can undo it for 14 days with POST /api/v1/user/restore; then everything is deleted permanently. Owners only; confirm must be the account's name.",
  keywords: {
    en: ['close the account', 'delete everything', 'leave for good', 'cancel my account'],
    es: ['eliminar mi cuenta', 'cerrar la cuenta', 'darme de baja', 'borrar todo'],
  },
  toolset: 'account',
  effect: 'delete',
  scope: 'account:admin',
  dangerous: { page: '/settings/account' },
  rest: { route: 'DELETE /api/v1/user' },
  input: z.object({
    confirm: z.string().default('').meta({ description: 'Name of the account, from get_profile' }),
  }),
  output: z.object({
    deleted: z.literal(true),
    restorable_until: z.iso.datetime().meta({ description: 'Until then, an owner can restore the account' }),
  }),
  run: async ({ confirm }, { app, caller, baseUrl, locale }) => {
    const until = await app.accountDeletion.delete(caller, confirm, { baseUrl, locale });
    return { deleted: true as const, restorable_until: until.toISOString() };
  },
  examples: [
    {
      title: 'By the name of the account',
      given: [['update_profile', { name: 'Bakery Sol' }]],
      input: { confirm: 'Bakery Sol' },
    },
  ],
});
