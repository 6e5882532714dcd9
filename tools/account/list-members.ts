import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { MemberAnswer } from './member-answer.ts';

export const listMembers = defineTool({
  name: 'list_members',
  title: 'List members',
  description: 'Who belongs to the account, with their roles, and who is invited to it.',
  toolset: 'account',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /api/v1/members' },
  input: z.object({}),
  output: z.object({ items: z.array(MemberAnswer) }),
  run: async (_input, { app, caller }) => ({ items: await app.members.list(caller.accountId) }),
  examples: [{ title: 'all of them', input: {} }],
});
