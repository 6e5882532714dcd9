import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { buyer } from './buyer.ts';
import { PageLink, ReturnUrl } from './input.ts';

export const openSyncPortal = defineTool({
  name: 'open_sync_portal',
  title: 'Open the billing portal from the sync app',
  description: 'Make a link to the billing portal that leads back to the settings of the sync app.',
  toolset: 'billing',
  effect: 'external',
  scope: 'billing:write',
  rest: { route: 'POST /billing/portal' },
  input: z.object({ return_url: ReturnUrl.default('/settings') }),
  output: PageLink,
  run: async ({ return_url }, call) => ({
    url: await call.app.billing.portal(buyer(call), 'sync', return_url),
  }),
  examples: [{ title: 'to manage it all', input: {} }],
});
