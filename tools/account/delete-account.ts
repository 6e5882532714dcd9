import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';

export const deleteAccount = defineTool({
  name: 'delete_account',
  title: 'Delete the account',
  description:
    'Delete the account with everything in it, at once and for good: templates, hooks, keys, members, files, subscriptions. Owners only, and only with the name of the account. Offer export_account first, and ask the person before you call this.',
  toolset: 'account',
  effect: 'delete',
  scope: 'account:write',
  rest: { route: 'DELETE /api/v1/user' },
  input: z.object({
    confirm: z.string().default('').meta({ description: 'The name of the account, as get_profile shows it' }),
  }),
  output: Deleted,
  run: async ({ confirm }, { app, caller }) => {
    await app.accountDeletion.delete(caller, confirm);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'an account by its name',
      given: [['update_profile', { name: 'Bakery Sol' }]],
      input: { confirm: 'Bakery Sol' },
    },
  ],
});
