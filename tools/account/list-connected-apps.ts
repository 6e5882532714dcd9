import { z } from 'zod';
import { ConnectedApp } from '../../src/identity/connected-apps/connected-apps.ts';
import { defineTool } from '../contract/define.ts';
import { page, paging } from '../contract/page.ts';

export const listConnectedApps = defineTool({
  name: 'list_connected_apps',
  title: 'List connected apps',
  description:
    'List the apps and assistants that people connected to this account by signing in, newest first, with scopes and last use. Owners and admins see all apps, other people their own. For API keys, use list_api_keys.',
  keywords: {
    en: ['which assistants have access', 'oauth clients', 'authorized apps', 'signed in programs'],
    es: ['qué asistentes tienen acceso', 'aplicaciones autorizadas', 'programas conectados'],
  },
  toolset: 'account',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /api/v1/connected-apps', list: true },
  input: z.object(paging),
  output: page(ConnectedApp),
  run: (input, { app, caller }) => app.connectedApps.list(caller, input),
  examples: [{ title: 'All connected apps', input: {} }],
});
