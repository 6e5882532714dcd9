import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { productRegistry } from '../../tools/index.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import { profileFaults, tokensOf } from './support/profile.ts';

const catalogue = createCatalogue(productRegistry());
const { names, listed } = catalogue.select([]);
const usual = listed({ scopes: SCOPES });

describe('the tools of the product', () => {
  test.each([...names])('%s fits the profile that every model vendor accepts', (name) => {
    const shown = catalogue.shown(name);
    expect(shown && profileFaults(shown)).toEqual([]);
  });

  test.each([...names])('%s is described, in at most 300 characters', (name) => {
    const { title = '', description = '' } = catalogue.shown(name) ?? {};
    expect(title).not.toBe('');
    expect(description).not.toBe('');
    expect(description.length).toBeLessThanOrEqual(300);
  });

  test('are at most 24 in the default list', () => {
    expect(usual.length).toBeLessThanOrEqual(24);
  });

  test('name another tool of the default list by its name, and any other with read_tool or run_tool', () => {
    const listed = new Set(usual.map(({ name }) => name));
    const bare = usual.flatMap((tool) => {
      const words = [
        ...JSON.stringify(tool).matchAll(/(?:\b(read_tool|run_tool) )?\b([a-z]+(?:_[a-z]+)+)\b/g),
      ];
      return words.flatMap(([, through, name = '']) =>
        through === undefined && names.includes(name) && !listed.has(name) ? [`${tool.name}: ${name}`] : [],
      );
    });
    expect(bare).toEqual([]);
    const described = (name: string) => usual.find((tool) => tool.name === name)?.description;
    expect(described('generate_hooks')).toContain('run_tool submit_hooks.');
    expect(described('get_usage')).toContain('read_tool get_sync_usage.');
    expect(catalogue.shown('get_usage')?.description).toContain('use get_sync_usage.');
  });

  test('cost a model at most 5,000 tokens in the default list', () => {
    expect(tokensOf(usual)).toBeLessThanOrEqual(5000);
  });
});
