import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';

export const exportAccount = defineTool({
  name: 'export_account',
  title: 'Export the account',
  description:
    'Everything the account has as one JSON document: members, keys without their secrets, what was made and used, who did what. Templates are named in it; export_bundle has them whole.',
  toolset: 'account',
  effect: 'read',
  scope: 'account:write',
  rest: { route: 'GET /api/v1/user/export', sendsFile: true },
  mcp: {
    view: ({ filename, bytes, url, expires_at }) =>
      `${filename}, ${bytes} bytes: ${url} (until ${expires_at})`,
  },
  job: true,
  input: z.object({}),
  output: Delivered,
  run: async (_input, call) => call.deliver(await call.app.accountExport.export(call.caller.accountId)),
  examples: [{ title: 'the whole account', input: {} }],
});
