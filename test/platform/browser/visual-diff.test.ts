import { PNG } from 'pngjs';
import { afterAll, expect, test } from 'vitest';
import { newBegun } from '../../../src/platform/thread-time.ts';
import { compareScreenshots } from '../../../src/templates/visual-diff/compare-screenshots.ts';
import { openTestBrowser, patient } from './support.ts';

const browser = openTestBrowser();
afterAll(() => browser.close());

type Parts = {
  heading?: string;
  text?: string;
  hats?: string;
  button?: string;
  padding?: number;
  page?: string;
};

const LONG = 'Spring sale: everything in the store is now twenty percent off';

/** Heading at 20, text, two columns, a button and a footer, one below the other on a page of 640 pixels. */
const mail = ({ heading, text, hats, button, padding, page }: Parts) => `<!doctype html>
  <style>body{margin:0;background:${page ?? '#fff'};font:16px/20px sans-serif}h1{margin:0;font:bold 28px/34px sans-serif}p{margin:0 0 10px}table{border-spacing:0}td{vertical-align:top}</style>
  <table width="600"><tr><td style="padding:20px"><h1>${heading ?? 'Spring sale'}</h1></td></tr>
  <tr><td style="padding:${padding ?? 10}px 20px">${text ?? '<p>Everything is cheaper.</p><p>Until Sunday.</p>'}</td></tr>
  <tr><td><table width="600"><tr><td width="300" style="background:#eef"><p>${hats ?? 'Straw hats.'}</p></td><td width="300" style="background:#efe"><p>Light scarves.</p></td></tr></table></td></tr>
  <tr><td style="padding:20px"><a style="display:inline-block;padding:10px;background:${button ?? '#06c'}">Shop</a></td></tr>
  <tr><td style="padding:20px;border-top:1px solid #ccc"><p>You are a customer.</p></td></tr></table>`;

async function compare(from: Parts, to: Parts) {
  const shoot = async (parts: Parts) => {
    const shots = [{ width: 640, colorScheme: 'light', withBlocks: true }] as const;
    const [shot] = await browser.screenshot(mail(parts), shots, patient);
    if (!shot) throw new Error('no picture');
    return shot;
  };
  const pair = { from: await shoot(from), to: await shoot(to) };
  const { png, changed } = compareScreenshots({ ...pair, begun: newBegun() });
  const sheet = PNG.sync.read(Buffer.from(png));
  // Panels of 640 pixels, 24 apart: before, after, and what differs.
  const rowsOf = (panel: number, color: readonly number[]) => {
    const rows = Array.from({ length: sheet.height }, (_, y) => y).filter((y) => {
      const line = sheet.data.subarray(
        4 * (y * sheet.width + panel * 664),
        4 * (y * sheet.width + panel * 664 + 640),
      );
      return Array.from({ length: 640 }, (_, x) => x).some((x) =>
        color.every((value, channel) => line[4 * x + channel] === value),
      );
    });
    return rows.length === 0 ? undefined : [rows[0], rows.at(-1)];
  };
  return {
    changed: Math.round(changed * 1000) / 10,
    different: rowsOf(2, [255, 0, 0]),
    removed: rowsOf(0, RED),
    seam: rowsOf(2, RED),
    added: rowsOf(1, GREEN),
  };
}

const RED = [0xd1, 0x24, 0x2f];
const GREEN = [0x1a, 0x7f, 0x37];
const nothing = { different: undefined, removed: undefined, seam: undefined, added: undefined };

test('the same page has no difference', async () => {
  expect(await compare({}, {})).toEqual({ changed: 0, ...nothing });
});

test('a heading that wraps differs alone: what stands below it is compared where it has gone', async () => {
  const { changed, different, ...marks } = await compare({}, { heading: LONG });
  expect(
    [different?.[0], different?.[1]].map((row) => (row ?? 0) >= 20 && (row ?? 999) < 20 + 2 * 34),
  ).toEqual([true, true]);
  expect(changed).toBeLessThan(3);
  expect({ ...marks, different: undefined }).toEqual(nothing);
});

test('a heading that needs fewer lines differs alone, and a line says where it lost them', async () => {
  const { different, seam, removed, added } = await compare({ heading: LONG }, {});
  expect([seam, removed, added]).toEqual([[54, 55], undefined, undefined]);
  expect(different?.[1]).toBeLessThan(54);
});

test('a column that grows differs, not the column beside it', async () => {
  const { changed, different } = await compare({}, { hats: `Straw hats. ${'Felt hats. '.repeat(20)}` });
  expect(changed).toBeLessThan(3);
  expect(different?.[0]).toBeGreaterThan(130);
});

test('an added block is outlined where it is now, a removed one where it was', async () => {
  const text = '<p>Everything is cheaper.</p><p>New: hats.</p><p>Until Sunday.</p>';
  const added = await compare({}, { text });
  expect(added).toMatchObject({
    different: undefined,
    removed: undefined,
    seam: undefined,
    added: [114, 133],
  });
  const removed = await compare({ text }, {});
  expect(removed).toMatchObject({
    different: undefined,
    removed: [114, 133],
    seam: [114, 115],
    added: undefined,
  });
  expect([added.changed, removed.changed]).toEqual([2.2, 2.2]);
});

test('a color differs where it is seen', async () => {
  const button = await compare({}, { button: '#c60' });
  expect(button.different?.map((row) => Math.round((row ?? 0) / 10))).toEqual([21, 25]);
  expect(await compare({}, { page: '#ffffe0' })).toMatchObject({
    different: [0, 799],
    changed: expect.any(Number),
  });
});

test('room that grows or shrinks is a difference, even where nothing is seen', async () => {
  const grown = await compare({}, { padding: 40 });
  expect(grown).toMatchObject({ different: undefined, removed: undefined, added: undefined });
  expect(grown.seam).toBeDefined();
  expect(grown.changed).toBeGreaterThan(5);
  expect((await compare({ padding: 40 }, {})).changed).toBe(grown.changed);
});
