import { readFileSync } from 'node:fs';
import type { LoadRequest } from './load.ts';

/** Sends the request once and returns the reply. @throws Error with the reply where it is a refusal */
export async function ask(
  { url, method, bodyFile, headers }: LoadRequest,
  signal: AbortSignal,
): Promise<Buffer> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: bodyFile ? readFileSync(bodyFile) : null,
    signal,
  });
  const reply = Buffer.from(await response.arrayBuffer());
  if (response.ok) return reply;
  throw new Error(`${url} answered ${response.status}: ${reply.toString('utf8').slice(0, 500)}`);
}
