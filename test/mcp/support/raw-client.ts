import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** What a request was answered with. */
export type RawAnswer = {
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

const Response = z.object({
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }).optional(),
});

/** Clients that may be answered with tasks. */
export const TASKS = { 'io.modelcontextprotocol/tasks': {} };

export const VERSION = '2026-07-28';

/** The parameters of a request of revision 2026-07-28. */
export function enveloped<P extends object>(params: P, capabilities: ClientCapabilities = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return { _meta, ...params };
}

/** Requests of revision 2026-07-28 as they are on the wire: what the SDK's client would not send, or would not show. */
export function rawClient(
  url: string,
  key: string,
  capabilities: ClientCapabilities = { extensions: TASKS },
) {
  const address = new URL(url);
  address.pathname = '/mcp';
  let last = 0;
  return async (method: string, params: Readonly<Record<string, unknown>> = {}): Promise<RawAnswer> => {
    last += 1;
    const name = params['taskId'] ?? params['name'] ?? params['uri'];
    const response = await fetch(address, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': VERSION,
        'Mcp-Method': method,
        ...(typeof name === 'string' && { 'Mcp-Name': name }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: last, method, params: enveloped(params, capabilities) }),
    });
    const { result, error } = Response.parse(await response.json());
    return { ...(result && { result }), ...(error && { error }) };
  };
}

export type RawClient = ReturnType<typeof rawClient>;
