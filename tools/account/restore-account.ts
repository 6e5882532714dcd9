import { z } from 'zod';
import { defineTool } from '../contract/define.ts';

export const restoreAccount = defineTool({
  name: 'restore_account',
  title: 'Restore the account',
  description:
    'Undo the deletion of the account within 14 days. People, keys, schedules and links work again; canceled jobs, videos and sync runs stay canceled. Returns the subscriptions that end unless an owner resumes them. Owners only.',
  toolset: 'account',
  effect: 'update',
  scope: 'account:admin',
  whileDeleted: true,
  rest: { route: 'POST /api/v1/user/restore' },
  // A deleted account lets no model in.
  mcp: false,
  input: z.object({}),
  output: z.object({
    restored: z.literal(true),
    ending_subscriptions: z
      .array(z.object({ app: z.string(), plan: z.string(), ends_at: z.iso.datetime() }))
      .meta({
        description:
          'Subscriptions that the deletion ended: each gives its plan until then. To keep one, resume it with open_billing_portal',
      }),
  }),
  run: async (_input, { app, caller }) => ({
    restored: true as const,
    ending_subscriptions: await app.accountDeletion.restore(caller),
  }),
  examples: [
    {
      title: 'Undo a deletion',
      given: [
        ['update_profile', { name: 'Bakery Sol' }],
        ['delete_account', { confirm: 'Bakery Sol' }],
      ],
      input: {},
    },
  ],
});
