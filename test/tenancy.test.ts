import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../src/errors.ts';
import { productRegistry } from '../tools/index.ts';
import { newCaller, openTestApp, type TestApp, type Tools, useTools } from './support/app.ts';

let app: TestApp;
let owner: Tools;
let stranger: Tools;

beforeAll(async () => {
  app = await openTestApp();
  owner = useTools(app, await newCaller(app, 'owner'));
  stranger = useTools(app, await newCaller(app, 'stranger'));
  await owner('create_template', {
    name: 'secret-plan',
    html: '<p>Top secret {{name}}</p>',
    fixtures: { one: { name: 'x' } },
  });
  await owner('create_branch', { template: 'secret-plan', name: 'draft' });
  await owner('update_template', { name: 'secret-plan', branch: 'draft', html: 'more secrets' });
});
afterAll(() => app.close());

/** Inputs that name the owner's things, for every tool that takes a name of something. */
const INPUTS: Record<string, Record<string, unknown>> = {
  get_template: { name: 'secret-plan' },
  update_template: { name: 'secret-plan', html: 'taken over' },
  delete_template: { name: 'secret-plan' },
  restore_template: { name: 'secret-plan' },
  list_versions: { template: 'secret-plan' },
  get_version: { template: 'secret-plan', version: 'v1.0.0' },
  diff_versions: { template: 'secret-plan', to: 'draft' },
  rollback_template: { template: 'secret-plan', to: 'v1.0.0' },
  create_branch: { template: 'secret-plan', name: 'mine' },
  list_branches: { template: 'secret-plan' },
  get_branch: { template: 'secret-plan', branch: 'draft' },
  delete_branch: { template: 'secret-plan', branch: 'draft', force: true },
  merge_branch: { template: 'secret-plan', branch: 'draft' },
  promote_template: { template: 'secret-plan', to: 'production', from: 'draft', force: true },
  list_environment_history: { template: 'secret-plan', environment: 'production' },
  render_template: { template: 'secret-plan' },
  render_batch: { template: 'secret-plan', rows: [{}] },
  save_fixture: { template: 'secret-plan', fixture: 'one', data: {} },
  list_fixtures: { template: 'secret-plan' },
  delete_fixture: { template: 'secret-plan', fixture: 'one' },
};

/** Tools that name nothing of an account: they list the caller's own, or look at content sent along. */
const NAMELESS = [
  'create_template',
  'list_templates',
  'validate_template',
  'list_environments',
  'protect_environment',
  'list_audit_events',
  'search_tools',
  'run_tool',
];

test('every tool is accounted for here', () => {
  expect([...Object.keys(INPUTS), ...NAMELESS].sort()).toEqual(
    productRegistry()
      .tools.map(({ name }) => name)
      .sort(),
  );
});

test.each(Object.entries(INPUTS))(
  "%s answers 404 for another account's name, as for a name nobody has",
  async (tool, input) => {
    const fault = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      );
    const foreign = await fault(stranger(tool, input));
    const unknown = await fault(
      stranger(tool, {
        ...input,
        ...('name' in input && !('template' in input)
          ? { name: 'secret-plaN' }
          : { template: 'secret-plaN' }),
      }),
    );
    expect(foreign).toBeInstanceOf(Fault);
    expect([(foreign as Fault).code, (foreign as Fault).key]).toEqual(['not_found', (unknown as Fault).key]);
  },
);

test('run_tool reaches no further than the tool it runs', async () => {
  await expect(
    stranger('run_tool', { name: 'get_template', arguments: { name: 'secret-plan' } }),
  ).rejects.toMatchObject({ code: 'not_found' });
});

test("lists and searches show nothing of another account's, and its names are free", async () => {
  expect(JSON.stringify(await stranger('list_templates', { limit: 200 }))).not.toContain('secret');
  expect(JSON.stringify(await stranger('list_audit_events', { limit: 200 }))).not.toContain('secret');
  await expect(
    stranger('create_template', { name: 'user', html: '{{> secret-plan}}' }),
  ).rejects.toMatchObject({ code: 'template_invalid' });
  expect(await stranger('create_template', { name: 'secret-plan', html: 'mine' })).toMatchObject({
    version: 'v1.0.0',
  });
  await stranger('delete_template', { name: 'secret-plan' });
});

test("protecting an environment protects one's own only", async () => {
  await stranger('protect_environment', { environment: 'production', freeze: true });
  expect(await owner('list_environments')).toMatchObject({ items: [{ freeze: false }, { freeze: false }] });
});

test('after all that, nothing of the owner has changed', async () => {
  expect(await owner('get_template', { name: 'secret-plan', include: 'html' })).toMatchObject({
    html: '<p>Top secret {{name}}</p>',
  });
  expect((await owner('list_branches', { template: 'secret-plan' }))['items']).toHaveLength(2);
});
