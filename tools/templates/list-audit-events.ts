import { z } from 'zod';
import { AuditEvent } from '../../src/audit/audit.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';

export const listAuditEvents = defineTool({
  name: 'list_audit_events',
  title: 'List audit events',
  description:
    "List who changed what in the account, newest first. Filter with target, action or actor. Events can't be changed.",
  keywords: {
    en: [
      'audit log',
      'who did what',
      'who changed it',
      'activity log',
      'trail',
      'who deleted it',
      'who approved it',
    ],
    es: [
      'auditoría',
      'quién hizo qué',
      'quién lo cambió',
      'registro de actividad',
      'bitácora',
      'quién lo borró',
    ],
  },
  toolset: 'templates',
  effect: 'read',
  scope: 'audit:read',
  rest: { route: 'GET /v1/audit' },
  input: z.object({
    target: z.string().max(200).optional().meta({ description: 'Name of a template or environment' }),
    action: z.string().max(100).optional(),
    actor: z.string().max(200).optional(),
    ...paging,
  }),
  output: page(AuditEvent),
  run: (filter, { app, caller }) => app.audit.list(caller.accountId, filter),
  examples: [{ title: 'Changes to one template', input: { target: 'welcome' } }],
});
