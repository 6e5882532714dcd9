import { afterAll, beforeAll, expect, test } from 'vitest';
import { Fault } from '../src/errors.ts';
import { productRegistry } from '../tools/index.ts';
import { newCaller, openTestApp, type TestApp, type Tools, useTools } from './support/app.ts';
import { newConnectedApp } from './support/connected-app.ts';
import { givePlan } from './support/plans.ts';

let app: TestApp;
let owner: Tools;
let stranger: Tools;

beforeAll(async () => {
  app = await openTestApp({
    SYNC_DEMO: 'true',
    ENCRYPTION_KEY: 'the-secret-of-this-server-kept-by-its-operator',
    GOOGLE_CLIENT_ID: 'client',
    GOOGLE_CLIENT_SECRET: 'secret',
  });
  await app.sync.start();
  const ownerCaller = await newCaller(app, 'owner');
  owner = useTools(app, ownerCaller);
  stranger = useTools(app, await newCaller(app, 'stranger'));
  await owner('create_template', {
    name: 'secret-plan',
    html: '<p>Top secret {{name}}</p>',
    fixtures: { one: { name: 'x' } },
  });
  await owner('create_branch', { template: 'secret-plan', name: 'draft' });
  await owner('update_template', { name: 'secret-plan', branch: 'draft', html: 'more secrets' });
  const listing = { tool: 'list_templates', input: {}, locale: 'en', baseUrl: '' } as const;
  job.id = (await app.jobs.create(ownerCaller, listing)).id;
  await givePlan(app, ownerCaller.accountId, 'enterprise');
  apiKey.id = String((await owner('create_api_key', { name: 'secret' }))['id']);
  apiKeyWhitelist.id = apiKey.id;
  connectedApp.id = await newConnectedApp(app, ownerCaller.accountId);
  const invited = await owner('invite_member', { email: 'ana@example.com' });
  changedMember.id = member.id = String(invited['id']);
  const submitted = await owner('submit_hooks', {
    topic: 'the secret bakery',
    hooks: [{ text: 'A secret oven bakes at night.', style: 'curiosity' }],
    language: 'en',
  });
  generation.id = ratedHook.id = String(submitted['generation_id']);
  await owner('save_brand', { brand: 'secret-brand', name: 'Secret' });
  const saved = await owner('save_brand_voice', { name: 'secret voice' });
  voice.id = changedVoice.id = String(saved['id']);
  await connectDemo();
  const hooked = await owner('create_webhook', {
    url: 'https://a.example.invalid',
    events: ['branch.merged'],
  });
  const pinged = await owner('ping_webhook', { id: hooked['id'] });
  webhook.id = changedWebhook.id = webhookDelivery.id = String(hooked['id']);
  webhookDelivery.delivery = String(pinged['id']);
  const base64 = Buffer.from('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;', 'latin1');
  const uploaded = { path: 'secret.gif', base64: base64.toString('base64') };
  asset.id = changedAsset.id = String((await owner('upload_asset', uploaded))['id']);
  await owner('save_video_template', film);
  const asked = { title: 'secret opening', duration: 0.5, template: film.name, width: 64, height: 64 };
  video.video_id = videoJob.id = String((await owner('create_video', asked))['id']);
});
afterAll(() => app.close());

/** The demo store and the demo sheet of the owner, with a configuration and a run of them. */
async function connectDemo(): Promise<void> {
  const connected = await owner('connect_store', {
    domain: 'demo.myshopify.com',
    store_access_token: 'secret',
  });
  const opened = await owner('connect_sheet', {
    spreadsheet_id: 'demo',
    name: 'secret',
    access_token: 'secret',
  });
  store.id = changedStore.id = pair.store_id = configured.store_id = String(connected['id']);
  sheet.id =
    grantedSheet.sheet_id =
    changedSheet.id =
    pair.sheet_id =
    configured.sheet_id =
      String(opened['id']);
  const config = await owner('create_sync_config', configured);
  changedConfig.id = deletedConfig.id = conflicts.config_id = String(config['id']);
  run.id = shownPlan.plan_id = shownRun.run_id = String((await owner('run_sync', pair))['run_id']);
}

/** Its id is known once the owner has it. */
const store = { id: '' };
const changedStore = { id: '', location_id: 'gid://shopify/Location/1' };
const sheet = { id: '' };
const changedSheet = { id: '', name: 'taken over' };
const grantedSheet = { sheet_id: '' };
const configured = { store_id: '', sheet_id: '', direction: 'two_way' };
const changedConfig = { id: '', enabled: false };
const deletedConfig = { id: '' };
const pair = { store_id: '', sheet_id: '', direction: 'store_to_sheet' };
const run = { id: '' };
const shownPlan = { plan_id: '' };
const shownRun = { run_id: '' };
const conflicts = {
  config_id: '',
  resolutions: [{ key: 'MUG-SEA', field: 'inventory_quantity', take: 'store' }],
};
const job = { id: '' };
const apiKey = { id: '' };
const connectedApp = { id: '' };
const apiKeyWhitelist = { id: '', ip_whitelist: [] };
const member = { id: '' };
const changedMember = { id: '', role: 'admin' };

const asset = { id: '' };
const changedAsset = { id: '', path: 'taken-over.png' };
const webhook = { id: '' };
const changedWebhook = { id: '', enabled: false };
const webhookDelivery = { id: '', delivery: '' };
const generation = { id: '' };
const ratedHook = { id: '', index: 0, winner: true };
const voice = { id: '' };
const video = { video_id: '' };
const videoJob = { id: '' };
const film = {
  name: 'secret-film',
  html: '<!doctype html><div id="stage">Top secret {{title}}</div>',
  manifest: { title: 'Secret film' },
};
const changedVoice = { id: '', name: 'taken over' };

/** Inputs that name the owner's things, for every tool that takes a name of something. */
const INPUTS: Record<string, Record<string, unknown>> = {
  get_template: { name: 'secret-plan' },
  get_brand: { brand: 'secret-brand' },
  update_template: { name: 'secret-plan', html: 'taken over' },
  delete_template: { name: 'secret-plan' },
  restore_template: { name: 'secret-plan' },
  edit_template: { template: 'secret-plan', instruction: 'Send it to me' },
  list_versions: { template: 'secret-plan' },
  get_version: { template: 'secret-plan', version: 'v1.0.0' },
  diff_versions: { template: 'secret-plan', to: 'draft' },
  rollback_template: { template: 'secret-plan', to: 'v1.0.0' },
  create_branch: { template: 'secret-plan', name: 'mine' },
  list_branches: { template: 'secret-plan' },
  get_branch: { template: 'secret-plan', branch: 'draft' },
  delete_branch: { template: 'secret-plan', branch: 'draft', force: true },
  merge_branch: { template: 'secret-plan', branch: 'draft' },
  promote_confirmed: { template: 'secret-plan', to: 'production', version: 'v1.0.0', replaces: 'v1.0.0' },
  promote_template: { template: 'secret-plan', to: 'production', from: 'draft', force: true },
  list_environment_history: { template: 'secret-plan', environment: 'production' },
  render_template: { template: 'secret-plan' },
  lint_template: { template: 'secret-plan' },
  export_template: { template: 'secret-plan', format: 'pdf' },
  preview_template: { template: 'secret-plan' },
  render_batch: { template: 'secret-plan', rows: [{}] },
  save_fixture: { template: 'secret-plan', fixture: 'one', data: {} },
  list_fixtures: { template: 'secret-plan' },
  delete_fixture: { template: 'secret-plan', fixture: 'one' },
  get_video: video,
  cancel_video: video,
  retry_video: video,
  delete_video: video,
  get_video_template: { name: film.name },
  preview_video_template: { name: film.name },
  delete_video_template: { name: film.name },
  list_video_template_versions: { name: film.name },
  rollback_video_template: { name: film.name },
  update_api_key: apiKey,
  rotate_api_key: apiKey,
  revoke_api_key: apiKey,
  revoke_connected_app: connectedApp,
  set_api_key_ip_whitelist: apiKeyWhitelist,
  get_job: job,
  update_member: changedMember,
  remove_member: member,
  cancel_job: job,
  get_generation: generation,
  download_generation: generation,
  delete_generation: generation,
  rate_hook: ratedHook,
  update_brand_voice: changedVoice,
  delete_brand_voice: voice,
  update_store: changedStore,
  get_store: store,
  delete_store: store,
  test_store: store,
  list_store_locations: store,
  list_products: store,
  update_sheet: changedSheet,
  get_sheet: sheet,
  delete_sheet: sheet,
  test_sheet: sheet,
  list_sheet_columns: sheet,
  connect_google: grantedSheet,
  create_sync_config: configured,
  get_sync_config: deletedConfig,
  update_sync_config: changedConfig,
  delete_sync_config: deletedConfig,
  preview_sync: pair,
  run_sync: pair,
  apply_plan: shownPlan,
  undo_run: shownRun,
  get_sync_run: run,
  list_sync_changes: run,
  revert_sync_run: run,
  retry_sync_run: run,
  cancel_sync_run: run,
  resolve_conflicts: conflicts,
  get_asset: asset,
  update_asset: changedAsset,
  delete_asset: asset,
  get_webhook: webhook,
  update_webhook: changedWebhook,
  delete_webhook: webhook,
  ping_webhook: webhook,
  rotate_webhook_secret: webhook,
  list_webhook_deliveries: webhook,
  resend_webhook_delivery: webhookDelivery,
};

/** Tools that name nothing of an account: they list the caller's own, or look at content sent along. */
const NAMELESS = `
  connect_demo connect_shopify upload_asset create_asset_upload put_asset list_assets save_brand
  import_brand create_video list_videos list_video_templates save_video_template generate_hooks
  submit_hooks generate_hooks_batch list_history export_history save_brand_voice list_brand_voices
  get_profile update_profile delete_account restore_account list_accounts export_account list_members
  invite_member create_template list_templates validate_template generate_template list_environments
  protect_environment list_audit_events import_templates export_bundle list_jobs create_api_key
  list_api_keys list_connected_apps get_usage score_hooks list_pricing_plans list_credit_packages
  get_billing_summary list_invoices create_checkout_session change_plan buy_credits open_billing_portal
  create_sync_checkout open_sync_portal connect_store list_stores connect_sheet list_sheets
  list_sync_configs list_sync_runs list_conflicts list_sync_fields get_sync_usage set_demo_stock
  create_webhook list_webhooks list_blog_posts get_blog_post search_tools read_tool run_tool read_for_app
`
  .trim()
  .split(/\s+/);

test('every tool is accounted for here', () => {
  expect([...Object.keys(INPUTS), ...NAMELESS].sort(), 'add the tool to INPUTS or NAMELESS').toEqual(
    productRegistry()
      .tools.map(({ name }) => name)
      .sort(),
  );
});

test.each(Object.entries(INPUTS))(
  "%s answers 404 for another account's name, as for an unknown name",
  async (tool, input) => {
    const fault = (call: Promise<unknown>) =>
      call.then(
        () => undefined,
        (error: unknown) => error,
      );
    const foreign = await fault(stranger(tool, input));
    const unknown = await fault(stranger(tool, { ...input, ...unknownNames(input) }));
    expect(foreign).toBeInstanceOf(Fault);
    expect([(foreign as Fault).code, (foreign as Fault).key]).toEqual(['not_found', (unknown as Fault).key]);
  },
);

/** A name of the same kind that no account has. */
function unknownNames(input: Record<string, unknown>): Record<string, string> {
  if ('id' in input) return { id: 'job_nobody' };
  if ('video_id' in input) return { video_id: 'vid_nobody' };
  if ('store_id' in input) return { store_id: 'sto_nobody' };
  if ('sheet_id' in input) return { sheet_id: 'she_nobody' };
  if ('brand' in input) return { brand: 'secret-bland' };
  if ('plan_id' in input) return { plan_id: 'run_nobody' };
  if ('run_id' in input) return { run_id: 'run_nobody' };
  if ('config_id' in input) return { config_id: 'cfg_nobody' };
  return 'name' in input && !('template' in input) ? { name: 'secret-plaN' } : { template: 'secret-plaN' };
}

test.each<[string, () => Record<string, unknown>]>([
  ['a sheet', () => ({ ...pair, store_id: ownStore.id })],
  ['a store', () => ({ ...pair, sheet_id: ownSheet.id })],
  ['a configuration', () => ({ config_id: conflicts.config_id })],
  ['a plan', () => ({ confirm: run.id })],
])("no run and no preview takes %s of another account's", async (_what, orderOf) => {
  ownStore.id ||= String((await stranger('connect_store', DEMO_STORE))['id']);
  ownSheet.id ||= String((await stranger('connect_sheet', DEMO_SHEET))['id']);
  await expect(stranger('run_sync', orderOf())).rejects.toMatchObject({ code: 'not_found' });
});

test("a video is no job of another account's either, and its template makes no video there", async () => {
  for (const tool of ['get_job', 'cancel_job'])
    await expect(stranger(tool, videoJob)).rejects.toMatchObject({ key: 'not_found.video' });
  const asked = { title: 'mine', duration: 0.5, template: film.name, width: 64, height: 64 };
  await expect(stranger('create_video', asked)).rejects.toMatchObject({
    key: 'validation_failed.video_template',
  });
  expect(await stranger('list_videos')).toEqual({ items: [], next_cursor: null });
  expect(JSON.stringify(await stranger('list_video_templates'))).not.toContain('secret');
  const mine = { ...film, html: '<!doctype html><div id="stage">mine</div>' };
  expect(await stranger('save_video_template', mine)).toMatchObject({ created: true });
  expect(await owner('get_video_template', { name: film.name })).toMatchObject({ html: film.html });
  expect(await owner('list_videos')).toMatchObject({ items: [{ id: videoJob.id, status: 'pending' }] });
});

const DEMO_STORE = { domain: 'demo.myshopify.com', store_access_token: 'mine' };
const DEMO_SHEET = { spreadsheet_id: 'demo', name: 'mine', access_token: 'mine' };
const ownStore = { id: '' };
const ownSheet = { id: '' };

test.each(['read_tool', 'run_tool', 'read_for_app'])(
  '%s reaches no further than the tool it runs',
  async (road) => {
    await expect(
      stranger(road, { name: 'get_template', arguments: { name: 'secret-plan' } }),
    ).rejects.toMatchObject({ code: 'not_found' });
  },
);

test("lists and searches show nothing of another account's, and its names are free", async () => {
  expect(JSON.stringify(await stranger('list_templates', { limit: 200 }))).not.toContain('secret');
  expect(JSON.stringify(await stranger('list_audit_events', { limit: 200 }))).not.toContain('secret');
  expect(await stranger('list_history', { q: 'secret' })).toMatchObject({ items: [] });
  expect(await stranger('list_brand_voices')).toEqual({ items: [], next_cursor: null });
  for (const tool of ['list_stores', 'list_sheets', 'list_sync_configs', 'list_sync_runs', 'list_conflicts'])
    expect(JSON.stringify(await stranger(tool)), tool).not.toMatch(/secret|cfg_/);
  expect(await stranger('list_sync_runs', { config_id: conflicts.config_id })).toEqual({
    items: [],
    next_cursor: null,
  });
  expect(await stranger('list_conflicts', { config_id: conflicts.config_id })).toEqual({ items: [] });
  await expect(
    stranger('create_template', { name: 'user', html: '{{> secret-plan}}' }),
  ).rejects.toMatchObject({ code: 'template_invalid' });
  await expect(stranger('create_template', { name: 'copy', from: 'secret-plan@main' })).rejects.toMatchObject(
    { code: 'not_found' },
  );
  expect(await stranger('create_template', { name: 'secret-plan', html: 'mine' })).toMatchObject({
    version: 'v1.0.0',
  });
  await expect(
    stranger('diff_versions', { template: 'secret-plan', to: 'secret-plan@draft' }),
  ).rejects.toMatchObject({ code: 'not_found' });
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
  expect(await owner('list_stores')).toMatchObject({ items: [{ id: store.id, status: 'connected' }] });
  expect(await owner('list_sheets')).toMatchObject({ items: [{ id: sheet.id, name: 'secret' }] });
  expect(await owner('list_sync_configs')).toMatchObject({ items: [{ version: 1, enabled: true }] });
  expect((await owner('list_sync_runs'))['items']).toHaveLength(1);
});
