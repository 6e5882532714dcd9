import { z } from 'zod';
import { page, paging } from '../../src/templates/schema.ts';
import { defineTool } from '../contract/define.ts';
import { givenDemo } from './demo-example.ts';
import { Sheet } from './sheet-answer.ts';

export const listSheets = defineTool({
  name: 'list_sheets',
  title: 'List sheets',
  description:
    'List the connected sheets, newest first. People connect one on the page /sheets, or over REST.',
  toolset: 'sync',
  effect: 'read',
  scope: 'sync:read',
  rest: { route: 'GET /sync/sheets', list: true },
  mcp: { core: true },
  input: z.object(paging),
  output: page(Sheet),
  run: (input, { app, caller }) => app.sync.sheets.list(caller.accountId, input),
  examples: [{ title: 'the demo sheet', given: givenDemo, input: {} }],
});
