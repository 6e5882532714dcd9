import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewFile } from '../../src/files/files.ts';
import { exportTemplate } from '../../tools/templates/export-template.ts';
import { toldOf } from '../mcp/support/read-answer.ts';
import { callOf, newCaller, openTestApp, type TestApp, type Tools, useTools } from '../support/app.ts';

let app: TestApp;
let call: Tools;
let taken: NewFile[] = [];

beforeAll(async () => {
  app = await openTestApp();
  const caller = await newCaller(app);
  const { deliver } = callOf(app, caller);
  call = useTools(app, caller, {
    deliver: (file) => {
      if ('bytes' in file) taken.push(file);
      return deliver(file);
    },
  });
  await call('create_template', {
    name: 'Invoice 1',
    subject: 'Invoice {{number}}',
    html: '<!DOCTYPE html><html lang="en"><head><title>Invoice</title></head><body><h1>Invoice {{number}}</h1><p><a href="https://shop.example/pay">Pay</a></p></body></html>',
    fixtures: { one: { number: 7 } },
  });
});
afterAll(() => app.close());

async function exported(input: Record<string, unknown>) {
  taken = [];
  const answer = await call('export_template', { template: 'Invoice 1', fixture: 'one', ...input });
  const [file] = taken;
  if (!file) throw new Error('no file');
  return { answer, bytes: Buffer.from(file.bytes) };
}

describe('a mail is exported', () => {
  test('as a PDF, with its number of pages', async () => {
    const { answer, bytes } = await exported({ format: 'pdf' });
    expect(answer).toMatchObject({
      filename: 'Invoice-1.pdf',
      media_type: 'application/pdf',
      bytes: bytes.length,
      pages: 1,
      version: 'v1.0.0',
      warnings: [],
    });
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.includes('/StructTreeRoot')).toBe(false);
  });

  test('as a PDF whose header and footer have the data of the mail', async () => {
    const options = { margin: '20mm', header: '<b>No {{number}}</b>', footer: '{{shop}} {{> nothing}}' };
    await expect(exported({ format: 'pdf', options })).rejects.toMatchObject({
      code: 'template_invalid',
      errors: [{ loc: ['body', 'options', 'footer'] }],
    });
    const { answer, bytes } = await exported({ format: 'pdf', options: { ...options, footer: '{{shop}}' } });
    expect(answer).toMatchObject({ missing_variables: ['shop'] });
    const plain = await exported({ format: 'pdf', options: { margin: '20mm', header: '<b>No 7</b>' } });
    expect(timeless(bytes)).toBe(timeless(plain.bytes));
  });

  test('as a tagged PDF when asked, for screen readers', async () => {
    const { bytes } = await exported({ format: 'pdf', options: { tagged: true } });
    expect(bytes.includes('/StructTreeRoot')).toBe(true);
  });

  test('as its html and as its text', async () => {
    expect((await exported({ format: 'html' })).bytes.toString()).toContain('<h1>Invoice 7</h1>');
    const { answer, bytes } = await exported({ format: 'text' });
    expect(answer).toMatchObject({ filename: 'Invoice-1.txt', media_type: 'text/plain; charset=utf-8' });
    expect(bytes.toString()).toContain('https://shop.example/pay');
    expect(bytes.toString()).not.toContain('<');
  });

  test('as a picture', async () => {
    const { answer, bytes } = await exported({ format: 'png' });
    expect(answer).toMatchObject({ filename: 'Invoice-1.png', media_type: 'image/png' });
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  });

  test('as a draft that mail programs open', async () => {
    const { bytes } = await exported({ format: 'eml' });
    const mail = bytes.toString();
    expect(mail).toMatch(/^Subject: Invoice 7\r\n/m);
    expect(mail).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(mail).toMatch(/^X-Unsent: 1\r\n/m);
  });

  test('as a zip of its parts, the same bytes every time', async () => {
    const { bytes } = await exported({ format: 'zip' });
    for (const name of ['mail.html', 'mail.txt', 'subject.txt']) expect(bytes.includes(name)).toBe(true);
    expect(crc32((await exported({ format: 'zip' })).bytes)).toBe(crc32(bytes));
  });
});

describe('the options of a PDF', () => {
  test('paper, direction, margins and pages', async () => {
    const options = { page_size: 'Letter', landscape: true, margin: { top: '20mm' }, page_ranges: '1' };
    const { bytes } = await exported({ format: 'pdf', options });
    expect(bytes.toString('latin1')).toMatch(/\/MediaBox \[0 0 792 612\]/);
  });

  test.each([
    ['a page that is not there', { page_ranges: '5' }, 'validation_failed'],
    ['a range that is none', { page_ranges: 'all' }, 'validation_failed'],
    ['a margin without a unit', { margin: '20' }, 'validation_failed'],
    ['a scale of nothing', { scale: 0 }, 'validation_failed'],
    ['paper nobody has', { page_size: 'A99' }, 'validation_failed'],
    ['a misspelt option', { landscap: true }, 'validation_failed'],
  ])('%s is refused', async (_title, options, code) => {
    await expect(exported({ format: 'pdf', options })).rejects.toMatchObject({ code });
  });
});

test('an image that may not be fetched is left out, and reported', async () => {
  await call('create_template', {
    name: 'inside',
    html: '<p>Hi</p><img src="https://127.0.0.1/logo.png" alt="">',
  });
  const { answer } = await exported({ template: 'inside', fixture: undefined, format: 'pdf' });
  expect(answer['warnings']).toMatchObject([{ code: 'resource_blocked' }]);
});

test('a preview shows a mail at several widths, by day and by night', async () => {
  const { images, warnings } = (await call('preview_template', {
    html: '<style>@media (prefers-color-scheme: dark) { body { background: #000 } }</style><p>Hello</p>',
    devices: ['desktop', 'mobile'],
  })) as { images: Record<string, unknown>[]; warnings: unknown[] };
  expect(warnings).toEqual([]);
  expect(images.map(({ device, color_scheme, width }) => [device, color_scheme, width])).toEqual([
    ['desktop', 'light', 800],
    ['desktop', 'dark', 800],
    ['mobile', 'light', 375],
    ['mobile', 'dark', 375],
  ]);
  expect(new Set(images.map(({ sha256 }) => sha256)).size).toBe(4);
});

test('a picture that does not hold the whole email says so, with the height of both', async () => {
  const html = '<body style="margin:0"><div style="height:20000px">tall</div>';
  await call('create_template', { name: 'tall', html });
  const { answer } = await exported({ template: 'tall', fixture: undefined, format: 'png' });
  const cut = {
    code: 'picture_cut',
    height: 20_000,
    limit: 16_384,
    message: expect.stringContaining('20000'),
  };
  expect(answer['warnings']).toEqual([cut]);
  const preview = await call('preview_template', { html, devices: ['desktop'] });
  expect(preview['warnings']).toEqual([cut]);
  const versions = { template: 'tall', from: 'v1.0.0', to: 'v1.0.0', format: 'visual' };
  expect(await call('diff_versions', versions)).toMatchObject({ changed: 0, warnings: [cut] });
});

test('a visual diff of an animated email finds no difference where only the subject changed', async () => {
  const html =
    '<style>@keyframes a{from{opacity:0;margin-left:90px}}h1{animation:a 900ms}p{animation:a 2s infinite}</style><h1>Sale</h1><p>Now</p>';
  await call('create_template', { name: 'moving', subject: 'One', html });
  await call('update_template', { name: 'moving', subject: 'Two' });
  const versions = { template: 'moving', from: 'v1.0.0', to: 'main', format: 'visual' };
  expect(await call('diff_versions', versions)).toMatchObject({
    changed: 0,
    fields: ['subject'],
    warnings: [],
  });
});

test('a visual diff tells how much of the picture has changed', async () => {
  await call('create_template', { name: 'poster', html: '<h1>Sale</h1>' });
  await call('update_template', { name: 'poster', html: '<h1 style="color:red">Sale</h1>' });
  const versions = { template: 'poster', from: 'v1.0.0', format: 'visual' };
  const same = await call('diff_versions', { ...versions, to: 'v1.0.0' });
  expect(same).toMatchObject({ changed: 0, image: { media_type: 'image/png' } });
  const other = await call('diff_versions', { ...versions, to: 'main' });
  expect(other['changed']).toBeGreaterThan(0);
  expect(other['changed']).toBeLessThan(0.1);
});

test('a visual diff says what either version is shown without, and where its data is from', async () => {
  const schema = { type: 'object', properties: { price: { type: 'number' } } };
  await call('create_template', { name: 'offer', html: '<p>{{name}}: {{price}}</p>', schema });
  const src = 'https://127.0.0.1/mug.png';
  await call('update_template', {
    name: 'offer',
    html: `<p>{{name}} {{price}} {{until}}</p><img src="${src}">`,
  });
  await call('save_fixture', { template: 'offer', fixture: 'short', data: { price: 'nine' } });
  const versions = { template: 'offer', from: 'v1.0.0', to: 'main', format: 'visual' };
  const blocked = { code: 'resource_blocked' };
  expect(await call('diff_versions', { ...versions, fixture: 'short' })).toMatchObject({
    missing_variables: ['name', 'until'],
    type_mismatches: [{ name: 'price', expected: 'number', got: 'string' }],
    warnings: [{ code: 'wrong_type' }, blocked],
  });
  const said = { missing_variables: [], type_mismatches: [] };
  expect(await call('diff_versions', versions)).toMatchObject({
    ...said,
    warnings: [{ code: 'sample_made' }, blocked],
  });
  await call('save_fixture', {
    template: 'offer',
    fixture: 'sample',
    data: { name: 'A', price: 9, until: 'B' },
  });
  expect(await call('diff_versions', { ...versions, to: 'v1.0.0' })).toMatchObject({
    ...said,
    warnings: [{ code: 'sample_fixture' }],
  });
});

test('a visual diff is of the device and the color scheme asked for', async () => {
  const style = (narrow: string) =>
    `<meta name="viewport" content="width=device-width"><style>@media (max-width: 400px) and (prefers-color-scheme: dark) { p { color: ${narrow} } }</style>`;
  await call('create_template', { name: 'night', html: `${style('red')}<p>Sale</p>` });
  await call('update_template', { name: 'night', html: `${style('lime')}<p>Sale</p>` });
  const versions = { template: 'night', from: 'v1.0.0', to: 'main', format: 'visual' };
  const seen = async (view: Record<string, string>) => {
    const { changed, image } = (await call('diff_versions', { ...versions, ...view })) as {
      changed: number;
      image: { width: number };
    };
    return { changed: changed > 0, width: image.width };
  };
  // Three panels, with 24 pixels between them.
  expect(await seen({})).toEqual({ changed: false, width: 3 * 640 + 48 });
  expect(await seen({ device: 'mobile' })).toEqual({ changed: false, width: 3 * 375 + 48 });
  expect(await seen({ device: 'desktop', color_scheme: 'dark' })).toEqual({
    changed: false,
    width: 3 * 800 + 48,
  });
  expect(await seen({ device: 'mobile', color_scheme: 'dark' })).toEqual({
    changed: true,
    width: 3 * 375 + 48,
  });
});

describe('characters that no font has', () => {
  const missing = expect.objectContaining({
    ...{ code: 'glyphs_missing', characters: 2, sample: 'ꦗ ꦲ' },
    message: expect.stringContaining('ꦗ ꦲ'),
  });

  beforeAll(() => call('create_template', { name: 'Javanese', html: '<p>{{name}} 日本語 😀 →</p>' }));

  test('are named in a warning, in a PDF and a picture', async () => {
    for (const format of ['pdf', 'png']) {
      const request = { template: 'Javanese', format, fixture: undefined };
      expect((await exported({ ...request, data: { name: 'ꦲꦗ ꦲ' } })).answer).toMatchObject({
        warnings: [missing],
      });
      expect((await exported({ ...request, data: { name: 'Ana' } })).answer).toMatchObject({ warnings: [] });
    }
  });

  test('are named in a preview and a visual comparison', async () => {
    const data = { name: 'ꦲꦗ' };
    expect(await call('preview_template', { template: 'Javanese', data, devices: ['mobile'] })).toMatchObject(
      {
        warnings: [missing],
      },
    );
    await call('update_template', { name: 'Javanese', html: '<p>ꦲꦗ</p>' });
    const request = { template: 'Javanese', from: 'v1.0.0', to: 'main', format: 'visual' };
    const sample = { code: 'sample_made' };
    expect(await call('diff_versions', request)).toMatchObject({ warnings: [sample, missing] });
  });
});

/** A PDF without the second in which it was made. */
function timeless(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\/(?:Creation|Mod)Date \(D:[^)]*\)/g, '');
}

test('a model is told which variables it left out, beside the file', () => {
  const file = {
    filename: 'welcome.html',
    media_type: 'text/html',
    bytes: 9,
    sha256: '',
    url: 'u',
    expires_at: 'e',
  };
  const told = toldOf(exportTemplate, {
    ...file,
    missing_variables: ['name'],
    type_mismatches: [],
    warnings: [],
  });
  expect(told).toContain('Missing variables, left empty: name');
});
