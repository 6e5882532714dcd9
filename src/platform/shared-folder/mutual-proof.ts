import { createHmac, randomBytes } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import { isSameSecret } from '../is-same-secret.ts';
import { readLine, writeLine } from './lines.ts';

type Side = 'guest' | 'holder';

const Nonce = z.string().length(44);
const Hello = z.object({ nonce: Nonce });
const Proof = z.object({ proof: z.string().length(44) });

/** The other end does not know the secret. */
class NotProven extends Error {}

/**
 * Both ends of a connection prove that they know a secret, without saying it: each answers the other's random number with
 * a keyed hash of both numbers and of its own side, so that no answer can be sent back or used again. The holder proves
 * itself first; a guest says nothing to one that cannot.
 * @throws NotProven; the signal's reason
 */
export async function proveAsGuest(socket: Duplex, secret: string, signal: AbortSignal): Promise<void> {
  const guest = newNonce();
  writeLine(socket, { nonce: guest });
  const said = parse(Hello.extend(Proof.shape), await readLine(socket, signal));
  requireProof(said.proof, secret, 'holder', guest, said.nonce);
  writeLine(socket, { proof: proofOf(secret, 'guest', guest, said.nonce) });
}

/** The holder's half of `proveAsGuest`. @throws NotProven; the signal's reason */
export async function proveAsHolder(socket: Duplex, secret: string, signal: AbortSignal): Promise<void> {
  const { nonce: guest } = parse(Hello, await readLine(socket, signal));
  const holder = newNonce();
  writeLine(socket, { nonce: holder, proof: proofOf(secret, 'holder', guest, holder) });
  const { proof } = parse(Proof, await readLine(socket, signal));
  requireProof(proof, secret, 'guest', guest, holder);
}

function requireProof(proof: string, secret: string, side: Side, guest: string, holder: string): void {
  if (!isSameSecret(proof, proofOf(secret, side, guest, holder)))
    throw new NotProven(`the ${side} does not know the secret`);
}

function proofOf(secret: string, side: Side, guest: string, holder: string): string {
  const key = Buffer.from(secret, 'base64');
  return createHmac('sha256', key).update(`stallhand ${side} ${guest} ${holder}`).digest('base64');
}

function newNonce(): string {
  return randomBytes(32).toString('base64');
}

function parse<T>(schema: z.ZodType<T>, line: unknown): T {
  const parsed = schema.safeParse(line);
  if (!parsed.success) throw new NotProven('the other end speaks something else');
  return parsed.data;
}
