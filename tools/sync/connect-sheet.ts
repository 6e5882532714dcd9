import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { SheetName, sheetSecrets, TabTitle } from './input.ts';
import { Sheet, sheetSecretsOf, withWarnings } from './sheet-output.ts';

export const connectSheet = defineTool({
  name: 'connect_sheet',
  title: 'Connect a sheet',
  description:
    'Connect one tab of a Google spreadsheet by ID or URL, with OAuth tokens or the key of a service account the spreadsheet is shared with. Access is verified immediately; credentials are never returned.',
  toolset: 'sync',
  effect: 'create',
  scope: 'connections:write',
  dangerous: { page: '/sheets', told: 'person_required.connect' },
  rest: { route: 'POST /sync/sheet' },
  mcp: false,
  input: z.object({
    spreadsheet_id: z.string().min(1).max(2000).meta({ description: 'Spreadsheet ID or URL' }),
    name: SheetName.optional().meta({ description: 'Display name of the sheet' }),
    sheet_name: TabTitle.default('Sheet1'),
    ...z.object(sheetSecrets).partial().shape,
  }),
  output: Sheet,
  run: async ({ spreadsheet_id: spreadsheet, name, sheet_name: sheetName, ...input }, call) => {
    const { app, caller, signal } = call;
    const request = { spreadsheet, name, sheetName, secrets: sheetSecretsOf(input) };
    return withWarnings(await app.sync.sheets.connect(caller.accountId, request, signal), call);
  },
  examples: [
    {
      title: 'The demo spreadsheet, which accepts any token',
      input: {
        spreadsheet_id: 'demo',
        name: 'Stock list',
        access_token: 'ya29.demo',
        refresh_token: '1//demo',
      },
    },
  ],
});
