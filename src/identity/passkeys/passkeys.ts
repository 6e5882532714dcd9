import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { z } from 'zod';
import { Fault } from '../../errors.ts';
import type { Sql } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { RecordEvent } from '../members/roles.ts';
import type { SignedInPerson } from '../second-factor/second-factor.ts';
import type { Challenges } from '../sign-in/challenges.ts';
import * as userRepo from '../users/user-repo.ts';
import type { PasskeyRow } from './passkey-repo.ts';
import * as passkeyRepo from './passkey-repo.ts';

/** The site that passkeys are bound to. Browsers use a passkey on no other. */
export type PasskeySite = { readonly rpId: string; readonly origin: string };

export type Passkey = Pick<PasskeyRow, 'id' | 'name'> & {
  readonly created_at: string;
  readonly last_used_at: string | null;
};

type PasskeysDeps = {
  readonly sql: Sql;
  readonly challenges: Challenges;
  readonly record: RecordEvent;
  readonly now?: () => number;
};

type NewPasskey = { readonly response: RegistrationResponseJSON; readonly name?: string | undefined };

export type Passkeys = ReturnType<typeof createPasskeys>;

const CHALLENGE_TTL_MS = 5 * 60_000;
const MAX_PASSKEYS = 20;
const RP_NAME = 'Stallhand';
/** COSE algorithms: EdDSA, ES256 and RS256, which all authenticators together know. */
const ALGORITHMS = [-8, -7, -257];

const ClientData = z.object({ challenge: z.string().min(1).max(200) });
const Nothing = z.object({});

/**
 * Passkeys: key pairs on a person's devices; the server keeps the public half. The device verifies the person by
 * PIN, face or finger, so a passkey is a complete sign-in with both factors. Each challenge works once.
 */
export function createPasskeys({ sql, challenges, record, now = Date.now }: PasskeysDeps) {
  return {
    /** Options for `navigator.credentials.create`. */
    async registrationOptions(
      { userId, actor }: SignedInPerson,
      { rpId }: PasskeySite,
    ): Promise<PublicKeyCredentialCreationOptionsJSON> {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server');
      const known = await passkeyRepo.list(sql, userId);
      const challenge = await challenges.open('passkey_registration', { userId, ttlMs: CHALLENGE_TTL_MS });
      return generateRegistrationOptions({
        rpName: RP_NAME,
        rpID: rpId,
        userName: actor,
        userDisplayName: actor,
        userID: new Uint8Array(Buffer.from(userId)),
        challenge: bytesOf(challenge),
        timeout: CHALLENGE_TTL_MS,
        attestationType: 'none',
        excludeCredentials: known.map(({ credential_id: id, transports }) => ({ id, transports })),
        supportedAlgorithmIDs: ALGORITHMS,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },

    /** @throws Fault validation_failed.passkey, conflict.too_many_passkeys, conflict.passkey_registered */
    async register(
      { userId, accountId, actor }: SignedInPerson,
      { response, name }: NewPasskey,
      site: PasskeySite,
    ): Promise<Passkey> {
      const expectedChallenge = challengeOf(response);
      const credential = expectedChallenge && (await verifyRegistration(response, expectedChallenge, site));
      if (!credential) throw new Fault('validation_failed.passkey');
      const row = {
        id: newId('psk'),
        user_id: userId,
        name: name || 'Passkey',
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        created_at: new Date(now()),
      };
      await sql.begin(async (tx) => {
        // Holds the person: if their address is being taken over, the challenge is gone or the passkey will be.
        await userRepo.lockPerson(tx, userId);
        const taken = await challenges.take('passkey_registration', expectedChallenge, Nothing, tx);
        if (taken?.userId !== userId) throw new Fault('validation_failed.passkey');
        if ((await passkeyRepo.list(tx, userId)).length >= MAX_PASSKEYS)
          throw new Fault('conflict.too_many_passkeys', { limit: MAX_PASSKEYS });
        if (!(await passkeyRepo.insert(tx, row))) throw new Fault('conflict.passkey_registered');
        await record(tx, accountId, { actor, action: 'passkey.added', target: row.id, to: row.name });
      });
      return present({ ...row, last_used_at: null });
    },

    /** Options for `navigator.credentials.get`. They name no person: the device offers the passkeys it has. */
    async loginOptions({ rpId }: PasskeySite): Promise<PublicKeyCredentialRequestOptionsJSON> {
      const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
      const challenge = await challenges.open('passkey_login', { ttlMs: CHALLENGE_TTL_MS });
      return generateAuthenticationOptions({
        rpID: rpId,
        challenge: bytesOf(challenge),
        timeout: CHALLENGE_TTL_MS,
        userVerification: 'required',
      });
    },

    /** The person whose passkey signed. @throws Fault unauthenticated.passkey */
    async verify(response: AuthenticationResponseJSON, site: PasskeySite): Promise<string> {
      const expectedChallenge = challengeOf(response);
      // Taken first: whatever is wrong with the rest, no challenge is answered twice.
      const taken = expectedChallenge && (await challenges.take('passkey_login', expectedChallenge, Nothing));
      const passkey = taken && (await passkeyRepo.find(sql, response.id));
      if (!passkey) throw new Fault('unauthenticated.passkey');
      const { userHandle } = response.response;
      if (userHandle && bytesOf(userHandle).toString() !== passkey.user_id)
        throw new Fault('unauthenticated.passkey');
      const counter = await verifyLogin(response, expectedChallenge, passkey, site);
      if (!(await passkeyRepo.markUsed(sql, passkey.id, counter, new Date(now()))))
        throw new Fault('unauthenticated.passkey');
      return passkey.user_id;
    },

    async list(userId: string): Promise<Passkey[]> {
      return (await passkeyRepo.list(sql, userId)).map(present);
    },

    /** @throws Fault not_found.passkey */
    async remove({ userId, accountId, actor }: SignedInPerson, id: string): Promise<void> {
      await sql.begin(async (tx) => {
        const name = await passkeyRepo.remove(tx, userId, id);
        if (name === undefined) throw new Fault('not_found.passkey', { id });
        await record(tx, accountId, { actor, action: 'passkey.removed', target: id, from: name });
      });
    },
  };
}

/** The new credential; undefined if the response is not what it should be. */
async function verifyRegistration(
  response: RegistrationResponseJSON,
  expectedChallenge: string,
  { rpId, origin }: PasskeySite,
) {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: rpId };
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      ...expected,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return registrationInfo?.credential;
  } catch {
    // The library throws for whatever a stranger can send.
    return undefined;
  }
}

/** The new counter. @throws Fault unauthenticated.passkey, also for a counter that did not rise: a copied authenticator */
async function verifyLogin(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  { credential_id: id, public_key, counter }: PasskeyRow,
  { rpId, origin }: PasskeySite,
): Promise<number> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const expected = { expectedChallenge, expectedOrigin: origin, expectedRPID: rpId };
  const credential = { id, publicKey: new Uint8Array(bytesOf(public_key)), counter };
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    ...expected,
    credential,
    requireUserVerification: true,
  }).catch((cause: unknown) => {
    throw new Fault('unauthenticated.passkey', {}, { cause });
  });
  if (!verified) throw new Fault('unauthenticated.passkey');
  return authenticationInfo.newCounter;
}

/** The challenge that a response says it answers; empty if it says none. */
function challengeOf({ response: { clientDataJSON } }: { response: { clientDataJSON: string } }): string {
  try {
    return ClientData.parse(JSON.parse(bytesOf(clientDataJSON).toString())).challenge;
  } catch {
    return '';
  }
}

function bytesOf(base64url: string) {
  return Buffer.from(base64url, 'base64url');
}

function present({ id, name, created_at, last_used_at }: PasskeyRow | (PasskeyRow & { last_used_at: null })) {
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  };
}
