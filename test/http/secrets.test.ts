import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createServer } from '../../http/server.ts';
import { compose } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { productRegistry } from '../../tools/index.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { newKey, useRest } from '../support/server.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('no key is found in any log line, answer or table, whatever is done with it', async () => {
  let written = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += String(chunk);
      done();
    },
  });
  const log = pino({ level: 'debug' }, stream);
  const app = await compose(database, log);
  const { key } = await newKey(app);
  const config = readConfig({ AUTH_MODE: 'required' });
  const server = await createServer({ app, config, registry: productRegistry(), log, version: '1' });
  const http = server.express.listen(0, '127.0.0.1');
  await new Promise((resolve) => http.once('listening', resolve));
  const address = http.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const answers = [
    await useRest(url, key)('POST', '/v1/render', { body: { template: 'welcome', data: { name: 'Ana' } } }),
    await useRest(url, key)('POST', '/v1/render', { body: '{' }),
    await useRest(url, key)('GET', '/v1/templates/nobody'),
    await useRest(url, `${key}x`)('GET', '/v1/templates'),
    await useRest(url)('GET', '/v1/templates', { headers: { authorization: `Basic ${key}` } }),
  ];
  http.closeAllConnections();
  http.close();
  const secret = key.slice(16, -8);
  expect(written).toContain('render_template');
  expect(written).not.toContain(secret);
  expect(JSON.stringify(answers)).not.toContain(secret);
  const [row] = await database.sql`select string_agg(k::text, ' ') as rows from api_keys k`;
  expect(String(row?.['rows'])).not.toContain(secret);
});
