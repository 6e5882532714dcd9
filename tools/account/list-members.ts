import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { MemberAnswer } from './member-output.ts';

export const listMembers = defineTool({
  name: 'list_members',
  title: 'List members',
  description: "List the account's members and open invitations, with their roles.",
  toolset: 'account',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /api/v1/members' },
  input: z.object({}),
  output: z.object({ items: z.array(MemberAnswer) }),
  run: async (_input, { app, caller }) => ({ items: await app.members.list(caller.accountId) }),
  examples: [{ title: 'All members', input: {} }],
});
