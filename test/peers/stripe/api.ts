import { contractFaults } from './contracts.ts';
import { expanded } from './expand.ts';
import { type Params, readForm } from './forms.ts';
import { type Answer, createIdempotency } from './idempotency.ts';
import { malformed, Refusal } from './refusal.ts';
import { type Route, routeOf } from './routes.ts';
import { API_VERSION, type World } from './world.ts';

/** One request, parsed from the socket or from `fetch`. */
export type Call = {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly header: (name: string) => string | undefined;
  readonly body: string;
};

export type Reply = Answer & { readonly headers: Readonly<Record<string, string>>; readonly params: Params };

/** Who asks, whether it was asked before, what it means, and the answer. `running` holds a slow request back. */
export function createApi(world: World, routes: readonly Route[], secretKey: string, violations: string[]) {
  const idempotency = createIdempotency();

  return async function answer(call: Call, running: () => Promise<void>): Promise<Reply> {
    const requestId = world.id('req');
    const params = readForm(call.method === 'POST' ? call.body : call.query);
    const key = call.method === 'POST' ? call.header('idempotency-key') : undefined;
    const headers: Record<string, string> = { 'request-id': requestId, 'stripe-version': API_VERSION };
    if (key) headers['idempotency-key'] = key;
    const reply = (given: Answer): Reply => ({ ...given, headers, params });
    try {
      authenticate(call, secretKey);
      checkVersion(call);
      const first = key && idempotency.begin(key, `${call.path}?${call.body}`);
      if (first) {
        headers['idempotent-replayed'] = 'true';
        return reply(first);
      }
    } catch (error) {
      return reply(refusal(error, call, violations));
    }
    await running();
    world.cause = { id: requestId, idempotency_key: key ?? null };
    const result = run(call, params);
    world.cause = { id: null, idempotency_key: null };
    if (key) idempotency.end(key, result.status === 200 || result.status === 402 ? result : undefined);
    return reply(result);
  };

  function run({ method, path, ...call }: Call, { expand = [], ...params }: Params): Answer {
    try {
      const found = routeOf(routes, method, path);
      if (!found) throw new Refusal(404, { message: `Unrecognized request URL (${method}: ${path}).` }, true);
      const { route, id } = found;
      const [fault] = route.contract ? contractFaults(route.contract, params) : [];
      if (fault) throw malformed(fault.code, fault.param, fault.message);
      const paths = Array.isArray(expand) ? expand.map(String) : [];
      return { status: 200, body: expanded(world, route.run(params, id), paths) };
    } catch (error) {
      return refusal(error, { method, path, ...call }, violations);
    }
  }

  function checkVersion({ header }: Call): void {
    const version = header('stripe-version');
    if (version === API_VERSION) return;
    violations.push(`Stripe-Version is ${version ?? 'absent'} and not ${API_VERSION}`);
  }
}

function authenticate({ header }: Call, secretKey: string): void {
  const [scheme, credential = ''] = (header('authorization') ?? '').split(' ');
  const key = scheme === 'Basic' ? Buffer.from(credential, 'base64').toString().split(':')[0] : credential;
  if (key === secretKey) return;
  throw new Refusal(401, {
    message: key ? `Invalid API Key provided: ${key.slice(0, 8)}****` : 'You did not provide an API key.',
  });
}

function refusal(error: unknown, { method, path }: Call, violations: string[]): Answer {
  if (!(error instanceof Refusal)) throw error;
  if (error.violation) violations.push(`${method} ${path}: ${error.message}`);
  return { status: error.status, body: { error: error.error } };
}
