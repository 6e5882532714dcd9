import { z } from 'zod';
import { INVITED_ROLES } from '../../src/identity/roles.ts';
import { defineTool } from '../define.ts';
import { MemberAnswer } from './member-answer.ts';

export const inviteMember = defineTool({
  name: 'invite_member',
  title: 'Invite a member',
  description:
    'Ask a person to join the account. They are in when they sign in with that address, proved, within 14 days; no mail is sent, so tell them. Inviting again changes the role and renews the time. Enterprise plan.',
  toolset: 'account',
  effect: 'create',
  scope: 'account:write',
  route: 'POST /api/v1/members',
  input: z.object({ email: z.email().max(254).toLowerCase(), role: z.enum(INVITED_ROLES).default('member') }),
  output: MemberAnswer,
  run: (input, { app, caller }) => app.members.invite(caller, input),
  examples: [
    { title: 'a colleague', plan: 'enterprise', input: { email: 'ana@example.com', role: 'admin' } },
  ],
});
