import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { isForApps } from '../../tools/contract/registry.ts';
import { createCatalogue } from '../../tools/mcp/catalog.ts';
import type { Selection } from '../../tools/mcp/selection.ts';
import { noteTools } from './support/notes.ts';
import { registryOf } from './support/server.ts';

const registry = registryOf(noteTools());
const everyScope = { scopes: SCOPES };
const READS = [
  'get_note',
  'count_notes',
  'watch_notes',
  'list_names',
  'break_notes',
  'print_notes',
  'search_tools',
  'read_tool',
];
const USUAL = ['create_note', 'get_note', 'search_tools', 'read_tool', 'run_tool'];

/** The names listed, and the names that can be called. */
function offered(bound: Selection, ...selections: Selection[]) {
  const choice = createCatalogue(registry, bound).select(selections);
  return { listed: choice.listed(everyScope).map(({ name }) => name), callable: choice.names };
}

describe('what a client selects', () => {
  test('nothing: the usual tools are listed, and every tool can be called', () => {
    const { listed, callable } = offered({});
    expect(listed).toEqual(USUAL);
    expect(callable).toEqual(registry.tools.filter((tool) => !isForApps(tool)).map(({ name }) => name));
  });

  test.each<[string, Selection, string[]]>([
    ['a toolset', { toolsets: ['meta'] }, ['search_tools', 'read_tool', 'run_tool']],
    ['single tools', { tools: ['send_note', 'get_note'] }, ['get_note', 'send_note']],
    [
      'a toolset and single tools',
      { toolsets: ['meta'], tools: ['get_note'] },
      ['get_note', 'search_tools', 'read_tool', 'run_tool'],
    ],
    [
      'a toolset but for a tool',
      { toolsets: ['meta'], exclude: ['run_tool'] },
      ['search_tools', 'read_tool'],
    ],
    ['a tool that it excludes', { tools: ['get_note', 'send_note'], exclude: ['send_note'] }, ['get_note']],
    ['all that reads', { toolsets: ['all'], readOnly: true }, READS],
    ['a tool that writes, read-only', { tools: ['send_note', 'get_note'], readOnly: true }, ['get_note']],
  ])('%s: that is listed, and nothing else can be called', (_what, selection, names) => {
    expect(offered({}, selection)).toEqual({ listed: names, callable: names });
  });

  test('read-only: of the usual tools those that read are listed, and only what reads can be called', () => {
    const { listed, callable } = offered({}, { readOnly: true });
    expect(listed).toEqual(['get_note', 'search_tools', 'read_tool']);
    expect(callable).toEqual(READS);
  });

  test('everything: all tools are listed, in brief', () => {
    const choice = createCatalogue(registry).select([{ toolsets: ['all'] }]);
    const listed = choice.listed(everyScope);
    expect(listed.map(({ name }) => name)).toEqual(choice.names);
    expect(listed.filter((tool) => 'outputSchema' in tool)).toEqual([]);
  });

  test('twice, in the address and in a header: only what both have', () => {
    const twice = offered({}, { tools: ['get_note', 'send_note'] }, { readOnly: true });
    expect(twice).toEqual({ listed: ['get_note'], callable: ['get_note'] });
  });
});

describe('what the operator selects', () => {
  test.each<[string, Selection, Selection, string[]]>([
    ['TOOLSETS', { toolsets: ['meta'] }, { toolsets: ['all'] }, ['search_tools', 'read_tool', 'run_tool']],
    ['TOOLS', { tools: ['get_note'] }, {}, ['get_note']],
    [
      'TOOLS beside TOOLSETS',
      { tools: ['get_note'], toolsets: ['meta'] },
      { tools: ['get_note'] },
      ['get_note'],
    ],
    ['READ_ONLY', { readOnly: true }, { toolsets: ['all'], readOnly: false }, READS],
    [
      'EXCLUDE_TOOLS',
      { exclude: ['run_tool', 'send_note'] },
      { toolsets: ['meta'] },
      ['search_tools', 'read_tool'],
    ],
  ])('%s is the most that a client gets', (_setting, bound, asked, names) => {
    expect(offered(bound, asked)).toEqual({ listed: names, callable: names });
  });

  test('TOOLSETS unset, a client knows every name; set, only those within', () => {
    expect(createCatalogue(registry).known.toolsets).toEqual(['templates', 'meta']);
    const { toolsets, tools } = createCatalogue(registry, { toolsets: ['meta'] }).known;
    expect({ toolsets, tools }).toEqual({
      toolsets: ['meta'],
      tools: ['search_tools', 'read_tool', 'run_tool'],
    });
  });

  test.each<[Selection, string]>([
    [{ toolsets: ['template'] }, "TOOLSETS: unknown toolset 'template'. Valid values: templates, meta, all."],
    [{ tools: ['note_get'] }, "TOOLS: unknown tool 'note_get'. Valid values: create_note,"],
    [{ exclude: ['send_notes'] }, "EXCLUDE_TOOLS: unknown tool 'send_notes'. Valid values: create_note,"],
  ])('%j names nothing that exists, and stops the start', (bound, message) => {
    expect(() => createCatalogue(registry, bound)).toThrow(message);
  });
});

test("tools beyond the caller's scopes are not listed, whatever is selected", () => {
  const reader = { scopes: ['templates:read'] } as const;
  const names = (...selections: Selection[]) =>
    createCatalogue(registry)
      .select(selections)
      .listed(reader)
      .map(({ name }) => name);
  expect(names()).toEqual(['get_note', 'search_tools', 'read_tool', 'run_tool']);
  expect(names({ tools: ['create_note', 'get_note'] })).toEqual(['get_note']);
});
