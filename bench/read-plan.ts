import { parseArgs } from 'node:util';
import type { Plan } from './rounds.ts';

type Defaults = { readonly seconds: string; readonly connections: string };

/** The plan that the command line asks for, and the file for the results; throws with the usage. */
export function readPlan(defaults: Defaults, usage: string): { plan: Plan; json: string | undefined } {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string', default: defaults.seconds },
      connections: { type: 'string', default: defaults.connections },
      json: { type: 'string' },
    },
  });
  const plan = {
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    connections: values.connections.split(',').map(Number),
  };
  const whole = [plan.rounds, plan.seconds, ...plan.connections].every((n) => Number.isInteger(n) && n > 0);
  if (!whole) throw new Error(`Rounds, seconds and connections are whole numbers from 1.\n\n${usage}`);
  return { plan, json: values.json };
}
