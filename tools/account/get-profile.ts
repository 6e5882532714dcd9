import { z } from 'zod';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool } from '../contract/define.ts';
import { ProfileAnswer } from './profile-output.ts';

export const getProfile = defineTool({
  name: 'get_profile',
  title: 'Get the profile',
  description:
    "Get the caller's profile: name, email, image, role, plan and subscription. For an API key or the local owner, it is the account's profile.",
  keywords: {
    en: ['whoami', 'who am I', 'my name and email', 'signed in as', 'my role'],
    es: ['mi perfil', 'quién soy', 'mi nombre y correo', 'con qué usuario entré', 'mi rol'],
  },
  toolset: 'account',
  effect: 'read',
  scope: 'account:read',
  rest: { route: 'GET /api/v1/user/profile', etag: contentTag },
  input: z.object({}),
  output: ProfileAnswer,
  run: (_input, { app, caller }) => app.profiles.get(caller),
  examples: [{ title: 'The profile', input: {} }],
});
