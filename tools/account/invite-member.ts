import { z } from 'zod';
import { INVITED_ROLES } from '../../src/identity/roles.ts';
import { defineTool } from '../contract/define.ts';
import { MemberAnswer } from './member-output.ts';

export const inviteMember = defineTool({
  name: 'invite_member',
  title: 'Invite a member',
  description:
    'Invite a person to the account. They join by signing in with that verified email address within 14 days. No email is sent, so tell them. Inviting again updates the role and the expiry.',
  toolset: 'account',
  effect: 'create',
  scope: 'account:write',
  rest: { route: 'POST /api/v1/members' },
  input: z.object({ email: z.email().max(254).toLowerCase(), role: z.enum(INVITED_ROLES).default('member') }),
  output: MemberAnswer,
  run: (input, { app, caller }) => app.members.invite(caller, input),
  examples: [{ title: 'A colleague', input: { email: 'ana@example.com', role: 'admin' } }],
});
