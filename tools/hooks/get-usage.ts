import { z } from 'zod';
import { defineTool } from '../contract/define.ts';

const Usage = z.object({
  month: z.string().meta({ description: 'YYYY-MM, UTC' }),
  hooks_used: z.number().meta({ description: "Of the plan's part, with what is being generated now" }),
  hooks_limit: z.number().meta({ description: '-1 means unlimited' }),
  remaining: z.number().meta({ description: 'What is left of the plan, plus credits; -1 when unlimited' }),
  percent_used: z.number().meta({ description: "Of the plan's part, 0 to 100" }),
  credits: z
    .number()
    .meta({ description: 'Bought hooks, used when the plan is used up; they do not expire' }),
  resets_at: z.iso.datetime(),
  by_day: z
    .array(z.object({ date: z.iso.date(), hooks: z.number() }))
    .meta({ description: 'Hooks delivered this month; days without any are left out' }),
});

export const getUsage = defineTool({
  name: 'get_usage',
  title: 'Get usage',
  description:
    'How many hooks the account has used this month, how many are left with the plan and with credits, and when the month starts again.',
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'GET /api/v1/user/usage' },
  mcp: { core: true },
  input: z.object({}),
  output: Usage,
  run: (_input, { app, caller }) => app.quota.usage(caller.accountId),
  examples: [{ title: 'a new account', input: {} }],
});
