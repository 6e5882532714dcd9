/** The first call: a template as it is filled with data. */
export function firstCall(origin: string, hasKeys: boolean): string {
  const key = hasKeys ? ' -H "Authorization: Bearer $STALLHAND_API_KEY"' : '';
  return [
    `curl ${origin}/v1/render \\`,
    `  -H 'Content-Type: application/json'${key} \\`,
    `  -d '{"template": "welcome", "data": {"name": "Ana"}}'`,
  ].join('\n');
}

type Connection = { readonly name: string; readonly file: string; readonly code: string };

/** What each client of MCP wants in its settings to use this server; docs/guides/install.md has the same. */
export function connections(origin: string, hasKeys: boolean): readonly Connection[] {
  const url = `${origin}/mcp`;
  // A variable of the client: `${name}`.
  const bearer = (name: string) => (hasKeys ? { headers: { Authorization: `Bearer $\{${name}}` } } : {});
  const env = hasKeys ? { env: { STALLHAND_API_KEY: 'sh_live_…' } } : {};
  const input = {
    type: 'promptString',
    id: 'stallhand-key',
    description: 'Stallhand API key',
    password: true,
  };
  return [
    {
      name: 'Claude Code',
      file: '.mcp.json',
      code: settings('mcpServers', { type: 'http', url, ...bearer('STALLHAND_API_KEY') }),
    },
    {
      name: 'Claude Desktop',
      file: 'claude_desktop_config.json',
      code: settings('mcpServers', { command: 'stallhand', args: ['mcp', '--url', origin], ...env }),
    },
    {
      name: 'Cursor',
      file: '.cursor/mcp.json',
      code: settings('mcpServers', { url, ...bearer('env:STALLHAND_API_KEY') }),
    },
    {
      name: 'VS Code',
      file: '.vscode/mcp.json',
      code: settings(
        'servers',
        { type: 'http', url, ...bearer('input:stallhand-key') },
        hasKeys ? { inputs: [input] } : {},
      ),
    },
    { name: 'MCP', file: '', code: url },
  ];
}

function settings(list: string, server: object, more: object = {}): string {
  return JSON.stringify({ ...more, [list]: { stallhand: server } }, null, 2);
}
