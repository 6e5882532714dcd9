import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OtlpReceiver, startOtlpReceiver } from '../peers/otlp-receiver.ts';
import { HEADER, openPairs, type Pairs, shelf, stocked } from '../support/sync-pairs.ts';

let receiver: OtlpReceiver;
let pairs: Pairs;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  pairs = await openPairs({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '50' });
});
afterAll(async () => {
  await pairs.close();
  await receiver.close();
});

test('requests to a store and a spreadsheet are spans of the run that sends them, without what opens either', async () => {
  const pair = await pairs.open({ products: stocked(shelf(3)), rows: [[...HEADER]] });
  expect((await pair.run({ direction: 'store_to_sheet' })).status).toBe(200);
  const run = await receiver.found(({ attributes }) => 'stallhand.run' in attributes);
  expect(run).toMatchObject({ name: 'run', attributes: { 'stallhand.outcome': 'done' } });
  const spans = () => receiver.spans().filter(({ traceId }) => traceId === run.traceId);
  expect(spans().map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'run_sync',
      'shopify FirstVariants',
      'sheets values:batchGetByDataFilter',
      'sheets values:batchUpdateByDataFilter',
    ]),
  );
  expect(spans().find(({ name }) => name === 'shopify FirstVariants')?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
    'stallhand.service': 'shopify',
    'stallhand.operation': 'FirstVariants',
  });
  const sent = receiver.requests.map(({ body: text }) => text).join('\n');
  for (const secret of [pair.shop.token, pair.shop.domain, pair.book.id, pair.key, 'ya29.test', '1//test'])
    expect(sent).not.toContain(secret);
});
