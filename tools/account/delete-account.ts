import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';

export const deleteAccount = defineTool({
  name: 'delete_account',
  title: 'Delete the account',
  description:
    "Permanently delete the account and everything in it, immediately: templates, videos, hooks, keys, members, files and subscriptions. Owners only; confirm must be the account's name. Offer export_account first, and ask the user before you call this.",
  toolset: 'account',
  effect: 'delete',
  scope: 'account:write',
  rest: { route: 'DELETE /api/v1/user' },
  input: z.object({
    confirm: z.string().default('').meta({ description: 'Name of the account, from get_profile' }),
  }),
  output: Deleted,
  run: async ({ confirm }, { app, caller }) => {
    await app.accountDeletion.delete(caller, confirm);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'By the name of the account',
      given: [['update_profile', { name: 'Bakery Sol' }]],
      input: { confirm: 'Bakery Sol' },
    },
  ],
});
