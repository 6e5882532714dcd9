import type { App } from '../../src/app.ts';
import type { Caller } from '../../src/identity/caller.ts';
import type { HooksPlan } from '../../src/plans.ts';
import type { Example } from '../../tools/contract/define.ts';
import { newConnectedApp } from './connected-app.ts';
import { givePlan } from './plans.ts';

type Json = Record<string, unknown>;

/** What an account needs before it can run the examples of a tool, by the name of the tool. */
const PLANS: Readonly<Record<string, HooksPlan>> = {
  create_api_key: 'enterprise',
  invite_member: 'enterprise',
  remove_member: 'enterprise',
  revoke_api_key: 'enterprise',
  rotate_api_key: 'enterprise',
  set_api_key_ip_whitelist: 'enterprise',
  update_api_key: 'enterprise',
  update_member: 'enterprise',
  delete_brand_voice: 'pro',
  export_history: 'pro',
  generate_hooks_batch: 'pro',
  list_brand_voices: 'pro',
  save_brand_voice: 'pro',
  update_brand_voice: 'pro',
};

/** Tools whose examples start after the link of the last call of `given` was paid. */
const PAID: ReadonlySet<string> = new Set(['change_plan']);

/** Tools whose examples are about a job that waits: `job_id` is the job's. */
const OF_A_JOB: ReadonlySet<string> = new Set(['cancel_job', 'get_job']);

/** Tools whose examples are about a connected app: `app_id` is the app's. */
const OF_AN_APP: ReadonlySet<string> = new Set(['revoke_connected_app']);

type Setup = {
  readonly app: App;
  readonly caller: Caller;
  readonly call: (name: string, input: Json) => Promise<Json>;
  /** Pays at a checkout link, by its id. */
  readonly pay: (checkoutId: string) => void;
};

/** Does everything before an example in the caller's account, and returns the input of its call. */
export async function setUpExample(
  tool: { readonly name: string },
  { given = [], input }: Example,
  { app, caller, call, pay }: Setup,
): Promise<Json> {
  const plan = PLANS[tool.name];
  if (plan) await givePlan(app, caller.accountId, plan);
  const answers = new Map<string, Json>();
  for (const [name, first] of given) answers.set(name, await call(name, fillGiven(first, answers)));
  if (PAID.has(tool.name)) pay(String([...answers.values()].at(-1)?.['id']));
  if (OF_AN_APP.has(tool.name)) return { ...input, app_id: await newConnectedApp(app, caller.accountId) };
  if (!OF_A_JOB.has(tool.name)) return fillGiven(input, answers);
  const listing = { tool: 'list_templates', input: {}, locale: 'en', baseUrl: '' } as const;
  const { id } = await app.jobs.create(caller, listing);
  return { ...input, job_id: id };
}

/** The input of an example with `<tool.field>` replaced by what the call of that tool returned. */
function fillGiven(input: Readonly<Json>, answers: ReadonlyMap<string, Json>): Json {
  const filled = JSON.stringify(input).replace(/"<(\w+)\.(\w+)>"/g, (whole, tool: string, field: string) => {
    const value = answers.get(tool)?.[field];
    return value === undefined ? whole : JSON.stringify(value);
  });
  return JSON.parse(filled) as Json;
}
