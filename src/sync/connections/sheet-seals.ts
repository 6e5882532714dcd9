import { z } from 'zod';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { SheetCredentials } from '../ports/open-sheet.ts';
import type { SheetRow } from './sheet-store.ts';
import { tokenHint } from './token-hint.ts';

const Credentials = z.union([
  z.object({
    accessToken: z.string(),
    refreshToken: z.string().optional(),
    clientId: z.string().optional(),
    clientSecret: z.string().optional(),
  }),
  z.object({ serviceAccount: z.object({ client_email: z.string(), private_key: z.string() }) }),
]);

/** The secrets of sheets, as their rows keep them. */
export function createSheetSeals(box: SecretBox) {
  const placeOf = (row: string) => ({ table: 'sync_sheets', row, column: 'credentials' });

  return {
    /** A service account is known by its name, which is no secret: the spreadsheet has to be shared with it. */
    async seal(id: string, credentials: SheetCredentials) {
      const hint =
        'serviceAccount' in credentials
          ? credentials.serviceAccount.client_email
          : tokenHint(credentials.accessToken);
      return { credentials: await box.seal(JSON.stringify(credentials), placeOf(id)), token_hint: hint };
    },

    async open({ id, credentials }: Pick<SheetRow, 'id' | 'credentials'>): Promise<SheetCredentials> {
      return Credentials.parse(JSON.parse(await box.open(credentials, placeOf(id))));
    },
  };
}
