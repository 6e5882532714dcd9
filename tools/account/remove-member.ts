import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { MemberId } from './member-answer.ts';

export const removeMember = defineTool({
  name: 'remove_member',
  title: 'Remove a member',
  description:
    'End a membership, at once, or take an invitation back. Anyone may leave an account by their own id; its last owner may not.',
  toolset: 'account',
  effect: 'delete',
  // Whoever leaves needs no more than this; to remove others more is asked.
  scope: 'account:read',
  rest: { route: 'DELETE /api/v1/members/{id}' },
  input: z.object({ id: MemberId }),
  output: Deleted,
  run: async ({ id }, { app, caller }) => {
    await app.members.remove(caller, id);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'an invitation taken back',
      given: [['invite_member', { email: 'ana@example.com' }]],
      input: { id: '<invite_member.id>' },
    },
  ],
});
