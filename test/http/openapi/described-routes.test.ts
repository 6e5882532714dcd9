import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESCRIBED_ROUTES } from '../../../http/openapi/described-routes.ts';
import { openapi } from '../../../http/openapi/openapi.ts';
import { productRegistry } from '../../../tools/index.ts';
import { openServedApp, type ServedApp } from '../../support/served-app.ts';
import { type Answer, newKey, useRest } from '../../support/server.ts';

type Operation = {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { content?: Record<string, { schema: object }> }>>;
};

const document = openapi(productRegistry(), '1.2.3');
// The document's type leaves operations open.
const operationOf = (method: string, path: string) =>
  document.paths[path]?.[method.toLowerCase()] as Operation | undefined;

let app: ServedApp;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());

test('every operation of the OpenAPI document has an id of its own', () => {
  const ids = Object.values(document.paths).flatMap((operations) =>
    Object.values(operations).map((operation) => (operation as Operation).operationId),
  );
  expect(ids).toHaveLength(new Set(ids).size);
  expect(ids).toEqual(expect.arrayContaining(['log_in', 'get_config', 'follow_job', 'download_file']));
});

test.each(DESCRIBED_ROUTES.map(({ route, id }) => [route, id]))('%s is there', async (route, id) => {
  const [method = '', path = ''] = route.split(' ');
  expect(operationOf(method, path)).toMatchObject({ operationId: id });
  const { key } = await newKey(app);
  const asked = path.replaceAll(/\{\w+\}/g, 'x');
  const { body } = await useRest(app.url, key)(method, asked);
  expect(String(body['detail'])).not.toContain(`${method} ${asked}`);
});

test('signing in, and what a client must know before, answer what the document says', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const fits = async (method: string, path: string, asked: Promise<Answer>) => {
    const { status, body } = await asked;
    const schema = operationOf(method, path)?.responses[status]?.content?.['application/json']?.schema;
    expect(schema, `${method} ${path} ${status}`).toBeDefined();
    const valid = ajv.compile(schema ?? false);
    expect([valid(body), valid.errors]).toEqual([true, null]);
    return body;
  };
  const auth = '/api/v1/auth';
  const visitor = useRest(app.url);
  const ana = { email: 'ana@shop.example', password: 'correct horse battery' };
  await fits('GET', '/api/v1/config', visitor('GET', '/api/v1/config'));
  await fits('POST', `${auth}/register`, visitor('POST', `${auth}/register`, { body: ana }));
  await fits('POST', `${auth}/login`, visitor('POST', `${auth}/login`, { body: { email: ana.email } }));
  const { token } = await fits('POST', `${auth}/login`, visitor('POST', `${auth}/login`, { body: ana }));
  const person = useRest(app.url, String(token));
  await fits('GET', `${auth}/me`, person('GET', `${auth}/me`));
  const fresh = await fits('POST', `${auth}/refresh`, person('POST', `${auth}/refresh`));
  const again = useRest(app.url, String(fresh['token']));
  await fits('POST', `${auth}/logout`, again('POST', `${auth}/logout`, { body: { everywhere: true } }));
});
