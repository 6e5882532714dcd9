import type { RetentionKind } from './kinds.ts';

/**
 * How long the rows of a table stay.
 * A kind: as RETENTION says. Otherwise the end in words, for what goes with its owner or has a fixed term.
 */
type Term = RetentionKind | { readonly until: string };

const ACCOUNT: Term = { until: 'the account is deleted' };
const USER: Term = { until: 'the person is deleted' };
const TEMPLATE: Term = { until: 'the template is purged, 30 days after it was deleted' };
const SYNC: Term = { until: 'the sync configuration is deleted' };
const RUN: Term = { until: 'an hour after the run' };
const DAYS_PAST: Term = { until: 'the day is over' };

/** Every table of the product and its term. A test fails for a table without one. */
export const TABLES: Readonly<Record<string, Term>> = {
  accounts: { until: '14 days after an owner deleted it' },
  server_secrets: { until: 'the server ends' },
  schema_migrations: { until: 'the server ends' },
  nodes: { until: 'the process ends, or an hour after it crashed' },
  users: USER,
  memberships: ACCOUNT,
  invitations: { until: '30 days after the invitation expires' },
  invitation_mails: { until: 'it no longer counts against the limit of emails' },
  sessions: { until: '7 days after the session expired, or it was ended' },
  sign_in_codes: { until: 'the code expires' },
  sign_in_tries: { until: 'the tries no longer count' },
  api_keys: ACCOUNT,
  sign_in_challenges: { until: 'the challenge expires' },
  passkeys: USER,
  totp_secrets: USER,
  recovery_codes: USER,
  linked_identities: USER,
  known_devices: { until: 'the device is not used for 180 days' },
  reauthentications: { until: 'the confirmation expires' },
  idempotency_keys: { until: '24 hours after the call' },
  rate_buckets: { until: 'the bucket is full again' },
  files: { until: 'the file expires' },
  audit_events: 'audit_events',
  ai_days: { until: '90 days later' },
  ai_account_days: { until: '90 days later' },
  jobs: { until: '7 days after the job ended' },
  templates: TEMPLATE,
  contents: TEMPLATE,
  versions: TEMPLATE,
  branches: TEMPLATE,
  environments: ACCOUNT,
  pointers: TEMPLATE,
  pointer_events: TEMPLATE,
  promotion_approvals: TEMPLATE,
  fixtures: TEMPLATE,
  billing_customers: ACCOUNT,
  subscriptions: ACCOUNT,
  plan_grants: ACCOUNT,
  credit_purchases: ACCOUNT,
  stripe_events: {
    until: '90 days after it was handled; one that failed permanently stays for the operator',
  },
  billing_watermarks: { until: 'the server ends; there are only a few rows' },
  checkout_turns: ACCOUNT,
  quota_balances: ACCOUNT,
  quota_months: ACCOUNT,
  quota_days: 'usage',
  quota_reservations: 'usage',
  quota_entries: { until: 'the account is deleted: the balance is the sum of this ledger' },
  visitor_days: DAYS_PAST,
  visitor_allowances: DAYS_PAST,
  visitor_reservations: DAYS_PAST,
  generations: 'hooks',
  hooks: 'hooks',
  brand_voices: ACCOUNT,
  brands: ACCOUNT,
  sync_stores: ACCOUNT,
  sync_sheets: ACCOUNT,
  sync_configs: ACCOUNT,
  sync_runs: 'sync_runs',
  sync_changes: { until: 'a year after the run, or earlier with the run' },
  sync_base: SYNC,
  sync_reverted: SYNC,
  sync_read_store: RUN,
  sync_read_sheet: RUN,
  sync_throttles: { until: 'the store is not called for a day' },
  sync_webhook_events: { until: '7 days later' },
  sync_demos: ACCOUNT,
  sync_grants: { until: 'nothing uses the consent, and it is revoked' },
  sync_consents: { until: 'the link expires' },
  sync_left_grants: { until: 'the consent is revoked, at most 7 days' },
  videos: 'videos',
  video_steps: 'videos',
  video_templates: ACCOUNT,
  video_template_versions: { until: 'newer versions replace it, or the template is deleted' },
  webhooks: ACCOUNT,
  webhook_deliveries: { until: '30 days after the event' },
  confirmations: { until: '10 minutes after the question' },
  assets: { until: '30 days after the asset was deleted' },
  asset_states: { until: 'the asset is removed' },
  asset_contents: { until: 'no asset uses the content' },
  asset_variants: { until: 'newer variants need the space' },
  asset_uploads: { until: 'the upload link expires' },
  oauth_clients: { until: 'no person connected the program within a week, or no one uses it any more' },
  connected_apps: { until: 'the app expires or is revoked' },
  oauth_rows: { until: 'the code or token expires' },
};

/** Every folder of blob keys and its term. */
export const BLOBS: Readonly<Record<string, { readonly holds: string; readonly term: Term }>> = {
  'acc_…': { holds: 'files made for download', term: { until: 'the file expires' } },
  assets: { holds: 'assets', term: { until: 'no asset uses the content' } },
  'asset-uploads': { holds: 'parts of uploads', term: { until: 'the upload ends or its link expires' } },
  'asset-variants': {
    holds: 'other sizes and formats of images',
    term: { until: 'newer variants need the space' },
  },
  'store-mark': {
    holds: 'the mark that shows nodes that they share files',
    term: { until: 'the server ends' },
  },
  videos: { holds: 'videos, posters, captions and their parts', term: 'videos' },
};
