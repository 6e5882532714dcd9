import { FAULTS, Fault } from '../../src/errors.ts';
import { localizeFault, type Reader } from '../../src/language.ts';

/** The one shape of an error answer (RFC 9457, plus what clients of all ages look for). */
export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  message: string;
  errors: { loc: readonly (string | number)[]; msg: string; type: string }[];
  request_id: string;
};

/** Localizes a fault for the caller; members of the fault (a merge token, conflicts) come last. */
export function problem(fault: Fault, reader: Reader, requestId: string): Problem {
  const { title, detail, errors } = localizeFault(fault, reader);
  const { status } = FAULTS[fault.code];
  const type = `urn:problem:${fault.code.replaceAll('_', '-')}`;
  return {
    type,
    title,
    status,
    code: fault.code,
    detail,
    message: detail,
    errors,
    request_id: requestId,
    ...fault.data,
  };
}

/** The fault for an unknown error: its cause is for the log, never for the caller. */
export function asFault(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault('internal.unexpected', {}, { cause: error });
}
