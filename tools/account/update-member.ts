import { z } from 'zod';
import { ROLES } from '../../src/identity/caller.ts';
import { defineTool } from '../contract/define.ts';
import { MemberAnswer, MemberId } from './member-answer.ts';

export const updateMember = defineTool({
  name: 'update_member',
  title: 'Change the role of a member',
  description:
    'Give a member, or an invitation, another role. Owners may do everything; admins all but billing and the account itself; members work with templates and hooks. Only owners make and unmake owners.',
  toolset: 'account',
  effect: 'update',
  scope: 'account:write',
  rest: { route: 'PATCH /api/v1/members/{id}' },
  input: z.object({ id: MemberId, role: z.enum(ROLES) }),
  output: MemberAnswer,
  run: ({ id, role }, { app, caller }) => app.members.update(caller, id, role),
  examples: [
    {
      title: 'an admin from now on',
      given: [['invite_member', { email: 'ana@example.com' }]],
      input: { id: '<invite_member.id>', role: 'admin' },
    },
  ],
});
