import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Plan } from './rounds.ts';

type Defaults = { readonly seconds: string; readonly connections: string };

/** `json` is the file for the results, `before` the root of another checkout to measure beside. */
type Asked = { readonly plan: Plan; readonly json: string | undefined; readonly before: string | undefined };

/** What the command line asks for; throws with the usage. */
export function readPlan(defaults: Defaults, usage: string): Asked {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: defaults.seconds },
      connections: { type: 'string', default: defaults.connections },
      json: { type: 'string' },
      before: { type: 'string' },
    },
  });
  const plan = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: values.connections.split(',').map(Number),
  };
  const whole = [plan.rounds, plan.seconds, ...plan.connections].every((n) => Number.isInteger(n) && n > 0);
  if (!whole) throw new Error(`Rounds, seconds and connections are whole numbers from 1.\n\n${usage}`);
  const { json, before } = values;
  return { plan, json, before: before === undefined ? undefined : resolve(before) };
}
