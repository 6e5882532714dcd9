import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SCOPES } from '../../src/identity/caller.ts';
import type { Tool } from '../../tools/contract/define.ts';
import { createRegistry } from '../../tools/contract/registry.ts';
import { type Catalogue, createCatalogue } from '../../tools/mcp/catalog.ts';
import { noteTools } from './support/notes.ts';
import { profileFaults, tokensOf } from './support/profile.ts';
import { registryOf } from './support/server.ts';

const registry = registryOf(noteTools());
const everyScope = { scopes: SCOPES };

describe('the catalogue', () => {
  const catalogue = createCatalogue(registry);
  const usual = catalogue.select([]).listed(everyScope);

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
    expect(usual.length).toBeLessThanOrEqual(24);
    expect(tokensOf(usual)).toBeLessThanOrEqual(5000);
  });

  test('is the same, to the byte, every time it is made', () => {
    const listed = (one: Catalogue) => one.select([{ toolsets: ['meta', 'templates'] }]).listed(everyScope);
    expect(JSON.stringify(listed(createCatalogue(registry)))).toBe(JSON.stringify(listed(catalogue)));
  });

  test('cannot be changed by who is shown it', () => {
    const [first] = usual;
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
    ['read_tool', { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
    ['run_tool', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
  ])('says by the hints of %s what its effect is', (name, hints) => {
    expect(catalogue.shown(name)?.annotations).toMatchObject(hints);
  });

  test('refuses a plug-in whose input is not one object', () => {
    const [tool] = noteTools();
    const choice = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    // Only a plug-in, which the compiler does not see, can get here.
    const odd = {
      ...tool,
      name: 'odd_one',
      toolset: 'plugins',
      input: choice as unknown as z.ZodObject,
    } as Tool;
    expect(() => createCatalogue(createRegistry([odd]))).toThrow("The input of 'odd_one' is not one object.");
  });
});
