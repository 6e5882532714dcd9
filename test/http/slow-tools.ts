import { z } from 'zod';
import { Fault } from '../../src/errors.ts';
import { defineTool, type Tool } from '../../tools/contract/define.ts';
import { aborted } from '../jobs/workshop.ts';

const examples = [{ title: 'one', input: {} }];
const spec = { toolset: 'plugins', effect: 'create', scope: 'templates:write', job: true, examples } as const;

/** Tools whose work can outlive a request, as a plug-in may bring them. `step` lets a count go on by one. */
export function createSlowTools() {
  const steps: (() => void)[] = [];
  let free = 0;

  const countThings = defineTool({
    ...spec,
    name: 'count_things',
    title: 'Count things',
    description: 'Count, one at a time.',
    rest: { route: 'POST /v1/counts' },
    input: z.object({ to: z.int().min(1).default(1) }),
    output: z.object({ counted: z.number(), by: z.string() }),
    async run({ to }, { progress, caller, signal }) {
      for (let done = 1; done <= to; done++) {
        await Promise.race([turn(), aborted(signal)]);
        progress(done, to, `${done} of ${to}`);
      }
      return { counted: to, by: caller.actor };
    },
  });
  const failNow = defineTool({
    ...spec,
    name: 'fail_now',
    title: 'Fail',
    description: 'Fail.',
    rest: { route: 'POST /v1/failures' },
    input: z.object({}),
    output: z.object({}),
    async run() {
      throw new Fault('not_found.template', { name: 'gone' });
    },
  });
  const waitEver = defineTool({
    ...spec,
    name: 'wait_ever',
    title: 'Wait',
    description: 'Wait until told to end.',
    rest: { route: 'POST /v1/waits' },
    input: z.object({}),
    output: z.object({}),
    run: (_input, { signal }) => aborted(signal),
  });
  const tools: readonly Tool[] = [countThings, failNow, waitEver];
  return { tools, step };

  function step(times = 1): void {
    for (let n = 0; n < times; n++) {
      const next = steps.shift();
      if (next) next();
      else free++;
    }
  }

  function turn(): Promise<void> {
    if (free > 0) {
      free--;
      return Promise.resolve();
    }
    return new Promise((resolve) => steps.push(resolve));
  }
}
