import { z } from 'zod';
import type { Arrival } from '../arrival.ts';
import { parseExport } from '../sources/parse-export.ts';
import { parseJson } from '../sources/parse-json.ts';
import { readPostmark } from '../sources/read-postmark.ts';
import type { Files } from './read-archive.ts';
import { textOf } from './text-of.ts';

/** `meta.json` beside `content.html` and `content.txt`, as `postmark templates pull` writes them (github.com/ActiveCampaign/postmark-cli). */
const Meta = z.looseObject({ Name: z.string(), Alias: z.string().nullish() });

/** The templates of such a folder, and the files they are made of. */
export async function readPostmarkFolder(files: Files): Promise<{ arrivals: Arrival[]; used: Set<string> }> {
  const used = new Set<string>();
  const arrivals = await Array.fromAsync(files, async ([path, bytes]) => {
    const folder = /^(.*\/)?meta\.json$/.exec(path) && path.slice(0, -'meta.json'.length);
    if (typeof folder !== 'string') return [];
    const html = files.get(`${folder}content.html`);
    const text = files.get(`${folder}content.txt`);
    if (!html && !text) return [];
    for (const file of ['meta.json', 'content.html', 'content.txt']) used.add(folder + file);
    const meta = parseExport(Meta, parseJson(textOf(bytes, path), path), 'Postmark', path);
    const bodies = {
      HtmlBody: html && textOf(html, `${folder}content.html`),
      TextBody: text && textOf(text, `${folder}content.txt`),
    };
    const read = await readPostmark({ ...meta, ...bodies }, path);
    return read.map((arrival) => ({ ...arrival, from: path }));
  });
  return { arrivals: arrivals.flat(), used };
}
