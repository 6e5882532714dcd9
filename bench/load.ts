import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { run } from './children.ts';

/** One request, sent over and over. `bodyFile` holds JSON, in which `[<id>]` stands for another text each time. */
export type LoadRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly bodyFile?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const Load = z.object({
  replies: z.number(),
  seconds: z.number(),
  p50: z.number(),
  p99: z.number(),
  errors: z.number(),
  bytes: z.number(),
});

/** What came back. Latencies are milliseconds; bytes count heads and bodies; errors are replies that were not 2xx, and none at all. */
export type Load = z.output<typeof Load>;

export type Generator = {
  readonly name: 'wrk' | 'autocannon';
  load(request: LoadRequest, connections: number, seconds: number, signal: AbortSignal): Promise<Load>;
};

/** wrk where it is installed, since it takes little of the processor from the servers, else autocannon. */
export function findGenerator(): Generator {
  const { PATH = '' } = process.env;
  return PATH.split(delimiter).some((folder) => existsSync(join(folder, 'wrk')))
    ? { name: 'wrk', load: loadWithWrk }
    : { name: 'autocannon', load: loadWithAutocannon };
}

/** A header a line, in the form that both generators take. */
function headerLines({ bodyFile, headers = {} }: LoadRequest): string[] {
  const all = { ...(bodyFile && { 'content-type': 'application/json' }), ...headers };
  return Object.entries(all).map(([name, value]) => `${name}: ${value}`);
}

const SCRIPT = fileURLToPath(new URL('post.lua', import.meta.url));

const loadWithWrk: Generator['load'] = async (request, connections, seconds, signal) => {
  const size = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s'];
  const environment = {
    BENCH_METHOD: request.method,
    ...(request.bodyFile && { BENCH_BODY: request.bodyFile }),
    BENCH_HEADERS: headerLines(request).join('\n'),
  };
  const said = await run('wrk', [...size, '-s', SCRIPT, request.url], environment, signal);
  return Load.parse(JSON.parse(/^result (.*)$/m.exec(said)?.[1] ?? 'null'));
};

const AUTOCANNON = fileURLToPath(new URL('peers/node_modules/autocannon/autocannon.js', import.meta.url));

const Autocannon = z.object({
  duration: z.number(),
  requests: z.object({ total: z.number() }),
  latency: z.object({ p50: z.number(), p99: z.number() }),
  throughput: z.object({ total: z.number() }),
  errors: z.number(),
  non2xx: z.number(),
});

const loadWithAutocannon: Generator['load'] = async (request, connections, seconds, signal) => {
  const size = ['-c', `${connections}`, '-d', `${seconds}`, '-t', '10'];
  const body = request.bodyFile ? ['-I', '-i', request.bodyFile] : [];
  const headers = headerLines(request).flatMap((line) => ['-H', line]);
  const args = [AUTOCANNON, '-j', ...size, '-m', request.method, ...body, ...headers, request.url];
  const said = Autocannon.parse(JSON.parse(await run(process.execPath, args, {}, signal)));
  return {
    replies: said.requests.total,
    seconds: said.duration,
    p50: said.latency.p50,
    p99: said.latency.p99,
    errors: said.errors + said.non2xx,
    bytes: said.throughput.total,
  };
};
