import { scoresOf } from './check.ts';
import { playLive } from './live.ts';
import { TASKS } from './tasks.ts';
import { MODES, openWorld } from './world.ts';

// Plays every task over real MCP, and says what a model reads of the answers under the three rules of clients:
// `npm run eval`. With OPENAI_API_KEY or ANTHROPIC_API_KEY a live model does them too.

const world = await openWorld();
let failed = 0;
console.log(
  `${'tokens: text'.padStart(12)} ${'structured'.padStart(11)} ${'both'.padStart(7)}  largest   bytes  task`,
);
for (const mode of MODES) {
  console.log(`\n${mode}`);
  for (const task of TASKS) {
    const scores = scoresOf(task, mode, await world.play(mode, task.play));
    const [text, structured, both] = ['text', 'structured', 'both'].map((rule) =>
      String(scores.find((score) => score.rule === rule)?.tokens ?? '–'),
    );
    const most = String(Math.max(...scores.map((score) => score.most)));
    const bytes = String(Math.max(...scores.map((score) => score.bytes)));
    const faults = scores.flatMap(({ rule, faults }) => faults.map((fault) => `${rule}: ${fault}`));
    if (faults.length > 0) failed += 1;
    const figures = `${text?.padStart(12)} ${structured?.padStart(11)} ${both?.padStart(7)} ${most.padStart(8)} ${bytes.padStart(7)}`;
    console.log(`${figures}  ${faults.length === 0 ? 'ok  ' : 'FAIL'} ${task.asked}`);
    for (const fault of faults) console.log(`${' '.repeat(41)}${fault}`);
  }
}
console.log(`\n${TASKS.length} tasks × ${MODES.length} lists, ${failed} failed`);
failed += await playLive(world, process.env);
await world.close();
process.exitCode = failed === 0 ? 0 : 1;
