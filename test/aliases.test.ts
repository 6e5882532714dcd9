import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Fault } from '../src/errors.ts';
import { aliasesOf, withoutAliases } from '../tools/contract/aliases.ts';
import { defineTool, hasRest, restForm } from '../tools/contract/define.ts';
import { productRegistry } from '../tools/index.ts';

const registry = productRegistry();

function tool(name: string) {
  const found = registry.find(name);
  if (!found) throw new Error(name);
  return found;
}

/** The field of a call that was sent with `sent`, or the fault it meets. */
function parsed(name: string, sent: Readonly<Record<string, unknown>>): unknown {
  try {
    return withoutAliases(tool(name), sent);
  } catch (error) {
    return error instanceof Fault ? [error.key, error.params] : error;
  }
}

describe('one thing has one name', () => {
  test("a template is `template` in every tool, but for the new one's name in create_template", () => {
    const others = registry.tools.filter(({ name, toolset, input }) => {
      const isOfTemplates = ['templates', 'videos'].includes(toolset);
      return isOfTemplates && 'name' in input.shape && name !== 'create_branch';
    });
    expect(others.map(({ name }) => name)).toEqual(['create_template']);
  });

  test('no path has a bare id or name', () => {
    const routes = registry.tools.filter(hasRest).map(({ rest }) => rest.route);
    expect(routes.filter((route) => /\{(id|name)\}/.test(route))).toEqual([]);
  });

  test('examples use the names that are shown', () => {
    const wrong = registry.tools.flatMap(({ name, examples }) =>
      examples.flatMap(({ given = [], input }) =>
        [...given, [name, input] as const].flatMap(([called, sent]) => {
          const known = tool(called);
          const shape = hasRest(known) ? restForm(known).input.shape : known.input.shape;
          return Object.keys(sent)
            .filter((field) => !(field in shape))
            .map((field) => `${name}: ${called} ${field}`);
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe('another name of a field', () => {
  test.each([
    ['get_template', { name: 'welcome' }, { template: 'welcome' }],
    ['render_template', { name: 'welcome', data: {} }, { template: 'welcome', data: {} }],
    ['create_template', { template: 'sale', html: '<p>' }, { name: 'sale', html: '<p>' }],
    ['get_video', { id: 'vid_1' }, { video_id: 'vid_1' }],
    ['get_job', { id: 'job_1', wait_seconds: 5 }, { job_id: 'job_1', wait_seconds: 5 }],
    ['get_sync_run', { id: 'run_1' }, { run_id: 'run_1' }],
    ['update_sync_config', { id: 'cfg_1', store_id: 's' }, { config_id: 'cfg_1', store_id: 's' }],
  ])('%s takes %j', (name, sent, taken) => {
    expect(parsed(name, sent)).toEqual(taken);
  });

  test('may come with the shown one when both say the same', () => {
    expect(parsed('get_template', { name: 'welcome', template: 'welcome' })).toEqual({ template: 'welcome' });
    expect(parsed('get_template', { name: 'welcome', template: 'sale' })).toEqual([
      'validation_failed.alias',
      { alias: 'name', field: 'template' },
    ]);
  });

  test('never takes a name that is a field', () => {
    expect(parsed('create_branch', { template: 'welcome', name: 'draft' })).toEqual({
      template: 'welcome',
      name: 'draft',
    });
    // A document says that these fields are ignored over REST.
    expect(aliasesOf(tool('create_video'))).toEqual({});
  });

  test('is that of one identifier only', () => {
    const move = defineTool({
      name: 'move_thing',
      title: 'Move a thing',
      description: 'Move a thing.',
      toolset: 'plugins',
      effect: 'update',
      scope: 'any',
      rest: { route: 'POST /v1/boxes/{box_id}/things/{thing_id}' },
      input: z.object({ box_id: z.string(), thing_id: z.string() }),
      output: z.object({}),
      run: async () => ({}),
      examples: [{ title: 'One', input: { box_id: 'a', thing_id: 'b' } }],
    });
    expect(aliasesOf(move)).toEqual({});
  });
});
