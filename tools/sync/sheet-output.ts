import { z } from 'zod';
import { localizeWarning, type Reader } from '../../src/language.ts';
import type { SheetSecrets } from '../../src/sync/connections/credentials.ts';
import type { sheetSecrets } from './input.ts';
import { accessFields, ConnectionStatus } from './store-output.ts';

/** A connected tab of a spreadsheet in answers. */
export const Sheet = z.object({
  id: z.string(),
  spreadsheet_id: z.string(),
  name: z.string(),
  sheet_name: z.string().meta({ description: 'Tab title' }),
  columns: z.array(z.string()).meta({ description: 'Headers at the last check' }),
  locale: z.string().meta({ description: 'Locale of its numbers, such as es_ES' }),
  status: ConnectionStatus,
  paused: z.boolean().meta({ description: 'True when over the plan limit: kept but not synced' }),
  token_hint: z
    .string()
    .meta({ description: 'Last characters of the token, or the name of the service account' }),
  ...accessFields,
  warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
  created_at: z.iso.datetime(),
});

type Secrets = {
  readonly [Name in keyof typeof sheetSecrets]?: z.output<(typeof sheetSecrets)[Name]> | undefined;
};

export function sheetSecretsOf(input: Secrets): SheetSecrets {
  const { access_token, refresh_token, client_id, client_secret, service_account } = input;
  return {
    accessToken: access_token,
    refreshToken: refresh_token,
    clientId: client_id,
    clientSecret: client_secret,
    serviceAccount: service_account,
  };
}

type Expiring = {
  readonly id: string;
  readonly renewable: boolean | null;
  readonly expires_at: string | null;
};

/** Says what to do about access that will end and can't be renewed. */
export function withWarnings<Connected extends Expiring>(sheet: Connected, reader: Reader) {
  const { id, renewable, expires_at: time } = sheet;
  if (renewable !== false || time === null) return sheet;
  const warning = localizeWarning({ key: 'not_renewable', params: { time, sheet_id: id } }, reader);
  return { ...sheet, warnings: [warning] };
}
