import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { listen, OtherInput, otherNames, RenderInput, readFill } from './minimal.ts';

// A minimal server as the SDK of revision 2025-11-25 documents it: a server and a transport for each session.

const fill = readFill();
const sessions = new Map<string, StreamableHTTPServerTransport>();

const app = express();
app.post('/mcp', express.json({ limit: '4mb' }), async (req, res) => {
  const transport = sessions.get(req.get('mcp-session-id') ?? '') ?? (await open());
  await transport.handleRequest(req, res, req.body);
});
listen(app);

async function open(): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  const server = new McpServer({ name: 'minimal', version: '1.0.0' });
  server.registerTool(
    'render_template',
    { description: 'Fills a template.', inputSchema: RenderInput.shape },
    ({ data }) => ({
      content: [{ type: 'text', text: fill(data) }],
    }),
  );
  for (const name of otherNames) {
    server.registerTool(name, { description: `Lists ${name}.`, inputSchema: OtherInput.shape }, () => ({
      content: [{ type: 'text', text: '[]' }],
    }));
  }
  await server.connect(transport);
  return transport;
}
