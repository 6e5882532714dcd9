import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';

/** A call that the model makes. The tool's name is the end of what clients call it: they put the server's before it. */
export type ScriptedCall = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

export type ScriptedModel = {
  /** Origin, for the protocols of OpenAI, Anthropic and Google alike. */
  readonly url: string;
  /** The requests of the conversation as JSON, in order: the last one holds every answer of a tool. */
  readonly received: readonly string[];
  close(): Promise<void>;
};

/** A model that makes the calls of a script, each after the answer to the one before, and then says DONE. */
export async function startScriptedModel(script: readonly ScriptedCall[]): Promise<ScriptedModel> {
  const received: string[] = [];
  const mock = await LLMock.create({ port: 0, logLevel: 'silent' });
  mock.addFixtures([{ match: { predicate: () => true }, response: nextTurn }]);

  const proxy = createServer(async (request, response) => {
    const body = await buffer(request);
    // Clients also ask for titles and summaries, without tools.
    if (request.method === 'POST' && toolNames(body).length > 0) received.push(body.toString());
    const answer = await fetch(new URL(request.url ?? '/', mock.url), {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json', authorization: 'Bearer none', 'x-api-key': 'none' },
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type }).end(inGroups(await answer.text()));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');

  function nextTurn({ messages }: ChatCompletionRequest) {
    const answered = messages.filter(({ role }) => role === 'tool').length;
    const call = script[answered];
    const name = call && toolNames(received.at(-1)).find((one) => one.endsWith(call.tool));
    if (!call || name === undefined) return { content: 'DONE' };
    return { toolCalls: [{ name, arguments: JSON.stringify(call.input), id: `call_${answered}` }] };
  }

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    received,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
      await mock.stop();
    },
  };
}

/** Names of the server's tools in a request of any of the protocols. */
export function toolNames(request: Buffer | string | undefined): readonly string[] {
  const { tools } = JSON.parse(String(request ?? '{}')) as { tools?: unknown };
  return namesIn(tools, '').filter((name) => name.includes('stallhand'));
}

// Some protocols have tools in groups, or below `function`.
function namesIn(part: unknown, group: string): string[] {
  if (Array.isArray(part)) return part.flatMap((one) => namesIn(one, group));
  if (typeof part !== 'object' || part === null) return [];
  const { name, tools, functionDeclarations, function: inner } = part as Record<string, unknown>;
  const own = typeof name === 'string' ? `${group}${name}` : '';
  const members = [
    ...namesIn(tools, `${own}__`),
    ...namesIn(functionDeclarations, group),
    ...namesIn(inner, group),
  ];
  return members.length > 0 ? members : [own];
}

/** Codex has the tools of a server in a group, and takes a call only with both names. */
function inGroups(answer: string): string {
  return answer.replaceAll(/"name":"(mcp__stallhand)__([a-z_]+)"/g, (whole, group, name) =>
    answer.includes('event: response.') ? `"namespace":"${group}","name":"${name}"` : whole,
  );
}
