import { z } from 'zod';
import { defineTool } from '../contract/define.ts';
import { ConsentLink, consentLink, ReturnTo } from './consent-link.ts';
import { SheetId, SheetName, TabTitle } from './input.ts';

export const connectGoogle = defineTool({
  name: 'connect_google',
  title: 'Connect with Google',
  description:
    'Get a link where the user connects a Google spreadsheet: they sign in, consent at Google and pick the file, without pasting a token. Show them the url; call list_sheets when they are done. With sheet_id, this renews access to a connected sheet.',
  keywords: {
    en: [
      'connect a spreadsheet',
      'sign in with google sheets',
      'google oauth',
      'reconnect a sheet',
      'google drive',
    ],
    es: ['conectar una hoja de cálculo', 'conectar con google', 'reconectar la hoja', 'permiso de google'],
  },
  toolset: 'sync',
  effect: 'create',
  scope: 'sync:write',
  rest: { route: 'POST /sync/connect/google' },
  mcp: {
    next: (_output, say) =>
      `Show the user the url and ask them to open it. Wait until they say that it is done, then call ${say('list_sheets')}.`,
  },
  input: z.object({
    spreadsheet_id: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .meta({ description: "Spreadsheet ID or URL; by default the one picked on Google's page" }),
    sheet_name: TabTitle.optional().meta({ description: 'Tab title; default the first tab' }),
    name: SheetName.optional().meta({ description: 'Display name of the sheet' }),
    sheet_id: SheetId.optional().meta({ description: 'Connected sheet to renew access for' }),
    return_to: ReturnTo.optional(),
  }),
  output: ConsentLink,
  run: async ({ spreadsheet_id: spreadsheet, sheet_name, name, sheet_id, return_to }, call) => {
    const request = { spreadsheet, sheetName: sheet_name, name, sheetId: sheet_id, returnTo: return_to };
    return consentLink(call, (asking) => call.app.sync.consents.startGoogle(asking, request));
  },
  examples: [
    { title: 'A spreadsheet that the user picks', input: {} },
    {
      title: 'One tab of a spreadsheet',
      input: { spreadsheet_id: 'https://docs.google.com/spreadsheets/d/abc123/edit', sheet_name: 'Stock' },
    },
  ],
});
