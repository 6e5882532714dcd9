import { z } from 'zod';
import { Deleted, defineTool } from '../contract/define.ts';

export const revokeConnectedApp = defineTool({
  name: 'revoke_connected_app',
  title: 'Disconnect an app',
  description:
    'End the access of an app that someone connected to this account. Its tokens stop working immediately. Owners and admins can disconnect any app, other people their own. For API keys, use revoke_api_key.',
  keywords: {
    en: ['disconnect an assistant', 'remove oauth access', 'sign out an app', 'revoke access of claude'],
    es: ['desconectar un asistente', 'quitar acceso', 'revocar una aplicación'],
  },
  toolset: 'account',
  effect: 'delete',
  scope: 'account:read',
  dangerous: { page: '/profile' },
  rest: { route: 'DELETE /api/v1/connected-apps/{app_id}' },
  input: z.object({ app_id: z.string().max(64) }),
  output: Deleted,
  run: async ({ app_id: id }, { app, caller }) => {
    await app.connectedApps.revoke(caller, id);
    return { deleted: true as const };
  },
  examples: [{ title: 'An assistant no longer used', input: { app_id: 'app_example' } }],
});
