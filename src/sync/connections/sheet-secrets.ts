import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { SheetCredentials } from '../ports/open-sheet.ts';

/** What a caller gives to open a spreadsheet with. */
export type SheetSecrets = {
  readonly accessToken?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** The client that the tokens were made for, where it is not the server's own. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** The key file of a service account, or its text. */
  readonly serviceAccount?: unknown;
};

const ServiceAccount = z.object({
  client_email: z.string().min(3).max(320).includes('@'),
  private_key: z.string().startsWith('-----BEGIN').max(10_000),
});

/**
 * Tokens, or a service account, and not both; the demo takes anything.
 * @throws Fault validation_failed.sheet_credentials, validation_failed.service_account
 */
export function sheetCredentials(secrets: SheetSecrets, isDemo = false): SheetCredentials {
  const { serviceAccount, ...tokens } = secrets;
  const { accessToken, ...renewal } = tokens;
  if (isDemo) return { accessToken: accessToken ?? 'demo' };
  if (serviceAccount !== undefined && !hasSheetSecrets(tokens))
    return { serviceAccount: parseServiceAccount(serviceAccount) };
  const hasWholeClient = (renewal.clientId === undefined) === (renewal.clientSecret === undefined);
  if (serviceAccount === undefined && accessToken !== undefined && hasWholeClient)
    return { accessToken, ...renewal };
  throw new Fault('validation_failed.sheet_credentials');
}

/** Whether anything was given. */
export function hasSheetSecrets(secrets: SheetSecrets): boolean {
  return Object.values(secrets).some((value) => value !== undefined);
}

/** Nothing of what was given is told again: it is a secret even where it is none we can use. */
function parseServiceAccount(given: unknown) {
  const parsed = ServiceAccount.safeParse(typeof given === 'string' ? jsonOf(given) : given);
  if (!parsed.success) throw new Fault('validation_failed.service_account');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
