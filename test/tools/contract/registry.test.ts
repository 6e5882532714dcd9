import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Deleted, defineTool } from '../../../tools/contract/define.ts';
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

test('a tool that a person confirms can not be a job too, which could begin before they were asked', () => {
  const spec = {
    ...{ name: 'burn_letters', title: 'Burn letters', description: 'Burn all letters.' },
    ...({ toolset: 'meta', effect: 'delete', scope: 'any', input: z.object({}), output: Deleted } as const),
    run: async () => ({ deleted: true as const }),
    examples: [{ title: 'All', input: {} }],
  };
  const confirm = async () => undefined;
  const asks = defineTool({ ...spec, confirm });
  const waits = defineTool({ ...spec, name: 'sort_letters', job: true });
  expect(createRegistry([asks, waits]).tools).toEqual([asks, waits]);
  // @ts-expect-error: the compiler refuses the pair.
  const both = defineTool({ ...spec, confirm, job: true });
  expect(() => createRegistry([both])).toThrow(
    "Tool 'burn_letters' has job and confirm: a job could begin before a person was asked.",
  );
});
