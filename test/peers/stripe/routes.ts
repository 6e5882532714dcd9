import type { StripeContract } from './contracts.ts';
import type { Params } from './forms.ts';

export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** `:id` stands for one part. */
  readonly path: `/v1/${string}`;
  /** The published schema the request is held to, beside what `run` reads of it. */
  readonly contract?: StripeContract;
  run(params: Params, id: string): object;
};

/** The route of a request, and the id in its path. */
export function routeOf(
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; id: string } | undefined {
  for (const route of routes) {
    if (route.method !== method) continue;
    const id = idIn(route.path, path);
    if (id !== undefined) return { route, id };
  }
  return undefined;
}

function idIn(pattern: string, path: string): string | undefined {
  if (pattern === path) return '';
  const [before = '', after] = pattern.split(':id');
  if (after === undefined || !path.startsWith(before) || !path.endsWith(after)) return undefined;
  const id = path.slice(before.length, path.length - after.length);
  return id !== '' && !id.includes('/') ? decodeURIComponent(id) : undefined;
}
