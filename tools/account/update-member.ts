import { z } from 'zod';
import { ROLES } from '../../src/identity/caller.ts';
import { defineTool } from '../contract/define.ts';
import { MemberAnswer, MemberId } from './member-output.ts';

export const updateMember = defineTool({
  name: 'update_member',
  title: "Change a member's role",
  description:
    'Change the role of a member or invitation. Owners can do everything; admins everything except billing and the account itself; members use templates, assets, videos, hooks and run syncs; viewers only read. Only owners can grant or revoke the owner role.',
  keywords: {
    en: [
      "change someone's role",
      'make admin',
      'promote a user',
      'viewer',
      'permissions',
      'transfer ownership',
      'may only look',
      'read-only person',
    ],
    es: [
      'cambiar el rol',
      'hacer administrador',
      'permisos de una persona',
      'dar permisos',
      'propietario',
      'solo puede mirar',
    ],
  },
  toolset: 'account',
  effect: 'update',
  scope: 'members:write',
  dangerous: { page: '/settings/people' },
  rest: { route: 'PATCH /api/v1/members/{member_id}' },
  input: z.object({ member_id: MemberId, role: z.enum(ROLES) }),
  output: MemberAnswer,
  run: ({ member_id: id, role }, { app, caller }) => app.members.update(caller, id, role),
  examples: [
    {
      title: 'Make a member an admin',
      given: [['invite_member', { email: 'ana@example.com' }]],
      input: { member_id: '<invite_member.id>', role: 'admin' },
    },
  ],
});
