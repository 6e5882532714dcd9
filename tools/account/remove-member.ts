import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';
import { MemberId } from './member-output.ts';

export const removeMember = defineTool({
  name: 'remove_member',
  title: 'Remove a member',
  description:
    'Remove a member from the account immediately, or withdraw an invitation. Anyone except the last owner can leave an account by sending their own ID.',
  keywords: {
    en: [
      'remove a user',
      'take away access',
      'fire',
      'leave the account',
      'kick out',
      'withdraw an invitation',
      'no longer works here',
      'left the company',
      'remove from the team',
    ],
    es: [
      'quitar miembro',
      'quitar acceso',
      'echar',
      'sacar a alguien',
      'salir de la cuenta',
      'retirar una invitación',
      'ya no trabaja aquí',
      'quitar del equipo',
    ],
  },
  toolset: 'account',
  effect: 'delete',
  // Enough to leave. Removing someone else requires an owner or admin.
  scope: 'account:read',
  dangerous: { page: '/settings/people' },
  rest: { route: 'DELETE /api/v1/members/{member_id}' },
  input: z.object({ member_id: MemberId }),
  output: Deleted,
  run: async ({ member_id: id }, { app, caller }) => {
    await app.members.remove(caller, id);
    return { deleted: true as const };
  },
  examples: [
    {
      title: 'Withdraw an invitation',
      given: [['invite_member', { email: 'ana@example.com' }]],
      input: { member_id: '<invite_member.id>' },
    },
  ],
});
