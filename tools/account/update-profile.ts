import { z } from 'zod';
import { type InputKey, LOCALES } from '../../src/language.ts';
import { contentTag } from '../../src/platform/content-tag.ts';
import { defineTool } from '../contract/define.ts';
import { ProfileAnswer } from './profile-output.ts';

export const updateProfile = defineTool({
  name: 'update_profile',
  title: 'Update the profile',
  description:
    "Change the caller's name, language or image. With an API key, or as the local owner, name renames the account.",
  keywords: {
    en: ['change my name', 'change language to spanish or english', 'avatar', 'rename the account'],
    es: ['cambiar mi nombre', 'cambiar idioma a español o inglés', 'foto de perfil', 'renombrar la cuenta'],
  },
  toolset: 'account',
  effect: 'update',
  // A member may change their own profile; for a key that renames the account more is asked.
  scope: 'account:read',
  rest: { route: 'PATCH /api/v1/user/profile', etag: contentTag },
  input: z.object({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'one_line' satisfies InputKey)
      .optional(),
    language: z.enum(LOCALES).optional(),
    avatar: z
      .url({ protocol: /^https$/, error: 'https_address' satisfies InputKey })
      .max(2_000)
      .optional()
      .meta({ description: 'HTTPS URL of a profile image' }),
  }),
  output: ProfileAnswer,
  run: (input, { app, caller, ifMatch }) => app.profiles.update(caller, input, ifMatch),
  examples: [{ title: 'A new name', input: { name: 'Bakery Sol' } }],
});
