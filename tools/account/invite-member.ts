import { z } from 'zod';
import { INVITED_ROLES } from '../../src/identity/members/roles.ts';
import { localizeWarning } from '../../src/language.ts';
import { defineTool } from '../contract/define.ts';
import { InvitedAnswer } from './member-output.ts';

export const inviteMember = defineTool({
  name: 'invite_member',
  title: 'Invite a member',
  description:
    'Invite a person to the account by email, in the role admin, member or viewer. They accept within 14 days, signed in with that verified address. Inviting again sends another link and updates role and expiry.',
  keywords: {
    en: [
      'invite a teammate',
      'add someone',
      'give access',
      'new user',
      'give someone access',
      'let a colleague in',
      'share the account',
      'add to the team',
      'read access for someone',
    ],
    es: [
      'invitar a alguien',
      'agregar una persona',
      'dar acceso',
      'nuevo usuario',
      'invitación',
      'dar acceso a alguien',
      'compartir la cuenta',
      'añadir al equipo',
      'agregar a una socia o un socio',
      'acceso de lectura para alguien',
    ],
  },
  toolset: 'account',
  effect: 'create',
  scope: 'members:write',
  dangerous: { page: '/settings/people' },
  rest: { route: 'POST /api/v1/members' },
  input: z.object({ email: z.email().max(254).toLowerCase(), role: z.enum(INVITED_ROLES).default('member') }),
  output: InvitedAnswer,
  run: async (input, call) => {
    const { app, caller, baseUrl, locale } = call;
    const { warnings, ...invited } = await app.members.invite(caller, input, { baseUrl, locale });
    return { ...invited, warnings: warnings.map((warning) => localizeWarning(warning, call)) };
  },
  examples: [{ title: 'A colleague', input: { email: 'ana@example.com', role: 'admin' } }],
});
