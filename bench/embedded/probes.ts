import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../results.ts';

/** What another caller does during the sync. */
export const PROBES = ['render', 'list', 'create'] as const;
type ProbeName = (typeof PROBES)[number];

/** Latencies in milliseconds, each from when its request was due; `refused` counts answers that were not 2xx. */
type Latencies = {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly count: number;
  readonly refused: number;
};

export type Probed = Readonly<Record<ProbeName, Latencies>>;

type Answers = { readonly late: number[]; refused: number };

const PER_SECOND = 8;
/** No one waits longer than this, and no more of one kind than this wait at once. */
const LONGEST_MS = 60_000;
const MOST_WAITING = 100;

export const TEMPLATE = 'probe';

/** Sends each kind of request at a steady rate, whether answers come or not, until `until` settles. */
export async function probe(url: string, until: Promise<unknown>): Promise<Probed> {
  const stop = new AbortController();
  const stopping = until.finally(() => stop.abort());
  const all = PROBES.map(async (name, nth) => {
    await sleep((1000 / PER_SECOND / PROBES.length) * nth);
    return [name, latenciesOf(await steadily(() => requestOf(name, url), stop.signal))] as const;
  });
  await stopping;
  // One for each name.
  return Object.fromEntries(await Promise.all(all)) as Probed;
}

async function steadily(requested: () => Promise<Response>, stop: AbortSignal): Promise<Answers> {
  const answers: Answers = { late: [], refused: 0 };
  const waiting = new Set<Promise<void>>();
  const began = performance.now();
  for (let nth = 0; !stop.aborted; nth++) {
    const due = began + (nth * 1000) / PER_SECOND;
    await sleep(Math.max(0, due - performance.now()));
    if (waiting.size >= MOST_WAITING) continue;
    const answered = timed(requested, due, answers);
    waiting.add(answered);
    void answered.then(() => waiting.delete(answered));
  }
  await Promise.all(waiting);
  return answers;
}

async function timed(requested: () => Promise<Response>, due: number, answers: Answers): Promise<void> {
  try {
    const response = await requested();
    await response.arrayBuffer();
    if (!response.ok) answers.refused++;
  } catch {
    answers.refused++;
  }
  answers.late.push(performance.now() - due);
}

let created = 0;

function requestOf(name: ProbeName, url: string): Promise<Response> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  switch (name) {
    case 'render':
      return send(`${url}/v1/render`, { template: TEMPLATE, data: { name: 'Ana' } }, signal);
    case 'list':
      return fetch(`${url}/v1/templates?limit=20`, { signal });
    case 'create':
      return send(`${url}/v1/templates`, { name: `probe-${++created}`, html: '<p>Hi</p>' }, signal);
  }
}

function send(url: string, body: object, signal: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
}

function latenciesOf({ late, refused }: Answers): Latencies {
  const [p50, p95] = [percentile(late, 50), percentile(late, 95)];
  return { p50, p95, max: Math.max(...late), count: late.length, refused };
}
