import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** A process that logs `count` lines and exits with 7, before the lines are written by themselves. */
function logging(count: number) {
  const script = `
    import { createLog } from './src/platform/log.ts';
    const log = createLog('info');
    for (let line = 0; line < ${count}; line++) log.info({ line }, 'a line');
    process.stdin.once('data', () => process.exit(7)).once('end', () => process.exit(7));
    process.stdout.write('ready');
  `;
  return spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
    '-e',
    script,
  ]);
}

test.each([1, 50])('what was logged is written at exit: %i lines, each once and in order', async (count) => {
  const child = logging(count);
  const said = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdin.end();
  const [code] = await once(child, 'exit');
  const lines = (await said).trim().split('\n');
  expect([code, lines.map((line) => JSON.parse(line).line)]).toEqual([7, [...Array(count).keys()]]);
});

test('a process whose log nobody reads any more exits all the same', async () => {
  const child = logging(1);
  await once(child.stdout, 'data');
  child.stderr.destroy();
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([7, null]);
});
