import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { type Browser, createBrowser } from '../src/platform/browser/browser.ts';
import { loadAverage } from './machine.ts';
import { align, median } from './results.ts';
import { runBench } from './run-bench.ts';

const USAGE = `Measures how long one account waits for a PDF while another holds pages of the browser with previews that never
end. Each round measures it idle and under attack, in turn. Fails where the median takes over twice the idle time. By default
with as many pages as the server has: one for each core, at least two.

  npm run bench:neighbours -- [--rounds 5] [--prints 15] [--pages N]`;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    prints: { type: 'string', default: '15' },
    pages: { type: 'string', default: String(Math.max(2, availableParallelism())) },
    help: { type: 'boolean', default: false },
  },
});

const INVOICE = `<h1>Invoice</h1><table>${'<tr><td>A mug, glazed twice</td><td>12.00</td></tr>'.repeat(40)}</table>`;
// Takes its page's whole time, as test/attacks/browser-neighbours.test.ts says.
const ENDLESS = `<style>div{filter:blur(100px);padding:1px}</style>${'<div>'.repeat(300)}text`;
const SHOTS = [800, 375].map((width) => ({ width, colorScheme: 'light' }) as const);
const PAPER = {
  ...({ pageSize: 'A4', landscape: false, scale: 1, background: true, tagged: false } as const),
  margin: { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' },
};
/** Of the time it takes idle. */
const MOST_RATIO = 2;
/** As many as an account may have waiting at a time. */
const ATTACKS = 8;

if (values.help) console.log(USAGE);
else await runBench(measure);

async function measure(signal: AbortSignal): Promise<void> {
  const browser = createBrowser({
    executablePath: process.env['PUPPETEER_EXECUTABLE_PATH'],
    pages: Number(values.pages),
    log: pino({ level: 'silent' }),
  });
  try {
    await printTimes(browser, signal);
    const rows = [['round', 'idle ms', 'attacked ms', 'ratio']];
    const ratios: number[] = [];
    for (let round = 1; round <= Number(values.rounds); round += 1) {
      const idle = median(await printTimes(browser, signal));
      const attack = startAttack(browser, signal);
      const attacked = median(await printTimes(browser, signal));
      await attack.stop();
      ratios.push(attacked / idle);
      rows.push([String(round), idle.toFixed(0), attacked.toFixed(0), (attacked / idle).toFixed(2)]);
    }
    console.log(align(rows));
    const ratio = median(ratios);
    if (ratio > MOST_RATIO) process.exitCode = 1;
    console.log(
      `\nmedian ratio ${ratio.toFixed(2)}, at most ${MOST_RATIO} wanted; load average ${loadAverage()}`,
    );
  } finally {
    await browser.close();
  }
}

async function printTimes(browser: Browser, signal: AbortSignal): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < Number(values.prints); count += 1) {
    const from = performance.now();
    await browser.print(INVOICE, PAPER, { signal, accountId: 'neighbour' });
    times.push(performance.now() - from);
  }
  return times;
}

/** Keeps previews under way until it is stopped. */
function startAttack(browser: Browser, signal: AbortSignal): { stop(): Promise<void> } {
  const over = new AbortController();
  const asker = { accountId: 'attacker', signal: AbortSignal.any([signal, over.signal]) };
  const attack = async () => {
    while (!over.signal.aborted) await browser.screenshot(ENDLESS, SHOTS, asker).catch(() => undefined);
  };
  const attacks = Array.from({ length: ATTACKS }, attack);
  return {
    async stop() {
      over.abort();
      await Promise.all(attacks);
    },
  };
}
