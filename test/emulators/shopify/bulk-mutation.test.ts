import { expect, test } from 'vitest';
import {
  BULK_STATUS,
  CANCEL_BULK,
  STAGE_UPLOAD,
  START_BULK_MUTATION,
  UPDATE_PRODUCT,
} from '../../../src/providers/shopify/operations.ts';
import { type OpenShop, openShop } from './open-shop.ts';

type Parameter = { readonly name: string; readonly value: string };
type Target = { readonly url: string; readonly parameters: readonly Parameter[] };

const UPLOAD = {
  resource: 'BULK_MUTATION_VARIABLES',
  filename: 'variables.jsonl',
  mimeType: 'text/jsonl',
  httpMethod: 'POST',
};

async function stage(shop: OpenShop): Promise<Target> {
  const { data } = await shop.ask(STAGE_UPLOAD, { input: [UPLOAD] });
  return data.stagedUploadsCreate.stagedTargets[0];
}

/** Puts a file there as it is asked for; answers the path by which it is named. */
async function put(shop: OpenShop, { url, parameters }: Target, text: string) {
  const form = new FormData();
  for (const { name, value } of parameters) form.set(name, value);
  form.set('file', new Blob([text], { type: 'text/jsonl' }), 'variables.jsonl');
  const { status } = await shop.emulator.fetch(url, { method: 'POST', body: form });
  return { status, path: parameters.find(({ name }) => name === 'key')?.value ?? '' };
}

async function start(shop: OpenShop, text: string, mutation = UPDATE_PRODUCT) {
  const { path } = await put(shop, await stage(shop), text);
  const { data } = await shop.ask(START_BULK_MUTATION, { mutation, path });
  return data.bulkOperationRunMutation;
}

const rename = (id: string, title: string) => JSON.stringify({ product: { id, title } });

test('every line is done, and the result says of each line what came of it, in any order', async () => {
  const shop = openShop();
  const [mug, plate] = [shop.product('MUG-S'), shop.product('PLATE')];
  const lines = [rename(mug, 'Beaker'), rename(plate, ''), rename('gid://shopify/Product/1', 'Cup')];
  const { bulkOperation, userErrors } = await start(shop, `${lines.join('\n')}\n`);
  expect({ status: bulkOperation.status, userErrors }).toEqual({ status: 'CREATED', userErrors: [] });
  await shop.clock.sleep(1200);
  const { data } = await shop.ask(BULK_STATUS, { id: bulkOperation.id });
  expect(data.bulkOperation).toMatchObject({ status: 'COMPLETED', objectCount: '3' });
  const text = await (await shop.emulator.fetch(data.bulkOperation.url)).text();
  const results = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results).toEqual([
    {
      data: {
        productUpdate: { product: null, userErrors: [{ field: ['id'], message: 'Product does not exist' }] },
      },
      __lineNumber: 2,
    },
    {
      data: {
        productUpdate: {
          product: { id: plate },
          userErrors: [{ field: ['title'], message: "Title can't be blank" }],
        },
      },
      __lineNumber: 1,
    },
    { data: { productUpdate: { product: { id: mug }, userErrors: [] } }, __lineNumber: 0 },
  ]);
  expect(shop.emulator.variants().map(({ title }) => title)).toEqual(['Beaker', 'Beaker', 'Plate']);
});

test('variables of the wrong type are an error of their line', async () => {
  const shop = openShop();
  const { bulkOperation } = await start(shop, '{"product":{"title":5}}');
  await shop.clock.sleep(1200);
  const { data } = await shop.ask(BULK_STATUS, { id: bulkOperation.id });
  const text = await (await shop.emulator.fetch(data.bulkOperation.url)).text();
  expect(JSON.parse(text)).toMatchObject({
    errors: [{ message: expect.stringContaining('String cannot represent a non string value: 5') }],
    __lineNumber: 0,
  });
});

test('lines are done over time: what was done before a cancel stays done', async () => {
  const shop = openShop();
  const [mug, plate] = [shop.product('MUG-S'), shop.product('PLATE')];
  const { id } = (await start(shop, [rename(mug, 'Beaker'), rename(plate, 'Dish')].join('\n'))).bulkOperation;
  await shop.clock.sleep(700);
  await shop.ask(CANCEL_BULK, { id });
  await shop.clock.sleep(1000);
  const { data } = await shop.ask(BULK_STATUS, { id });
  expect(data.bulkOperation).toMatchObject({ status: 'CANCELED', objectCount: '1' });
  expect(shop.emulator.variants().map(({ title }) => title)).toEqual(['Beaker', 'Beaker', 'Plate']);
});

test.each([
  ['INVALID_STAGED_UPLOAD_FILE', 'not json', UPDATE_PRODUCT, 'stagedUploadPath'],
  ['INVALID_STAGED_UPLOAD_FILE', '', UPDATE_PRODUCT, 'stagedUploadPath'],
  ['INVALID_MUTATION', '{}', '{ shop { name } }', 'mutation'],
  ['INVALID_MUTATION', '{}', CANCEL_BULK, 'mutation'],
  ['INVALID_MUTATION', '{}', 'mutation {', 'mutation'],
])('%s: %s', async (code, text, mutation, field) => {
  expect(await start(openShop(), text, mutation)).toEqual({
    bulkOperation: null,
    userErrors: [{ code, field: [field], message: expect.any(String) }],
  });
});

test('a file that was not put there is not found', async () => {
  const shop = openShop();
  const { data } = await shop.ask(START_BULK_MUTATION, { mutation: UPDATE_PRODUCT, path: 'tmp/1/none' });
  expect(data.bulkOperationRunMutation.userErrors).toEqual([
    { code: 'NO_SUCH_FILE', field: ['stagedUploadPath'], message: 'The JSONL file could not be found.' },
  ]);
});

test('an upload needs every parameter as it was given, and the file at its end', async () => {
  const shop = openShop();
  const target = await stage(shop);
  expect((await put(shop, target, '{}')).status).toBe(201);
  const without = target.parameters.filter(({ name }) => name !== 'policy');
  expect((await put(shop, { ...target, parameters: without }, '{}')).status).toBe(403);
  const form = new FormData();
  form.set('file', new Blob(['{}']), 'variables.jsonl');
  for (const { name, value } of target.parameters) form.set(name, value);
  expect((await shop.emulator.fetch(target.url, { method: 'POST', body: form })).status).toBe(400);
});

test('variables are sent by POST', async () => {
  const shop = openShop();
  const { data } = await shop.ask(STAGE_UPLOAD, { input: [{ ...UPLOAD, httpMethod: 'PUT' }] });
  expect(data.stagedUploadsCreate).toEqual({
    stagedTargets: null,
    userErrors: [
      { field: ['input', '0', 'httpMethod'], message: 'Variables of a bulk mutation are sent by POST' },
    ],
  });
});
