import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { stableJson } from '../../src/platform/stable-json.ts';
import { createZipWriter } from '../../src/platform/zip-writer.ts';
import { filesOfDocument } from '../../src/templates/bundle/bundle-format.ts';
import { hashDocument } from '../../src/templates/versions/document.ts';
import { readZip } from '../templates/importing/archives.ts';
import { newFolder, type ServerProcess, startProcess } from './server-process.ts';

const TEMPLATES = 2_000;
const CHARACTERS = 20_000;
const AT = '2026-01-02T03:04:05.000Z';
const MIB = 1024;
/** Megabytes for objects and strings: not enough for the contents beside what a server needs. */
const SMALL_HEAP = { NODE_OPTIONS: '--max-old-space-size=192' };

const WORDS =
  'spring offer for every shop that sells lamps cups plates tea and paper by the box or the sheet'.split(' ');

/** Text that is different for each seed. */
function textOf(seed: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < CHARACTERS) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += `${WORDS[state % WORDS.length]}${state % 1000} `;
  }
  return text;
}

/** A bundle as an account exports it: a layout, and templates with two versions and a sample each, 80 MB in all. */
async function writeBundle(path: string): Promise<void> {
  const pieces: Buffer[] = [];
  const zip = createZipWriter(async (bytes) => pieces.push(bytes));
  const add = (file: string, text: string) => zip.add(file, Buffer.from(text));
  const names = Array.from({ length: TEMPLATES }, (_, index) => `offer-${String(index).padStart(4, '0')}`);
  const list = { format: 'stallhand-bundle', version: 2, templates: ['frame', ...names] };
  await add('stallhand.json', stableJson(list));
  await addTemplate('frame', 'layout', ['<html><body>{{> @partial-block}}</body></html>'], add);
  for (const [index, name] of names.entries()) {
    const texts = [textOf(index * 2), textOf(index * 2 + 1)];
    await addTemplate(
      name,
      'template',
      texts.map((text) => `<p>{{name}}: ${text}</p>`),
      add,
    );
  }
  await zip.end();
  await writeFile(path, Buffer.concat(pieces));
}

async function addTemplate(
  name: string,
  kind: 'layout' | 'template',
  sources: readonly string[],
  add: (file: string, text: string) => Promise<void>,
): Promise<void> {
  const isLayout = kind === 'layout';
  const versions = [];
  for (const [index, html] of sources.entries()) {
    const label = `v1.0.${index}`;
    const document = isLayout ? { html } : { html, layout: 'frame' };
    const { files, fields } = filesOfDocument(document);
    for (const [file, text] of files) await add(`templates/${name}/${label}/${file}`, text);
    versions.push({
      label,
      branch: 'main',
      parents: index === 0 ? [] : [`v1.0.${index - 1}`],
      message: 'Saved',
      author: 'ana',
      created_at: AT,
      bump: 'patch',
      bump_reason: 'text',
      uses: isLayout ? [] : [{ kind: 'layout', name: 'frame', version: 'v1.0.0' }],
      sha256: hashDocument(document),
      folder: label,
      fields,
    });
  }
  const head = versions.at(-1)?.label;
  const fixtures = isLayout ? [] : ['ana'];
  if (!isLayout) await add(`templates/${name}/fixtures/ana.json`, stableJson({ name: 'Ana' }));
  const about = { name, kind, description: '', tags: [], created_at: AT, updated_at: AT };
  const branches = [{ name: 'main', head, base: 'v1.0.0', description: '', created_at: AT }];
  const environments = { staging: head, production: 'v1.0.0' };
  await add(
    `templates/${name}/template.json`,
    stableJson({ ...about, versions, branches, environments, fixtures }),
  );
}

test.runIf(process.platform === 'linux')(
  'an account of 2,000 templates and 80 MB moves to another server, and neither holds it in memory',
  async () => {
    const [from, to] = [await newFolder(), await newFolder()];
    const bundle = `${from.path}/bundle.zip`;
    await writeBundle(bundle);
    const first = await startProcess(`${from.path}/data`, SMALL_HEAP);
    const imported = await grown(first, () => send(first, bundle, 0));
    const exported = await grown(first, () => receive(first));
    await first.kill();
    await writeFile(bundle, exported.result);
    expect(await partsOf(exported.result)).toEqual(await partsOf(bundle));

    const second = await startProcess(`${to.path}/data`, SMALL_HEAP);
    await send(second, bundle, 6);
    const again = await receive(second);
    await second.kill();
    expect(await partsOf(again)).toEqual(await partsOf(exported.result));
    expect(imported.mib).toBeLessThan(300);
    expect(exported.mib).toBeLessThan(180);
    await from.remove();
    await to.remove();
  },
);

/** @param starters How many templates of the bundle the account has already */
async function send({ url }: ServerProcess, path: string, starters: number): Promise<void> {
  const answer = await fetch(`${url}/v1/import`, {
    method: 'POST',
    headers: { 'content-type': 'application/zip' },
    body: await readFile(path),
  });
  expect(answer.status).toBe(201);
  const { created, skipped, notes } = (await answer.json()) as Record<string, unknown[]>;
  expect([created?.length, skipped?.length, notes?.length]).toEqual([TEMPLATES + 1, starters, 0]);
}

async function receive({ url }: ServerProcess): Promise<Buffer> {
  const answer = await fetch(`${url}/v1/bundle`);
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** The files of a bundle that are of the templates it was made of: a new account has some of its own. */
async function partsOf(bundle: Buffer | string): Promise<Record<string, string>> {
  const files = [...(await readZip(bundle))].filter(([path]) => /^templates\/(?:offer-|frame\/)/.test(path));
  return Object.fromEntries(files.map(([path, bytes]) => [path, bytes.toString()]));
}

/** How much more memory the process had at most than before, in MiB. */
async function grown<Result>({ pid }: ServerProcess, run: () => Promise<Result>) {
  // Forgets the peak of before.
  await writeFile(`/proc/${pid}/clear_refs`, '5');
  const before = await memoryOf(pid, 'VmRSS');
  const result = await run();
  return { result, mib: Math.round((await memoryOf(pid, 'VmHWM')) - before) };
}

async function memoryOf(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(status) ?? [];
  return Number(kilobytes) / MIB;
}
