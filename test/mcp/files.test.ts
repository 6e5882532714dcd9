import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openServedApp, type ServedApp } from '../support/served-app.ts';
import { newKey } from '../support/server.ts';
import { HTTP_CLIENTS } from './support/clients.ts';

let app: ServedApp;

beforeAll(async () => {
  app = await openServedApp();
});
afterAll(() => app.close());

type Content = { type: string; uri?: string; resource?: { mimeType: string; blob: string }; data?: string }[];

describe.each(HTTP_CLIENTS)('%s', (_name, connect) => {
  test('gets a PDF of under 1 MB inside of the answer', async () => {
    const { key } = await newKey(app);
    const client = await connect(app.url, key);
    const answer = await client.callTool('export_template', {
      template: 'receipt',
      format: 'pdf',
      fixture: 'sample',
    });
    const [, file] = answer.content as Content;
    expect(file).toMatchObject({ type: 'resource', resource: { mimeType: 'application/pdf' } });
    expect(
      Buffer.from(file?.resource?.blob ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
    await client.close();
  });

  test('gets a link to a larger file, and can read it', async () => {
    const { key } = await newKey(app);
    const client = await connect(app.url, key);
    await client.callTool('create_template', { name: 'long', html: '<p>{{text}}</p>' });
    // Each & is written as &amp;, which makes 1.3 MB.
    const data = { text: '&'.repeat(260_000) };
    const answer = await client.callTool('export_template', { template: 'long', format: 'html', data });
    const [, link] = answer.content as Content;
    expect(link).toMatchObject({ type: 'resource_link', name: 'long.html', size: 1_300_007 });
    const { contents } = await client.readResource(link?.uri ?? '');
    expect(contents).toMatchObject([{ mimeType: 'text/html; charset=utf-8' }]);
    await client.close();
  });

  test('sees the pictures of a preview', async () => {
    const { key } = await newKey(app);
    const client = await connect(app.url, key);
    const answer = await client.callTool('preview_template', {
      html: '<p>Hello</p>',
      devices: ['mobile'],
      color_schemes: ['light'],
    });
    const [, picture] = answer.content as Content;
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' });
    await client.close();
  });
});
