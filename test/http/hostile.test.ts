import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHostilePartials, HOSTILE_RENDERS, HOSTILE_SOURCES } from '../support/hostile-templates.ts';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey, useRest } from '../support/server.ts';

let app: ServedApp;
let rest: ReturnType<typeof useRest>;

beforeAll(async () => {
  app = await openServedApp();
  rest = useRest(app.url, (await newKey(app)).key);
  await createHostilePartials((method, path, body) => rest(method, path, { body }));
});
afterAll(() => app.close());

/** The answer of a hostile call, and the worst answer of /health while it ran. */
async function attack(path: string, body: unknown) {
  let running = true;
  const health = (async () => {
    const statuses = new Set<number>();
    do statuses.add((await fetch(`${app.url}/health`)).status);
    while (running);
    return statuses;
  })();
  const { status, body: answer } = await rest('POST', path, { body });
  running = false;
  return { status, code: answer['code'], health: [...(await health)] };
}

test.each(HOSTILE_RENDERS)('%s: 422 render_limit, and /health still answers', async (_name, html, data) => {
  expect(await attack('/v1/render', { html, data })).toEqual({
    status: 422,
    code: 'render_limit',
    health: [200],
  });
});

test.each(HOSTILE_SOURCES)('%s: 422 template_too_complex, and /health still answers', async (_name, html) => {
  const answer = await attack('/v1/templates', { name: 'bomb', html });
  expect(answer).toEqual({ status: 422, code: 'template_too_complex', health: [200] });
});
