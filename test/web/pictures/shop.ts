import { setTimeout as sleep } from 'node:timers/promises';

type Json = Record<string, unknown>;

/** Ids that the addresses of pages need. */
export type Shop = { readonly plan: string; readonly run: string; readonly video: string };

/** Fills an empty server as a small pottery would: its brand, emails, videos, opening lines and stock. */
export async function fillShop(url: string): Promise<Shop> {
  await brand();
  await emails();
  await pictures();
  await openingLines();
  const video = await videos();
  return { ...(await stock()), video };

  async function call(method: string, path: string, body?: object): Promise<Json> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Json;
  }

  async function brand(): Promise<void> {
    await call('PUT', '/api/v1/brand', {
      name: 'Kiln & Co',
      footer: 'Kiln & Co, 12 Harbour Street, Porto',
      colors: { primary: '#b4472e', background: '#fbf6ef', text: '#2a211c' },
      voice: { tone: 'Warm, short, never loud.' },
    });
  }

  async function emails(): Promise<void> {
    const name = 'spring sale';
    await call('POST', '/v1/templates', {
      ...{ name, tags: ['sale'], description: 'Once a season, to everyone who bought a mug' },
      ...{ subject: '{{first_name}}, twenty mugs are waiting', preheader: 'Until Sunday' },
      html: SALE,
      fixtures: { ana: { first_name: 'Ana', percent: 20, url: 'https://kiln.example/sale' } },
    });
    await call('POST', `/v1/templates/${encodeURIComponent(name)}/promote`, {
      to: 'production',
      version: 'v1.0.0',
    });
    await call('PATCH', `/v1/templates/${encodeURIComponent(name)}`, {
      ...{ branch: 'main', message: 'Say until when' },
      ...{
        html: SALE.replace('this week', 'until Sunday, 8 p.m.,'),
        subject: '{{first_name}}, until Sunday',
      },
    });
    await call('POST', `/v1/templates/${encodeURIComponent(name)}/branches`, { name: 'shorter' });
  }

  async function pictures(): Promise<void> {
    for (const [name, color] of Object.entries(GLAZES)) {
      const answer = await fetch(`${url}/v1/assets/mugs/${name}.svg`, { method: 'PUT', body: mug(color) });
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    }
  }

  async function openingLines(): Promise<void> {
    for (const [topic, hooks] of Object.entries(LINES))
      await call('POST', '/api/v1/hooks/submit', { topic, hooks, platform: 'tiktok', language: 'en' });
  }

  async function videos(): Promise<string> {
    const asked = [
      { template: 'default', title: 'Twenty mugs, twenty glazes', duration: 6 },
      { template: 'hook', title: 'Nobody buys the perfect bowl', duration: 5 },
      { template: 'listicle', title: 'Three ways to chip a mug', duration: 8, data: { items: CHIPS } },
      { template: 'countdown', title: 'The kiln opens on Sunday', duration: 6 },
    ];
    const ids: string[] = [];
    for (const one of asked) {
      const { id } = await call('POST', '/videos', { ...one, width: 540, height: 960, fps: 30 });
      ids.push(String(id));
    }
    for (const id of ids) await completed(id);
    return ids[0] ?? '';
  }

  async function completed(id: string): Promise<void> {
    const deadline = AbortSignal.timeout(300_000);
    for (;;) {
      const { completed_at: at, status } = await call('GET', `/videos/${id}`);
      if (status === 'failed') throw new Error(`the video ${id} failed`);
      if (at !== null) return;
      await sleep(500, undefined, { signal: deadline });
    }
  }

  async function stock(): Promise<{ plan: string; run: string }> {
    await call('POST', '/sync/demo', {});
    const [store] = (await call('GET', '/sync/stores')) as unknown as Json[];
    const [sheet] = (await call('GET', '/sync/sheets')) as unknown as Json[];
    const pair = { store_id: store?.['id'], sheet_id: sheet?.['id'] };
    const { id } = await call('POST', '/sync/config', {
      ...pair,
      direction: 'two_way',
      quantity_merge: false,
    });
    const first = await call('POST', '/sync/run', { config_id: id });
    for (const [side, sku, quantity] of MOVED)
      await call('PUT', '/sync/demo/stock', { side, sku, stock: quantity });
    const plan = await call('POST', '/sync/preview', { config_id: id });
    return { plan: String(plan['plan_id']), run: String(first['run_id']) };
  }
}

const CHIPS = [
  { title: 'Stack them wet', text: 'Water is a lever. Dry first.' },
  { title: 'The dishwasher rack', text: 'Two mugs touch, one loses.' },
  { title: 'Lend it to a friend', text: 'You know which one.' },
] as const;

const MOVED = [
  ['sheet', 'BOOT-40', 3],
  ['store', 'SEED-BEE', 160],
] as const;

const GLAZES = {
  terracotta: '#b4472e',
  sea: '#2f6f7e',
  moss: '#66793b',
  night: '#23283f',
  sand: '#d8b98a',
  plum: '#6d3a58',
};

const mug = (
  color: string,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 240" width="480" height="480">
<rect width="240" height="240" fill="#fbf6ef"/><ellipse cx="112" cy="196" rx="78" ry="10" fill="#000" opacity=".12"/>
<path d="M166 94c44-8 44 66-4 60" fill="none" stroke="${color}" stroke-width="14" stroke-linecap="round"/>
<path d="M54 66h116l-8 116a14 14 0 0 1-14 13H76a14 14 0 0 1-14-13z" fill="${color}"/>
<ellipse cx="112" cy="66" rx="58" ry="12" fill="#2a211c" opacity=".75"/></svg>`;

const SALE = `<table role="presentation" width="100%" style="background:#fbf6ef;font-family:Georgia,serif;color:#2a211c">
  <tr><td style="padding:32px;max-width:560px">
    <h1 style="color:#b4472e;font-size:28px;margin:0 0 12px">{{percent}}% off every mug, {{first_name}}</h1>
    <p style="font-size:17px;line-height:1.5">The kiln was full, and so are the shelves. Take a second mug for the person who always borrows yours: this week they cost less.</p>
    <p><a href="{{url}}" style="display:inline-block;background:#b4472e;color:#fff;padding:14px 22px;border-radius:6px;text-decoration:none">See the mugs</a></p>
  </td></tr>
</table>`;

const LINES = {
  'glazing a mug': [
    { text: 'Your glaze is not ugly. Your kiln was impatient.', style: 'contrarian' },
    { text: 'I opened the kiln at 5 a.m. and cried over one blue mug.', style: 'storytelling' },
  ],
  'handmade bowls': [
    { text: 'Nobody buys the perfect bowl. They buy the crooked one.', style: 'contrarian' },
  ],
  'shipping pottery': [
    { text: 'We drop every parcel from a table before you get it.', style: 'storytelling' },
  ],
} as const;
