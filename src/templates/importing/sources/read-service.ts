import type { ImportedTemplate } from '../imported-template.ts';
import { readMailgun } from './read-mailgun.ts';
import { isMjml, readOwn } from './read-own.ts';
import { readPostmark } from './read-postmark.ts';
import { readSendgrid } from './read-sendgrid.ts';

/** Reads what a service exported. `where` names the payload or the file, for errors. */
export async function readService(
  service: Service,
  value: unknown,
  where: string,
): Promise<ImportedTemplate[]> {
  switch (service) {
    case 'sendgrid':
      return readSendgrid(value, where);
    case 'postmark':
      return readPostmark(value, where);
    case 'mailgun':
      return readMailgun(value, where);
    case 'mjml':
    case 'html':
      return readOwn(value, where);
  }
}

/** Whose export a payload is. */
export type Service = 'sendgrid' | 'postmark' | 'mailgun' | 'mjml' | 'html';

/** Tells the services apart by the fields only they have; undefined when none fits. */
export function detectSource(payload: unknown): Service | undefined {
  if (typeof payload === 'string') return isMjml(payload) ? 'mjml' : 'html';
  const first = firstOf(payload);
  if (!isRecord(first)) return undefined;
  if ('Name' in first && ('HtmlBody' in first || 'TextBody' in first || 'TemplateType' in first))
    return 'postmark';
  if (isRecord(first['template']) || isMailgun(first)) return 'mailgun';
  if (Array.isArray(first['versions'])) return 'sendgrid';
  if (typeof first['mjml'] === 'string') return 'mjml';
  if (typeof first['html'] === 'string') return 'html';
  return undefined;
}

/** The first template of a list, under whatever name the service keeps its list. */
function firstOf(payload: unknown): unknown {
  if (Array.isArray(payload)) return payload[0];
  if (!isRecord(payload)) return undefined;
  for (const list of ['Templates', 'result', 'templates', 'items']) {
    const found = payload[list];
    if (Array.isArray(found)) return found[0];
  }
  return payload;
}

/** Without its wrapper: the versions of Mailgun have an engine or a text named template. */
function isMailgun(template: Record<string, unknown>): boolean {
  const versions = Array.isArray(template['versions']) ? template['versions'] : [template['version']];
  return versions.some((version) => isRecord(version) && ('engine' in version || 'tag' in version));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
