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
  route: 'GET /api/v1/user/export',
  delivers: true,
  job: true,
  input: z.object({}),
  output: Delivered,
  run: async (_input, call) => call.deliver(await call.app.accountExport.export(call.caller.accountId)),
  view: ({ filename, bytes, url, expires_at }) => `${filename}, ${bytes} bytes: ${url} (until ${expires_at})`,
  examples: [{ title: 'the whole account', input: {} }],
});
