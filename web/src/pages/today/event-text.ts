import type { Output } from '../../api/operation.ts';
import type { listAuditEvents } from '../../api/operations.gen.ts';
import type { TextKey, text } from '../../i18n/text.ts';

type AuditEvent = Output<typeof listAuditEvents>['items'][number];

/** Actions that have a sentence; of others, the sentence names the action. */
const SENTENCES: Readonly<Record<string, TextKey>> = {
  'template.created': 'event.template.created',
  'template.updated': 'event.template.updated',
  'template.described': 'event.template.described',
  'template.rolled_back': 'event.template.rolledBack',
  'template.deleted': 'event.template.deleted',
  'template.restored': 'event.template.restored',
  'environment.promoted': 'event.environment.promoted',
  'environment.rolled_back': 'event.environment.rolledBack',
  'environment.approved': 'event.environment.approved',
  'branch.created': 'event.branch.created',
  'branch.merged': 'event.branch.merged',
  'branch.deleted': 'event.branch.deleted',
  'asset.created': 'event.asset.created',
  'asset.replaced': 'event.asset.replaced',
  'asset.updated': 'event.asset.updated',
  'asset.deleted': 'event.asset.deleted',
  'brand.created': 'event.brand.changed',
  'brand.changed': 'event.brand.changed',
  'fixture.saved': 'event.fixture.saved',
  'fixture.deleted': 'event.fixture.deleted',
};

/** An audit event as a sentence. */
export function eventText({ action, target, from, to, detail }: AuditEvent, t: typeof text): string {
  const key = SENTENCES[action] ?? 'event.other';
  const { environment = '', branch = '' } = detail;
  return t(key, {
    action,
    target,
    from: from ?? '',
    to: to ?? '',
    environment: String(environment),
    branch: String(branch),
  });
}
