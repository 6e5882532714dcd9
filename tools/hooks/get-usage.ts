import { z } from 'zod';
import { defineTool } from '../contract/define.ts';

const Usage = z.object({
  month: z.string().meta({ description: 'Month as YYYY-MM (UTC)' }),
  hooks_used: z.number().meta({ description: 'Units of the plan used, including generations in progress' }),
  hooks_limit: z.number().meta({ description: 'Units of the plan per month; -1 means unlimited' }),
  remaining: z.number().meta({ description: 'Units left in the plan, without credits; -1 means unlimited' }),
  percent_used: z.number().meta({ description: 'Percent of the plan used, 0 to 100' }),
  credits: z.number().meta({ description: 'Units bought, used after the plan; they never expire' }),
  resets_at: z.iso.datetime(),
  template_units: z.number().meta({ description: 'Units used by templates with AI this month' }),
  by_day: z
    .array(z.object({ date: z.iso.date(), hooks: z.number() }))
    .meta({ description: 'Hooks delivered per day this month; days without hooks are omitted' }),
});

export const getUsage = defineTool({
  name: 'get_usage',
  title: 'Get hook usage',
  description:
    "Get this month's hook usage: units used, left in plan and credits, and when the quota resets. For sync limits, use get_sync_usage.",
  keywords: {
    en: ['hook quota', 'how many hooks are left', 'units used this month', 'remaining'],
    es: ['cuota de ganchos', 'cuántos ganchos me quedan', 'unidades usadas este mes', 'restantes'],
  },
  toolset: 'hooks',
  effect: 'read',
  scope: 'hooks:read',
  rest: { route: 'GET /api/v1/user/usage' },
  mcp: { core: true },
  input: z.object({}),
  output: Usage,
  run: (_input, { app, caller }) => app.quota.usage(caller.accountId),
  examples: [{ title: 'A new account', input: {} }],
});
