import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createRegistry } from '../../../tools/contract/registry.ts';
import { productRegistry } from '../../../tools/index.ts';
import { templateTools } from '../../../tools/templates/index.ts';

test('every tool file is in the index of its folder, under its own name', async () => {
  const files = await readdir(new URL('../../../tools/templates/', import.meta.url));
  const expected = files
    .filter((file) => !['index.ts', 'output.ts', 'questions.ts'].includes(file))
    .map((file) => file.replace('.ts', '').replaceAll('-', '_'));
  expect(templateTools.map(({ name }) => name).sort()).toEqual(expected.sort());
});

test('two tools of one name or one route are a mistake found at start', () => {
  const [tool] = productRegistry().tools;
  if (!tool) throw new Error('no tools');
  expect(() => createRegistry([tool, tool])).toThrow(`Two tools are named '${tool.name}'.`);
  expect(() => createRegistry([tool, { ...tool, name: 'other_name' }])).toThrow(
    `Two tools answer '${tool.rest?.route}'.`,
  );
  expect(() => createRegistry([{ ...tool, name: 'Render' }])).toThrow("Tool name 'Render' is not verb_noun.");
  expect(() => createRegistry([{ ...tool, examples: [] }])).toThrow('has no example');
});
