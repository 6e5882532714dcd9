import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type Fixture, LLMock } from '@copilotkit/aimock';
import { contractFaults } from './contracts.ts';

export type Aimock = {
  /** Origin. OpenAI's base URL is this and `/v1`, Anthropic's is this. */
  readonly url: string;
  /** Stops. Throws when a request broke the provider's published schema. */
  close(): Promise<void>;
};

/**
 * aimock behind a small proxy that validates every request against the published schema. aimock's own journal
 * is no use for that: it records requests only after converting them.
 */
export async function startAimock(fixtures: readonly Fixture[]): Promise<Aimock> {
  const mock = await LLMock.create({ port: 0, logLevel: 'silent' });
  mock.addFixtures([...fixtures]);
  const complaints: string[] = [];

  const proxy = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = request.url ?? '/';
    const contract = path.startsWith('/v1/messages') ? 'anthropic' : 'openai';
    const faults = await contractFaults(contract, JSON.parse(body.toString()));
    complaints.push(...faults.map((fault) => `request to ${path}: ${fault}`));
    const {
      host,
      connection,
      'content-length': length,
      'transfer-encoding': coding,
      ...headers
    } = request.headers;
    const answer = await fetch(new URL(path, mock.url), {
      method: 'POST',
      headers: headers as Record<string, string>,
      body,
    });
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    for await (const piece of answer.body ?? []) response.write(piece);
    response.end();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');

  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
      await mock.stop();
      if (complaints.length > 0) throw new Error(complaints.join('\n'));
    },
  };
}
