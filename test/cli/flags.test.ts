import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMON_FLAGS, flagsOf, readCommandLine } from '../../cli/flags.ts';
import { commandWords } from '../../cli/help.ts';
import { nounForm } from '../../cli/operations.ts';
import { OPERATIONS, testTerminal } from './terminal.ts';

function read(words: string, ...more: string[]) {
  const { tool, rest } = OPERATIONS.find([...words.split(' '), ...more]);
  return readCommandLine(tool, rest, testTerminal({ stdin: 'from standard input' }).terminal);
}

test('every operation has a command of its own, by noun and verb', () => {
  const forms = OPERATIONS.all.map(({ name }) => nounForm(name));
  expect(forms.filter((form, index) => forms.indexOf(form) !== index)).toEqual([]);
});

test('no field of an operation is hidden by a flag that every command has', () => {
  const common = Object.keys(COMMON_FLAGS).filter((name) => name !== 'dry-run');
  const hidden = OPERATIONS.all.flatMap((tool) =>
    flagsOf(tool).flatMap(({ flag }) => (common.includes(flag) ? [`${tool.name} ${flag}`] : [])),
  );
  expect(hidden).toEqual([]);
});

test.for([
  ['templates get welcome'],
  ['template get welcome'],
  ['get_template welcome'],
  ['get-template welcome'],
])("'%s' is the operation get_template", async ([words]) => {
  expect(OPERATIONS.find((words as string).split(' ')).tool.name).toBe('get_template');
});

test('a word without a flag is what the path needs, then what is required', async () => {
  expect((await read('branches get welcome holiday')).input).toEqual({
    template: 'welcome',
    branch: 'holiday',
  });
});

test('a field may be given by its other name, which help does not show', async () => {
  expect((await read('jobs get', '--id', 'job_1')).input).toEqual({ job_id: 'job_1' });
  expect((await read('templates get', '--name', 'welcome')).input).toEqual({ template: 'welcome' });
  const { tool } = OPERATIONS.find(['jobs', 'get']);
  expect(flagsOf(tool).map(({ flag }) => flag)).toEqual(['job-id', 'wait-seconds']);
});

test('numbers, yes and no, lists and objects are read as their fields want them', async () => {
  const { input } = await read(
    'videos create',
    '--title',
    'Mug',
    '--duration',
    '2.5',
    '--data',
    '{"product":"Mug"}',
  );
  expect(input).toEqual({ title: 'Mug', duration: 2.5, data: { product: 'Mug' } });
  expect((await read('templates render welcome --minify --no-inline-css')).input).toEqual({
    template: 'welcome',
    minify: true,
    inline_css: false,
  });
  expect(
    (await read('templates create --name a --html b --tags', 'one, two', '--tags', 'three')).input,
  ).toEqual({
    name: 'a',
    html: 'b',
    tags: ['one', 'two', 'three'],
  });
});

test('a dot sets one member of an object, beside the whole of it', async () => {
  const { input } = await read(
    'templates render welcome',
    '--data',
    '{"name":"Ana"}',
    '--data.shop.name',
    'Mugs',
    '--data.count',
    '3',
  );
  expect(input).toEqual({ template: 'welcome', data: { name: 'Ana', shop: { name: 'Mugs' }, count: 3 } });
});

test('@file is what a file holds, - standard input, and @@ a text with an at sign', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'stallhand-')), 'mail.html');
  await writeFile(file, '<p>Hello</p>');
  expect(
    (await read('templates create --name a --html', `@${file}`, '--subject', '-', '--message', '@@home'))
      .input,
  ).toEqual({
    name: 'a',
    html: '<p>Hello</p>',
    subject: 'from standard input',
    message: '@home',
  });
});

test.for([
  ['templates get welcome --branhc main', 'Unknown flag --branhc. Did you mean --branch?'],
  ['templates get welcome extra', "Unexpected argument 'extra'."],
  ['templates render welcome --data {bad', '--data is not valid JSON'],
  ['templates create --name a --html @/nowhere.html', "--html: cannot read the file '/nowhere.html'."],
  ['assets put mug.jpg @/nowhere.jpg', "--base64: cannot read the file '/nowhere.jpg'."],
  ['templates', 'Choose what to do with templates: create, list, get'],
  ['templates explode', "templates has no command 'explode'. Commands: create, list, get"],
  ['tempaltes list', "Unknown command 'tempaltes'. Did you mean 'templates list'?"],
  ['render template', "Unknown command 'render'. Did you mean 'templates render'?"],
  ['promote', "Unknown command 'promote'. Did you mean 'templates promote'?"],
])("'%s' says what is wrong with it", async ([words, message]) => {
  await expect(async () => read(words as string)).rejects.toThrow(message as string);
});

test('the words of every example are read back as its input', async () => {
  for (const tool of OPERATIONS.all) {
    for (const { input } of tool.examples) {
      const [noun = '', verb = '', ...rest] = commandWords(tool, input);
      expect(`${noun} ${verb}`).toBe(nounForm(tool.name));
      const line = await readCommandLine(tool, rest, testTerminal().terminal);
      expect({ tool: tool.name, input: line.input }).toEqual({ tool: tool.name, input });
    }
  }
});
