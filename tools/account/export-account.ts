import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { Delivered } from '../contract/delivered.ts';

export const exportAccount = defineTool({
  name: 'export_account',
  title: 'Export the account',
  description:
    "Export the account's data as one JSON file: members, API keys without secrets, content, usage and audit events. Returns the file or a download link. Templates are listed by name; for their content, use export_bundle.",
  keywords: {
    en: ['export my data', 'GDPR', 'personal data', 'download everything about me', 'takeout'],
    es: ['exportar mis datos', 'RGPD', 'datos personales', 'descargar todo lo mío'],
  },
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
  examples: [{ title: 'The whole account', input: {} }],
});
