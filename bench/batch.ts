import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createChildren, processorSeconds } from './children.ts';
import { startOurServer, TEMPLATE } from './contestants.ts';
import { data } from './invoice.ts';
import { loadAverage } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';

const USAGE = `Measures rows per second of POST /v1/render/batch, alone and beside another checkout.

  npm run bench:batch -- [--rounds 5] [--rows 400] [--before CHECKOUT]`;

/** The emails of the rows are only filled, or also inlined and minified. */
const KINDS = { filled: '', finished: '&inline_css=true&minify=true' } as const;
type Kind = keyof typeof KINDS;

type Server = Awaited<ReturnType<typeof startOurServer>> & { readonly name: string };
type Figures = {
  readonly kind: Kind;
  readonly name: string;
  readonly perSecond: number;
  readonly processorMs: number;
};

await runBench(async (signal) => {
  const { rounds, rows, before } = readOptions();
  await using cleanUp = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'stallhand-bench-'));
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const ring = { children: cleanUp.use(createChildren(folder, signal)), folder, signal };
  const start = async (name: string, root?: string): Promise<Server> => {
    return { name, ...(await startOurServer(ring, name, {}, root)) };
  };
  const servers = [await start('stallhand')];
  if (before !== undefined) servers.push(await start('before', resolve(before)));

  const all: Figures[] = [];
  // The first round warms the servers up.
  for (let round = 0; round <= rounds; round++) {
    const inTurn = round % 2 === 0 ? servers : servers.toReversed();
    for (const kind of ['filled', 'finished'] as const) {
      for (const server of inTurn) {
        const figures = await renderBatch(server, kind, rows, signal);
        if (round > 0) all.push(figures);
      }
    }
    if (round > 0) console.log(`round ${round} of ${rounds}, load average ${loadAverage()}`);
  }
  console.log(`\n${report(all)}`);
});

function readOptions() {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      rows: { type: 'string', default: '400' },
      before: { type: 'string' },
    },
  });
  const [rounds, rows] = [Number(values.rounds), Number(values.rows)];
  if (![rounds, rows].every((n) => Number.isInteger(n) && n > 0))
    throw new Error(`Rounds and rows are whole numbers from 1.\n\n${USAGE}`);
  return { rounds, rows, before: values.before };
}

/** @throws Error when a row has no email */
async function renderBatch(server: Server, kind: Kind, rows: number, signal: AbortSignal): Promise<Figures> {
  const { name, url, pid, authorization } = server;
  const headers = { authorization, 'content-type': 'application/x-ndjson' };
  const body = `${JSON.stringify({ data })}\n`.repeat(rows);
  const worked = processorSeconds(pid) ?? Number.NaN;
  const began = performance.now();
  const address = `${url}/v1/render/batch?template=${TEMPLATE}${KINDS[kind]}`;
  const answer = await (await fetch(address, { method: 'POST', headers, body, signal })).text();
  const seconds = (performance.now() - began) / 1000;
  const emails = answer.split('\n').filter((line) => line.includes('"html":"')).length;
  if (emails !== rows) throw new Error(`${name} rendered ${emails} of ${rows} rows: ${answer.slice(0, 500)}`);
  const processorMs = (((processorSeconds(pid) ?? Number.NaN) - worked) * 1000) / rows;
  return { kind, name, perSecond: rows / seconds, processorMs };
}

function report(all: readonly Figures[]): string {
  const lines = [['', 'rows/s', 'cpu ms a row', 'to before']];
  for (const [key, group] of Map.groupBy(all, ({ kind, name }) => `${kind}, ${name}`)) {
    const ratios = group.flatMap(({ kind, perSecond }, round) => {
      const other = all.filter((one) => one.kind === kind && one.name === 'before')[round];
      return other ? [perSecond / other.perSecond] : [];
    });
    const [least, most] = [Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2)];
    const beside = ratios.length > 0 ? `${median(ratios).toFixed(2)} (${least} to ${most})` : '-';
    lines.push([
      key,
      median(group.map(({ perSecond }) => perSecond)).toFixed(0),
      median(group.map(({ processorMs }) => processorMs)).toFixed(2),
      beside,
    ]);
  }
  return align(lines);
}
