import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../tools/contract/define.ts';
import { createRegistry } from '../../tools/contract/registry.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import { noteTools } from './support/notes.ts';
import { profileFaults, tokensOf } from './support/profile.ts';
import { registryOf } from './support/server.ts';

const registry = registryOf(noteTools());
const names = (tools: readonly { name: string }[]) => tools.map((tool) => tool.name);

describe('the catalogue', () => {
  const catalogue = createCatalogue(registry);

  test.each([...registry.tools])('$name fits the profile that every model vendor accepts', ({ name }) => {
    const shown = catalogue.shown(name);
    expect(shown && profileFaults(shown)).toEqual([]);
  });

  test.each([...registry.tools])('$name is described in at most 300 characters', ({ name }) => {
    const { title = '', description = '' } = catalogue.shown(name) ?? {};
    expect(title.length).toBeGreaterThan(0);
    expect(description.length).toBeGreaterThan(0);
    expect(description.length).toBeLessThanOrEqual(300);
  });

  test('lists at most 24 tools in at most 5,000 tokens', () => {
    expect(catalogue.listed().length).toBeLessThanOrEqual(24);
    expect(tokensOf(catalogue.listed())).toBeLessThanOrEqual(5000);
  });

  test('is the same, to the byte, every time it is made', () => {
    expect(JSON.stringify(createCatalogue(registry).listed(['templates', 'meta']))).toBe(
      JSON.stringify(catalogue.listed(['templates', 'meta'])),
    );
  });

  test('cannot be changed by who is shown it', () => {
    const [first] = catalogue.listed();
    expect(() => Object.assign(first?.inputSchema ?? {}, { type: 'string' })).toThrow(TypeError);
  });

  test.each([
    ['get_note', { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    [
      'create_note',
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    ],
    [
      'change_note',
      { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    ],
    [
      'replace_note',
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ],
    [
      'delete_note',
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    ],
    ['send_note', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
    ['run_tool', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
  ])('says by the hints of %s what its effect is', (name, hints) => {
    expect(catalogue.shown(name)?.annotations).toMatchObject(hints);
  });

  test('refuses a tool whose input is not one object', () => {
    const [tool] = noteTools();
    const choice = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    // Only a plug-in, which the compiler does not see, can get here.
    const odd = { ...tool, name: 'odd_one', input: choice as unknown as z.ZodObject } as Tool;
    expect(() => createCatalogue(createRegistry([odd]))).toThrow("The input of 'odd_one' is not one object.");
  });
});

describe("the operator's TOOLSETS", () => {
  test('unset: the core tools are listed and every tool can be called', () => {
    const catalogue = createCatalogue(registry);
    expect(names(catalogue.listed())).toEqual(['create_note', 'get_note', 'search_tools', 'run_tool']);
    expect(names(catalogue.listed(['meta']))).toEqual(['search_tools', 'run_tool']);
    expect(catalogue.find('delete_note')?.name).toBe('delete_note');
  });

  test('set: lists whole toolsets, and nothing outside them can be listed or called', () => {
    const catalogue = createCatalogue(registry, ['meta']);
    expect(names(catalogue.listed())).toEqual(['search_tools', 'run_tool']);
    expect(names(catalogue.listed(['templates', 'meta']))).toEqual(['search_tools', 'run_tool']);
    expect(catalogue.toolsets).toEqual(['meta']);
    expect(catalogue.find('get_note')).toBeUndefined();
  });

  test('naming a toolset that does not exist stop the start', () => {
    expect(() => createCatalogue(registry, ['template'])).toThrow(
      "TOOLSETS: unknown toolset 'template'. Valid values: templates, meta.",
    );
  });
});
