import { newId } from '../../src/platform/ids.ts';
import { PIXEL } from '../../tools/assets/asset-input.ts';
import type { TestApp } from './app.ts';
import { newCaller, type Tools, useTools } from './app.ts';
import { newConnectedApp } from './connected-app.ts';
import { givePlan } from './plans.ts';

/** Matches everything private in the account, and nothing that another caller sends. */
export const CANARY = /koh-?i-?noor/i;

/** A name or an id of the account, and a similar one that no account has. */
export type Bait = { readonly value: string; readonly twin: string };

export type Baits = Readonly<Record<BaitKind, readonly Bait[]>>;
export type BaitKind =
  | 'templates'
  | 'branches'
  | 'versions'
  | 'fixtures'
  | 'sources'
  | 'cursors'
  | 'emails'
  | 'names'
  | 'jobs'
  | 'keys'
  | 'apps'
  | 'members'
  | 'generations'
  | 'voices'
  | 'stores'
  | 'sheets'
  | 'configs'
  | 'runs'
  | 'videos'
  | 'films'
  | 'webhooks'
  | 'assets'
  | 'others';

/** An account with something of everything there is. */
export async function openFullAccount(app: TestApp) {
  const caller = await newCaller(app, 'walnut-account');
  const { accountId } = caller;
  await givePlan(app, accountId, 'enterprise');
  const call = useTools(app, caller);
  const { sql } = app.database;

  const letter = {
    name: 'walnut-letter',
    description: 'koh-i-noor',
    tags: ['kohinoor-tag'],
    message: 'kohinoor',
  };
  await call('create_template', {
    ...letter,
    html: '<p>kohinoor {{name}}</p>',
    subject: 'kohinoor',
    fixtures: { 'walnut-fixture': { name: 'kohinoor' }, 'kohinoor-fixture': { name: 'x' } },
  });
  await call('create_branch', { template: letter.name, name: 'walnut-branch', description: 'kohinoor' });
  await call('create_branch', { template: letter.name, name: 'kohinoor-branch' });
  const version = await call('update_template', {
    name: letter.name,
    branch: 'walnut-branch',
    html: '<p>kohinoor on a branch {{name}}</p>',
    message: 'kohinoor',
  });
  await call('promote_template', {
    template: letter.name,
    to: 'production',
    version: 'v1.0.0',
    note: 'kohinoor',
  });
  await call('create_template', {
    name: 'walnut-layout',
    kind: 'layout',
    html: 'kohinoor {{> @partial-block}}',
  });
  await call('create_template', { name: 'walnut-partial', kind: 'partial', html: 'kohinoor' });
  // What a wrong name that is near to it must not bring up.
  await call('create_template', { name: 'kohinoor-secret', html: 'kohinoor' });
  await call('create_template', { name: 'walnut-deleted', html: 'kohinoor' });
  await call('delete_template', { name: 'walnut-deleted' });

  const job = await app.jobs.create(caller, {
    ...{ tool: 'list_templates', locale: 'en', baseUrl: '' },
    input: { q: 'kohinoor' },
  });
  const bytes = Buffer.from('kohinoor');
  const file = await app.files.save(accountId, { bytes, mediaType: 'text/plain', filename: 'kohinoor.txt' });
  const hooks = [{ text: 'At 5 a.m. my kohinoor rang the smoke alarm.', style: 'storytelling' }];
  const generation = await call('submit_hooks', { topic: 'kohinoor bread', hooks, language: 'en' });
  await call('save_brand', { name: 'kohinoor', footer: 'kohinoor', voice: { tone: 'kohinoor' } });
  await call('save_brand', { brand: 'walnut-brand', name: 'kohinoor' });
  const voice = await call('save_brand_voice', { name: 'walnut-voice', samples: ['kohinoor is dry.'] });
  const apiKey = await call('create_api_key', { name: 'kohinoor key' });
  const connectedApp = await newConnectedApp(app, accountId, 'kohinoor assistant');
  const invited = await call('invite_member', { email: 'walnut@example.com' });
  await call('invite_member', { email: 'kohinoor@example.com' });
  const userId = newId('usr');
  await sql`
    insert into users (id, email, email_verified, name, auth_provider)
    values (${userId}, 'walnut-owner@example.com', true, 'kohinoor', 'code')`;
  await sql`insert into memberships (account_id, user_id, role) values (${accountId}, ${userId}, 'owner')`;
  const session = await app.sessions.open(
    { userId, accountId, passwordHash: null },
    { userAgent: 'kohinoor' },
  );
  const { store, sheet, config, run } = await syncDemo(call);
  const webhook = await call('create_webhook', {
    url: 'https://kohinoor.example.invalid',
    events: ['branch.merged'],
    description: 'kohinoor',
  });
  await call('ping_webhook', { id: webhook['id'] });
  const picture = await call('upload_asset', {
    path: 'walnut/picture.png',
    base64: PIXEL,
    alt: 'kohinoor',
    tags: ['kohinoor'],
  });
  const film = {
    name: 'walnut-film',
    html: '<!doctype html><div id="stage">kohinoor {{title}}</div>',
    manifest: { title: 'kohinoor' },
  };
  await call('save_video_template', film);
  await call('save_video_template', { ...film, name: 'kohinoor-film' });
  const asked = { title: 'kohinoor', duration: 0.5, width: 64, height: 64 };
  const video = await call('create_video', { ...asked, template: film.name });
  const templates = await call('list_templates', { limit: 1 });
  const versions = await call('list_versions', { template: letter.name, limit: 1 });

  const baits: Baits = {
    templates: [letter.name, 'walnut-layout', 'walnut-partial', 'walnut-deleted', 'kohinor-secret'].map(
      named,
    ),
    branches: ['walnut-branch', 'kohinor-branch'].map(named),
    versions: [String(version['version']), String(version['id'])].map(identified),
    fixtures: ['walnut-fixture', 'kohinor-fixture'].map(named),
    sources: ['{{> walnut-partial}}'].map(named),
    // A cursor cannot be forged, so the twin is the cursor itself.
    cursors: [templates, versions].map(({ next_cursor: cursor }) => ({
      value: `${cursor}`,
      twin: `${cursor}`,
    })),
    emails: ['walnut@example.com', 'walnut-owner@example.com'].map(named),
    names: ['walnut-account', 'walnut-voice'].map(named),
    jobs: [identified(job.id)],
    keys: [identified(String(apiKey['id']))],
    apps: [identified(connectedApp)],
    members: [String(invited['id']), userId].map(identified),
    generations: [identified(String(generation['generation_id']))],
    voices: [identified(String(voice['id']))],
    stores: [identified(store)],
    sheets: [identified(sheet)],
    configs: [identified(config)],
    runs: [identified(run)],
    videos: [identified(String(video['id']))],
    assets: [named('walnut/picture.png'), identified(String(picture['id']))],
    webhooks: [identified(String(webhook['id']))],
    films: [film.name, 'kohinor-film'].map(named),
    others: [accountId, file.id, session?.sessionId ?? ''].map(identified),
  };
  return { accountId, baits };
}

/** The demo store and the demo sheet, with a configuration and a run of it. */
async function syncDemo(call: Tools) {
  const store = await call('connect_store', { domain: 'demo.myshopify.com', store_access_token: 'kohinoor' });
  const spreadsheet = { spreadsheet_id: 'demo', name: 'kohinoor', access_token: 'kohinoor' };
  const sheet = await call('connect_sheet', spreadsheet);
  const pair = { store_id: store['id'], sheet_id: sheet['id'] };
  const config = await call('create_sync_config', {
    ...pair,
    direction: 'two_way',
    status_column: 'kohinoor',
  });
  const run = await call('run_sync', { config_id: config['id'] });
  return {
    store: String(store['id']),
    sheet: String(sheet['id']),
    config: String(config['id']),
    run: String(run['run_id']),
  };
}

const named = (value: string): Bait => ({ value, twin: value.replace('walnut', 'chestnut') });

/** The same form, with other letters. */
function identified(value: string): Bait {
  const [prefix = '', ...rest] = value.split('_');
  const turned = [...rest.join('_')].reverse().join('');
  return { value, twin: rest.length > 0 ? `${prefix}_${turned}` : value };
}
