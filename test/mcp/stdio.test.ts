import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { outputOf, STDIO_CLIENTS, textOf } from './support/clients.ts';

const COMMAND = {
  command: process.execPath,
  args: [fileURLToPath(new URL('stdio-server.ts', import.meta.url))],
  stderr: 'pipe' as const,
};

describe.each(STDIO_CLIENTS)('%s over standard input and output', (_name, connect) => {
  test('lists and calls tools, and reads errors', async () => {
    const client = await connect(COMMAND);
    const tools = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'create_note',
      'get_note',
      'search_tools',
      'read_tool',
      'run_tool',
    ]);

    const answer = await client.callTool('get_note', { id: 'note_1', length: 2 });
    expect(outputOf(answer)).toMatchObject({ id: 'note_1', html: 'éé' });

    const refused = await client.callTool('get_note', { id: 7 });
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toContain('id: ');

    await expect(client.callTool('get_notes')).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
});

describe('MCP over standard input and output', () => {
  test('writes nothing but JSON lines to standard output, whatever a tool prints', async () => {
    const child = spawn(COMMAND.command, COMMAND.args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const errors = text(child.stderr);
    const send = (message: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    send({ method: 'notifications/initialized' });
    child.stdin.write('this is no message\n');
    send({ id: 2, method: 'tools/call', params: { name: 'print_notes' } });

    let output = '';
    for await (const chunk of child.stdout) {
      output += chunk;
      // A client that has its answers closes stdin; the process then exits.
      if (output.includes('"id":2')) child.stdin.end();
    }
    const messages = output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(messages).toMatchObject([
      {
        id: 1,
        result: { protocolVersion: '2025-06-18', serverInfo: { name: 'stallhand', version: '1.2.3' } },
      },
      { id: 2, result: { content: [{ text: expect.stringContaining('{"printed":true}') }] } },
    ]);
    expect(await errors).toContain('a stray line');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(0);
  });
});
