import { Fault } from '../../src/errors.ts';

/** The fault that a call ends with. @throws Error when it ends with anything else */
export async function faultOf(call: Promise<unknown>): Promise<Fault> {
  const reason = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (reason instanceof Fault) return reason;
  throw new Error(`no fault, but ${String(reason)}`, { cause: reason });
}
