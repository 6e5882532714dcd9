import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { describe, expect, test } from 'vitest';
import { SCOPES } from '../../src/identity/caller.ts';
import { productRegistry } from '../../tools/index.ts';
import { createCatalogue, type WireTool } from '../../tools/mcp/catalog.ts';
import type { Selection } from '../../tools/mcp/selection.ts';
import { type Declaration, declarationsOf, GOOGLE_SDKS, geminiFaults, type Part } from './support/gemini.ts';
import { startServer } from './support/server.ts';

const catalogue = createCatalogue(productRegistry());
const listed = (...selections: Selection[]) => catalogue.select(selections).listed({ scopes: SCOPES });
const { toolsets } = catalogue.known;

const LISTS: readonly (readonly [string, readonly WireTool[]])[] = [
  ['the usual list', listed()],
  ['every tool, in full', listed({ toolsets })],
];

describe.each(GOOGLE_SDKS)('%s', (_sdk, send) => {
  test.each(LISTS)('makes of %s what the Gemini API takes', async (_list, tools) => {
    const declarations = await declarationsOf(tools, send);
    expect(declarations.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(declarations.flatMap(faultsOf)).toEqual([]);
  });

  test.each<[string, Part, RegExp]>([
    ['a choice of numbers', { type: 'number', enum: [3, 5, 10] }, /only allowed for STRING|not a string/],
    ['a choice with an empty text', { type: 'string', enum: ['', 'a'] }, /empty/],
  ])('would be refused for %s', async (_what, part, fault) => {
    const odd: WireTool = {
      name: 'odd_one',
      title: '',
      description: 'Odd',
      inputSchema: { type: 'object', properties: { part } },
      annotations: {},
    };
    // One of the SDKs refuses it before it asks the API.
    const declarations = await declarationsOf([odd], send).catch((error: Error) => error.message);
    const faults = typeof declarations === 'string' ? [declarations] : declarations.flatMap(faultsOf);
    expect(faults.join()).toMatch(fault);
  });
});

function faultsOf({ name, parameters }: Declaration): string[] {
  return parameters ? geminiFaults(parameters, name) : [];
}

// Free data (variables of a template, arguments of a tool) cannot be told in OpenAI's strict form: clients send such a
// tool in the plain form, which takes any object.
const FREE = /must set `additionalProperties: false`/;

test.each(LISTS)("%s goes into OpenAI's strict form, but for tools that take free data", (_list, tools) => {
  const refused = tools.map(({ name, inputSchema }) => {
    try {
      toStrictJsonSchema(everyFieldRequired(inputSchema) as never);
      return `${name}: fits`;
    } catch (error) {
      return `${name}: ${error instanceof Error ? error.message : error}`;
    }
  });
  expect(refused.filter((said) => !said.endsWith(': fits') && !FREE.test(said))).toEqual([]);
  expect(refused.filter((said) => said.endsWith(': fits')).length).toBeGreaterThan(tools.length / 2);
});

/** What clients of the strict form do first: a field that may be left out is required, and may be null. */
function everyFieldRequired(part: Part): Part {
  const { properties, items, anyOf, required = [] } = part;
  const named = Object.entries((properties ?? {}) as Readonly<Record<string, Part>>).map(([name, one]) => {
    const inner = everyFieldRequired(one);
    return [
      name,
      (required as string[]).includes(name) ? inner : { anyOf: [inner, { type: 'null' }] },
    ] as const;
  });
  return {
    ...part,
    ...(properties ? { properties: Object.fromEntries(named), required: named.map(([name]) => name) } : {}),
    ...(items ? { items: everyFieldRequired(items as Part) } : {}),
    ...(anyOf ? { anyOf: (anyOf as Part[]).map(everyFieldRequired) } : {}),
  };
}

const INSPECTOR = new URL(
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  import.meta.url,
);

describe("the MCP inspector's portability check", () => {
  test.each(['', `?toolsets=${toolsets.join()}`])('finds no error in the list of /mcp%s', async (query) => {
    const server = await startServer({ registry: productRegistry() });
    const listing = ['--method', 'tools/list', '--strict', '--header', 'Authorization: Bearer key-of-ana'];
    // It ends with a status other than 0, and so rejects, when it finds one.
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [INSPECTOR.pathname, '--cli', `${server.url}/mcp${query}`, ...listing],
      // It keeps a folder of its own in the home of who runs it.
      { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, HOME: tmpdir() } },
    );
    expect(stdout).toContain('"search_tools"');
    await server.close();
  });
});
