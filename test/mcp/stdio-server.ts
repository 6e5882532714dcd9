import { SCOPES } from '../../src/identity/caller.ts';
import { createLog } from '../../src/platform/log.ts';
import { serveStdioMcp } from '../../tools/mcp/serve-stdio.ts';
import { noApp } from '../support/no-app.ts';
import { noteTools } from './support/notes.ts';
import { registryOf } from './support/server.ts';

// A process that serves MCP over its standard streams, as `npm run mcp` does.
const mcp = serveStdioMcp({
  // The tools of these tests use nothing of the app.
  app: noApp,
  registry: registryOf(noteTools()),
  caller: { accountId: 'acc_local', actor: 'local', scopes: SCOPES, via: 'local' },
  baseUrl: 'http://stallhand.test',
  locale: 'en',
  log: createLog('info'),
  version: '1.2.3',
});
await mcp.closed;
