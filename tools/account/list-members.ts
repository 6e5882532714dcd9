import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { MemberAnswer } from './member-output.ts';

export const listMembers = defineTool({
  name: 'list_members',
  title: 'List members',
  description:
    "List the account's members and open invitations, with their roles, and how many seats are used.",
  keywords: {
    en: [
      'team members',
      'who has access',
      'people in the account',
      'seats',
      'pending invitations',
      'who can sign in or log in',
      'who is in the team',
    ],
    es: [
      'miembros del equipo',
      'quién tiene acceso',
      'personas de la cuenta',
      'asientos',
      'invitaciones pendientes',
      'quién puede entrar',
      'quién está en el equipo',
    ],
  },
  toolset: 'account',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /api/v1/members' },
  input: z.object({}),
  output: z.object({
    items: z.array(MemberAnswer),
    seats: z
      .object({ used: z.int(), limit: z.int() })
      .meta({ description: 'Members and invitations, and how many the plan allows' }),
  }),
  run: (_input, { app, caller }) => app.members.listWithSeats(caller.accountId),
  examples: [{ title: 'All members', input: {} }],
});
