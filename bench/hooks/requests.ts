import type { DatabaseMeter } from './database-meter.ts';

/** A server that writes hooks. `pid` is its process. */
export type Target = {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly authorizations: readonly string[];
  readonly database?: DatabaseMeter | undefined;
};

/** Asks for five hooks; of the customers, the next one's turn. Returns milliseconds. @throws Error when they did not come */
export async function generate(
  { url, authorizations }: Target,
  number: number,
  signal: AbortSignal,
): Promise<number> {
  const authorization = authorizations[number % authorizations.length];
  const sent = performance.now();
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    body: JSON.stringify({ topic: `copper kettles, request ${number}`, count: 5, provider: 'provider_a' }),
    signal,
  });
  const answer = (await response.json()) as { hooks?: unknown[] };
  if (!response.ok || answer.hooks?.length !== 5)
    throw new Error(`${response.status} ${JSON.stringify(answer)}`);
  return performance.now() - sent;
}
