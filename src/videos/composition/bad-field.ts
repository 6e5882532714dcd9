import { Fault, type FaultKey, type FaultParams } from '../../errors.ts';

/** The fault of one field of a request for a video, told also as a detail of it: the video routes answer with details alone. */
export function badField(key: FaultKey, path: readonly (string | number)[], params: FaultParams = {}): Fault {
  return new Fault(key, params, { errors: [{ loc: ['body', ...path], key, params }] });
}
