import { expect, onTestFinished, test } from 'vitest';
import { startShopifyPeer } from './shopify.ts';

const products = [{ title: 'Mug', variants: [{ sku: 'MUG', available: 5 }] }];

async function openPeer() {
  const peer = await startShopifyPeer({ shop: { name: 'First', products } });
  onTestFinished(() => peer.close());
  return peer;
}

async function ask(url: string, token: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${url}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': token, ...headers },
    body: JSON.stringify({ query: '{ shop { name } }' }),
  });
  return { status: response.status, text: await response.text() };
}

test('the only shop is asked by address alone', async () => {
  const { url, emulator } = await openPeer();
  const { status, text } = await ask(url, emulator.token);
  expect({ status, data: JSON.parse(text).data }).toEqual({ status: 200, data: { shop: { name: 'First' } } });
});

test('of several shops the one is asked whose domain is named', async () => {
  const peer = await openPeer();
  peer.add({ domain: 'second.myshopify.com', token: 'shpat_second', shop: { name: 'Second' } });
  const named = await ask(peer.url, 'shpat_second', { 'x-forwarded-host': 'second.myshopify.com' });
  expect(JSON.parse(named.text).data.shop.name).toBe('Second');
  const foreign = await ask(peer.url, 'shpat_second', { 'x-forwarded-host': peer.emulator.domain });
  expect(foreign.status).toBe(401);
  expect((await ask(peer.url, 'shpat_second')).status).toBe(404);
  expect((await ask(peer.url, 'shpat_second', { 'x-forwarded-host': 'none.myshopify.com' })).status).toBe(
    404,
  );
  expect(peer.shop('second.myshopify.com').calls).toHaveLength(1);
});

test('a fault that ends the connection ends it on the wire', async () => {
  const { url, emulator } = await openPeer();
  emulator.faults.push('drop_before');
  await expect(ask(url, emulator.token)).rejects.toThrow('fetch failed');
});

test('a form with a file comes through', async () => {
  const { url, emulator } = await openPeer();
  const query = `mutation Stage($input: [StagedUploadInput!]!) {
    stagedUploadsCreate(input: $input) { stagedTargets { url parameters { name value } } }
  }`;
  const input = [
    { resource: 'BULK_MUTATION_VARIABLES', filename: 'a.jsonl', mimeType: 'text/jsonl', httpMethod: 'POST' },
  ];
  const answer = await emulator.fetch(`https://${emulator.domain}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'x-shopify-access-token': emulator.token },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const [target] = JSON.parse(await answer.text()).data.stagedUploadsCreate.stagedTargets;
  const form = new FormData();
  for (const { name, value } of target.parameters) form.set(name, value);
  form.set('file', new Blob(['{}\n']), 'a.jsonl');
  const { pathname } = new URL(target.url);
  expect((await fetch(`${url}${pathname}`, { method: 'POST', body: form })).status).toBe(201);
});
