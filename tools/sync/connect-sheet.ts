import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { SheetName, sheetSecrets, TabTitle } from './input.ts';
import { Sheet, sheetSecretsOf } from './sheet-answer.ts';

export const connectSheet = defineTool({
  name: 'connect_sheet',
  title: 'Connect a sheet',
  description:
    'Connect one tab of a Google spreadsheet by its ID or address, and tokens of a person or the key of a service account it is shared with. It is opened at once to see that they are right, and they are never shown again. The spreadsheet demo needs none where the demo is on.',
  toolset: 'sync',
  effect: 'create',
  scope: 'sync:write',
  rest: { route: 'POST /sync/sheet' },
  mcp: false,
  input: z.object({
    spreadsheet_id: z
      .string()
      .min(1)
      .max(2000)
      .meta({ description: 'ID of the spreadsheet, or its address' }),
    name: SheetName.optional().meta({ description: 'What it is called here' }),
    sheet_name: TabTitle.default('Sheet1'),
    ...z.object(sheetSecrets).partial().shape,
  }),
  output: Sheet,
  run: ({ spreadsheet_id: spreadsheet, name, sheet_name: sheetName, ...input }, { app, caller, signal }) =>
    app.sync.sheets.connect(
      caller.accountId,
      { spreadsheet, name, sheetName, secrets: sheetSecretsOf(input) },
      signal,
    ),
  examples: [
    {
      title: 'the demo spreadsheet, which takes any token',
      input: {
        spreadsheet_id: 'demo',
        name: 'Stock list',
        access_token: 'ya29.demo',
        refresh_token: '1//demo',
      },
    },
  ],
});
