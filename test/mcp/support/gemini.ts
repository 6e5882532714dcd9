import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import type { WireTool } from '../../../tools/mcp/catalog.ts';

/** A function as the Gemini API is told it. */
export type Declaration = { readonly name: string; readonly parameters?: Part };
export type Part = { readonly [key: string]: unknown };

/** What a Google SDK makes of a tool list: sends it to an address, and the model's answer is of no interest. */
type Send = (tools: readonly WireTool[], baseUrl: string) => PromiseLike<unknown>;

/** The SDKs that write a tool's schema in Gemini's own form, each in its way. */
export const GOOGLE_SDKS: readonly (readonly [string, Send])[] = [
  [
    '@ai-sdk/google 2',
    (tools, baseUrl) =>
      createGoogleGenerativeAI({ apiKey: 'none', baseURL: `${baseUrl}/v1beta` })(
        'gemini-2.5-flash',
      ).doGenerate({
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        tools: tools.map(({ name, description, inputSchema }) => ({
          type: 'function',
          name,
          description,
          // The SDK's type is JSON Schema 7; ours uses a part of it.
          inputSchema: inputSchema as never,
        })),
      }),
  ],
  [
    '@langchain/google-genai 2',
    (tools, baseUrl) =>
      new ChatGoogleGenerativeAI({ apiKey: 'none', model: 'gemini-2.5-flash', baseUrl, maxRetries: 0 })
        .bindTools(
          tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
        )
        .invoke('Hi'),
  ],
];

/** The declarations that the Gemini API would get. */
export async function declarationsOf(
  tools: readonly WireTool[],
  send: Send,
): Promise<readonly Declaration[]> {
  const bodies: { tools: { functionDeclarations: Declaration[] }[] }[] = [];
  const server = createServer(async (req, res) => {
    bodies.push(JSON.parse((await Array.fromAsync(req)).join('')));
    const candidates = [
      { content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP', index: 0 },
    ];
    res.setHeader('Content-Type', 'application/json').end(JSON.stringify({ candidates }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has an address of this form.
  const { port } = server.address() as AddressInfo;
  try {
    await send(tools, `http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return bodies.flatMap((body) => body.tools.flatMap(({ functionDeclarations }) => functionDeclarations));
}

const TYPES: readonly unknown[] = ['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'];

/**
 * What makes the Gemini API refuse a declaration, and with it the whole request, one line a fault: the rules of its
 * `Schema` (ai.google.dev/api/caching#Schema) and the sentences it refuses with.
 */
export function geminiFaults(part: Part, place: string): string[] {
  const { enum: choices, properties = {}, required = [], items, anyOf = [] } = part;
  const type = String(part['type']).toUpperCase();
  const values = (choices ?? []) as readonly unknown[];
  const named = properties as Readonly<Record<string, Part>>;
  const own = [
    ...(part['type'] !== undefined && !TYPES.includes(type) ? [`type ${type} is unknown`] : []),
    ...(values.length > 0 && type !== 'STRING' ? ['enum: only allowed for STRING type'] : []),
    ...(values.some((value) => typeof value !== 'string') ? ['enum: not a string'] : []),
    ...(values.includes('') ? ['enum: cannot be empty'] : []),
    ...(type === 'ARRAY' && items === undefined ? ['items: missing field'] : []),
    ...(required as string[])
      .filter((name) => !(name in named))
      .map((name) => `required ${name} is not defined`),
    ...['$ref', '$defs', 'const', 'oneOf', 'allOf', 'propertyNames', 'additionalProperties']
      .filter((keyword) => keyword in part)
      .map((keyword) => `Unknown name "${keyword}"`),
  ].map((fault) => `${place}: ${fault}`);
  const inner = [
    ...Object.entries(named).map(([name, one]) => geminiFaults(one, `${place}.${name}`)),
    ...(items ? [geminiFaults(items as Part, `${place}[]`)] : []),
    ...(anyOf as Part[]).map((one, at) => geminiFaults(one, `${place}|${at}`)),
  ];
  return [...own, ...inner.flat()];
}
