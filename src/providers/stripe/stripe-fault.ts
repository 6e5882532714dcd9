import { z } from 'zod';
import { Fault } from '../../errors.ts';

const SdkError = z.object({
  type: z.string().catch('no type'),
  code: z.string().optional().catch(undefined),
  param: z.string().optional().catch(undefined),
  statusCode: z.number().optional().catch(undefined),
  requestId: z.string().optional().catch(undefined),
});

/**
 * The fault a caller sees for what the SDK throws. Its cause names type, code and request, never Stripe's sentence, which
 * may quote the key. A refused key is our trouble, not the caller's: it is no 401.
 */
export function stripeFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  const { type, code, param, statusCode, requestId } = SdkError.catch({ type: 'no type' }).parse(error);
  if (code === 'resource_missing' && param === 'starting_after') return new Fault('validation_failed.cursor');
  const about = [type, code, param, statusCode, requestId].filter((part) => part !== undefined);
  return new Fault(
    'upstream_failed.stripe',
    {},
    {
      cause: new Error(`stripe failed: ${about.join(' ')}`),
      ...(statusCode === 429 && { retryAfterSeconds: 2 }),
    },
  );
}

/** True when Stripe says that there is no such thing. */
export function isMissing(error: unknown): boolean {
  return z.object({ code: z.literal('resource_missing') }).safeParse(error).success;
}
